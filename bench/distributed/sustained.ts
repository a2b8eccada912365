// Kafka in, MongoDB out: how many transactions a second, and whose processor time each of them is.
import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "kafkajs";
import { type CpuUse, type Processes, startCpu } from "./cpu.ts";
import { createRecords, CHUNK, startFeed } from "./feed.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { startReference } from "./reference.ts";
import type { BenchServices } from "./services.ts";

export interface SustainedPlan {
  readonly name: string;
  /** `reference`: the consumer that a user would write first. */
  readonly enrichers: 1 | 2 | "reference";
  readonly enriched: "kafka" | "off";
  /** Transactions before the clock starts: compilers and connections take their time. */
  readonly warmUp: number;
  readonly measured: number;
  /** For the processes that enrich. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface SustainedRun {
  readonly plan: SustainedPlan;
  readonly rate: number;
  readonly seconds: number;
  readonly cpu: CpuUse;
  /** Fewest transactions that waited in Kafka while there was more to send; null where all was sent at once. */
  readonly aheadMin: number | null;
}

/** What is stored is looked at this often. */
const LOOK_MS = 50;
const STANDSTILL_MS = 60_000;

export async function measureSustained(
  services: BenchServices,
  plan: SustainedPlan,
): Promise<SustainedRun> {
  const config = services.configOf(`${String(plan.enrichers)}-${plan.enriched}`, plan.enriched);
  const installation = await openInstallation({
    config,
    enrichers: plan.enrichers === "reference" ? 0 : plan.enrichers,
    environment: plan.environment ?? {},
  });
  const reference = plan.enrichers === "reference" ? await startReference(installation) : null;
  try {
    const processes: Processes = {
      ...services.pids,
      ingest: installation.ingest.pid,
      ...Object.fromEntries(
        installation.enrichers.map(({ pid }, index) => [`enrich ${String(index + 1)}`, pid]),
      ),
      ...(reference === null ? {} : { "enrich, reference": reference.pid }),
      "producer and benchmark": process.pid,
    };
    return await run(installation, plan, processes);
  } finally {
    await reference?.stop();
    await installation.close();
  }
}

async function run(
  installation: Installation,
  plan: SustainedPlan,
  processes: Processes,
): Promise<SustainedRun> {
  const total = plan.warmUp + plan.measured;
  const make = await createRecords(installation.config, total);
  const records: Message[] = Array.from({ length: Math.ceil(total / CHUNK) }, make);
  const progress = createProgress(installation);
  const feed = startFeed(
    installation.kafka,
    installation.config,
    records.values(),
    progress.stored,
  );
  try {
    const first = await Promise.race([progress.reach(plan.warmUp), failureOf(feed.finished)]);
    const endCpu = startCpu(processes);
    const last = await Promise.race([
      progress.reach(records.length * CHUNK),
      failureOf(feed.finished),
    ]);
    const cpu = endCpu();
    await feed.finished;
    await checkStored(installation, records.length * CHUNK, plan.enriched === "kafka");
    const seconds = (last.atMs - first.atMs) / 1000;
    const rate = (last.stored - first.stored) / seconds;
    return { plan, rate, seconds, cpu, aheadMin: feed.aheadMin() };
  } finally {
    feed.stop();
  }
}

/** Never resolves, so that it ends a race only when the work failed. */
export function failureOf(work: Promise<void>): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  work.catch(reject);
  return promise;
}

export interface Stored {
  readonly stored: number;
  readonly atMs: number;
}

export interface StoredProgress {
  /** As of the last look. */
  stored(): number;
  /** Looks again and again until there are as many. @throws Error when nothing is stored for long */
  reach(count: number): Promise<Stored>;
}

/** The number that the database keeps itself, which costs it nothing to tell. */
export function createProgress({
  transactions,
}: Pick<Installation, "transactions">): StoredProgress {
  let stored = 0;
  return {
    stored: () => stored,
    reach: async (count) => {
      let movedAtMs = performance.now();
      for (;;) {
        const found = await transactions.estimatedDocumentCount();
        const atMs = performance.now();
        if (found > stored) movedAtMs = atMs;
        stored = found;
        if (stored >= count) return { stored, atMs };
        if (atMs - movedAtMs > STANDSTILL_MS) {
          throw new Error(`Nothing more is stored after ${String(stored)} of ${String(count)}`);
        }
        await delay(LOOK_MS);
      }
    },
  };
}

/** @throws Error when what was measured is not what was to be done */
async function checkStored(
  { config, kafka, transactions }: Installation,
  count: number,
  isPublished: boolean,
): Promise<void> {
  const good = await transactions.countDocuments({ error: null });
  if (good !== count) throw new Error(`${String(good)} of ${String(count)} were enriched`);
  if (!isPublished) return;
  const admin = kafka.admin();
  await admin.connect();
  try {
    const offsets = await admin.fetchTopicOffsets(`${config.kafka.topicPrefix}enriched`);
    const published = offsets.reduce((sum, { high }) => sum + Number(high), 0);
    if (published < count) throw new Error(`${String(published)} results were published`);
  } finally {
    await admin.disconnect();
  }
}
