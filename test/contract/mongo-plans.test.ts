// Every query of the repositories reads what it returns and hardly anything else, however many rows there are. MongoDB's
// profiler writes down what each command of the repositories really examined, inside transactions too.
import { randomUUID } from "node:crypto";
import { type Document, MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PageRequest } from "../../src/shared/page.ts";
import { createCategorySetRepository } from "../../src/store/repositories/category-sets.ts";
import { createBatchRepository } from "../../src/store/repositories/batches.ts";
import type { CollectionSpec, Store } from "../../src/store/collection.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import { createHolderRepository } from "../../src/store/repositories/holders.ts";
import { createIdempotencyRepository } from "../../src/store/repositories/idempotency.ts";
import { createKeyRepository } from "../../src/store/repositories/keys.ts";
import { type MongoStore, openMongoStore } from "../../src/store/mongo/store.ts";
import { createReapplicationRepository } from "../../src/store/repositories/reapplications.ts";
import { createRulesetRepository } from "../../src/store/repositories/rulesets.ts";
import { createSettingRepository } from "../../src/store/repositories/settings.ts";
import { createStatementRepository } from "../../src/store/repositories/statements.ts";
import * as limitSpecs from "../../src/store/specs/limit-specs.ts";
import * as profileSpecs from "../../src/store/specs/settings-specs.ts";
import * as specs from "../../src/store/specs/specs.ts";
import * as statementSpecs from "../../src/store/specs/statement-specs.ts";
import { createTransactionRepository } from "../../src/store/repositories/transactions.ts";
import * as webhookSpecs from "../../src/store/specs/webhook-specs.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import { createLedgerWrites } from "../../src/store/repositories/writes.ts";
import {
  CHUNKS,
  fillDeliveries,
  fillLedgers,
  head,
  MOMENT,
  numbers,
  ROWS,
  text,
  transaction,
} from "./fill-ledgers.ts";
import { fillCategorySets, useCategorySets } from "./use-category-sets.ts";
import { fillReports, reportRepositoriesOf, REPORTS_OF_ONE, useReports } from "./use-reports.ts";
import { useReapplications } from "./use-reapplications.ts";
import { useErasure } from "./use-erasure.ts";
import { useHolders } from "./use-holders.ts";
import { useLedgerPages } from "./use-ledger-pages.ts";
import { fillOutsideBatches, useOutsideBatches } from "./use-outside-batches.ts";
import { useRulesets } from "./use-rulesets.ts";
import { useStatements } from "./use-statements.ts";
import { accessRepositoriesOf, useAccess } from "./use-access.ts";
import { useWebhooks, webhookRepositoriesOf } from "./use-webhooks.ts";

const url = process.env["TEST_MONGODB_URL"];
if (url === undefined)
  throw new Error("TEST_MONGODB_URL must be the URL of a MongoDB replica set for tests");

const PROFILE_BYTES = 64 * 1024 * 1024;

const plain: PageRequest = { limit: 10, createdAfter: null, createdBefore: null, after: null };
/** Deep inside the rows of one moment. */
const deep: PageRequest = {
  limit: 10,
  createdAfter: MOMENT - 5,
  createdBefore: MOMENT + 5_000,
  after: { createdAt: MOMENT, tie: text(12_000) },
};
function repositoriesOf(store: Store) {
  const holders = createHolderRepository(store);
  const transactions = createTransactionRepository(store);
  const batches = createBatchRepository(store);
  const events = createEventRepository(store);
  return {
    holders,
    transactions,
    batches,
    events,
    keys: createKeyRepository(store),
    settings: createSettingRepository(store),
    idempotency: createIdempotencyRepository(store, {
      nowMs: () => MOMENT,
      retentionNow: () => Promise.resolve(MOMENT),
      newId: () => "i",
      isOver: () => true,
    }),
    writes: createLedgerWrites(store, {
      holders,
      transactions,
      batches,
      events,
      organizations: createOrganizationRepository(store),
    }),
  };
}
type Repositories = ReturnType<typeof repositoriesOf>;

