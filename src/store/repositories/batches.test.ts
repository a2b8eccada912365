import { expect, it } from "vitest";
import { openDatabase } from "../../sqlite/database.ts";
import { createBatchRepository } from "./batches.ts";
import type { Store } from "../collection.ts";
import { createSqliteStore } from "../sqlite/store.ts";

it("a list of batches that ended without errors counts no chunks, with the same result", async () => {
  const database = openDatabase(":memory:");
  const engine = createSqliteStore(database);
  let counted = 0;
  const store: Store = {
    ...engine,
    collection: (spec) => {
      const collection = engine.collection(spec);
      const aggregate: typeof collection.aggregate = (...of) => {
        counted += 1;
        return collection.aggregate(...of);
      };
      return { ...collection, aggregate };
    },
  };
  const batches = createBatchRepository(store);
  for (const id of ["done", "running", "failed"]) {
    const head = {
      org: "o",
      id,
      total: 3,
      chunkCount: 2,
      priority: "default",
      createdAt: 10,
    } as const;
    const chunk = (index: number, length: number) =>
      batches.chunkSteps(head, {
        index,
        length,
        storedAt: 20 + index,
        results: "{}",
        accountHolderIds: ["h"],
        accountTypes: ["consumer"],
      });
    await store.write(await chunk(0, 2));
    if (id === "done") await store.write(await chunk(1, 1));
  }
  await store.write([batches.endStep("o", "done", "completed", 21)]);
  await store.write([batches.endStep("o", "failed", "error", 30)]);
  const page = { limit: 10, createdAfter: null, createdBefore: null, after: null };
  const { rows } = await batches.list("o", null, page);
  expect(
    rows.map(({ id, progress, total, updatedAt }) => [id, progress, total, updatedAt]),
  ).toEqual([
    ["running", 2, 3, 20],
    ["failed", 2, 3, 30],
    ["done", 3, 3, 21],
  ]);
  expect(counted).toBe(2);
  await database.close();
});
