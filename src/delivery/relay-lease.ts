// One of all dispatchers publishes the outbox: several would publish each event several times, which consumers would have to
// read and skip. The lease is a text in the store that its holder changes at every heartbeat. Another dispatcher takes it over
// when it has seen the same text for LEASE_MS by its own clock, so that clocks need not agree. Two holders at the same time, of
// which one was paused, do no harm: what is published twice has the same id.

/** The text, as other dispatchers see it. */
export interface LeasePorts {
  get(): Promise<string | null>;
  /** Stores a text unless there is one; returns the stored one. */
  getOrSet(text: string): Promise<string>;
  /** Replaces the text, unless it is another one by now. */
  replace(seen: string, text: string): Promise<void>;
}

export interface RelayLease {
  /** Renews the lease, or takes over one that is not renewed any more. */
  beat(): Promise<void>;
  isHeld(): boolean;
  /** Releases it, so that another dispatcher gets it at its next heartbeat. */
  leave(): Promise<void>;
}

/** Three heartbeats. */
const LEASE_MS = 6_000;
const FREE = "free";

/**
 * @param id of this lease
 * @param ports null: it is the only dispatcher and always has the lease
 */
export function createRelayLease(
  id: string,
  ports: LeasePorts | null,
  nowMs: () => number,
): RelayLease {
  if (ports === null)
    return { beat: () => Promise.resolve(), isHeld: () => true, leave: () => Promise.resolve() };
  let held: string | null = null;
  let beats = 0;
  let seen = { text: "", atMs: nowMs() };

  async function take(from: string): Promise<void> {
    beats += 1;
    const text = `${id} ${String(beats)}`;
    await ports?.replace(from, text);
    held = (await ports?.get()) === text ? text : null;
  }

  return {
    beat: async () => {
      const text = (await ports.get()) ?? (await ports.getOrSet(FREE));
      const now = nowMs();
      // A clock that was set back has seen nothing yet.
      if (text !== seen.text || now < seen.atMs) seen = { text, atMs: now };
      const isLeft = text === FREE || now - seen.atMs >= LEASE_MS;
      if (text === held || isLeft) await take(text);
      else held = null;
    },
    isHeld: () => held !== null,
    leave: async () => {
      if (held !== null) await ports.replace(held, FREE);
      held = null;
    },
  };
}
