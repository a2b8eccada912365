// The work of a process: its threads, and the consumers that feed them. Part of the composition root.
import { type Config, publicUrlOf } from "../config/config.ts";
import { does } from "../model/process-role.ts";
import { readRecordKey } from "../model/record-key.ts";
import type { Abandoned } from "../model/records.ts";
import { createEnrich, failedReply } from "../enrich/enrich.ts";
import type { Batches } from "../ledger/batches.ts";
import { createKnownHolders } from "../ledger/known-holders.ts";
import type { Consumer } from "../log/consumer.ts";
import type { Log } from "../log/log.ts";
import type { Clock } from "../shared/clock.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import { reportConsumer } from "../observability/edge-events.ts";
import { openThreads } from "./parts.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type { EnrichedItem } from "../pool/chunk.ts";
import { createBatcher } from "../shared/concurrency/batcher.ts";
import type { Pool, PoolOptions } from "../pool/pool.ts";
import { createSettingsStage, startReapplyingOf } from "./settings.ts";
import type { Ledger } from "./stages.ts";
import type { Store } from "../store/collection.ts";
import { createOrganizationRepository } from "../store/repositories/organizations.ts";
import type { ConsumerEvent } from "../model/process-events.ts";

/** Chunks of one organization in flight at a time: enough to keep every thread busy while results are being stored. */
const BATCH_CHUNKS_PER_THREAD = 4;
/**
 * Those of all organizations together, so that many can be served at the same time. They share the threads, so that all of
 * the most expensive rules, 1.25 s a chunk, end after 20 s: a third of what readiness allows without an end.
 */
const ALL_CHUNKS_PER_THREAD = 16;
/** Synchronous calls in flight at a time, and those of one organization. */
const INTERACTIVE_IN_FLIGHT_MAX = 256;
const INTERACTIVE_PER_ORGANIZATION_MAX = 192;
/** Of them, those that go to a thread in one task: it takes them two milliseconds. */
const CALLS_PER_TASK = 64;
/**
 * How long what is stored for a call waits before the process looks whether its account holder is still there: for the
 * next call, which looks too, before it is enriched. Its reply takes about as long.
 */
const LOOK_WITHIN_MS = 10;
/** Threads of a process that recognises nothing: questions to the knowledge are few and take less than a millisecond. */
const QUESTION_THREADS = 1;

export interface Threads {
  readonly pool: Pool;
  readonly knowledgeVersion: string;
}

interface ThreadParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  readonly options: { readonly pool?: Partial<Pick<PoolOptions, "workerUrl" | "taskTimeoutMs">> };
}

/** The threads of a process that serves the API or enriches. */
export async function openThreadsOf({
  config,
  logger,
  metrics,
  lifecycle,
  options,
}: ThreadParts): Promise<Threads> {
  const threads = does(config.role, "enrich") ? config.poolThreads : QUESTION_THREADS;
  const opened = await openThreads({ ...config, poolThreads: threads }, logger, metrics, {
    ...options.pool,
    publicUrl: publicUrlOf(config),
  });
  lifecycle.opened("pool", opened.pool.close);
  return opened;
}

export interface ConsumerParts {
  readonly config: Config;
  readonly log: Log;
  readonly pool: Pool;
  readonly store: Store;
  readonly ledger: Ledger;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: Clock;
}

export interface Consumers {
  /** Looks for reapplications now. */
  reapply(): void;
  /** Records that this process has received and not started. */
  waitingRecords(): { interactive: number; default: number; low: number };
  /** Milliseconds since the oldest record in work was handed over; 0 when there is none. */
  oldestInFlightMs(): number;
  /** Milliseconds in which records of a topic were in flight and none of them ended; 0 when there is none. */
  stalledMs(): number;
  close(): Promise<void>;
}

/** What a process shows that has no threads. */
export const NO_WORK = {
  poolState: (): ReturnType<Pool["state"]> => ({
    threads: 0,
    running: 0,
    waitingInteractive: 0,
    waitingBatch: 0,
  }),
  waitingRecords: () => ({ interactive: 0, default: 0, low: 0 }),
  oldestInFlightMs: () => 0,
  stalledMs: () => 0,
  reapply: () => undefined,
  explain: null,
};

