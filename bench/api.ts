// npm run bench:api -- [--quick] [--distributed] [--out FILE] [--only PART,PART]
// Measures the API of the real process, everything in one: a mix of reads and writes over several connections, walking a
// list of a million transactions, and looking up who is meant by a name. Prints tables; --out writes the same as JSON.
// --distributed does it on Kafka, a schema registry and MongoDB, which the TEST_… variables name or which are started here.
//
// --only picks among mix, list and resolve.
import { loadKnowledge } from "../src/pool/knowledge.ts";
import { openKnowledge } from "../workers/knowledge/knowledge.ts";
import { openDistributed, openEmbedded, type OpenInstallation } from "./api/installation.ts";
import { prepareKinds } from "./api/kinds.ts";
import { type ListRun, measureList, PAGE_LIMIT, PAGES_MEASURED } from "./api/list.ts";
import { type KindRun, measureMix, type MixRun } from "./api/mix.ts";
import { measureResolve, mistyped } from "./api/resolve.ts";
import type { Latency } from "./calls.ts";
import { openServices } from "./distributed/services.ts";
import { spread } from "./recogniser/lines.ts";
import { merchantNames } from "./recogniser/references.ts";
import { readOptions, readParts } from "./options.ts";
import {
  describeMachine,
  percent,
  printMatrix,
  printTable,
  type Row,
  row,
  writeReport,
} from "./table.ts";

const options = readOptions({
  distributed: { type: "boolean", default: false },
  only: { type: "string" },
});
const QUICK = options.quick;
const PARTS = ["mix", "list", "resolve"] as const;
const chosen = readParts(options.only, PARTS);

const CONNECTIONS = [1, 16, 64] as const;
const MIX_MS = QUICK ? 3_000 : 15_000;
const CONTENTS = QUICK ? { batches: 4, batchLength: 1_000 } : { batches: 20, batchLength: 5_000 };
const LIST = QUICK
  ? { transactions: 50_000, concurrentBatches: 4 }
  : { transactions: 1_000_000, concurrentBatches: 16 };
const NAMES = 100;
/** Shorter ones are not the same any more with a letter less. */
const NAME_LENGTH_MIN = 4;
const RESOLVE_ROUNDS = QUICK ? 3 : 20;
const PAGE_GOAL_MS = 10;
const BYTES_PER_MB = 1_048_576;

async function readNames(): Promise<readonly string[]> {
  const { bytes } = await loadKnowledge();
  const all = merchantNames(openKnowledge(bytes));
  return spread(
    all.filter((name) => name.length >= NAME_LENGTH_MIN),
    NAMES,
  );
}

async function mixRuns(open: OpenInstallation, names: readonly string[]): Promise<MixRun[]> {
  const installation = await open("mix");
  try {
    const kinds = await prepareKinds(installation, CONTENTS, names);
    const { url, pid } = installation;
    const runs: MixRun[] = [];
    // The first is the compiler's.
    for (const connections of [CONNECTIONS[1], ...CONNECTIONS])
      runs.push(await measureMix({ url, pid, kinds, connections, forMs: MIX_MS }));
    return runs.slice(1);
  } finally {
    await installation.close();
  }
}

function mixRows(runs: readonly MixRun[]): Row[] {
  return runs.flatMap((run) => [
    row(`mix, ${connectionsText(run)}`, run.perSecond, "requests/s"),
    row("  main thread busy", percent(run.mainShare), "% of a core"),
    row("  all other threads busy", percent(run.othersShare), "% of a core"),
    row("  of all its threads, each request", microseconds(run.secondsEach), "µs"),
    row("  client process busy", percent(run.clientShare), "% of a core"),
    row("  answered with an error, or not", run.failed, "requests", { kind: "max", value: 0 }),
  ]);
}

const microseconds = (seconds: number | null): number | null =>
  seconds === null ? null : seconds * 1_000_000;

const connectionsText = ({ connections }: MixRun): string =>
  `${String(connections)} ${connections === 1 ? "connection" : "connections"}`;

