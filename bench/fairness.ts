// npm run bench:fairness -- [--quick] [--distributed] [--out FILE]
// One organization with the most expensive ruleset floods the real process with batches of 24 960; measured is what another
// organization notices: a batch of 1 000, and synchronous calls. Prints a table; --out writes the same as JSON.
// --distributed does it on Kafka, a schema registry and MongoDB, which the TEST_… variables name or which are started here.
import { setTimeout as delay } from "node:timers/promises";
import { BATCH_LENGTH_MAX } from "../src/model/batch.ts";
import { createSource, type Latency, openLoop, type Source, submit } from "./calls.ts";
import { openServices } from "./distributed/services.ts";
import { type Installation, openInstallation } from "./fairness/installation.ts";
import { searchRules } from "../test/support/rules/expensive.ts";
import type { BenchClient } from "./http.ts";
import { readOptions } from "./options.ts";
import {
  ascending,
  describeMachine,
  percentile,
  printTable,
  type Row,
  row,
  writeReport,
} from "./table.ts";

const options = readOptions({ distributed: { type: "boolean", default: false } });
const QUICK = options.quick;

const FLOOD_BATCHES = QUICK ? 4 : 40;
/** At a time. */
const FLOOD_SUBMISSIONS = 2;
const CALM_LENGTH = 1_000;
const CALM_ROUNDS = QUICK ? 3 : 10;
/** A batch that takes longer is not waited for. */
const BATCH_MAX_MS = 120_000;
const LOOK_EVERY_MS = 5;
const CALLS_PER_SECOND = 50;
const CALLS_MS = QUICK ? 5_000 : 20_000;
const CALLS_WARM_UP_MS = 2_000;
const TIMES_ALONE = 3;
const SLACK_MS = 1_000;
const SYNC_GOAL_MS = 50;

interface Measured {
  /** Of a batch of the organization that is measured, from submitting it to its end. */
  readonly batch: { readonly medianMs: number; readonly mostMs: number };
  readonly sync: Latency;
}

interface Flood {
  readonly accepted: number;
  readonly refused: number;
  /** Transactions of the flood that were done each second while others were measured. */
  readonly perSecond: number;
}

async function measure(client: BenchClient, source: Source): Promise<Measured> {
  const times: number[] = [];
  for (let round = 0; round < CALM_ROUNDS; round += 1) times.push(await batchMs(client, source));
  const { p50, p99 } = await openLoop(client, source, CALLS_PER_SECOND, CALLS_MS);
  const sorted = ascending(times);
  return {
    batch: { medianMs: percentile(sorted, 0.5), mostMs: sorted.at(-1) ?? Number.NaN },
    sync: { p50, p99 },
  };
}

/** How long a batch takes; as long as it is waited for, when it takes longer. */
async function batchMs(client: BenchClient, source: Source): Promise<number> {
  const body = source.batchBody(CALM_LENGTH);
  const startMs = performance.now();
  const id = await submit(client, body);
  const took = (): number => performance.now() - startMs;
  while (took() < BATCH_MAX_MS) {
    const answer = await client.get(`/v3/batches/${id}`);
    const { status } = JSON.parse(answer.body.toString("utf8")) as { status: string };
    if (status === "completed") return took();
    if (status !== "processing") throw new Error(`Batch ${id} is ${status}`);
    await delay(LOOK_EVERY_MS);
  }
  return BATCH_MAX_MS;
}

/** Submits the batches of the flood; resolves once all are accepted or refused. */
async function flood(
  client: BenchClient,
  key: string,
): Promise<{ readonly ids: readonly string[]; readonly refused: number }> {
  const rules = searchRules();
  await client.post("/v3/rules/replace", JSON.stringify(rules), key);
  const source = createSource([], (index) => `flood-${String(index)}`);
  const ids: string[] = [];
  let left = FLOOD_BATCHES;
  let refused = 0;
  const submitAll = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const answer = await client
        .post("/v3/batches", source.batchBody(BATCH_LENGTH_MAX), key)
        .catch(() => null);
      if (answer === null) refused += 1;
      else ids.push((JSON.parse(answer.body.toString("utf8")) as { id: string }).id);
    }
  };
  await Promise.all(Array.from({ length: FLOOD_SUBMISSIONS }, submitAll));
  return { ids, refused };
}

/** Transactions that are done, of all batches of the flood. */
async function progressOf(
  client: BenchClient,
  key: string,
  ids: readonly string[],
): Promise<number> {
  const answers = await Promise.all(ids.map((id) => client.get(`/v3/batches/${id}`, key)));
  return answers.reduce((sum, { body }) => {
    const { progress } = JSON.parse(body.toString("utf8")) as { progress: number };
    return sum + progress;
  }, 0);
}

async function run(installation: Installation) {
  const { client } = installation;
  const source = createSource([]);
  await openLoop(client, source, CALLS_PER_SECOND, CALLS_WARM_UP_MS);
  await batchMs(client, source);
  const alone = await measure(client, source);
  const key = await installation.createKey("flood");
  const { ids, refused } = await flood(client, key);
  const before = await progressOf(client, key, ids);
  const startMs = performance.now();
  const during = await measure(client, source);
  const done = (await progressOf(client, key, ids)) - before;
  if (ids.length * BATCH_LENGTH_MAX === before + done)
    throw new Error("The flood was over before the others were measured");
  const perSecond = (done / (performance.now() - startMs)) * 1_000;
  const floods: Flood = { accepted: ids.length, refused, perSecond };
  return { alone, during, floods };
}

function toRows({ alone, during, floods }: Awaited<ReturnType<typeof run>>): Row[] {
  const batchGoal = {
    kind: "max",
    value: TIMES_ALONE * alone.batch.medianMs + SLACK_MS,
  } as const;
  const syncGoal = { kind: "max", value: SYNC_GOAL_MS } as const;
  const size = String(CALM_LENGTH);
  return [
    row(`batch of ${size} alone, median`, alone.batch.medianMs, "ms"),
    row("  the slowest", alone.batch.mostMs, "ms"),
    row(`batch of ${size} during the flood, median`, during.batch.medianMs, "ms", batchGoal),
    row("  the slowest", during.batch.mostMs, "ms", batchGoal),
    row(`${String(CALLS_PER_SECOND)} calls/s alone, p50`, alone.sync.p50, "ms"),
    row("  p99", alone.sync.p99, "ms"),
    row(`${String(CALLS_PER_SECOND)} calls/s during the flood, p50`, during.sync.p50, "ms"),
    options.distributed
      ? row("  p99", during.sync.p99, "ms")
      : row("  p99", during.sync.p99, "ms", syncGoal),
    row(`batches of ${String(BATCH_LENGTH_MAX)} of the flood, accepted`, floods.accepted, ""),
    row("  refused", floods.refused, ""),
    row("  done meanwhile", floods.perSecond, "tx/s"),
  ];
}

const startedMs = performance.now();
const found = describeMachine();
const services = options.distributed ? await openServices() : null;
let rows: Row[] = [];
try {
  const installation = await openInstallation(services?.configOf("fairness", "off") ?? null);
  try {
    rows = toRows(await run(installation));
  } finally {
    await installation.close();
  }
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
if (options.out !== undefined) writeReport(options.out, machine, rows);
process.exit();
