// npm run bench:distributed -- [--quick] [--out FILE] [--only PART,PART] [--profile FOLDER]
//                              [--transactions N | --minutes N]
// Measures Ledgerline on Kafka, a schema registry and MongoDB: the real processes, with everything on this machine, the
// services and the producer included. The services are started here unless the TEST_… variables name some. Ratios between
// the numbers of a run mean something, numbers of two machines do not. Prints tables; --out writes the same as JSON.
//
// --only picks among start, calls, batches, idle, sustained, reference, producers, alone and memory. --transactions and
// --minutes say how long the last of them goes on. --profile has the processes that enrich during `sustained`, `producers` and
// `alone` write profiles of themselves. `producers` are three programs outside and a consumer outside; `alone` is one of them.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { dropInstallation } from "../test/support/distributed.ts";
import { TEMPLATE_COUNT } from "../test/support/lines.ts";
import { batchTimes, createSource, enrichOne, openLoop, sequential } from "./calls.ts";
import { type CpuUse, ownShare } from "./distributed/cpu.ts";
import {
  createHolders,
  HOLDERS,
  type Installation,
  openInstallation,
  startRole,
  stopProcess,
} from "./distributed/installation.ts";
import { type CurvePoint, type LongRun, measureLongRun } from "./distributed/long-run.ts";
import { producersPlans, producersRows } from "./distributed/producer-parts.ts";
import { measureProducers, type ProducersRun } from "./distributed/producers.ts";
import { type BenchServices, openServices } from "./distributed/services.ts";
import {
  measureSustained,
  type SustainedPlan,
  type SustainedRun,
} from "./distributed/sustained.ts";
import { createBenchClient } from "./http.ts";
import { processSeconds } from "./process-usage.ts";
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
  only: { type: "string" },
  profile: { type: "string" },
  transactions: { type: "string" },
  minutes: { type: "string" },
});
const QUICK = options.quick;
const PARTS = [
  ...["start", "calls", "batches", "idle", "sustained", "reference"],
  ...["producers", "alone", "memory"],
] as const;
const chosen = readParts(options.only, PARTS);

const BATCH_MAX = 24_960;
const OPEN_LOOP_PER_SECOND = 200;
/**
 * Calls before those that are measured. A broker that was just started still compiles its own code: for some 6 000 calls a
 * call costs it up to three times as much, on cores that the others need, and the slowest of a hundred takes four times as long.
 */
const CALLS_WARM_UP_MS = QUICK ? 5_000 : 40_000;
/** Each look at the status of a batch asks MongoDB twice. */
const BATCH_PAUSE_MS = 10;
const SETTLE_MS = 5_000;
const IDLE_SECONDS = QUICK ? 5 : 20;
const SUSTAINED = QUICK
  ? { warmUp: 15_000, measured: 40_000 }
  : { warmUp: 100_000, measured: 400_000 };
const REFERENCE = QUICK ? { warmUp: 1_000, measured: 4_000 } : { warmUp: 5_000, measured: 25_000 };
const MEMORY = QUICK
  ? { transactions: 60_000, step: 20_000 }
  : { transactions: 500_000, step: 100_000 };
const LONG_STEP = 250_000;
const GOAL_RATE = 15_000;

const source = createSource(HOLDERS);

/** Everything in one process, first where there is nothing yet and then where its topics and collections are there. */
async function startRows(services: BenchServices): Promise<Row[]> {
  const config = services.configOf("start", "kafka");
  const times: number[] = [];
  for (const isNew of [true, false]) {
    const startMs = performance.now();
    const service = await startRole(config, []);
    const client = createBenchClient(service.url);
    if (isNew) await createHolders(client);
    await enrichOne(client, source);
    times.push(performance.now() - startMs);
    client.close();
    await stopProcess(service);
  }
  await dropInstallation(config);
  return [
    row("start to first answer, new installation", times[0] ?? null, "ms"),
    row("start to first answer, topics there", times[1] ?? null, "ms"),
  ];
}

async function callRows({ client }: Installation): Promise<Row[]> {
  await openLoop(client, source, OPEN_LOOP_PER_SECOND, CALLS_WARM_UP_MS);
  const idle = await sequential(client, source, QUICK ? 300 : 2_000);
  const busy = await openLoop(client, source, OPEN_LOOP_PER_SECOND, QUICK ? 3_000 : 15_000);
  return [
    row("one transaction, idle, p50", idle.p50, "ms", { kind: "max", value: 10 }),
    row("one transaction, idle, p99", idle.p99, "ms"),
    row("one transaction at 200/s, p50", busy.p50, "ms"),
    row("one transaction at 200/s, p99", busy.p99, "ms", { kind: "max", value: 40 }),
    row("one transaction at 200/s, refused", busy.refused, "calls", { kind: "max", value: 0 }),
  ];
}

