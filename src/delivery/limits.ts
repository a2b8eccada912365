import type { DispatchLimits } from "./work.ts";

/**
 * Published events whose deliveries are being made, and those of one organization. Those of a resource are made one after the
 * other, in their order.
 */
export const eventLimits = {
  inFlightMax: 256,
  inFlightPerTenantMax: 192,
  isKeyOrdered: true,
} as const;
/** Calls in flight to one webhook. */
const IN_FLIGHT_MAX = 16;
/**
 * How outcomes of calls are written: `writesMax` at a time, with `unwrittenMax` of one webhook waiting. SQLite batches the
 * writes of one turn of the event loop by itself. A write to MongoDB waits for its disk, and many small ones took twice the
 * processor time; but a webhook that waited for each would get half as many calls.
 */
const WRITES_BATCHED_BY_STORE = { writesMax: Infinity, unwrittenMax: 0 };
const WRITES_BATCHED_HERE = { writesMax: 1, unwrittenMax: 64 };

/** @param storeBatches whether the store batches the writes of one turn of the event loop */
export function dispatchLimits(
  {
    ratePerSecond,
    failuresMax,
    failingMs,
  }: {
    readonly ratePerSecond: number;
    readonly failuresMax: number;
    readonly failingMs: number;
  },
  storeBatches: boolean,
): DispatchLimits {
  return {
    ratePerSecond,
    inFlightMax: IN_FLIGHT_MAX,
    ...(storeBatches ? WRITES_BATCHED_BY_STORE : WRITES_BATCHED_HERE),
    policy: { failuresMax, quietMs: failingMs },
  };
}
