// npm run bench:webhooks -- [--quick] [--long] [--distributed] [--out FILE] [--only PART,PART] [--profile FOLDER]
// Measures webhook deliveries: the real process, with its endpoints in another process of this machine. Prints a table;
// --out writes the same as JSON. --distributed does it on Kafka and MongoDB, which the TEST_… variables name or which are
// started here; --long adds what a million waiting deliveries cost.
//
// --only picks among rate, delay, slow, many and memory. --profile has the process write profiles of itself while the rate
// is measured.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { toEnvironment } from "../test/services/endpoints.ts";
import { resolveServices } from "../test/services/services.ts";
import { readOptions, readParts } from "./options.ts";
import { describeMachine, percent, printTable, type Row, row, writeReport } from "./table.ts";
import { type DelayPlan, type DelayRun, measureDelay } from "./webhooks/delay.ts";
import { measureMemory } from "./webhooks/memory.ts";
import { measureRate, type RateRun } from "./webhooks/rate.ts";
import { type Behaviour, startReceiver } from "./webhooks/receiver.ts";

const options = readOptions({
  long: { type: "boolean", default: false },
  distributed: { type: "boolean", default: false },
  only: { type: "string" },
  profile: { type: "string" },
});
const QUICK = options.quick;
const isDistributed = options.distributed;
const PARTS = ["rate", "delay", "slow", "many", "memory"] as const;
const chosen = readParts(
  options.only,
  PARTS,
  PARTS.filter((part) => part !== "memory" || options.long),
);

const DELIVERIES = QUICK ? 4_000 : 30_000;
/** To each of many endpoints: more than they answer that stop answering, and than they get at a time. */
const EACH = 100;
const GOAL_RATE = options.distributed ? 1_000 : 1_500;
const DELAY_MS = QUICK ? 5_000 : 30_000;
const MANY = QUICK
  ? { organizations: 20, eventsPerSecond: 20, forMs: 12_000 }
  : { organizations: 100, eventsPerSecond: 40, forMs: 45_000 };
const PER_ORGANIZATION = 10;
const PENDING = QUICK ? 50_000 : 1_000_000;
const MEMORY_MS = QUICK ? 20_000 : 120_000;
/** The delay with hanging endpoints may be this much longer. */
const MOVED_MS_MAX = 100;

