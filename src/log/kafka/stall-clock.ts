// For how long a member of a consumer group has got nothing although there is something.

/** Records are there and none comes for this long: the client is replaced. */
const STALLED_AFTER_MS = 20_000;
/** A longer pause between looks means that Kafka could not be asked. */
const LOOKS_APART_MS_MAX = 30_000;

export interface Stall {
  readonly stalledForMs: number;
  /** The client is to be replaced; called once for each. */
  readonly isClientStalled: boolean;
}

export interface StallClock {
  gotSome(): void;
  joined(): void;
  look(isBehind: boolean): Stall;
}

/**
 * For how long a member has been behind and got nothing: in all, and with the client it has now since that has joined.
 * Time without a check, because Kafka did not answer, does not count.
 */
export function createStallClock(nowMs: () => number): StallClock {
  let behindSinceMs: number | null = null;
  let joinedAtMs: number | null = null;
  let lookedAtMs = nowMs();
  return {
    gotSome: () => {
      behindSinceMs = null;
    },
    joined: () => {
      joinedAtMs = nowMs();
    },
    look: (isBehindNow) => {
      const now = nowMs();
      if (now - lookedAtMs > LOOKS_APART_MS_MAX) behindSinceMs = null;
      lookedAtMs = now;
      behindSinceMs = isBehindNow ? (behindSinceMs ?? now) : null;
      const since = (ms: number | null): number => (ms === null ? 0 : now - ms);
      const stalledForMs = since(behindSinceMs);
      const isClientStalled = Math.min(stalledForMs, since(joinedAtMs)) > STALLED_AFTER_MS;
      if (isClientStalled) joinedAtMs = null;
      return { stalledForMs, isClientStalled };
    },
  };
}
