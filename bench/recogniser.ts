// npm run bench:recogniser -- [--quick] [--out FILE] [FILE.csv[.gz] …]
// Measures the recogniser alone, in one thread: lines a second over its own lines, our labelled ones and those of any
// given tables; compared with two search libraries that look up the same lines among the same names; the slowest line; and
// the time and memory of the knowledge base. Ratios within a run are meaningful, comparisons of two machines are not. Prints tables; --out writes the same as JSON.
//
// A table needs a column description, descriptor or merchant (test/eval/cases.ts lists more names).
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadKnowledge } from "../src/pool/knowledge.ts";
import { createRandom } from "../test/support/random.ts";
import { createRecogniser } from "../workers/recogniser/recogniser.ts";
import { openKnowledge } from "../workers/knowledge/knowledge.ts";
import { COMMON_OPTIONS } from "./options.ts";
import { type LineSet, linesOf, ownLines, spread } from "./recogniser/lines.ts";
import { measureThreads } from "./recogniser/memory.ts";
import { nastyLines } from "./recogniser/nasty.ts";
import { type Compared, compareWithReferences, merchantNames } from "./recogniser/references.ts";
import { type LookUp, measureSpeed, type Rounds, type Speed } from "./recogniser/speed.ts";
import { findWorst, type Worst } from "./recogniser/worst.ts";
import {
  ascending,
  describeMachine,
  percentile,
  printMatrix,
  printTable,
  type Row,
  row,
  writeReport,
} from "./table.ts";

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: COMMON_OPTIONS,
});
const QUICK = options.quick;
const ROUNDS: Rounds = QUICK ? { count: 3, linesMin: 5_000 } : { count: 7, linesMin: 20_000 };
/** Fuse.js takes the better part of a second for a line. */
const REFERENCE_BUDGET_MS = QUICK ? 2_000 : 10_000;
const REFERENCE_LINES_MAX = 1_000;
const NASTY_OF_EACH = QUICK ? 100 : 600;
const OPENINGS = QUICK ? 3 : 9;
const SEED = 20_260_901;
const WORST_GOAL_MS = 1;

interface Opened {
  readonly bytes: SharedArrayBuffer;
  readonly knowledge: ReturnType<typeof openKnowledge>;
  readonly rows: readonly Row[];
}

/** What the process does once, and then every thread once. */
async function measureOpening(): Promise<Opened> {
  const reads: number[] = [];
  const opens: number[] = [];
  let bytes = new SharedArrayBuffer(0);
  for (let i = 0; i < OPENINGS; i++) {
    const startMs = performance.now();
    bytes = (await loadKnowledge()).bytes;
    const readMs = performance.now();
    createRecogniser(openKnowledge(bytes));
    opens.push(performance.now() - readMs);
    reads.push(readMs - startMs);
  }
  const best = (times: readonly number[]): number => percentile(ascending(times), 0);
  return {
    bytes,
    knowledge: openKnowledge(bytes),
    rows: [
      row("knowledge file", megabytes(bytes.byteLength), "MB"),
      row("  read and checked, best", best(reads), "ms"),
      row("  opened in a thread, first time", opens[0] ?? null, "ms"),
      row("  opened in a thread, best", best(opens), "ms"),
    ],
  };
}

const megabytes = (bytes: number): number => bytes / 1e6;

async function memoryRows(bytes: SharedArrayBuffer, { items }: LineSet): Promise<readonly Row[]> {
  const memory = await measureThreads(bytes, items);
  return [
    row("heap of the knowledge, opened", megabytes(memory.openedHeapBytes), "MB"),
    row("heap of the knowledge, in use", megabytes(memory.usedHeapBytes), "MB"),
    row("a thread at work, file not counted", megabytes(memory.threadBytes), "MB"),
  ];
}

function worstRows({ lines, medianMs, p99Ms, mostMs, slowest }: Worst): readonly Row[] {
  const last = slowest.at(-1);
  return [
    row("nasty lines of 1 024 characters", lines, "lines"),
    row("  in passing, median", medianMs, "ms"),
    row("  in passing, p99", p99Ms, "ms"),
    row("  in passing, most", mostMs, "ms"),
    row("  worst line, best of 5 in a row", slowest[0]?.ms ?? null, "ms", {
      kind: "max",
      value: WORST_GOAL_MS,
    }),
    row(`  line ${String(slowest.length)} from the worst, the same`, last?.ms ?? null, "ms"),
  ];
}