async function useEverything(repositories: Repositories): Promise<void> {
  const { holders, transactions, batches, keys, settings, idempotency, writes } = repositories;
  await writes.storeChunk({
    org: "o",
    transactions: numbers(5).map((index) => transaction("o", index)),
    basedOn: { id: text(1), order: text(1) },
    seen: [],
    read: null,
    batch: {
      head,
      chunk: {
        index: 0,
        length: 1,
        storedAt: 1,
        results: "[]",
        accountHolderIds: ["h"],
        accountTypes: ["consumer" as const],
      },
    },
  });
  await writes.storeChunk({
    org: "o",
    transactions: numbers(5).map((index) => transaction("o", ROWS + index)),
    basedOn: null,
    seen: [],
    read: new Set(),
    batch: {
      head,
      chunk: {
        index: CHUNKS - 1,
        length: 1,
        storedAt: 1,
        results: "[]",
        accountHolderIds: ["h"],
        accountTypes: ["consumer" as const],
      },
    },
  });
  for (const request of [deep, plain]) {
    await holders.list("o", request);
    await transactions.list("o", null, request);
    await transactions.list("o", "h", request);
    await batches.list("o", null, request);
    await batches.list("o", "processing", request);
  }
  await holders.getMany("o", [text(1), text(2), "none"]);
  await holders.get("o", text(1));
  await transactions.get("o", text(1));
  await batches.get("o", text(7));
  await batches.hasChunk("o", text(7), 0);
  for await (const chunk of batches.results("o", text(7)))
    expect(Buffer.from(chunk.results).toString()).toBe("[]");
  const event = {
    org: "o",
    eventId: "e",
    eventType: "batches.completed",
    resourceId: "b",
    sequence: 1,
    createdAt: 1,
    body: "",
  } as const;
  await writes.endBatch("o", text(7), "completed", 2, event);
  await transactions.writeTombstones(
    "o",
    [text(3), "new"],
    text(ROWS),
    { accountHolderId: null },
    true,
  );
  await transactions.withdraw("o", [{ id: text(5), order: text(5), accountHolderId: "h" }]);
  await transactions.removeTombstones(text(100), 10);
  const removal = await holders.markDeleting("o", text(9));
  if (removal === null) throw new Error("The holder should be there");
  await holders.listDeleting();
  await writes.removeOfHolder(removal, text(ROWS), 10);
  await holders.remove(removal);
  await keys.findByHash(text(3));
  await keys.findById(text(3));
  await keys.isKnown(text(3));
  await settings.getOrSet("s", "1");
  await idempotency.begin("o", "r", "new", "f");
  await idempotency.begin("o", "r", "new", "f");
  await idempotency.finish("o", "r", "new", 200, "", null);
  await idempotency.begin("o", "r", "long", "f");
  await idempotency.finishLong("o", "r", "long", 200, [Uint8Array.of(1)], ["h", "none"]);
  await idempotency.begin("o", "r", "long", "f");
  await idempotency.interrupt("o", "r", text(2));
  await idempotency.abandon("o", "r", text(1));
  await idempotency.removeExpired(10, 0);
}

interface MatchStage {
  readonly $match?: {
    readonly _id?: { readonly $in?: readonly unknown[] };
    readonly corrected?: unknown;
  };
}

/** How many rows a profiled command was about, as the repositories see it. */
function concerned(entry: Document): number {
  const counts = ["nreturned", "nMatched", "ndeleted"].map((field) => Number(entry[field] ?? 0));
  // A sum over a batch reads its chunks, which are neighbours, and returns one row.
  const summed = String(entry["ns"]).endsWith(".batchChunks") ? CHUNKS : 0;
  // A count of an organization's reports reads their keys, and returns one row.
  const isCount = String(entry["ns"]).endsWith(".reports") && "aggregate" in entry["command"];
  // That none of a chunk's transactions is corrected is seen in each of them.
  const { pipeline } = entry["command"] as { readonly pipeline?: readonly MatchStage[] };
  const match = pipeline?.[0]?.$match;
  const asked = match?.corrected === undefined ? [] : (match._id?.$in ?? []);
  return Math.max(summed, isCount ? REPORTS_OF_ONE : 0, asked.length, ...counts);
}

/** Every collection that the program has. */
const collections = [specs, profileSpecs, webhookSpecs, limitSpecs, statementSpecs]
  .flatMap((module) => Object.values(module) as readonly Pick<CollectionSpec<object>, "name">[])
  .map(({ name }) => name);

