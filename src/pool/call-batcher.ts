import { createBatcher } from "../shared/concurrency/batcher.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type { Workload } from "../model/workload.ts";
import type { EnrichedItem } from "./chunk.ts";
import type { Pool } from "./pool.ts";

/** Items of synchronous calls or small records that go to a thread in one task: it takes them two milliseconds. */
const ITEMS_PER_TASK = 64;
/** A record of a batch or of a producer outside that has more is a task of its own. */
const SMALL_ITEMS_MAX = 16;

/**
 * Batches synchronous calls, and small records of one organization, that wait at the same time and have the same settings into
 * one task.
 */
export function batchCalls(pool: Pick<Pool, "enrichChunk">, threads: number): Pool["enrichChunk"] {
  const limits = { tasksMax: threads, itemsMax: ITEMS_PER_TASK };
  const batch = createBatcher<EnrichItem, EnrichedItem>(limits);
  return (items, load, settings, isEncoded) => {
    const org = settings === null && load.priority === "interactive" ? "" : load.org;
    const run = (all: readonly EnrichItem[]) =>
      pool.enrichChunk(all, { ...load, org }, settings, isEncoded);
    if (items.length === 0 || !isBatched(load, items)) return run(items);
    // Settings belong to one organization. Calls of organizations without settings share tasks: each costs the same. Records of an
    // organization do not: it may send any number of them, and is charged for the time that they take.
    const key = [load.priority, org, settings?.key ?? "", String(isEncoded)];
    return batch(JSON.stringify(key), run, items);
  };
}

const isBatched = ({ priority }: Workload, { length }: readonly EnrichItem[]): boolean =>
  priority === "interactive" || length <= SMALL_ITEMS_MAX;
