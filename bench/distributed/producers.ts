// Producers outside, each an organization of its own, to MongoDB and back to a consumer outside: how many transactions a second,
// whose processor time each of them is, and how long one takes.
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readConfig } from "../../src/config/config.ts";
import { privateTopic } from "../../src/log/kafka/private-topics.ts";
import type { RecordCompression } from "../../src/log/kafka/settings.ts";
import { createKeysFor, grantTo } from "../../test/kafka/keys.ts";
import { distributedEnvironment } from "../../test/support/distributed.ts";
import { type Latency, toLatency } from "../calls.ts";
import { type CpuUse, type Processes, startCpu } from "./cpu.ts";
import { createHolders, HOLDERS, type Installation, openInstallation } from "./installation.ts";
import type {
  ConsumerOrder,
  ConsumerReport,
  OutsideOrg,
  ProducerOrder,
  ProducerReport,
} from "./outside-orders.ts";
import type { BenchServices } from "./services.ts";
import { createProgress } from "./sustained.ts";

export interface ProducersPlan {
  readonly name: string;
  readonly producers: 1 | 3;
  /** Whether results are on the topic of all organizations too, of which no reader is part of this. */
  readonly isShared: boolean;
  /** How results are packed. */
  readonly compression: RecordCompression;
  /** Transactions of a record. */
  readonly chunk: number;
  /** Transactions that were sent and not read back, at most. */
  readonly ahead: number;
  /** Transactions of all producers together. */
  readonly warmUp: number;
  readonly measured: number;
  /** Offered after that, one transaction a record; null: nothing is. */
  readonly pace: { readonly perSecond: number; readonly forMs: number } | null;
  /** For the processes that enrich. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ProducersRun {
  readonly plan: ProducersPlan;
  /** Transactions that the consumer read, a second. */
  readonly rate: number;
  readonly cpu: CpuUse;
  /** Records of results that came more than once. */
  readonly repeated: number;
  /** Of the records that were offered at a pace; null where none were. */
  readonly paced: PacedRun | null;
}

export interface PacedRun {
  /** Transactions that the consumer read, a second. */
  readonly rate: number;
  readonly cpu: CpuUse;
  readonly latency: Latency;
}

/** A twentieth of a second against the six that the shortest run lasts: looking more often takes processor time from the others. */
const LOOK_MS = 50;
const STANDSTILL_MS = 60_000;
const SETTLE_MS = 2_000;
/** Of the time in which records are offered at a pace, at its beginning: what the processes do changes then. */
const PACE_WARM_UP_MS = 5_000;
const ORGS = ["bank-a", "bank-b", "bank-c"] as const;

export async function measureProducers(
  services: BenchServices,
  plan: ProducersPlan,
): Promise<ProducersRun> {
  const name = plan.name.replaceAll(/\W+/g, "-");
  const { isShared: isEnrichedShared, compression: enrichedCompression } = plan;
  const config = services.configOf(name, "kafka", { isEnrichedShared, enrichedCompression });
  const environment = plan.environment ?? {};
  const installation = await openInstallation({ config, enrichers: 1, environment });
  const outside: ChildProcess[] = [];
  try {
    return await run(services, installation, plan, outside);
  } finally {
    for (const one of outside) one.disconnect();
    await installation.close();
  }
}

async function run(
  services: BenchServices,
  installation: Installation,
  plan: ProducersPlan,
  outside: ChildProcess[],
): Promise<ProducersRun> {
  const orgs = await createOrganizations(installation, plan.producers);
  const consumer = startConsumer(installation, orgs);
  outside.push(consumer.child);
  const producers = orgs.map((org, index) => startProducer(installation, plan, org, index));
  outside.push(...producers.map(({ child }) => child));
  await Promise.all(producers.map(({ ready }) => ready));
  const [enricher] = installation.enrichers;
  const processes = {
    ...services.pids,
    ingest: installation.ingest.pid,
    enrich: enricher?.pid ?? null,
    ...Object.fromEntries(
      producers.map(({ child }, index) => [`producer ${String(index + 1)}`, child.pid ?? null]),
    ),
    "consumer outside": consumer.child.pid ?? null,
    benchmark: process.pid,
  };
  const feed = (read: number): void => {
    const transactions = (read + plan.ahead) / producers.length;
    for (const { order } of producers) order({ kind: "upTo", transactions });
  };
  const total = plan.warmUp + plan.measured;
  const first = await consumer.reach(plan.warmUp, feed);
  const endCpu = startCpu(processes);
  // Results are published just before they are stored: the end is when both are done. MongoDB is not asked before.
  const read = await consumer.reach(total, feed);
  const stored = await createProgress(installation).reach(total);
  const cpu = endCpu();
  const tookMs = Math.max(read.atMs, stored.atMs) - first.atMs;
  const rate = ((total - first.records) * 1_000) / tookMs;
  await delay(SETTLE_MS);
  const repeated = consumer.records() - total;
  const good = await installation.transactions.countDocuments({ error: null });
  if (good !== total) throw new Error(`${String(good)} of ${String(total)} were enriched`);
  const paced =
    plan.pace === null ? null : await measurePaced(plan.pace, producers, consumer, processes);
  return { plan, rate, cpu, repeated, paced };
}

