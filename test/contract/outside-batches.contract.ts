// What every engine promises about batches of outside producers, whose records may contradict each other or never come.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRepositories, type Repositories } from "../../src/app/repositories.ts";
import { createBatches, type Batches } from "../../src/ledger/batches.ts";
import { createOutsideBatches, type OutsideBatches } from "../../src/ledger/outside-batches.ts";
import type { BatchHead } from "../../src/model/batch.ts";
import type { Store } from "../../src/store/collection.ts";

const COMPLETE_WITHIN_MS = 1_000;
const HEAD: BatchHead = {
  org: "o",
  id: "b",
  total: 3,
  chunkCount: 2,
  priority: "default",
  createdAt: 50,
};

interface Stages {
  readonly batches: Batches;
  readonly outside: OutsideBatches;
}

export function outsideBatchesContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`batches of outside producers: ${name}`, () => {
    let store: Store;
    let rows: Repositories;
    let close: () => Promise<void>;
    const log = { nowMs: 100, doneMs: 0 };
    beforeEach(async () => {
      ({ store, close } = await open());
      rows = createRepositories(store);
      Object.assign(log, { nowMs: 100, doneMs: 0 });
    });
    afterEach(() => close());

    /** The stages of one process. */
    function startProcess(): Stages {
      const batches = createBatches({
        getBatch: rows.batches.get,
        listBatches: rows.batches.list,
        storedOf: rows.batches.stored,
        results: rows.batches.results,
        endBatch: rows.ledgerWrites.endBatch,
        insertBatch: rows.batches.insert,
        hideBatch: rows.batchRemoval.hide,
        removeResults: rows.batchRemoval.removeResults,
        endedBefore: rows.batchRemoval.endedBefore,
        endOrder: () => Promise.resolve(""),
        newId: randomUUID,
        nowMs: () => log.nowMs,
      });
      const outside = createOutsideBatches(
        {
          openBatch: rows.outsideBatches.open,
          chunkIds: rows.outsideBatches.chunkIds,
          dueBatches: rows.outsideBatches.due,
          lookedAt: rows.outsideBatches.looked,
          failBatch: batches.failKnown,
          isOver: (timeMs) => timeMs < log.doneMs,
          nowMs: () => log.nowMs,
        },
        COMPLETE_WITHIN_MS,
      );
      return { batches, outside };
    }

    async function store1(head: BatchHead, index: number, ids: readonly string[]): Promise<void> {
      const results = ids.map((id) => JSON.stringify({ id })).join(",");
      const none = ids.map(() => null);
      const chunk = { index, length: ids.length, storedAt: log.nowMs, results };
      const stored = { ...chunk, accountHolderIds: none, accountTypes: none };
      await store.write(await rows.batches.chunkSteps(head, stored));
    }

    /** Brings a record to its end, as the enrich stage does. */
    async function deliver(
      { batches, outside }: Stages,
      index: number,
      ids: readonly string[],
      head = HEAD,
    ): Promise<string | null> {
      const refusal = await outside.join(head, { index, ids });
      if (refusal !== null) {
        await outside.fail(head.org, head.id);
        return refusal;
      }
      await store1(head, index, ids);
      await batches.chunkStored(head);
      return null;
    }

    const events = async (): Promise<readonly string[]> =>
      (await rows.events.older(Number.MAX_SAFE_INTEGER, 100)).map(
        ({ resourceId, eventType }) => `${resourceId} ${eventType}`,
      );
    const statusOf = async (id = "b", org = "o"): Promise<string | null> =>
      (await rows.batches.get(org, id))?.status ?? null;

    it("a whole batch completes, once, as its first record made it known", async () => {
      const one = startProcess();
      await deliver(one, 1, ["c"]);
      await deliver(one, 0, ["a", "b"], { ...HEAD, createdAt: 60, priority: "low" });
      await deliver(startProcess(), 0, ["a", "b"]);
      const batch = await rows.batches.get("o", "b");
      expect(batch).toMatchObject({ status: "completed", createdAt: 50, priority: "default" });
      expect(await events()).toEqual(["b batches.completed"]);
      Object.assign(log, { nowMs: 5_000, doneMs: 5_000 });
      expect([await one.outside.endIncomplete(10), await statusOf()]).toEqual([1, "completed"]);
      expect(await one.outside.endIncomplete(10)).toBe(0);
      expect(await events()).toHaveLength(1);
    });

    it("one that is not whole in time ends with an error once, whichever process looks and dies", async () => {
      const [one, two] = [startProcess(), startProcess()];
      await deliver(one, 0, ["a", "b"]);
      log.nowMs = 1_101;
      // Its records may wait in the log.
      log.doneMs = 1_100;
      expect([await one.outside.endIncomplete(10), await statusOf()]).toEqual([0, "processing"]);
      log.doneMs = 1_101;
      // One that died before it noted that it had looked.
      await one.batches.failKnown("o", "b");
      await Promise.all([one.outside.endIncomplete(10), two.outside.endIncomplete(10)]);
      expect(await statusOf()).toBe("error");
      expect(await events()).toEqual(["b batches.error"]);
    });

    it("a last record at the moment of the error has one outcome and one event", async () => {
      for (let round = 0; round < 10; round += 1) {
        const [one, two] = [startProcess(), startProcess()];
        const head = { ...HEAD, id: `b${String(round)}` };
        Object.assign(log, { nowMs: 100, doneMs: 0 });
        await deliver(one, 0, ["a", "b"], head);
        Object.assign(log, { nowMs: 5_000, doneMs: 5_000 });
        await Promise.all([two.outside.endIncomplete(10), deliver(one, 1, ["c"], head)]);
        const status = await statusOf(head.id);
        expect(["completed", "error"]).toContain(status);
        const own = (await events()).filter((event) => event.startsWith(`${head.id} `));
        expect(own).toEqual([`${head.id} batches.${String(status)}`]);
      }
    });

    it("a record behind the error is stored, and the batch stays as it ended", async () => {
      const one = startProcess();
      await deliver(one, 0, ["a", "b"]);
      Object.assign(log, { nowMs: 5_000, doneMs: 5_000 });
      await one.outside.endIncomplete(10);
      expect(await deliver(one, 1, ["c"])).toBeNull();
      expect(await rows.batches.get("o", "b")).toMatchObject({ status: "error", progress: 3 });
      expect(await events()).toEqual(["b batches.error"]);
    });

    it("records that contradict each other end a batch with an error", async () => {
      const one = startProcess();
      const head = (id: string): BatchHead => ({ ...HEAD, id });
      await deliver(one, 0, ["a", "b"], head("count"));
      expect(await deliver(one, 1, ["c"], { ...head("count"), chunkCount: 4 })).toMatch(
        /^chunk_count and total/,
      );
      await deliver(one, 0, ["a", "b"], head("total"));
      expect(await deliver(one, 1, ["c"], { ...head("total"), total: 4 })).toMatch(/total/);
      await deliver(one, 0, ["a", "b"], head("index"));
      expect(await deliver(one, 0, ["a", "c"], head("index"))).toMatch(/has this chunk_index/);
      await deliver(one, 0, ["a", "b"], head("sum"));
      expect(await deliver(one, 1, ["c", "d"], head("sum"))).toBeNull();
      for (const id of ["count", "total", "index", "sum"]) {
        expect([id, await statusOf(id)]).toEqual([id, "error"]);
      }
      expect((await events()).toSorted()).toEqual(
        ["count", "index", "sum", "total"].map((id) => `${id} batches.error`),
      );
    });

    it("a batch of the API, and one of another organization, are left as they are", async () => {
      const one = startProcess();
      await rows.batches.insert(HEAD);
      await deliver(one, 0, ["x", "y"], { ...HEAD, org: "other" });
      expect(await deliver(one, 0, ["a", "b"])).toBe("batch_id is the id of a batch of the API");
      expect([await statusOf(), await statusOf("b", "other")]).toEqual([
        "processing",
        "processing",
      ]);
      expect(await rows.batches.get("o", "b")).toMatchObject({ progress: 0 });
    });

    it("a batch that ended does not change by records that contradict it", async () => {
      const one = startProcess();
      await deliver(one, 0, ["a", "b"]);
      await deliver(one, 1, ["c"]);
      expect(await deliver(one, 1, ["d"])).toMatch(/chunk_index/);
      expect(await statusOf()).toBe("completed");
      expect(await events()).toEqual(["b batches.completed"]);
    });
  });
}
