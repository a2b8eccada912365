// npm run bench:recurrence -- [--quick]
// Time to find the recurring payments and income of one account holder's ledger in one thread, by the number of transactions, and of ledgers that
// are as unusual as ledgers get. Columns are built before: a thread gets them built. Then what memory it takes, and what it costs in the
// service, embedded: --only threads,memory,service picks.
import { findRecurrence } from "../../workers/recurrence/recurrence.ts";
import { readOptions, readParts } from "../options.ts";
import { BATCH_MAX } from "../api/installation.ts";
import { describeMachine, percent, printMatrix, printTable, row } from "../table.ts";
import { columnsOf } from "./engine.ts";
import { readLongLedger } from "./long-ledger.ts";
import { measureMemory } from "./memory.ts";
import type { LedgerTransactionSample } from "./samples.ts";
import { measureService } from "./service.ts";

type Entries = readonly LedgerTransactionSample[];

const options = readOptions({ only: { type: "string" } });
const chosen = readParts(options.only, ["threads", "memory", "service"] as const);
const SIZES = [1_000, 3_000, 10_000, 30_000, 100_000];
const QUICK_SIZES = [1_000, 10_000];
const MEMORY_SIZES = [10_000, 100_000, 1_000_000];
/** Some three hundred payees. */
const SAME_LEDGERS = 10;
const UNUSUAL_SIZE = 10_000;
const REPEATS = 9;
const ROUNDS = 7;

const readEntries = (count: number): Entries => [...readLongLedger(count)];

/** Milliseconds in which this thread had a processor. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The shortest of some runs, in milliseconds, and the least that the thread had a processor, which other programs lengthen less. */
function times(entries: Entries): readonly number[] {
  const columns = columnsOf(entries);
  let shortest = Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < REPEATS; run++) {
    const [startMs, startProcessorMs] = [performance.now(), processorMs()];
    findRecurrence(columns);
    shortest = Math.min(shortest, performance.now() - startMs);
    least = Math.min(least, processorMs() - startProcessorMs);
  }
  return [shortest, least, (1_000 * least) / entries.length];
}

function measureThreads(): void {
  const sizes = options.quick ? QUICK_SIZES : SIZES;
  const all = readEntries(Math.max(...sizes));
  const columns = ["ms", "processor ms", "µs each"];
  printMatrix(
    "ledgers by size",
    columns,
    new Map(sizes.map((size) => [size.toLocaleString("en"), times(all.slice(0, size))])),
  );
  const some = all.slice(0, UNUSUAL_SIZE);
  const named = (name: (index: number) => string): Entries =>
    some.map((entry, index) => ({
      ...entry,
      counterparty: { id: null, name: name(index), website: null, type: "organization" as const },
    }));
  printMatrix(
    `unusual ledgers of ${UNUSUAL_SIZE.toLocaleString("en")}`,
    columns,
    new Map([
      ["all of one payee", times(named(() => "Acme"))],
      ["all on one day", times(some.map((entry) => ({ ...entry, date: "2026-01-05" })))],
      ["a payee for each", times(named((index) => `Shop of ${String(index)}`))],
      [
        "nothing recognised",
        times(some.map((entry) => ({ ...entry, counterparty: null, category: null }))),
      ],
    ]),
  );
}

const mb = (bytes: number): number => bytes / 1_000_000;

/** Each ledger once with payees of its own in every part, and once with those of its first part again and again. */
async function measureLedgers(): Promise<void> {
  for (const [payees, ledgersMax] of [
    ["the same payees", SAME_LEDGERS],
    ["more payees", Number.POSITIVE_INFINITY],
  ] as const) {
    const lines = new Map<string, readonly number[]>();
    for (const size of options.quick ? QUICK_SIZES : MEMORY_SIZES) {
      const { heldBytes, threadBytes, processBytes, members } = await measureMemory(
        size,
        ledgersMax,
      );
      lines.set(size.toLocaleString("en"), [
        ...[heldBytes, threadBytes, processBytes].map(mb),
        heldBytes / size,
        members,
      ]);
    }
    printMatrix(
      `memory by size, ${payees}`,
      ["held, MB", "thread, MB", "process, MB", "held, bytes each", "members"],
      lines,
    );
  }
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

async function measureBatches(): Promise<void> {
  const measured = await measureService(readEntries(BATCH_MAX), options.quick ? 3 : ROUNDS);
  const { without, ratio, ratios } = measured;
  const more = (of: number): number | null => percent(known(of - 1));
  printMatrix(
    "more with recurrence, %, by round",
    ["time", "processor time"],
    new Map(
      ratios.map(({ ms, processorMs }, at) => [String(at + 1), [more(ms), more(processorMs)]]),
    ),
  );
  printTable([
    row("batch of 24,960 of one holder, without recurrence", without.ms, "ms"),
    row("with recurrence", measured.with.ms, "ms"),
    row("more time", more(ratio.ms), "%", { kind: "max", value: 25 }),
    row("processor time without recurrence", known(without.processorMs), "ms"),
    row("with recurrence", known(measured.with.processorMs), "ms"),
    row("more processor time", more(ratio.processorMs), "%"),
  ]);
}

process.stdout.write(`${JSON.stringify(describeMachine())}\n`);
if (chosen.has("threads")) measureThreads();
if (chosen.has("memory")) await measureLedgers();
if (chosen.has("service")) await measureBatches();
