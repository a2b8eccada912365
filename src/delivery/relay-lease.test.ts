import { expect, it } from "vitest";
import { createRelayLease, type LeasePorts, type RelayLease } from "./relay-lease.ts";

/** Dispatchers over one store, each with a clock of its own that may be wrong. */
function setUp() {
  let stored: string | null = null;
  let now = 1_000_000;
  const ports: LeasePorts = {
    get: () => Promise.resolve(stored),
    getOrSet: (text) => Promise.resolve((stored ??= text)),
    replace: (seen, text) => {
      if (stored === seen) stored = text;
      return Promise.resolve();
    },
  };
  return {
    open: (id: string, clockMs = 0): RelayLease => createRelayLease(id, ports, () => now + clockMs),
    pass: async (ms: number, ...leases: readonly RelayLease[]): Promise<readonly boolean[]> => {
      now += ms;
      for (const lease of leases) await lease.beat();
      return leases.map((lease) => lease.isHeld());
    },
  };
}

it("of several dispatchers one has the lease, and keeps it while it renews it", async () => {
  const { open, pass } = setUp();
  const leases = [open("a"), open("b", 60_000), open("c", -60_000)];
  const held = await pass(0, ...leases);
  expect(held.filter(Boolean)).toHaveLength(1);
  for (let beats = 0; beats < 20; beats += 1) expect(await pass(2_000, ...leases)).toEqual(held);
});

it("the lease of a dispatcher that died is another's after three heartbeats, whatever its clock shows", async () => {
  const { open, pass } = setUp();
  const [dies, lives] = [open("a", 3_600_000), open("b")];
  await pass(0, dies);
  expect(await pass(2_000, dies, lives)).toEqual([true, false]);
  expect(await pass(2_000, lives)).toEqual([false]);
  expect(await pass(2_000, lives)).toEqual([false]);
  expect(await pass(2_000, lives)).toEqual([true]);
  // One that was only paused notices at its next heartbeat.
  expect(await pass(2_000, dies)).toEqual([false]);
});

it("a dispatcher that closes leaves the lease to the next heartbeat of another", async () => {
  const { open, pass } = setUp();
  const [closes, stays] = [open("a"), open("b")];
  await pass(0, closes);
  await pass(0, stays);
  await closes.leave();
  expect(await pass(2_000, stays)).toEqual([true]);
});

it("the only dispatcher always has it", async () => {
  const lease = createRelayLease("a", null, () => 0);
  await lease.beat();
  expect(lease.isHeld()).toBe(true);
});
