// The limits of an endpoint are for all dispatchers together: each dispatcher takes an equal part of the calls per second and
// of the concurrent calls. Parts that follow demand were rejected: every endpoint would need a row that all dispatchers write
// some ten times a second, for limits that only have to be about right. The others see a dispatcher that starts or stops after
// BEAT_MS, and one that died after LIVE_MS; until then an endpoint may get a little more, or less.
import type { EndpointQueue } from "./endpoint-queue.ts";

/** Where dispatchers store their heartbeats. */
export interface QuotaPorts {
  seen(id: string, nowMs: number): Promise<void>;
  countSince(sinceMs: number): Promise<number>;
  remove(id: string, beforeMs: number): Promise<void>;
}

/** The state of a dispatcher that has a quota. */
interface Sharing {
  readonly id: string;
  /** Live dispatchers, including this one. */
  dispatchers: number;
  readonly limits: { readonly ratePerSecond: number; readonly inFlightMax: number };
  readonly queues: ReadonlyMap<string, EndpointQueue>;
  readonly ports: { readonly shares: QuotaPorts | null; nowMs(): number };
}

export const BEAT_MS = 2_000;
/** As long as a lease: by then the others can claim what a dead dispatcher held. */
const LIVE_MS = 30_000;
/** How long the rows of dead dispatchers are kept. */
const DEAD_KEPT_MS = 3_600_000;

/** Writes the heartbeat of this dispatcher and divides the limits of the endpoints by the number of live dispatchers. */
export async function shareOut(own: Sharing): Promise<void> {
  const { shares } = own.ports;
  if (shares === null) return;
  const now = own.ports.nowMs();
  await shares.seen(own.id, now);
  own.dispatchers = Math.max(1, await shares.countSince(now - LIVE_MS));
  for (const queue of own.queues.values()) applyQuota(queue, own);
}

/** Removes the heartbeat, so that the others take over the quota. */
export async function leaveQuota({ id, ports }: Sharing): Promise<void> {
  await ports.shares?.remove(id, ports.nowMs() - DEAD_KEPT_MS);
}

/** A whole number of at least 1 of each: with more dispatchers than allowed calls, each dispatcher makes one. */
export function applyQuota(queue: EndpointQueue, { dispatchers, limits, ports }: Sharing): void {
  const partOf = (whole: number): number => Math.max(1, Math.floor(whole / dispatchers));
  queue.share(partOf(limits.ratePerSecond), partOf(limits.inFlightMax), ports.nowMs());
}