async function createOrganizations(
  { config, client }: Installation,
  count: number,
): Promise<readonly OutsideOrg[]> {
  const service = { config: readConfig(distributedEnvironment(config), 1) };
  const names = ORGS.slice(0, count);
  const roles = Object.fromEntries(names.map((org) => [org, ["read", "write"] as const]));
  const keys = await createKeysFor(service, roles);
  const secrets = await grantTo(service, names);
  for (const org of names) await createHolders(client, keys[org]?.secret);
  const topic = `${config.kafka.topicPrefix}requests`;
  return names.map((org) => ({ org, topic, keyId: secrets[org].id, secret: secrets[org].secret }));
}

/** A process outside; the run fails when it ends by itself. */
function startOutside(
  program: URL,
  received: (report: unknown) => void,
): { child: ChildProcess; order: (order: ProducerOrder | ConsumerOrder) => void } {
  const path = fileURLToPath(program);
  // The client sets timers with negative times.
  const child = fork(path, { env: { ...process.env, NODE_NO_WARNINGS: "1" } });
  let isEnding = false;
  child.on("disconnect", () => {
    isEnding = true;
  });
  child.on("exit", (code) => {
    if (!isEnding || code !== 0) throw new Error(`${path} ended with ${String(code)}`);
  });
  child.on("message", received);
  return {
    child,
    order: (order) => {
      child.send(order);
    },
  };
}

interface OutsideProducerProcess {
  readonly child: ChildProcess;
  /** Resolves once its records are made. */
  readonly ready: Promise<void>;
  order(order: ProducerOrder): void;
  /** Sends at this rate; resolves at the end. */
  pace(perSecond: number, forMs: number): Promise<void>;
}

function startProducer(
  { config }: Installation,
  plan: ProducersPlan,
  org: OutsideOrg,
  index: number,
): OutsideProducerProcess {
  const ready = Promise.withResolvers<undefined>();
  const paced = Promise.withResolvers<undefined>();
  const { child, order } = startOutside(
    new URL("outside-producer.ts", import.meta.url),
    (report) => {
      const { kind } = report as ProducerReport;
      if (kind === "ready") ready.resolve(undefined);
      if (kind === "paced") paced.resolve(undefined);
    },
  );
  order({
    kind: "setup",
    brokers: config.kafka.brokers,
    schemaRegistryUrl: config.schemaRegistryUrl,
    org,
    holders: HOLDERS,
    partitions: config.kafka.partitions,
    count: (plan.warmUp + plan.measured) / plan.producers,
    chunk: plan.chunk,
    seed: 2027 + index,
  });
  return {
    child,
    ready: ready.promise,
    order,
    pace: async (perSecond, forMs) => {
      order({ kind: "pace", perSecond, forMs });
      await paced.promise;
    },
  };
}

interface ReadCount {
  readonly records: number;
  readonly atMs: number;
}

interface OutsideConsumerProcess {
  readonly child: ChildProcess;
  records(): number;
  /**
   * Resolves once so many records were read; tells how many again and again until then.
   * @throws Error when none is read for long
   */
  reach(count: number, onRead?: (records: number) => void): Promise<ReadCount>;
  startTiming(): void;
  /** Since it was started or asked before. */
  times(): Promise<readonly number[]>;
}

function startConsumer(
  { config }: Installation,
  orgs: readonly OutsideOrg[],
): OutsideConsumerProcess {
  let read: ReadCount = { records: 0, atMs: performance.now() };
  let times = Promise.withResolvers<readonly number[]>();
  const { child, order } = startOutside(
    new URL("outside-consumer.ts", import.meta.url),
    (message) => {
      const report = message as ConsumerReport;
      if (report.kind === "times") times.resolve(report.ms);
      else if (report.records > read.records)
        read = { records: report.records, atMs: performance.now() };
    },
  );
  const { brokers, topicPrefix, groupPrefix } = config.kafka;
  order({
    kind: "setup",
    brokers,
    schemaRegistryUrl: config.schemaRegistryUrl,
    topics: orgs.map(({ org }) => privateTopic(topicPrefix, org, "enriched")),
    groupId: `${groupPrefix}outside`,
  });
  return {
    child,
    records: () => read.records,
    reach: async (count, onRead = () => undefined) => {
      const startMs = performance.now();
      while (read.records < count) {
        onRead(read.records);
        if (performance.now() - Math.max(read.atMs, startMs) > STANDSTILL_MS)
          throw new Error(`Nothing more is read after ${String(read.records)} of ${String(count)}`);
        await delay(LOOK_MS);
      }
      return read;
    },
    startTiming: () => {
      order({ kind: "time" });
    },
    times: async () => {
      times = Promise.withResolvers();
      order({ kind: "times" });
      return times.promise;
    },
  };
}

/** The latency is from when a record was due to be sent until its result was read. */
async function measurePaced(
  { perSecond, forMs }: NonNullable<ProducersPlan["pace"]>,
  producers: readonly OutsideProducerProcess[],
  consumer: OutsideConsumerProcess,
  processes: Processes,
): Promise<PacedRun> {
  const each = perSecond / producers.length;
  const lasts = PACE_WARM_UP_MS + forMs;
  const expected = consumer.records() + producers.length * Math.floor((each * lasts) / 1_000);
  const paced = Promise.all(producers.map((one) => one.pace(each, lasts)));
  await delay(PACE_WARM_UP_MS);
  consumer.startTiming();
  const first = { records: consumer.records(), atMs: performance.now() };
  const endCpu = startCpu(processes);
  await paced;
  const read = await consumer.reach(expected);
  const cpu = endCpu();
  const rate = ((expected - first.records) * 1_000) / (read.atMs - first.atMs);
  return { rate, cpu, latency: toLatency(await consumer.times()) };
}
