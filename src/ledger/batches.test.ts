import { expect, it } from "vitest";
import type { Batch, BatchHead } from "../model/batch.ts";
import { type BatchPorts, createBatches } from "./batches.ts";

const HEAD: BatchHead = {
  ...{ org: "o", id: "b", total: 4, chunkCount: 4 },
  ...{ priority: "default", createdAt: 1 },
};

function setUp() {
  let status: Batch["status"] = "processing";
  let chunks = 0;
  const counts: number[] = [];
  const endings: string[] = [];
  const never = (): never => {
    throw new Error("not a part of this");
  };
  const ports: BatchPorts = {
    getBatch: () => Promise.resolve({ ...HEAD, status, updatedAt: 1, progress: chunks }),
    storedOf: async () => {
      const counted = { chunks, transactions: chunks, lastAt: 9 };
      counts.push(chunks);
      await new Promise(setImmediate);
      return counted;
    },
    endBatch: async (_org, _id, ended) => {
      await new Promise(setImmediate);
      endings.push(ended);
      status = ended;
    },
    ...{ listBatches: never, results: never, insertBatch: never, hideBatch: never },
    ...{ removeResults: never, endedBefore: never, endOrder: never, newId: never, nowMs: never },
  };
  const { chunkStored } = createBatches(ports);
  return {
    store: (count: number) => {
      chunks += count;
      return Promise.all(Array.from({ length: count }, () => chunkStored(HEAD)));
    },
    counts,
    endings,
  };
}

it("chunks that are stored together end their batch once, and count its chunks once for all of them", async () => {
  const { store, counts, endings } = setUp();
  const first = store(1);
  await new Promise(setImmediate);
  await Promise.all([first, store(3)]);
  expect(endings).toEqual(["completed"]);
  expect(counts).toEqual([1, 4]);
});

it("a chunk that is stored while others are counted is counted too", async () => {
  const { store, endings } = setUp();
  const first = store(3);
  await Promise.resolve();
  await Promise.all([first, store(1)]);
  expect(endings).toEqual(["completed"]);
});
