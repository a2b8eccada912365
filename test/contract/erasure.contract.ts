// What every engine promises about deleted batches and about what batches have of deleted account holders.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../src/model/audit.ts";
import { type BatchHead, parsedResults } from "../../src/model/batch.ts";
import { enrichedTransactionText } from "../../src/model/enriched-transaction.ts";
import type { StoredStatement } from "../../src/model/statement-document.ts";
import type { LedgerTransaction } from "../../src/model/ledger-transaction.ts";
import { createAuditRepository } from "../../src/store/repositories/audit.ts";
import { createBatchErasureRepository } from "../../src/store/repositories/batch-erasure.ts";
import { createBatchRemovalRepository } from "../../src/store/repositories/batch-removal.ts";
import {
  type BatchRepository,
  createBatchRepository,
} from "../../src/store/repositories/batches.ts";
import type { Store } from "../../src/store/collection.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import { createHolderErasureRepository } from "../../src/store/repositories/holder-erasure.ts";
import {
  createHolderRepository,
  type HolderRepository,
} from "../../src/store/repositories/holders.ts";
import type { IdempotencyRepository } from "../../src/model/idempotency.ts";
import { answerPartSpec, idempotencySpec } from "../../src/store/specs/idempotency-specs.ts";
import { createIdempotencyRepository } from "../../src/store/repositories/idempotency.ts";
import { createStatementErasureRepository } from "../../src/store/repositories/statement-erasure.ts";
import { createStatementRepository } from "../../src/store/repositories/statements.ts";
import { createTransactionRepository } from "../../src/store/repositories/transactions.ts";

const page = { limit: 10, createdAfter: null, createdBefore: null, after: null };
const CREATED = "2026-01-02T03:04:05.000Z";
const FACTS = '{"entities":{},"categories":null,"location":null}';
const ENTRY: AuditEntry = {
  ...{ org: "o", id: "e", createdAt: 1, action: "batch.deleted", subject: "b" },
  ...{ keyId: "k", requestId: "r", details: {} },
};
const STATEMENT: StoredStatement = {
  ...{ org: "o", id: "d", name: "May.pdf", createdAt: 5, status: "queued", size: 0, sha256: "" },
  ...{ pages: 0, accountHolderId: null, accountType: null, currency: null, failure: null },
  ...{ batchId: null, password: null, crashes: 0 },
};

const inLedger = (id: string, accountHolderId: string): LedgerTransaction => ({
  org: "o",
  input: {
    ...{ id, description: "", date: "2026-01-02", amount: 1, entryType: "outgoing" },
    ...{ currency: "USD", accountHolderId, location: null },
  },
  ...{ createdAt: 5, order: "1", facts: FACTS, error: null, override: null },
});

interface Shown {
  readonly id: string;
  readonly error: { readonly code: string } | null;
}

