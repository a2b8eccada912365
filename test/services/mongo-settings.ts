// Options of a MongoDB server that do not depend on where it runs.

/**
 * Changed pages may be 20 to 40 % of the cache, not 5 to 20 %, before they are written: the pages of the indexes are changed by each
 * chunk, and were written again and again while chunks were stored.
 */
const EVICTION =
  "eviction_dirty_target=20,eviction_dirty_trigger=40,eviction_updates_target=10,eviction_updates_trigger=30";

/** Of its cache, which is small: it shares a machine with all else. */
export const MONGO_CACHE_OPTIONS: readonly string[] = [
  ...["--wiredTigerCacheSizeGB", "0.25"],
  ...["--wiredTigerEngineConfigString", EVICTION],
];