export function startConsumers(parts: ConsumerParts): Consumers {
  const { config, log, pool, ledger, logger, metrics, store, nowMs } = parts;
  const organizations = createOrganizationRepository(store);
  const { of: settingsOf } = createSettingsStage(store, pool.ask, organizations);
  const { find } = createKnownHolders({
    versionOf: organizations.holdersVersion,
    getHolders: ledger.repositories.holders.getMany,
  });
  // A look costs nothing where the store is in the process.
  const lookWithinMs = config.distributed === null ? 0 : LOOK_WITHIN_MS;
  const enrichChunk = gatherCalls(pool, config.poolThreads);
  const ports = {
    enrich: async (...work: Parameters<Pool["enrichChunk"]>) => {
      const enriched = await enrichChunk(...work);
      const failed = enriched.filter(({ facts }) => facts === null).length;
      metrics.transactionsEnriched(enriched.length - failed);
      metrics.transactionsFailed(failed);
      return enriched;
    },
    settingsOf,
    overrideOf: ledger.repositories.transactions.overrideOf,
    getHolders: (org: string, ids: readonly string[]) => find(org, ids),
    getHoldersSoon: (org: string, ids: readonly string[]) => find(org, ids, lookWithinMs),
    storeChunk: ledger.writes.storeChunk,
    withdraw: ledger.writes.withdraw,
    hasChunk: ledger.repositories.batches.hasChunk,
    chunkStored: ledger.batches.chunkStored,
    announces: log.announces,
    announce: log.announce,
    reply: log.reply,
    nowMs,
  };
  const reportOf = (topic: string) => (event: ConsumerEvent) => {
    reportConsumer(event, topic, logger, metrics);
  };
  const interactive = log.consume("requests-interactive", {
    inFlightMax: INTERACTIVE_IN_FLIGHT_MAX,
    inFlightPerTenantMax: INTERACTIVE_PER_ORGANIZATION_MAX,
    handle: createEnrich(ports, "interactive"),
    abandoned: (record) => failCallOf(record, log),
    report: reportOf("requests-interactive"),
  });
  const batch = log.consume("requests", {
    inFlightMax: ALL_CHUNKS_PER_THREAD * config.poolThreads,
    inFlightPerTenantMax: BATCH_CHUNKS_PER_THREAD * config.poolThreads,
    handle: createEnrich(ports, "batch"),
    abandoned: (record) => failBatchOf(record, ledger.batches),
    report: reportOf("requests"),
  });
  const consumers: readonly Consumer[] = [interactive, batch];
  const reapplier = startReapplyingOf(store, {
    isAlone: config.distributed === null,
    nowMs,
    pool,
    settingsOf,
    failed: (error) => {
      logger.warn({ error }, "reapplication.failed");
    },
  });
  return {
    reapply: reapplier.wake,
    waitingRecords: () => countWaiting(interactive, batch),
    oldestInFlightMs: () => most(consumers, (consumer) => consumer.oldestInFlightMs()),
    stalledMs: () => most(consumers, (consumer) => consumer.stalledMs()),
    close: async () => {
      pool.stopRetrying();
      await Promise.all([reapplier.close(), ...consumers.map((consumer) => consumer.close())]);
    },
  };
}

function countWaiting(
  interactive: Consumer,
  batch: Consumer,
): ReturnType<Consumers["waitingRecords"]> {
  // Calls have no priority of their own.
  const calls = interactive.waiting("default");
  return { interactive: calls, default: batch.waiting("default"), low: batch.waiting("low") };
}

function most(consumers: readonly Consumer[], read: (consumer: Consumer) => number): number {
  return Math.max(...consumers.map(read));
}

/** Calls that wait at the same time, and that the same settings count for, go to a thread together. */
function gatherCalls(pool: Pool, threads: number): Pool["enrichChunk"] {
  const limits = { tasksMax: threads, itemsMax: CALLS_PER_TASK };
  const gather = createBatcher<EnrichItem, EnrichedItem>(limits);
  return (items, load, settings, isEncoded) => {
    const org = settings === null && load.priority === "interactive" ? "" : load.org;
    const run = (all: readonly EnrichItem[]) =>
      pool.enrichChunk(all, { ...load, org }, settings, isEncoded);
    if (load.priority !== "interactive" || items.length === 0) return run(items);
    // Settings belong to one organization. Calls of those that have none share tasks: each costs the same.
    return gather(`${settings?.key ?? ""} ${String(isEncoded)}`, run, items);
  };
}

/** Whose batch it is says the record, or its key where the record cannot be read, see `batchRecordKey`. */
async function failBatchOf({ key, value }: Abandoned, batches: Batches): Promise<void> {
  const [org, batchId] =
    value === null ? readRecordKey(key) : [value.org, value.batchId ?? undefined];
  if (org !== undefined && batchId !== undefined) await batches.fail(org, batchId);
}

/** Who waits says the record, or its key where the record cannot be read, see `callRecordKey`. */
async function failCallOf({ key, value }: Abandoned, log: Log): Promise<void> {
  const [, address, id] =
    value === null ? readRecordKey(key) : [value.org, value.replyTo?.address, value.replyTo?.id];
  if (address === undefined || id === undefined) return;
  await log.reply(address, failedReply(id));
}
