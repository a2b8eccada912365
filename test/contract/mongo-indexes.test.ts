// A database whose indexes are those of an earlier version.
import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { afterAll, expect, it, onTestFinished } from "vitest";
import type { CollectionSpec } from "../../src/store/collection.ts";
import { openMongoStore } from "../../src/store/mongo/store.ts";
import { createLedgerPageRepository } from "../../src/store/repositories/ledger-pages.ts";
import { createTransactionRepository } from "../../src/store/repositories/transactions.ts";
import { type TransactionRow, transactionSpec } from "../../src/store/specs/specs.ts";

const url = process.env["TEST_MONGODB_URL"];
if (url === undefined)
  throw new Error("TEST_MONGODB_URL must be the URL of a MongoDB replica set for tests");

const admin = new MongoClient(url);
afterAll(() => admin.close());

const ROWS = 5_000;
const AT_ONCE = 500;
const ALL_DATES = { from: null, until: null };

const earlierSpec: CollectionSpec<TransactionRow> = {
  ...transactionSpec,
  indexes: transactionSpec.formerIndexes ?? [],
  formerIndexes: [],
};

async function fillAsBefore(database: string): Promise<void> {
  const { store, ensureIndexes, close } = await openMongoStore({ url: url ?? "", database });
  try {
    store.collection(earlierSpec);
    const transactions = createTransactionRepository(store);
    await ensureIndexes();
    for (let first = 0; first < ROWS; first += AT_ONCE) {
      const rows = Array.from({ length: AT_ONCE }, (_, offset) => {
        const id = String(first + offset).padStart(8, "0");
        return {
          ...{ org: "o", createdAt: first, order: id, facts: "{}", error: null, override: null },
          input: {
            ...{ id, description: "", date: "2026-01-01", amount: 1, currency: "USD" },
            ...{ entryType: "outgoing" as const, accountHolderId: "h", location: null },
          },
        };
      });
      await store.apply(transactions.upsertSteps(rows));
    }
  } finally {
    await close();
  }
}

it("processes that start at once on a database of an earlier version give it the indexes of this one", async () => {
  const database = `ledgerline-test-${randomUUID()}`;
  onTestFinished(async () => {
    await admin.db(database).dropDatabase();
  });
  await fillAsBefore(database);
  const indexes = admin.db(database).collection("transactions");
  expect((await indexes.listIndexes().toArray()).map(({ name }) => name as unknown)).toContain(
    "amounts",
  );
  // What an operator has made is not ours to remove.
  await indexes.createIndexes([{ name: "own", key: { description: 1 } }]);
  const processes = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const opened = await openMongoStore({ url, database });
      onTestFinished(opened.close);
      return { ...opened, pages: createLedgerPageRepository(opened.store) };
    }),
  );
  await Promise.all(processes.map(({ ensureIndexes }) => ensureIndexes()));
  const found = await indexes.listIndexes().toArray();
  const fieldsOf = Object.fromEntries(
    found.map(({ name, key }) => [name as string, Object.keys(key as object)]),
  );
  expect(fieldsOf).toEqual({
    _id_: ["_id"],
    own: ["description"],
    ...Object.fromEntries(transactionSpec.indexes.map(({ name, fields }) => [name, fields])),
  });
  for (const { pages } of processes) {
    const groups = await pages.amounts("o", "h", ALL_DATES);
    expect(groups.map(({ count, sum }) => [count, sum])).toEqual([[ROWS, ROWS]]);
  }
});