describe("plans of MongoDB", () => {
  const admin = new MongoClient(url);
  const database = `ledgerline-test-${randomUUID()}`;
  let opened: MongoStore;
  let repositories: Repositories;
  beforeAll(async () => {
    // Halves of sums, and how their middle is found, are seen too.
    opened = await openMongoStore({ url, database, halvesFromRows: 1 });
    repositories = repositoriesOf(opened.store);
    // Their collections too are made before the plans are read.
    webhookRepositoriesOf(opened.store);
    accessRepositoriesOf(opened.store);
    createRulesetRepository(opened.store);
    createReapplicationRepository(opened.store);
    createCategorySetRepository(opened.store);
    reportRepositoriesOf(opened.store);
    createStatementRepository(
      opened.store,
      createEventRepository(opened.store),
      createHolderRepository(opened.store),
    );
    await opened.ensureIndexes();
    await fillLedgers(opened.store, repositories.transactions, repositories.batches);
    await fillDeliveries(opened.store);
    await fillReports(opened.store);
    await fillCategorySets(opened.store);
    await fillOutsideBatches(opened.store);
  }, 120_000);
  afterAll(async () => {
    await opened.close();
    await admin.db(database).dropDatabase();
    await admin.close();
  });

  it("no query of the repositories scans a collection, sorts, or reads much more than it returns", async () => {
    const db = admin.db(database);
    await db.createCollection("system.profile", { capped: true, size: PROFILE_BYTES });
    await db.command({ profile: 2 });
    await useEverything(repositories);
    await useHolders(opened.store, text(3));
    await useWebhooks(opened.store, [deep, plain]);
    await useAccess(opened.store, [deep, plain]);
    await useRulesets(opened.store);
    await useStatements(opened.store);
    await useReapplications(opened.store);
    await useCategorySets(opened.store);
    await useReports(opened.store, [deep, plain]);
    await useOutsideBatches(opened.store, head);
    await useErasure(opened.store, text(7));
    await db.command({ profile: 0 });
    const entries = (await db.collection("system.profile").find().toArray()).filter((entry) =>
      ["query", "update", "remove", "getmore", "command"].includes(String(entry["op"])),
    );
    expect(entries.length).toBeGreaterThan(110);
    const seen = new Set(entries.map((entry) => String(entry["ns"]).slice(database.length + 1)));
    expect(collections.filter((name) => !seen.has(name))).toEqual([]);
    for (const entry of entries) {
      const what = `${String(entry["op"])} ${String(entry["ns"])} ${JSON.stringify(entry["command"])}`;
      const examinedMax = 2 * concerned(entry) + 2;
      expect([what, entry["hasSortStage"]]).toEqual([what, undefined]);
      expect([what, entry["keysExamined"] <= examinedMax]).toEqual([what, true]);
      expect([what, entry["docsExamined"] <= examinedMax]).toEqual([what, true]);
      // A scan finds the first hundred holders that are being deleted, of all organizations.
      if (!String(entry["ns"]).endsWith(".holderDeletions"))
        expect([what, entry["planSummary"]]).toEqual([
          what,
          expect.stringMatching(/^(IXSCAN|IDHACK)/) as string,
        ]);
    }
  });

  it("pages of a ledger in any order, and its sums, are read from an index alone", async () => {
    const db = admin.db(database);
    const profile = db.collection("system.profile");
    const before = await profile.countDocuments();
    await db.command({ profile: 2 });
    await useLedgerPages(opened.store, "o", "h");
    await db.command({ profile: 0 });
    const entries = (await profile.find().toArray())
      .slice(before)
      .filter((entry) => String(entry["ns"]).endsWith(".transactions"));
    expect(entries.length).toBeGreaterThan(22);
    for (const entry of entries) {
      const what = JSON.stringify(entry["command"]);
      expect([what, entry["docsExamined"], entry["planSummary"]]).toEqual([
        what,
        0,
        expect.stringMatching(
          /^(IXSCAN|COUNT_SCAN) { org: 1, holderId: 1, (createdAt|date): 1/,
        ) as string,
      ]);
    }
  });

  it("a page deep inside rows of one moment goes on where the one before ended", async () => {
    const page = await repositories.transactions.list("other", null, deep);
    expect(page.rows.map((row) => row.order)).toEqual(
      numbers(10).map((index) => text(12_000 - 1 - index)),
    );
    expect(page.next).toEqual({ createdAt: MOMENT, tie: text(12_000 - 10) });
  });
});
