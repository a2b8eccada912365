// The store's contracts over a real MongoDB. Each case has a database of its own.
import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { afterAll, expect, it, onTestFinished } from "vitest";
import type { Collection, CollectionSpec, Store } from "../../src/store/collection.ts";
import { appNameOf, createClient } from "../../src/store/mongo/client.ts";
import { createOrphanSearch } from "../../src/store/mongo/orphans.ts";
import { openMongoStore } from "../../src/store/mongo/store.ts";
import { until } from "../support/poll.ts";
import { accessContract } from "./access.contract.ts";
import { categorySetsContract } from "./category-sets.contract.ts";
import { filesContract } from "./files.contract.ts";
import { erasureContract } from "./erasure.contract.ts";
import { holdersContract } from "./holders.contract.ts";
import { idempotencyContract } from "./idempotency.contract.ts";
import { kafkaGrantsContract } from "./kafka-grants.contract.ts";
import { modelsContract } from "./models.contract.ts";
import { outsideBatchesContract } from "./outside-batches.contract.ts";
import { reapplicationsContract } from "./reapplications.contract.ts";
import { rulesetsContract } from "./rulesets.contract.ts";
import { reportsContract } from "./reports.contract.ts";
import { statementsContract } from "./statements.contract.ts";
import { statisticsContract } from "./statistics.contract.ts";
import { storeContract } from "./store.contract.ts";
import { transactionsContract } from "./transactions.contract.ts";

const url = process.env["TEST_MONGODB_URL"];
if (url === undefined)
  throw new Error("TEST_MONGODB_URL must be the URL of a MongoDB replica set for tests");

const admin = new MongoClient(url);
afterAll(() => admin.close());

async function open(): Promise<{ store: Store; close: () => Promise<void> }> {
  const database = `ledgerline-test-${randomUUID()}`;
  // Fewer than by default, so that sums of a test's rows are made of halves too.
  const { store, close } = await openMongoStore({ url: url ?? "", database, halvesFromRows: 10 });
  return {
    store,
    close: async () => {
      await close();
      await admin.db(database).dropDatabase();
    },
  };
}

storeContract("MongoDB", open);
accessContract("MongoDB", open);
erasureContract("MongoDB", open);
holdersContract("MongoDB", open);
idempotencyContract("MongoDB", open);
kafkaGrantsContract("MongoDB", open);
transactionsContract("MongoDB", open);
reportsContract("MongoDB", open);
rulesetsContract("MongoDB", open);
categorySetsContract("MongoDB", open);
modelsContract("MongoDB", open);
outsideBatchesContract("MongoDB", open);
reapplicationsContract("MongoDB", open);
statementsContract("MongoDB", open);
statisticsContract("MongoDB", open);
filesContract("MongoDB", async () => {
  const database = `ledgerline-test-${randomUUID()}`;
  const { files, close } = await openMongoStore({ url, database });
  const count = (name: string): Promise<number> =>
    admin.db(database).collection(`statementFiles.${name}`).countDocuments();
  return {
    files,
    stored: async () => (await count("files")) + (await count("chunks")),
    close: async () => {
      await close();
      await admin.db(database).dropDatabase();
    },
  };
});

interface Note {
  readonly org: string;
  readonly id: string;
  readonly rank: number;
  readonly order: string;
  readonly name: string;
}

const noteSpec: CollectionSpec<Note> = {
  name: "notes",
  fields: { org: "text", id: "text", rank: "integer", order: "text", name: "text" },
  key: ["org", "id"],
  indexes: [
    { name: "rank", fields: ["org", "rank", "id"] },
    { name: "name", fields: ["name"], unique: true },
  ],
};

function note(id: string, fields: Partial<Note> = {}): Note {
  return { org: "o", id, rank: 0, order: "0", name: id, ...fields };
}

/** As many stores over one new database as there are processes of a service. */
async function openSeveral(
  count: number,
): Promise<readonly { readonly store: Store; readonly notes: Collection<Note> }[]> {
  const database = `ledgerline-test-${randomUUID()}`;
  onTestFinished(async () => {
    await admin.db(database).dropDatabase();
  });
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { store, close } = await openMongoStore({ url: url ?? "", database });
      onTestFinished(close);
      return { store, notes: store.collection(noteSpec) };
    }),
  );
}

