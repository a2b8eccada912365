// Every query of the repositories is served by an index: none scans a table, and look-ups by id use the key.
import { expect, it } from "vitest";
import type { LedgerTransaction } from "../../src/model/ledger-transaction.ts";
import { type Database, openDatabase } from "../../src/sqlite/database.ts";
import { createBatchRepository } from "../../src/store/repositories/batches.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import { createHolderRepository } from "../../src/store/repositories/holders.ts";
import { createIdempotencyRepository } from "../../src/store/repositories/idempotency.ts";
import { createKeyRepository } from "../../src/store/repositories/keys.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { createTransactionRepository } from "../../src/store/repositories/transactions.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import { createLedgerWrites } from "../../src/store/repositories/writes.ts";
import { fillCategorySets, useCategorySets } from "./use-category-sets.ts";
import { useErasure } from "./use-erasure.ts";
import { useHolders } from "./use-holders.ts";
import { useLedgerPages } from "./use-ledger-pages.ts";
import { useReports } from "./use-reports.ts";
import { useReapplications } from "./use-reapplications.ts";
import { useRulesets } from "./use-rulesets.ts";
import { useStatements } from "./use-statements.ts";
import { useAccess } from "./use-access.ts";
import { useWebhooks } from "./use-webhooks.ts";

const page = { limit: 10, createdAfter: 1, createdBefore: 9, after: { createdAt: 5, tie: "x" } };
const plain = { limit: 10, createdAfter: null, createdBefore: null, after: null };
const holder = {
  org: "o",
  id: "h",
  type: "consumer",
  name: null,
  categoryId: null,
  createdAt: 1,
} as const;
const transaction: LedgerTransaction = {
  org: "o",
  input: {
    id: "t",
    description: "",
    date: "2024-01-01",
    amount: 1,
    entryType: "outgoing",
    currency: "USD",
    accountHolderId: "h",
    location: null,
  },
  createdAt: 1,
  order: "1",
  facts: "{}",
  error: null,
  override: null,
};

/** The database, and every statement with data that went through it. */
function recording(database: Database): {
  readonly database: Database;
  readonly statements: Set<string>;
} {
  const statements = new Set<string>();
  const record = (sql: string): void => {
    if (/^(SELECT|UPDATE|DELETE)/.test(sql)) statements.add(sql);
  };
  return {
    statements,
    database: {
      ...database,
      all: (sql, parameters) => {
        record(sql);
        return database.all(sql, parameters);
      },
      values: (sql, parameters) => {
        record(sql);
        return database.values(sql, parameters);
      },
      get: (sql, parameters) => {
        record(sql);
        return database.get(sql, parameters);
      },
      run: (sql, parameters) => {
        record(sql);
        return database.run(sql, parameters);
      },
    },
  };
}