function printMix(runs: readonly MixRun[]): void {
  const names = [...(runs[0]?.kinds.keys() ?? [])];
  const lines = (value: (run: KindRun) => number): Map<string, readonly (number | null)[]> =>
    new Map(
      names.map((name) => {
        const found = runs.map(({ kinds }) => kinds.get(name));
        return [name, found.map((run) => (run === undefined ? null : value(run)))];
      }),
    );
  const columns = runs.map(connectionsText);
  const print = (title: string, value: (run: KindRun) => number): void => {
    printMatrix(title, columns, lines(value));
  };
  print("requests/s", ({ perSecond }) => perSecond);
  print("ms, p50", ({ p50 }) => p50);
  print("ms, p99", ({ p99 }) => p99);
}

async function listRows(open: OpenInstallation): Promise<Row[]> {
  const installation = await open("list");
  try {
    return toListRows(await measureList(installation, LIST));
  } finally {
    await installation.close();
  }
}

function toListRows({ whole, bounded, concurrent, ...run }: ListRun): Row[] {
  const { transactions } = LIST;
  const ends = (what: string, pages: number, first: Latency, last: Latency): Row[] => [
    ...pageRows(`${what}: pages 1 to ${String(PAGES_MEASURED)}`, first),
    ...pageRows(`${what}: ${String(pages - PAGES_MEASURED + 1)} to ${String(pages)}`, last),
  ];
  return [
    row(`storing ${String(transactions)} transactions`, run.fillSeconds, "s"),
    row("  of one holder, in batches", transactions / run.fillSeconds, "tx/s"),
    row("  on the disk", run.storedBytes / BYTES_PER_MB, "MB"),
    row("  on the disk, each", run.storedBytes / transactions, "bytes"),
    row("  memory of the process then", run.filledMb, "MB"),
    row("  at its highest, until the end", run.peakMb, "MB"),
    ...ends(`list by ${String(PAGE_LIMIT)}`, whole.pages, whole.first, whole.last),
    ...ends("between two times", bounded.pages, bounded.first, bounded.last),
    ...ends("during batches", whole.pages, concurrent.first, concurrent.last),
    row("  batches meanwhile", concurrent.transactionsPerSecond, "tx/s"),
  ];
}

function pageRows(name: string, { p50, p99 }: Latency): Row[] {
  const goal = { kind: "max", value: PAGE_GOAL_MS } as const;
  return [row(`${name}, p50`, p50, "ms", goal), row("  p99", p99, "ms", goal)];
}

async function resolveRows(open: OpenInstallation, names: readonly string[]): Promise<Row[]> {
  const { client, close } = await open("resolve");
  try {
    const known = await measureResolve(client, names, RESOLVE_ROUNDS);
    const slips = await measureResolve(client, names.map(mistyped), RESOLVE_ROUNDS);
    return [
      row(`resolve, ${String(NAMES)} names, p50`, known.p50, "ms"),
      row("  p99", known.p99, "ms"),
      row("resolve, the same with a letter less, p50", slips.p50, "ms"),
      row("  p99", slips.p99, "ms"),
    ];
  } finally {
    await close();
  }
}

const startedMs = performance.now();
const found = describeMachine();
const services = options.distributed ? await openServices() : null;
const open = services === null ? openEmbedded : openDistributed(services);
const rows: Row[] = [];
let mix: MixRun[] = [];
try {
  const names = await readNames();
  if (chosen.has("mix")) mix = await mixRuns(open, names);
  rows.push(...mixRows(mix));
  if (chosen.has("list")) rows.push(...(await listRows(open)));
  if (chosen.has("resolve")) rows.push(...(await resolveRows(open, names)));
} finally {
  await services?.stop();
}
const machine = {
  ...found,
  engine: options.distributed ? "kafka and mongodb" : "embedded",
  quick: QUICK,
  seconds: Math.round((performance.now() - startedMs) / 1000),
};
process.stdout.write(`${JSON.stringify(machine)}\n\n`);
printTable(rows);
if (mix.length > 0) printMix(mix);
if (options.out !== undefined) {
  const runs = mix.map((run) => ({ ...run, kinds: Object.fromEntries(run.kinds) }));
  writeReport(options.out, machine, rows, { mix: runs });
}
process.exit();
