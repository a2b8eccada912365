// What an endpoint gets is for all dispatchers together: each takes an equal part of the calls a second and of the calls at
// a time. Parts that follow who needs how much were rejected: every endpoint would have a row that all of them write, some
// ten times a second, for limits whose meaning is to be about right. A dispatcher that begins or ends is known to the others
// after BEAT_MS, one that died after LIVE_MS; until then an endpoint may get a little more, or less.
import type { EndpointQueue } from "./endpoint-queue.ts";

/** Where dispatchers say that they are there. */
export interface QuotaPorts {
  seen(id: string, nowMs: number): Promise<void>;
  countSince(sinceMs: number): Promise<number>;
  remove(id: string, beforeMs: number): Promise<void>;
}

/** What a dispatcher has that shares. */
interface Sharing {
  readonly id: string;
  /** How many share, this one included. */
  dispatchers: number;
  readonly limits: { readonly ratePerSecond: number; readonly inFlightMax: number };
  readonly queues: ReadonlyMap<string, EndpointQueue>;
  readonly ports: { readonly shares: QuotaPorts | null; nowMs(): number };
}

export const BEAT_MS = 2_000;
/** As long as a lease: by then what it had is the others' too. */
const LIVE_MS = 30_000;
/** Rows of dispatchers that died. */
const DEAD_KEPT_MS = 3_600_000;

/** Says that this dispatcher is there, and shares what endpoints get with the others that are. */
export async function shareOut(own: Sharing): Promise<void> {
  const { shares } = own.ports;
  if (shares === null) return;
  const now = own.ports.nowMs();
  await shares.seen(own.id, now);
  own.dispatchers = Math.max(1, await shares.countSince(now - LIVE_MS));
  for (const queue of own.queues.values()) applyQuota(queue, own);
}

/** Leaves its share to the others. */
export async function leaveQuota({ id, ports }: Sharing): Promise<void> {
  await ports.shares?.remove(id, ports.nowMs() - DEAD_KEPT_MS);
}

/** A whole number of at least 1 of each: with more dispatchers than there are calls to share, each makes one. */
export function applyQuota(queue: EndpointQueue, { dispatchers, limits, ports }: Sharing): void {
  const partOf = (whole: number): number => Math.max(1, Math.floor(whole / dispatchers));
  queue.share(partOf(limits.ratePerSecond), partOf(limits.inFlightMax), ports.nowMs());
}
