import { expect, it } from "vitest";
import { createLazyPool } from "./lazy-pool.ts";
import type { Pool } from "./pool.ts";

const query = { kind: "entity", id: "one" } as const;

/** Opens a pool that answers every query with its kind, and records what happens to it. */
function recordingPool() {
  const calls: string[] = [];
  const pool: Pick<Pool, "ask" | "close"> = {
    ask: ({ kind }) => Promise.resolve(kind),
    close: () => Promise.resolve(void calls.push("close")),
  };
  const open = () => {
    calls.push("open");
    return Promise.resolve(pool as Pool);
  };
  return { calls, open };
}

it("a lazy pool opens once, for its first query, and is closed", async () => {
  const { calls, open } = recordingPool();
  const lazy = createLazyPool(open);
  expect(calls).toEqual([]);
  expect(await Promise.all([lazy.ask(query), lazy.ask(query)])).toEqual(["entity", "entity"]);
  await lazy.close();
  expect(calls).toEqual(["open", "close"]);
});

it("a lazy pool without a query is never opened", async () => {
  const { calls, open } = recordingPool();
  await createLazyPool(open).close();
  expect(calls).toEqual([]);
});

it("a pool that does not open fails the query, and closing still works", async () => {
  const lazy = createLazyPool(() => Promise.reject(new Error("no threads")));
  await expect(lazy.ask(query)).rejects.toThrow("no threads");
  await expect(lazy.close()).resolves.toBeUndefined();
});
