// npm run bench:fairness -- [--quick] [--distributed] [--only http,outside] [--out FILE]
// One organization with the most expensive ruleset floods the real process with batches of 24 960; measured is what another
// organization notices: a batch of 1 000, and synchronous calls. Prints a table; --out writes the same as JSON.
// --distributed does it on Kafka, a schema registry and MongoDB, which the TEST_… variables name or which are started here, and
// then, after a new start, with both as producers outside, who write to the partitions of Kafka in turn.
import { setTimeout as delay } from "node:timers/promises";
import { BATCH_LENGTH_MAX } from "../src/model/batch.ts";
import { createSource, type Latency, openLoop, type Source, submit } from "./calls.ts";
import { openServices } from "./distributed/services.ts";
import { type DistributedConfig, readConfig } from "../src/config/config.ts";
import { grantTo } from "../test/kafka/keys.ts";
import { distributedEnvironment } from "../test/support/distributed.ts";
import { type Installation, openInstallation } from "./fairness/installation.ts";
import { openProducer } from "./fairness/outside.ts";
import { searchRules } from "../test/support/rules/expensive.ts";
import type { BenchClient } from "./http.ts";
import { readOptions, readParts } from "./options.ts";
import {
  ascending,
  describeMachine,
  percentile,
  printTable,
  type Row,
  row,
  writeReport,
} from "./table.ts";

const options = readOptions({
  distributed: { type: "boolean", default: false },
  only: { type: "string" },
});
const parts = readParts(options.only, ["http", "outside"]);
const QUICK = options.quick;

const FLOOD_BATCHES = QUICK ? 4 : 40;
/** Of a producer outside: hundreds of records more in each partition than a process has of one there. */
const OUTSIDE_FLOOD_BATCHES = QUICK ? 30 : 60;
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

/** How long a batch takes over HTTP. */
async function batchMs(client: BenchClient, source: Source): Promise<number> {
  const body = source.batchBody(CALM_LENGTH);
  return untilDone(client, () => submit(client, body));
}

/** How long a batch takes; as long as it is waited for, when it takes longer. */
async function untilDone(client: BenchClient, submitted: () => Promise<string>): Promise<number> {
  const startMs = performance.now();
  const id = await submitted();
  const took = (): number => performance.now() - startMs;
  while (took() < BATCH_MAX_MS) {
    const status = await statusOf(client, id);
    if (status === "completed") return took();
    if (status !== "processing") throw new Error(`Batch ${id} is ${status}`);
    await delay(LOOK_EVERY_MS);
  }
  return BATCH_MAX_MS;
}

/** A batch over Kafka is known once its first record is processed. */
async function statusOf(client: BenchClient, id: string, key?: string): Promise<string> {
  try {
    const answer = await client.get(`/v3/batches/${id}`, key);
    return (JSON.parse(answer.body.toString("utf8")) as { status: string }).status;
  } catch (error) {
    if (String(error).includes(": 404")) return "processing";
    throw error;
  }
}

interface OutsideTimes {
  readonly alone: readonly number[];
  readonly during: readonly number[];
  /** Transactions of a producer that is alone, done each second. */
  readonly perSecondAlone: number;
}

/** The same batch as over HTTP, written to Kafka alone and behind the flood of another producer. */
async function runOutside(
  { client, createKey }: Installation,
  config: DistributedConfig,
): Promise<OutsideTimes> {
  const producer = await openProducer(config);
  const organizations = ["default", "flood"] as const;
  const granted = { config: readConfig(distributedEnvironment(config), 1) };
  const signingKeys = await grantTo(granted, organizations);
  const calm = { org: "default", key: signingKeys.default };
  const source = createSource([], (index) => `outside-${String(index)}`);
  const measureRounds = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let round = 0; round < CALM_ROUNDS; round += 1) {
      const transactions = source.transactions(CALM_LENGTH);
      times.push(await untilDone(client, () => producer.submit(transactions, calm)));
    }
    return ascending(times);
  };
  try {
    await untilDone(client, () => producer.submit(source.transactions(CALM_LENGTH), calm));
    const alone = await measureRounds();
    const one = source.transactions(BATCH_LENGTH_MAX);
    const aloneMs = await untilDone(client, () => producer.submit(one, calm));
    const key = await createKey("flood");
    await client.post("/v3/rules/replace", JSON.stringify(searchRules()), key);
    const flooding = { org: "flood", key: signingKeys.flood };
    const lines = createSource([], (index) => `flood-${String(index)}`);
    const batch = lines.transactions(BATCH_LENGTH_MAX);
    const ids: string[] = [];
    for (let sent = 0; sent < OUTSIDE_FLOOD_BATCHES; sent += 1)
      ids.push(await producer.submit(batch, flooding));
    const during = await measureRounds();
    if ((await progressOf(client, key, ids.slice(0, 1))) === 0)
      throw new Error("The flood was not processed");
    if ((await statusOf(client, ids.at(-1) ?? "", key)) === "completed")
      throw new Error("The flood was over before the others were measured");
    return { alone, during, perSecondAlone: (BATCH_LENGTH_MAX / aloneMs) * 1_000 };
  } finally {
    await producer.close();
  }
}

function outsideRows({ alone, during, perSecondAlone }: OutsideTimes): Row[] {
  const size = String(CALM_LENGTH);
  const aloneMs = percentile(alone, 0.5);
  const goal = { kind: "max", value: TIMES_ALONE * aloneMs + SLACK_MS } as const;
  return [
    row(`batch of ${size} over Kafka alone, median`, aloneMs, "ms"),
    row("  the slowest", alone.at(-1) ?? Number.NaN, "ms"),
    row(
      `batch of ${size} over Kafka during the flood, median`,
      percentile(during, 0.5),
      "ms",
      goal,
    ),
    row("  the slowest", during.at(-1) ?? Number.NaN, "ms", goal),
    row("a producer that is alone", perSecondAlone, "tx/s"),
  ];
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
  if (parts.has("http")) {
    const installation = await openInstallation(services?.configOf("fairness", "off") ?? null);
    try {
      rows = toRows(await run(installation));
    } finally {
      await installation.close();
    }
  }
  if (services !== null && parts.has("outside")) {
    const config = services.configOf("outside", "off");
    const outside = await openInstallation(config);
    try {
      rows = [...rows, ...outsideRows(await runOutside(outside, config))];
    } finally {
      await outside.close();
    }
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
