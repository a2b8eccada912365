// Reads one ledger with the stage of the service, over a store that makes its rows while they are read, and searches it in a thread
// with the limits of the pool. Started by memory.ts with the number of transactions and of generated ledgers.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { createRecurrence, type RecurrencePorts } from "../../src/ledger/recurrence.ts";
import type { WalkedTransaction } from "../../src/model/ledger-transaction.ts";
import type { LedgerColumns, Recurrence } from "../../src/model/recurrence.ts";
import { readLongLedger } from "./long-ledger.ts";
import type { LedgerMemory } from "./memory.ts";
import type { LedgerTransactionSample } from "./samples.ts";

const [count = 0, ledgersMax = 0] = process.argv.slice(2).map(Number);
const WARM_UP_COUNT = 1_000;
const SAMPLE_MS = 5;

const collectGarbage = (): void => {
  if (globalThis.gc === undefined) throw new Error("Start it with --expose-gc");
  globalThis.gc();
};

const worker = new Worker(new URL("./memory-thread.ts", import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
});
let heldBytes = 0;
let members = 0;
let threadBytes = 0;
let rssBytes = 0;

const mainBytes = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

function walked({ counterparty, category, ...entry }: LedgerTransactionSample): WalkedTransaction {
  const facts = {
    entities: {
      counterparty: counterparty === null ? null : { ...counterparty, phone_number: null },
    },
    categories: { general: category, accounting: null },
  };
  return { ...entry, facts: JSON.stringify(facts), label: category, isCorrected: false };
}

/** Pages of some items, each of which is made when it is asked for. */
async function* pagesOf<Item>(items: Iterable<Item>, size: number): AsyncGenerator<Item[]> {
  let page: Item[] = [];
  for (const item of items) {
    page.push(item);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  await Promise.resolve();
  if (page.length > 0) yield page;
}

async function sampleThread(): Promise<number> {
  const { used_heap_size, external_memory } = await worker.getHeapStatistics();
  threadBytes = Math.max(threadBytes, used_heap_size + external_memory);
  return used_heap_size + external_memory;
}

async function search(columns: LedgerColumns): Promise<Recurrence> {
  collectGarbage();
  heldBytes = mainBytes();
  const answered = once(worker, "message") as Promise<[string]>;
  worker.postMessage(columns);
  const sampling = setInterval(() => void sampleThread(), SAMPLE_MS);
  const [text] = await answered;
  clearInterval(sampling);
  const found = JSON.parse(text) as Recurrence;
  members = found.groups.reduce((sum, group) => sum + group.members.length, 0);
  return found;
}

function portsOf(length: number): RecurrencePorts {
  const rows = function* (): Generator<WalkedTransaction> {
    for (const entry of readLongLedger(length, ledgersMax)) yield walked(entry);
  };
  const ids = function* (): Generator<string> {
    for (const { id } of readLongLedger(length, ledgersMax)) yield id;
  };
  return {
    getHolder: (org, id) =>
      Promise.resolve({ org, id, type: "consumer", name: null, categoryId: null, createdAt: 0 }),
    ledgerVersion: () => Promise.resolve(String(length)),
    walkLedger: (_org, _id, size) => pagesOf(rows(), size),
    walkIds: (_org, _id, size) => pagesOf(ids(), size),
    getTransactions: () => Promise.resolve([]),
    findRecurrence: (_org, columns) => search(columns),
  };
}

await createRecurrence(portsOf(WARM_UP_COUNT)).groups("o", "h");
collectGarbage();
const before = {
  held: mainBytes(),
  thread: await sampleThread(),
  rss: process.memoryUsage.rss(),
};
threadBytes = 0;
const sampling = setInterval(() => {
  rssBytes = Math.max(rssBytes, process.memoryUsage.rss());
}, SAMPLE_MS);
await createRecurrence(portsOf(count)).groups("o", "h");
clearInterval(sampling);
await worker.terminate();
process.send?.({
  ...{ heldBytes: heldBytes - before.held, threadBytes: threadBytes - before.thread, members },
  processBytes: Math.max(rssBytes, process.memoryUsage.rss()) - before.rss,
} satisfies LedgerMemory);