function profiling(): Readonly<Record<string, string>> {
  if (options.profile === undefined) return {};
  const folder = resolve(options.profile);
  mkdirSync(folder, { recursive: true });
  return { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
}

async function rateRows(): Promise<Row[]> {
  const rows: Row[] = [];
  const measure = (endpoints: number, deliveries: number, tenth: Behaviour): Promise<RateRun> =>
    measureRate(receiver, {
      isDistributed,
      endpoints,
      deliveries,
      tenth,
      environment: profiling(),
    });
  const many = MANY.organizations * PER_ORGANIZATION;
  for (const endpoints of [1, 10, many]) {
    const run = await measure(endpoints, endpoints === many ? many * EACH : DELIVERIES, "fast");
    const name = endpoints === 1 ? "1 endpoint" : `${String(endpoints)} endpoints`;
    rows.push(
      row(`deliveries to ${name}`, run.perSecond, "calls/s", { kind: "min", value: GOAL_RATE }),
      row("  process busy", percent(run.dispatcherShare), "% of a core"),
      row("  receiver busy", percent(run.receiverShare), "% of a core"),
      row("  machine busy, with whatever else runs", percent(run.machineShare), "% of cores"),
      row("  memory of the process at its highest", run.memoryMb, "MB"),
      row("  calls that came twice", run.repeated, "calls", { kind: "max", value: 0 }),
    );
  }
  const tired = await measure(many, many * EACH, "tires");
  rows.push(row("  while a tenth of them stops answering", tired.perSecond, "calls/s"));
  return rows;
}

/** One organization with these endpoints. */
const single = (endpoints: readonly Behaviour[]): DelayPlan => ({
  isDistributed,
  organizations: 1,
  endpoints: () => endpoints,
  eventsPerSecond: 100,
  forMs: DELAY_MS,
});

async function delayRows(): Promise<Row[]> {
  const { delay, arrivedShare, processShare } = await measureDelay(receiver, single(["fast"]));
  return [
    row("event to first call at 100/s, p50", delay.p50, "ms", { kind: "max", value: 50 }),
    row("event to first call at 100/s, p99", delay.p99, "ms", { kind: "max", value: 500 }),
    row("  arrived", percent(arrivedShare), "%", { kind: "min", value: 100 }),
    row("  process busy", percent(processShare), "% of a core"),
  ];
}

function concurrentRows(what: string, alone: DelayRun, concurrent: DelayRun): Row[] {
  const goal = { kind: "max", value: alone.delay.p99 + MOVED_MS_MAX } as const;
  return [
    row(`${what}: alone, p50`, alone.delay.p50, "ms"),
    row(`${what}: alone, p99`, alone.delay.p99, "ms"),
    row(`${what}: with it, p50`, concurrent.delay.p50, "ms"),
    row(`${what}: with it, p99`, concurrent.delay.p99, "ms", goal),
    row("  arrived", percent(concurrent.arrivedShare), "%", { kind: "min", value: 99.9 }),
  ];
}

async function slowRows(): Promise<Row[]> {
  const alone = await measureDelay(receiver, single(["fast"]));
  const concurrent = await measureDelay(receiver, single(["fast", "slow"]));
  return concurrentRows("1 fast, 1 that takes 5 s", alone, concurrent);
}

async function manyRows(): Promise<Row[]> {
  const plan = (tenth: Behaviour | null): DelayPlan => {
    const fast = Array<Behaviour>(PER_ORGANIZATION - 1).fill("fast");
    return { isDistributed, ...MANY, endpoints: () => (tenth === null ? fast : [...fast, tenth]) };
  };
  const alone = await measureDelay(receiver, plan(null));
  const hanging = await measureDelay(receiver, plan("hangs"));
  const count = String(MANY.organizations * PER_ORGANIZATION);
  return concurrentRows(`${count}, a tenth hangs`, alone, hanging);
}

async function memoryRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const endpoints of ["down", "limited"] as const) {
    const plan = { isDistributed, deliveries: PENDING, forMs: MEMORY_MS, endpoints };
    const run = await measureMemory(receiver, plan);
    const waiting = `${String(PENDING / 1_000)} 000 waiting, ${endpoints}`;
    rows.push(
      row(`${waiting}: memory`, run.peakMb, "MB", { kind: "max", value: 600 }),
      row("  grown in the last quarter", run.grownMb, "MB", { kind: "max", value: 20 }),
      row("  looking through the queues", run.queuesMs, "ms"),
      row("  counting what is overdue", run.overdueMs, "ms"),
      row("  delivered meanwhile", run.arrivedPerSecond, "calls/s"),
    );
  }
  return rows;
}

/** Names the services to the installations. */
async function openServices(): Promise<{ stop(): Promise<void> }> {
  if (!isDistributed) return { stop: () => Promise.resolve() };
  const services = await resolveServices();
  Object.assign(process.env, toEnvironment(services));
  return services;
}

const startedMs = performance.now();
const found = describeMachine();
const { stop } = await openServices();
const receiver = await startReceiver();
const rows: Row[] = [];
try {
  if (chosen.has("rate")) rows.push(...(await rateRows()));
  if (chosen.has("delay")) rows.push(...(await delayRows()));
  if (chosen.has("slow")) rows.push(...(await slowRows()));
  if (chosen.has("many")) rows.push(...(await manyRows()));
  if (chosen.has("memory")) rows.push(...(await memoryRows()));
} finally {
  receiver.stop();
  await stop();
}
const machine = {
  ...found,
  engine: options.distributed ? "distributed" : "embedded",
  quick: QUICK,
  seconds: Math.round((performance.now() - startedMs) / 1000),
};
process.stdout.write(`${JSON.stringify(machine)}\n\n`);
printTable(rows);
if (options.out !== undefined) writeReport(options.out, machine, rows);