async function useEverything(database: Database): Promise<void> {
  const store = createSqliteStore(database);
  const holders = createHolderRepository(store);
  const transactions = createTransactionRepository(store);
  const batches = createBatchRepository(store);
  const events = createEventRepository(store);
  const keys = createKeyRepository(store);
  const retentionNow = () => Promise.resolve(1);
  const options = { nowMs: () => 1, retentionNow, newId: () => "i", isOver: () => true };
  const idempotency = createIdempotencyRepository(store, options);
  const writes = createLedgerWrites(store, {
    holders,
    transactions,
    batches,
    events,
    organizations: createOrganizationRepository(store),
  });
  const head = {
    org: "o",
    id: "b",
    total: 1,
    chunkCount: 1,
    priority: "default",
    createdAt: 1,
  } as const;

  await holders.insert(holder, "0");
  await writes.storeChunk({
    org: "o",
    transactions: [transaction],
    basedOn: { id: "t", order: "1" },
    seen: [],
    read: null,
    batch: {
      head,
      chunk: {
        index: 0,
        length: 1,
        storedAt: 1,
        results: "",
        accountHolderIds: ["h"],
        accountTypes: ["consumer"],
      },
    },
  });
  await batches.insert(head);
  for (const request of [page, plain]) {
    await holders.list("o", request);
    await transactions.list("o", null, request);
    await transactions.list("o", "h", request);
    await batches.list("o", null, request);
    await batches.list("o", "completed", request);
  }
  await holders.getMany("o", ["h", "g"]);
  await useHolders(store, "h");
  await transactions.countOfHolder("o", "h");
  await transactions.get("o", "t");
  await batches.get("o", "b");
  await batches.hasChunk("o", "b", 0);
  for await (const chunk of batches.results("o", "b")) expect(chunk).toBe("");
  const event = {
    org: "o",
    eventId: "e",
    eventType: "batches.completed",
    resourceId: "b",
    sequence: 1,
    createdAt: 1,
    body: "",
  } as const;
  await writes.endBatch("o", "b", "completed", 2, event);
  await transactions.writeTombstones("o", ["t", "u"], "2", { accountHolderId: "h" }, true);
  await transactions.withdraw("o", [{ id: "t", order: "1", accountHolderId: "h" }]);
  await transactions.removeTombstones("9", 10);
  const removal = await holders.markDeleting("o", "h");
  if (removal === null) throw new Error("The holder should be there");
  await writes.removeOfHolder(removal, "5", 10);
  await holders.remove(removal);
  await keys.findByHash("x");
  await keys.findById("x");
  await keys.isKnown("o");
  await useAccess(store, [page, plain]);
  await idempotency.begin("o", "r", "k", "f");
  await idempotency.begin("o", "r", "k", "f");
  await idempotency.finish("o", "r", "k", 200, "", null);
  await idempotency.begin("o", "r", "long", "f");
  await idempotency.finishLong("o", "r", "long", 200, [Uint8Array.of(1)], ["h", "none"]);
  await idempotency.begin("o", "r", "long", "f");
  await idempotency.abandon("o", "r", "k");
  await idempotency.removeExpired(10, 0);
  await useWebhooks(store, [page, plain]);
  await useRulesets(store);
  await useStatements(store);
  await useReapplications(store);
  await fillCategorySets(store);
  await useCategorySets(store);
  await useReports(store, [page, plain]);
  await useErasure(store, "b");
}

it("no query of the repositories scans a table", async () => {
  const opened = openDatabase(":memory:");
  const { database, statements } = recording(opened);
  await useEverything(database);
  const plans = [...statements].map((sql) => ({
    sql,
    plan: opened
      .all(`EXPLAIN QUERY PLAN ${sql}`)
      .map((row) => String(row["detail"]))
      .join("; "),
  }));
  expect(plans.length).toBeGreaterThan(45);
  for (const { sql, plan } of plans) {
    // A walk along the index finds the oldest entries of the outbox, of all organizations.
    if (sql.includes("FROM store_outbox ORDER BY")) {
      expect([sql, plan]).toEqual([sql, expect.stringMatching(/^SCAN store_outbox USING/)]);
      continue;
    }
    // The list of values behind IN is a table function, and walking it is what it is for.
    expect([sql, plan.replaceAll("SCAN json_each VIRTUAL TABLE INDEX 1:", "")]).toEqual([
      sql,
      expect.not.stringMatching(/SCAN|TEMP B-TREE/) as string,
    ]);
    if (/"org" = \? AND "id" (=|IN)/.test(sql)) {
      // Where ids are unique over all organizations, the index that sees to that finds the one row as well.
      const found = /org=\? AND id=\?|USING INDEX \w+_id \(id=\?\)/;
      expect([sql, plan]).toEqual([sql, expect.stringMatching(found) as string]);
    }
  }
  await opened.close();
});

it("pages of a ledger in any order, its ids and its sums are read from an index alone", async () => {
  const opened = openDatabase(":memory:");
  const { database, statements } = recording(opened);
  const store = createSqliteStore(database);
  await useLedgerPages(store, "o", "h");
  for await (const page of createTransactionRepository(store).walkIds("o", "h", 2))
    expect(page).toEqual([]);
  expect(statements.size).toBeGreaterThan(20);
  for (const sql of statements) {
    const [plan] = opened.all(`EXPLAIN QUERY PLAN ${sql}`);
    expect([sql, plan?.["detail"]]).toEqual([
      sql,
      expect.stringMatching(
        /^SEARCH store_transactions USING COVERING INDEX store_transactions_(ledger|amounts) \(org=\? AND holderId=\?/,
      ) as string,
    ]);
  }
  await opened.close();
});
