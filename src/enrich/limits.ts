import type { RendezvousLimits } from "../shared/concurrency/rendezvous.ts";

/** Chunks of one organization in flight at a time: enough to keep every thread busy while results are being stored. */
const BATCH_CHUNKS_PER_THREAD = 4;
/**
 * Chunks of all organizations together, so that many can be served at the same time. They share the threads, so that all of
 * the most expensive rules, 1.25 s a chunk, end after 20 s: a third of what readiness allows without an end.
 */
const ALL_CHUNKS_PER_THREAD = 16;
/**
 * A record with fewer bytes has fewer transactions than a chunk, of which each has 60 to 200 bytes: as many more of such records may
 * be in flight, so that what waits in each of the stages behind is done together, in one task, request or write. With one
 * transaction a record, as they come to producers outside, each would otherwise wait for the store alone.
 */
const CHUNK_BYTES = 16 * 1024;
/** Synchronous calls in flight at a time, and those of one organization. */
const INTERACTIVE_IN_FLIGHT_MAX = 256;
const INTERACTIVE_PER_ORGANIZATION_MAX = 192;
/**
 * Chunks of the embedded engine that are in flight at the same time are stored in one commit, up to so many transactions: a commit
 * writes each page that it changes, and the transactions of 100 account holders are on 100 pages of the index of ledgers. Alone, a
 * transaction in a chunk of 100 takes 36 µs to store, in one of 250 23, in 1,000 together 15. Half of what one organization has in
 * flight, so that the threads have the other half meanwhile.
 */
// biome-ignore format: the table of limits names each value.
export const STORED_TOGETHER: RendezvousLimits = {
  weightMax: 1_000,
  waitMs: 50,
};
/** A record with no more transactions is stored at once: most are single calls, whose callers wait. */
export const STORED_ALONE_MAX = 16;

/** Records that a consumer may have in flight. */
interface RecordLimits {
  readonly inFlightMax: number;
  readonly inFlightPerTenantMax: number;
  readonly fullBytes?: number;
}

export const interactiveLimits: RecordLimits = {
  inFlightMax: INTERACTIVE_IN_FLIGHT_MAX,
  inFlightPerTenantMax: INTERACTIVE_PER_ORGANIZATION_MAX,
};

export const batchLimits = (threads: number): RecordLimits => ({
  inFlightMax: ALL_CHUNKS_PER_THREAD * threads,
  inFlightPerTenantMax: BATCH_CHUNKS_PER_THREAD * threads,
  fullBytes: CHUNK_BYTES,
});