interface Measured {
  readonly name: string;
  readonly speed: Speed;
}

function printSpeeds(measured: readonly Measured[]): void {
  const columns = ["lines", "lines/s", "best lines/s", "µs/line", "best µs/line"];
  const cells = ({ speed }: Measured): readonly number[] => [
    speed.lines,
    speed.linesPerSecond,
    speed.bestLinesPerSecond,
    speed.medianUs,
    speed.bestUs,
  ];
  printMatrix(
    "one thread",
    columns,
    new Map(measured.map((one) => [one.name, cells(one)] as const)),
  );
}

function printCompared(compared: readonly Compared[], names: number): void {
  const cells = (one: Compared): readonly number[] => [
    one.speed.lines,
    one.speed.linesPerSecond,
    one.speed.medianUs,
    one.timesAsLong,
  ];
  printMatrix(
    `same lines, ${names.toLocaleString("en-US")} names`,
    ["lines", "lines/s", "µs/line", "times as long"],
    new Map(compared.map((one) => [one.name, cells(one)] as const)),
  );
}

function printFamilies({ families, slowest }: Worst): void {
  const among = (name: string): number => slowest.filter(({ family }) => family === name).length;
  printMatrix(
    "nasty lines in passing, ms",
    ["lines", "median", "most", "among the worst"],
    new Map(
      families.map((one) => [one.family, [one.lines, one.medianMs, one.mostMs, among(one.family)]]),
    ),
  );
}

const startedMs = performance.now();
const found = describeMachine();
const own = ownLines();
const labelledFile = join(import.meta.dirname, "../test/eval/development.csv");
const labelled: LineSet = { ...linesOf(labelledFile), name: "test/eval/development.csv" };
const sets = [own, labelled, ...files.map(linesOf)];
const { bytes, knowledge, rows: openingRows } = await measureOpening();
const memory = await memoryRows(bytes, labelled);
const recognise = createRecogniser(knowledge);
/** What leaves a thread is text. */
const answer: LookUp = (item) => JSON.stringify(recognise(item));

/** A recogniser that has met no line: what it keeps of lines would answer all but the first pass. */
const startAnew = (): LookUp => {
  const first = createRecogniser(knowledge);
  return (item) => JSON.stringify(first(item));
};

const speeds = sets.flatMap(({ name, items }) => [
  { name: `${name}, new`, speed: measureSpeed(items, startAnew, ROUNDS) },
  { name: `${name}, again and again`, speed: measureSpeed(items, () => answer, ROUNDS) },
]);

const random = createRandom(SEED);
/** Opened once more, so that reading all of its strings does not fill the cache of the recogniser's. */
const tables = openKnowledge(bytes);
const names = merchantNames(tables);
// Not the own lines: a dozen names are in them.
const sample = spread(
  sets.slice(1).flatMap(({ items }) => spread(items, REFERENCE_LINES_MAX)),
  REFERENCE_LINES_MAX,
);
const shuffled = sample
  .map((item) => ({ item, place: random.next() }))
  .toSorted((a, b) => a.place - b.place)
  .map(({ item }) => item);
const compared = compareWithReferences(shuffled, startAnew, tables, {
  budgetMs: REFERENCE_BUDGET_MS,
  rounds: { ...ROUNDS, linesMin: REFERENCE_LINES_MAX },
});

const realLines = sample.map(({ description }) => description);
const worst = findWorst(
  nastyLines({ random, knowledge: tables, realLines }, NASTY_OF_EACH),
  answer,
);

const rows = [...openingRows, ...memory, ...worstRows(worst)];
const machine = {
  ...found,
  quick: QUICK,
  seconds: Math.round((performance.now() - startedMs) / 1000),
};
process.stdout.write(`${JSON.stringify(machine)}\n\n`);
printTable(rows);
printSpeeds(speeds);
printCompared(compared, names.length);
printFamilies(worst);
if (options.out !== undefined) {
  writeReport(options.out, machine, rows, {
    speeds,
    references: compared,
    names: names.length,
    worst,
  });
}