it("processes that start at once find each other's collections and indexes", async () => {
  const processes = await openSeveral(6);
  const outcomes = await Promise.all(
    processes.map(({ store, notes }, at) =>
      store.write([
        notes.insert(note(String(at), { name: "one" }), "ignore"),
        notes.insert(note("same", { name: "two" }), "ignore"),
      ]),
    ),
  );
  const changed = outcomes.flatMap((outcome) => (outcome.ok ? outcome.changed : []));
  expect(changed).toHaveLength(12);
  expect(changed.filter((count) => count === 1)).toHaveLength(2);
});

it("whatever processes write and delete at the same time, the greatest row of the last ones is left", async () => {
  const processes = await openSeveral(4);
  const keys = ["a", "b", "c", "d", "e"];
  const rowsOf = (turn: number): Note[] =>
    keys.map((id, at) =>
      note(id, { order: String((turn * 7 + at * 3) % 60).padStart(2, "0"), rank: turn }),
    );
  await Promise.all(
    processes.flatMap(({ store, notes }, process) =>
      Array.from({ length: 15 }, async (_, round) => {
        const turn = process * 15 + round;
        const upsert = notes.upsertMany(rowsOf(turn), "order");
        if (round % 5 === 4) await store.apply([notes.delete({ org: "o", id: "a" })]);
        if (round % 3 === 0)
          await store.write([upsert, notes.insert(note(`w${String(turn)}`), "fail")]);
        else await store.apply([upsert]);
      }),
    ),
  );
  for (const { store, notes } of processes)
    await store.apply([notes.upsertMany(rowsOf(59), "order")]);
  for (const [at, id] of keys.entries()) {
    const row = await processes[0]?.notes.get({ org: "o", id });
    const orders = Array.from({ length: 60 }, (_, turn) => rowsOf(turn)[at]?.order ?? "");
    if (id === "a") expect(orders).toContain(row?.order);
    else expect(row?.order).toBe(orders.toSorted().at(-1));
    // The row is whole: all of it is of one turn.
    expect(row).toEqual(rowsOf(row?.rank ?? -1)[at]);
  }
});

it("calls for one row wait for each other instead of failing", async () => {
  const [first, second] = await openSeveral(2);
  if (first === undefined || second === undefined) throw new Error("There should be two");
  await first.store.apply([first.notes.insert(note("a"), "ignore")]);
  const outcomes = await Promise.all(
    [first, second].flatMap(({ store, notes }, process) =>
      Array.from({ length: 250 }, (_, index) =>
        store.write([
          notes.require({ org: "o", id: "a" }, 1),
          notes.insert(note(`${String(process)}-${String(index)}`), "fail"),
        ]),
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(500);
  expect(await first.notes.aggregate({ org: "o" }, "rank", "rank")).toMatchObject({ count: 501 });
});

it("a stuck transaction of the same installation is ended, one of another database is left alone", async () => {
  const databases = [0, 1].map(() => `ledgerline-test-${randomUUID()}`);
  const [own, other] = await Promise.all(
    databases.map(async (database) => {
      const client = createClient(url, database);
      const notes = client.db(database).collection("notes");
      await notes.insertOne({ text: "before" });
      const session = client.startSession();
      onTestFinished(async () => {
        await session.endSession().catch(() => undefined);
        await client.db(database).dropDatabase();
        await client.close();
      });
      session.startTransaction();
      await notes.insertOne({ text: "in it" }, { session });
      return { client, database, session, notes };
    }),
  );
  if (own === undefined || other === undefined) throw new Error("Both should be open");
  const search = createOrphanSearch(own.client, appNameOf(own.database));
  // Whether the server still has the transaction: it refuses operations of one that was ended.
  await until("the own one is ended", async () => {
    search();
    const sessions = await idleTransactionsOf(appNameOf(own.database));
    return sessions === 0 ? true : null;
  });
  await expect(own.session.commitTransaction()).rejects.toThrow();
  await other.session.commitTransaction();
  expect(await other.notes.countDocuments()).toBe(2);
});

async function idleTransactionsOf(appName: string): Promise<number> {
  const open = { type: "idleSession", appName, transaction: { $exists: true } };
  const stages = [{ $currentOp: { allUsers: true, idleSessions: true } }, { $match: open }];
  return (await admin.db("admin").aggregate(stages).toArray()).length;
}
