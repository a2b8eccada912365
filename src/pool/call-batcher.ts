import { createBatcher } from "../shared/concurrency/batcher.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type { EnrichedItem } from "./chunk.ts";
import type { Pool } from "./pool.ts";

/** Synchronous calls that go to a thread in one task: it takes them two milliseconds. */
const CALLS_PER_TASK = 64;

/** Batches synchronous calls that wait at the same time and have the same settings into one task. */
export function batchCalls(pool: Pick<Pool, "enrichChunk">, threads: number): Pool["enrichChunk"] {
  const limits = { tasksMax: threads, itemsMax: CALLS_PER_TASK };
  const batch = createBatcher<EnrichItem, EnrichedItem>(limits);
  return (items, load, settings, isEncoded) => {
    const org = settings === null && load.priority === "interactive" ? "" : load.org;
    const run = (all: readonly EnrichItem[]) =>
      pool.enrichChunk(all, { ...load, org }, settings, isEncoded);
    if (load.priority !== "interactive" || items.length === 0) return run(items);
    // Settings belong to one organization. Calls of organizations without settings share tasks: each costs the same.
    return batch(`${settings?.key ?? ""} ${String(isEncoded)}`, run, items);
  };
}