async function batchRows({ client }: Installation): Promise<Row[]> {
  const times = (count: number, rounds: number): ReturnType<typeof batchTimes> =>
    batchTimes(client, source, { count, rounds, pauseMs: BATCH_PAUSE_MS });
  // The first of each size meets code that is not compiled yet.
  await times(BATCH_MAX, QUICK ? 1 : 3);
  const small = await times(4_000, QUICK ? 3 : 9);
  const large = await times(BATCH_MAX, QUICK ? 3 : 7);
  return [
    row("batch of 4 000, submit to completed", small.completedMs, "ms", {
      kind: "max",
      value: 400,
    }),
    row("batch of 4 000, with fetching the results", small.fetchedMs, "ms"),
    row("batch of 24 960, submit to completed", large.completedMs, "ms", {
      kind: "max",
      value: 2_000,
    }),
    row("batch of 24 960, with fetching the results", large.fetchedMs, "ms"),
  ];
}

async function idleRows({ ingest, enrichers }: Installation): Promise<Row[]> {
  const [enricher] = enrichers;
  if (enricher === undefined) throw new Error("Nothing enriches");
  await delay(SETTLE_MS);
  const processes = [
    { name: "ingest", pid: ingest.pid },
    { name: "enrich", pid: enricher.pid },
  ];
  const startMs = performance.now();
  const before = processes.map(({ pid }) => processSeconds(pid));
  await delay(IDLE_SECONDS * 1_000);
  const seconds = (performance.now() - startMs) / 1000;
  return processes.map(({ name, pid }, index) => {
    const [begin, end] = [before[index], processSeconds(pid)];
    const share = begin == null || end === null ? null : (end - begin) / seconds;
    return row(`idle processor time, ${name}`, percent(share), "% of a core", {
      kind: "max",
      value: 2,
    });
  });
}

/** What is measured of one process that takes in and one that enriches. */
async function smallRows(services: BenchServices): Promise<Row[]> {
  if (!chosen.has("calls") && !chosen.has("batches") && !chosen.has("idle")) return [];
  const config = services.configOf("small", "kafka");
  const installation = await openInstallation({ config, enrichers: 1 });
  try {
    return [
      ...(chosen.has("calls") ? await callRows(installation) : []),
      ...(chosen.has("batches") ? await batchRows(installation) : []),
      ...(chosen.has("idle") ? await idleRows(installation) : []),
    ];
  } finally {
    await installation.close();
  }
}

