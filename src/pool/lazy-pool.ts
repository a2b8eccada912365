import type { Pool } from "./pool.ts";

/** A pool that is opened for its first query: threads take a moment to start, and most commands have no query. */
export function createLazyPool(open: () => Promise<Pool>): Pick<Pool, "ask" | "close"> {
  let opening: Promise<Pool> | null = null;
  return {
    ask: async (...query) => (await (opening ??= open())).ask(...query),
    close: async () => {
      // The query has reported why the pool did not open.
      await opening?.then((pool) => pool.close()).catch(() => undefined);
    },
  };
}