export function erasureContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`erasure contract: ${name}`, () => {
    let store: Store;
    let close: () => Promise<void>;
    let batches: BatchRepository;
    let holders: HolderRepository;
    beforeEach(async () => {
      ({ store, close } = await open());
      batches = createBatchRepository(store);
      holders = createHolderRepository(store);
    });
    afterEach(() => close());

    const headOf = (id: string, chunkCount = 1, createdAt = 5): BatchHead => {
      return { org: "o", id, total: 2 * chunkCount, chunkCount, priority: "default", createdAt };
    };
    /** A chunk with a result for each of these holders. */
    const storeChunk = async (
      head: BatchHead,
      index: number,
      accountHolderIds: readonly (string | null)[],
    ): Promise<void> => {
      const texts = accountHolderIds.map((_, place) =>
        enrichedTransactionText(`t${String(index)}-${String(place)}`, CREATED, FACTS, null),
      );
      const { length } = texts;
      const chunk = {
        index,
        length,
        storedAt: 9,
        results: texts.join(","),
        accountHolderIds,
        accountTypes: accountHolderIds.map(() => null),
      };
      await store.apply(await batches.chunkSteps(head, chunk));
    };
    const end = (id: string): Promise<unknown> =>
      store.write([batches.endStep("o", id, "completed", 9)]);
    const results = async (id: string): Promise<string> => {
      const shown: string[] = [];
      for await (const chunk of batches.results("o", id)) {
        for (const one of parsedResults(chunk) as Shown[])
          shown.push(`${one.id}${one.error === null ? "" : " erased"}`);
      }
      return shown.join(", ");
    };
    const makeHolder = (id: string): Promise<boolean> =>
      holders.insert(
        { org: "o", id, type: "consumer", name: null, categoryId: null, createdAt: 1 },
        "1",
      );
    const eraseHolder = async (id: string): Promise<void> => {
      const removal = await holders.markDeleting("o", id);
      if (removal === null) throw new Error("There is no such holder");
      const erasure = createBatchErasureRepository(store);
      await erasure.eraseHolder(removal, holders.requireRemoval(removal));
    };

    it("a deleted batch is gone at once, one that is processing stays", async () => {
      const removal = createBatchRemovalRepository(store);
      const hide = (id: string): Promise<string> => removal.hide({ org: "o", id }, "3", 10, ENTRY);
      await storeChunk(headOf("b", 2), 0, ["h", "h"]);
      expect([await hide("b"), await hide("none")]).toEqual(["processing", "not_found"]);
      await end("b");
      expect([await hide("b"), await hide("b")]).toEqual(["deleted", "not_found"]);
      expect(await batches.get("o", "b")).toBeNull();
      expect((await batches.list("o", null, page)).rows).toEqual([]);
      const audit = await createAuditRepository(store).list("o", { action: null }, page);
      expect(audit.rows).toEqual([ENTRY]);
    });

    it("a redelivered chunk does not bring a deleted batch back", async () => {
      const removal = createBatchRemovalRepository(store);
      await storeChunk(headOf("b"), 0, ["h", "h"]);
      await end("b");
      await removal.hide({ org: "o", id: "b" }, "3", 10, null);
      await removal.removeResults({ org: "o", id: "b" });
      await storeChunk(headOf("b"), 0, ["h", "h"]);
      await end("b");
      expect(await batches.get("o", "b")).toBeNull();
      expect(await removal.removeHidden("2", 10)).toBe(0);
      expect(await removal.removeHidden("3", 10)).toBe(1);
      expect([await batches.get("o", "b"), await results("b")]).toEqual([null, ""]);
      expect(await removal.removeHidden("3", 10)).toBe(0);
    });

    it("batches that ended before a time are found, oldest first", async () => {
      const removal = createBatchRemovalRepository(store);
      for (const [id, at] of [
        ["late", 30],
        ["early", 10],
        ["failed", 20],
        ["running", null],
      ] as const) {
        await batches.insert(headOf(id));
        if (at === null) continue;
        const status = id === "failed" ? "error" : "completed";
        await store.write([batches.endStep("o", id, status, at)]);
      }
      const found = async (before: number, limit: number): Promise<readonly string[]> =>
        (await removal.endedBefore(before, limit)).map(({ id }) => id);
      expect(await found(30, 10)).toEqual(["early", "failed"]);
      expect(await found(31, 2)).toEqual(["early", "failed"]);
      expect(await found(31, 3)).toEqual(["early", "failed", "late"]);
    });

    it("results of a deleted holder become errors in their places", async () => {
      for (const id of ["h", "other"]) await makeHolder(id);
      await storeChunk(headOf("b", 2), 0, ["h", null]);
      await storeChunk(headOf("b", 2), 1, ["other", "h"]);
      await storeChunk(headOf("c"), 0, ["other", "other"]);
      await eraseHolder("h");
      expect(await results("b")).toBe("t0-0 erased, t0-1, t1-0, t1-1 erased");
      expect(await results("c")).toBe("t0-0, t0-1");
      await eraseHolder("other");
      expect(await results("b")).toBe("t0-0 erased, t0-1, t1-0 erased, t1-1 erased");
      expect(await results("c")).toBe("t0-0 erased, t0-1 erased");
    });

    it("the codes that were sent are read back, and those of a deleted holder are erased", async () => {
      const head = headOf("b");
      const texts = ["t0", "t1"].map((id) => enrichedTransactionText(id, CREATED, FACTS, null));
      const chunk = {
        ...{ index: 0, length: 2, storedAt: 9, results: texts.join(",") },
        ...{ accountHolderIds: ["h", "g"], accountTypes: [null, null], sentMccs: [5411, 742] },
      };
      await store.apply(await batches.chunkSteps(head, chunk));
      await storeChunk(headOf("c"), 0, ["g"]);
      const codes = async (id: string): Promise<unknown[]> => {
        const found: unknown[] = [];
        for await (const { sentMccs } of batches.results("o", id)) found.push(sentMccs);
        return found;
      };
      expect([await codes("b"), await codes("c")]).toEqual([[[5411, 742]], [null]]);
      await makeHolder("h");
      await eraseHolder("h");
      expect(await codes("b")).toEqual([[null, 742]]);
    });

    it("two holders that are deleted at once are both erased from one chunk", async () => {
      const ids = ["h0", "h1", "h2", "h3"];
      for (const id of ids) await makeHolder(id);
      await storeChunk(headOf("b"), 0, [...ids, "stays"]);
      await Promise.all(ids.map(eraseHolder));
      expect(await results("b")).toBe("t0-0 erased, t0-1 erased, t0-2 erased, t0-3 erased, t0-4");
    });

    it("an assigned transaction is erased with its new holder, also from the batch of before", async () => {
      await makeHolder("new");
      await storeChunk(headOf("b", 1, 5), 0, ["old", null]);
      await storeChunk(headOf("later", 1, 6), 0, ["old", "old"]);
      const erasure = createBatchErasureRepository(store);
      for (const id of ["t0-0", "t0-1"]) await erasure.noteAssigned("o", id, 5, "new");
      await eraseHolder("new");
      expect(await results("b")).toBe("t0-0 erased, t0-1 erased");
      expect(await results("later")).toBe("t0-0, t0-1");
    });

    it("a transaction that is another holder's again stays in its batch when the noted holder is deleted", async () => {
      await makeHolder("new");
      await storeChunk(headOf("b", 1, 5), 0, ["old", "old"]);
      const erasure = createBatchErasureRepository(store);
      for (const id of ["t0-0", "t0-1"]) await erasure.noteAssigned("o", id, 5, "new");
      await store.apply(createTransactionRepository(store).upsertSteps([inLedger("t0-0", "old")]));
      await eraseHolder("new");
      expect(await results("b")).toBe("t0-0, t0-1 erased");
    });

    it("a chunk that is stored behind the erasure of its holder is erased by itself", async () => {
      await storeChunk(headOf("b", 2), 0, ["h", "other"]);
      const erasure = createBatchErasureRepository(store);
      for (const batchId of ["b", "none"])
        await erasure.eraseFromChunk({ org: "o", batchId, chunkIndex: 0 }, ["h"]);
      expect(await results("b")).toBe("t0-0 erased, t0-1");
    });

    const makeKeys = (): IdempotencyRepository => {
      let ids = 0;
      return createIdempotencyRepository(store, {
        nowMs: () => 1,
        retentionNow: () => Promise.resolve(1),
        newId: () => `i${String((ids += 1))}`,
        isOver: () => false,
      });
    };
    const ERASED = [404, expect.stringContaining("account_holder_not_found")];
    const keptIn = async (keys: IdempotencyRepository, key: string): Promise<unknown> => {
      const begun = await keys.begin("o", "r", key, "f");
      return begun.kind === "replay" ? [begun.status, begun.body] : begun.kind;
    };
    const eraseAnswers = async (id: string): Promise<void> => {
      await holders.markDeleting("o", id);
      await createHolderErasureRepository(store).eraseAnswers({ org: "o", id });
    };

    it("an answer about a deleted holder is replaced, whenever it was kept", async () => {
      await makeHolder("h");
      const keys = makeKeys();
      const keep = async (key: string, holderId: string | null): Promise<void> => {
        await keys.begin("o", "r", key, "f");
        await keys.finish("o", "r", key, 200, `"${key}"`, holderId);
      };
      const kept = (key: string): Promise<unknown> => keptIn(keys, key);
      await keep("before", "h");
      await keep("without-holder", null);
      expect(await kept("before")).toEqual([200, '"before"']);
      await eraseAnswers("h");
      await keep("after", "h");
      expect([await kept("before"), await kept("after")]).toEqual([ERASED, ERASED]);
      expect(await kept("without-holder")).toEqual([200, `"without-holder"`]);
    });

    it("an answer about a deleted statement is replaced, whenever it was kept", async () => {
      const statements = createStatementRepository(store, createEventRepository(store), holders);
      await statements.insert(STATEMENT);
      await statements.accept(STATEMENT);
      const keys = makeKeys();
      const keep = async (key: string, statementId: string | null): Promise<void> => {
        await keys.begin("o", "r", key, "f");
        await keys.finish("o", "r", key, 200, `"${key}"`, null, statementId);
      };
      const kept = (key: string): Promise<unknown> => keptIn(keys, key);
      await keep("before", "d");
      await keep("other", null);
      expect([await kept("before"), await kept("other")]).toEqual([
        [200, '"before"'],
        [200, '"other"'],
      ]);
      const gone = [404, expect.stringContaining("statement_not_found")];
      await statements.hide("o", "d");
      await createStatementErasureRepository(store).eraseAnswers({ org: "o", id: "d" });
      await keep("behind", "d");
      await statements.remove({ org: "o", id: "d" }, []);
      await keep("after", "d");
      for (const key of ["before", "behind", "after"]) expect(await kept(key)).toEqual(gone);
      expect(await kept("other")).toEqual([200, '"other"']);
    });

    it("a long answer goes with the first of its holders that is deleted, whenever it was kept", async () => {
      for (const id of ["h", "other"]) await makeHolder(id);
      const keys = makeKeys();
      const keep = async (key: string, ids: readonly string[]): Promise<void> => {
        await keys.begin("o", "r", key, "f");
        await keys.finishLong("o", "r", key, 200, [Uint8Array.of(1)], ids);
      };
      await keep("before", ["h", "other"]);
      await keep("of-other", ["other"]);
      await eraseAnswers("h");
      await keep("after", ["other", "h"]);
      const kept = (): Promise<unknown> =>
        Promise.all(["before", "after", "of-other"].map((key) => keptIn(keys, key)));
      expect(await kept()).toEqual([ERASED, ERASED, "replayLong"]);
      await eraseAnswers("other");
      expect(await kept()).toEqual([ERASED, ERASED, ERASED]);
      expect(await store.collection(answerPartSpec).find({ where: {}, limit: 1 })).toEqual([]);
    });

    it("a new answer of a key stays when a holder of the key's former answer is deleted", async () => {
      await makeHolder("h");
      const keys = makeKeys();
      await keys.begin("o", "r", "k", "f");
      await keys.finishLong("o", "r", "k", 200, [Uint8Array.of(1)], ["h"]);
      await store.write([store.collection(idempotencySpec).delete({ org: "o" })]);
      await keys.begin("o", "r", "k", "f");
      await keys.finishLong("o", "r", "k", 200, [Uint8Array.of(2)], []);
      await eraseAnswers("h");
      expect(await keptIn(keys, "k")).toBe("replayLong");
    });
  });
}
