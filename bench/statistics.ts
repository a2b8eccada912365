// npm run bench:statistics -- [--quick] [--only embedded,mongodb] [--out FILE]
// Time to add up and to list the ledger of one account holder that has a million transactions, on both engines. MongoDB is started
// here, with a cache that has room for the index.
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { LedgerPageQuery } from "../src/model/ledger-page.ts";
import type { LedgerTransaction } from "../src/model/ledger-transaction.ts";
import { openDatabase } from "../src/sqlite/database.ts";
import type { Store } from "../src/store/collection.ts";
import { openMongoStore } from "../src/store/mongo/store.ts";
import { createLedgerPageRepository } from "../src/store/repositories/ledger-pages.ts";
import { createTransactionRepository } from "../src/store/repositories/transactions.ts";
import { createSqliteStore } from "../src/store/sqlite/store.ts";
import { commandMongo } from "../test/services/clients.ts";
import { startMongo } from "../test/services/native/mongo.ts";
import { readOptions, readParts } from "./options.ts";
import { processSeconds } from "./process-usage.ts";
import {
  ascending,
  describeMachine,
  percentile,
  printTable,
  type Row,
  row,
  writeReport,
} from "./table.ts";

const options = readOptions({ only: { type: "string" } });
const PARTS = ["embedded", "mongodb"] as const;
const chosen = readParts(options.only, PARTS);
const SIZE = options.quick ? 100_000 : 1_000_000;
const AT_ONCE = 2_500;
const REPEATS = 5;
const CACHE = "cache_size=1G";
const [ORG, HOLDER] = ["o", "h"];
const MERCHANTS = 2_000;
const LABELS = 90;
/** For a million transactions. */
const GOAL = { kind: "max", value: 1_500 } as const;
const FIRST_DAY = Date.parse("2020-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
const DAYS = 5 * 365;

function factsOf(merchant: string, general: string): string {
  const counterparty = { type: "organization", id: null, name: merchant, website: "example.com" };
  const categories = { general, accounting: null };
  return JSON.stringify({
    entities: { counterparty, intermediaries: [] },
    categories,
    location: null,
    confidence: 0.9,
  });
}

/** Numbers that look chosen by chance and are the same in every run. */
const mixed = (index: number): number => Math.imul(index + 1, 2_654_435_761) >>> 0;

function transaction(index: number): LedgerTransaction {
  const number = mixed(index);
  const merchant = number % MERCHANTS;
  return {
    org: ORG,
    input: {
      id: `transaction-${String(index)}`,
      description: `CARD PURCHASE ${String(number)}`,
      date: new Date(FIRST_DAY + (number % DAYS) * DAY_MS).toISOString().slice(0, 10),
      amount: (number % 100_000) / 100,
      entryType: number % 9 === 0 ? "incoming" : "outgoing",
      currency: number % 50 === 0 ? "EUR" : "USD",
      accountHolderId: HOLDER,
      location: null,
    },
    createdAt: FIRST_DAY + Math.floor(index / 250),
    order: String(index).padStart(12, "0"),
    facts: factsOf(`Merchant ${String(merchant)}`, `label ${String(merchant % LABELS)}`),
    error: null,
    override: null,
  };
}

async function fill(store: Store): Promise<void> {
  const transactions = createTransactionRepository(store);
  for (let from = 0; from < SIZE; from += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, at) => transaction(from + at));
    await store.apply(transactions.upsertSteps(some));
  }
}

/** The longest that the event loop stood still until the signal, in milliseconds. */
async function longestHold(done: AbortSignal): Promise<number> {
  let longest = 0;
  for (let before = performance.now(); !done.aborted; ) {
    await nextTurn();
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
  }
  return longest;
}

interface Times {
  /** The middle one, in milliseconds. */
  readonly ms: number;
  /** The same of processor time of the engine, which other work on the machine changes less. */
  readonly processorMs: number;
  /** The longest that the event loop stood still meanwhile; null: not looked at. */
  readonly blockedMs: number | null;
}

/** An engine with a filled store. */
interface Engine {
  readonly name: string;
  readonly store: Store;
  /** Of the process that adds up. */
  readonly pid: number;
  /** Waits until the engine has done what filling it leaves to do. */
  readonly settle: () => Promise<unknown>;
}