function profiling(): Record<string, string> {
  if (options.profile === undefined) return {};
  const folder = resolve(options.profile);
  mkdirSync(folder, { recursive: true });
  return { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
}

function sustainedPlans(): SustainedPlan[] {
  const environment = profiling();
  const plans: SustainedPlan[] = [];
  if (chosen.has("sustained")) {
    for (const enriched of ["kafka", "off"] as const) {
      for (const enrichers of [1, 2] as const) {
        const name = `${String(enrichers)} enrich, results ${enriched === "off" ? "not " : ""}published`;
        plans.push({ name, enrichers, enriched, ...SUSTAINED, environment });
      }
    }
  }
  if (chosen.has("reference")) {
    plans.push({ name: "reference", enrichers: "reference", enriched: "off", ...REFERENCE });
  }
  return plans;
}

function sustainedRows(runs: readonly SustainedRun[]): Row[] {
  const rate = (enrichers: SustainedPlan["enrichers"], enriched: string): number | null =>
    runs.find(({ plan }) => plan.enrichers === enrichers && plan.enriched === enriched)?.rate ??
    null;
  const ratio = (a: number | null, b: number | null): number | null =>
    a === null || b === null ? null : a / b;
  const rows = runs.flatMap(({ plan, rate: found, cpu, aheadMin }) => [
    plan.enrichers === "reference"
      ? row(`sustained, ${plan.name}`, found, "tx/s")
      : row(`sustained, ${plan.name}`, found, "tx/s", { kind: "min", value: GOAL_RATE }),
    row("  machine busy, with whatever else runs", percent(cpu.busyShare), "% of cores"),
    row("  of it, processes of this run", percent(ownShare(cpu)), "% of cores"),
    row("  busiest main thread of an enrich", percent(cpu.mainShare), "% of a core"),
    row("  fewest that waited for it in Kafka", aheadMin, "tx"),
  ]);
  const [one, two] = [rate(1, "kafka"), rate(2, "kafka")];
  return [
    ...rows,
    row("2 enrich / 1 enrich, results published", ratio(two, one), "times"),
    row("2 enrich / 1 enrich, not published", ratio(rate(2, "off"), rate(1, "off")), "times"),
    row("published / not published, 1 enrich", ratio(one, rate(1, "off")), "times"),
    row(
      "1 enrich / reference, not published",
      ratio(rate(1, "off"), rate("reference", "off")),
      "times",
    ),
  ].filter(({ value, unit }) => value !== null || unit !== "times");
}

interface CpuColumn {
  readonly column: string;
  readonly rate: number;
  readonly cpu: CpuUse;
}

function printCpu(runs: readonly CpuColumn[]): void {
  const names = new Set(runs.flatMap(({ cpu }) => [...cpu.seconds.keys()]));
  const perTransaction = ({ rate, cpu }: CpuColumn, name: string): number | null => {
    const seconds = cpu.seconds.get(name) ?? null;
    return seconds === null ? null : (seconds / (rate * cpu.lastsSeconds)) * 1_000_000;
  };
  const lines = new Map(
    [...names].map((name) => [name, runs.map((run) => perTransaction(run, name))] as const),
  );
  const sums = runs.map((_, index) =>
    [...lines.values()].reduce((sum, values) => sum + (values[index] ?? 0), 0),
  );
  printMatrix(
    "µs of processor time per transaction",
    runs.map(({ column }) => column),
    new Map<string, readonly (number | null)[]>([...lines, ["together", sums]]),
  );
}

const columnOf = ({ plan, rate, cpu }: SustainedRun): CpuColumn => {
  const { enrichers, enriched } = plan;
  const column = enrichers === "reference" ? "reference" : `${String(enrichers)} ${enriched}`;
  return { column, rate, cpu };
};

function longPlan(): Parameters<typeof measureLongRun>[1] {
  const transactions = Number(options.transactions ?? Number.NaN);
  const minutes = Number(options.minutes ?? Number.NaN);
  if (transactions > 0 || minutes > 0) {
    return {
      transactions: transactions > 0 ? transactions : Number.POSITIVE_INFINITY,
      minutes: minutes > 0 ? minutes : Number.POSITIVE_INFINITY,
      step: LONG_STEP,
    };
  }
  return { ...MEMORY, minutes: Number.POSITIVE_INFINITY };
}

function printPoint({ stored, seconds, rate, enrich, ingest }: CurvePoint): void {
  const cells = [stored, seconds, rate, enrich.rssMb, enrich.heapMb, ingest.rssMb, ingest.heapMb];
  const line = cells.map((cell) => (cell === null ? "?" : cell.toFixed(0)).padStart(11)).join(" ");
  process.stdout.write(`${line}\n`);
}

async function longRun(services: BenchServices): Promise<LongRun> {
  const heads = ["stored", "s", "tx/s", "enrich RSS", "heap MB", "ingest RSS", "heap MB"];
  process.stdout.write(`\n${heads.map((head) => head.padStart(11)).join(" ")}\n`);
  return measureLongRun(services, longPlan(), printPoint);
}

function longRows({ curve, calls }: LongRun): Row[] {
  const rssOf = (name: "enrich" | "ingest"): number[] => curve.map((one) => one[name].rssMb ?? 0);
  const last = curve.at(-1);
  const middle = curve[Math.floor(curve.length / 2)];
  const grown = (name: "enrich" | "ingest"): number | null =>
    last === undefined || middle === undefined
      ? null
      : (last[name].rssMb ?? 0) - (middle[name].rssMb ?? 0);
  return [
    row("memory of enrich, most", Math.max(...rssOf("enrich")), "MB"),
    row("  grown in the second half", grown("enrich"), "MB"),
    row("memory of ingest, most", Math.max(...rssOf("ingest")), "MB"),
    row("  grown in the second half", grown("ingest"), "MB"),
    row("one transaction during the feed, p50", calls.p50, "ms"),
    row("one transaction during the feed, p99", calls.p99, "ms"),
  ];
}

const startedMs = performance.now();
const found = describeMachine();
const services = await openServices();
const rows: Row[] = [];
const runs: SustainedRun[] = [];
const outside: ProducersRun[] = [];
let long: LongRun | null = null;
try {
  if (chosen.has("start")) rows.push(...(await startRows(services)));
  rows.push(...(await smallRows(services)));
  for (const plan of sustainedPlans()) runs.push(await measureSustained(services, plan));
  rows.push(...sustainedRows(runs));
  const choice = { isQuick: QUICK, producers: chosen.has("producers"), alone: chosen.has("alone") };
  for (const plan of producersPlans({ ...choice, environment: profiling() }))
    outside.push(await measureProducers(services, plan));
  rows.push(...producersRows(outside));
  if (chosen.has("memory")) {
    long = await longRun(services);
    rows.push(...longRows(long));
  }
} finally {
  await services.stop();
}
const machine = {
  ...found,
  services: services.how,
  templates: TEMPLATE_COUNT,
  quick: QUICK,
  seconds: Math.round((performance.now() - startedMs) / 1000),
};
process.stdout.write(`\n${JSON.stringify(machine)}\n\n`);
printTable(rows);
if (runs.length > 0) printCpu(runs.map(columnOf));
if (outside.length > 0)
  printCpu(
    outside.flatMap(({ plan, rate, cpu, paced }) => [
      { column: plan.name, rate, cpu },
      ...(paced === null ? [] : [{ column: "one a record", ...paced }]),
    ]),
  );
if (options.out !== undefined) {
  const plain = ({ cpu, ...run }: { readonly cpu: CpuUse }): object => ({
    ...run,
    cpu: { ...cpu, seconds: Object.fromEntries(cpu.seconds) },
  });
  writeReport(options.out, machine, rows, {
    sustained: runs.map(plain),
    producers: outside.map(({ paced, ...run }) => ({
      ...plain(run),
      paced: paced === null ? null : plain(paced),
    })),
    memory: long?.curve ?? [],
  });
}
process.exit();