/** Its event loop is looked at only where it is what adds up: looking takes all of a processor, which a server could use. */
async function timeOf(pid: number, work: () => Promise<unknown>): Promise<Times> {
  const isOwn = pid === process.pid;
  const times: number[] = [];
  const processorTimes: number[] = [];
  let blockedMs = 0;
  for (let run = 0; run < REPEATS; run++) {
    const done = new AbortController();
    const held = isOwn ? longestHold(done.signal) : Promise.resolve(0);
    const startMs = performance.now();
    const used = processSeconds(pid) ?? Number.NaN;
    await work();
    processorTimes.push(((processSeconds(pid) ?? Number.NaN) - used) * 1_000);
    times.push(performance.now() - startMs);
    done.abort();
    blockedMs = Math.max(blockedMs, await held);
  }
  const middle = (of: readonly number[]): number => percentile(ascending(of), 0.5);
  return {
    ms: middle(times),
    processorMs: middle(processorTimes),
    blockedMs: isOwn ? blockedMs : null,
  };
}

async function measure({ name: engine, store, pid, settle }: Engine): Promise<Row[]> {
  const transactions = createTransactionRepository(store);
  const pages = createLedgerPageRepository(store);
  const before = processSeconds(pid) ?? Number.NaN;
  await fill(store);
  await settle();
  const filledSeconds = (processSeconds(pid) ?? Number.NaN) - before;
  const all = { from: null, until: null };
  const year = { from: "2022-01-01", until: "2022-12-31" };
  const page = (sortBy: LedgerPageQuery["sortBy"], offset: number) => async () => {
    await transactions.countOfHolder(ORG, HOLDER);
    const query = { sortBy, direction: "desc", offset, limit: 100 } as const;
    await transactions.getMany(ORG, await pages.ids(ORG, HOLDER, query));
  };
  const cases: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["statistics", () => pages.amounts(ORG, HOLDER, all)],
    ["statistics, one year", () => pages.amounts(ORG, HOLDER, year)],
    ["page, latest accepted", page("createdAt", 0)],
    ["page, latest date", page("date", 0)],
    ["page, by amount", page("amount", 0)],
    ["page, by amount, in the middle", page("amount", SIZE / 2)],
  ];
  const rows: Row[] = [row(`${engine}: filling: processor time`, filledSeconds, "s")];
  for (const [name, work] of cases) {
    const { ms, processorMs, blockedMs } = await timeOf(pid, work);
    const goal = name.startsWith("page") || options.quick ? undefined : GOAL;
    rows.push(row(`${engine}: ${name}`, ms, "ms", goal));
    rows.push(row(`${engine}: ${name}: processor time`, processorMs, "ms"));
    if (blockedMs !== null) rows.push(row(`${engine}: ${name}: event loop held`, blockedMs, "ms"));
  }
  return rows;
}

async function measureEmbedded(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "ledgerline-bench-"));
  const database = openDatabase(join(folder, "data.db"));
  try {
    return await measure({
      name: "embedded",
      store: createSqliteStore(database),
      pid: process.pid,
      settle: () => Promise.resolve(),
    });
  } finally {
    await database.close();
    rmSync(folder, { recursive: true });
  }
}

async function measureMongo(): Promise<Row[]> {
  const mongo = await startMongo();
  try {
    const address = mongo.nodes[0]?.address ?? "";
    await commandMongo(address, { setParameter: 1, wiredTigerEngineRuntimeConfig: CACHE });
    const opened = await openMongoStore({ url: mongo.url, database: "ledgerline-bench" });
    try {
      return await measure({
        name: "mongodb",
        store: opened.store,
        pid: mongo.nodes[0]?.pid() ?? Number.NaN,
        // A checkpoint of what was filled would run meanwhile.
        settle: () => commandMongo(address, { fsync: 1 }),
      });
    } finally {
      await opened.close();
    }
  } finally {
    await mongo.stop();
  }
}

const machine = describeMachine();
const rows = [
  ...(chosen.has("embedded") ? await measureEmbedded() : []),
  ...(chosen.has("mongodb") ? await measureMongo() : []),
];
process.stdout.write(`${JSON.stringify({ ...machine, transactions: SIZE })}\n`);
printTable(rows);
if (options.out !== undefined) writeReport(options.out, machine, rows);
