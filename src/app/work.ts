// The work of a process: its threads, and the consumers that feed them. Part of the composition root.
import { type Config, publicUrlOf } from "../config/config.ts";
import { does } from "../model/process-role.ts";
import { failBatchOf, failCallOf } from "../enrich/abandoned.ts";
import { createEnrich } from "../enrich/enrich.ts";
import { createKnownHolders } from "../ledger/known-holders.ts";
import { watchConsumers, type WatchedConsumers } from "../log/consumer.ts";
import type { Log } from "../log/log.ts";
import type { Clock } from "../shared/clock.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import { reportConsumer } from "../observability/edge-events.ts";
import { openThreads } from "./parts.ts";
import { batchCalls } from "../pool/call-batcher.ts";
import type { Pool, PoolOptions } from "../pool/pool.ts";
import { createSettingsOf, startReapplyingOf } from "./settings.ts";
import type { Ledger } from "./ledger.ts";
import type { Repositories } from "./repositories.ts";
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
  readonly repositories: Repositories;
  readonly ledger: Ledger;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: Clock;
}

export interface Consumers extends WatchedConsumers {
  /** Looks for reapplications now. */
  reapply(): void;
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
  const { config, log, pool, ledger, logger, metrics, repositories, nowMs } = parts;
  const { organizations, holders, transactions, batches, ledgerWrites } = repositories;
  const { of: settingsOf } = createSettingsOf(repositories, pool.ask);
  const { find } = createKnownHolders({
    versionOf: organizations.holdersVersion,
    getHolders: holders.getMany,
  });
  // A look costs nothing where the store is in the process.
  const lookWithinMs = config.distributed === null ? 0 : LOOK_WITHIN_MS;
  const ports = {
    enrich: countEnriched(batchCalls(pool, config.poolThreads), metrics),
    settingsOf,
    overrideOf: transactions.overrideOf,
    getHolders: (org: string, ids: readonly string[]) => find(org, ids),
    getHoldersSoon: (org: string, ids: readonly string[]) => find(org, ids, lookWithinMs),
    storeChunk: ledgerWrites.storeChunk,
    withdraw: ledgerWrites.withdraw,
    hasChunk: batches.hasChunk,
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
    abandoned: (record) => failCallOf(record, log.reply),
    report: reportOf("requests-interactive"),
  });
  const batch = log.consume("requests", {
    inFlightMax: ALL_CHUNKS_PER_THREAD * config.poolThreads,
    inFlightPerTenantMax: BATCH_CHUNKS_PER_THREAD * config.poolThreads,
    handle: createEnrich(ports, "batch"),
    abandoned: (record) => failBatchOf(record, ledger.batches.fail),
    report: reportOf("requests"),
  });
  const consumers = watchConsumers(interactive, batch);
  const reapplier = startReapplyingOf({
    repositories,
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
    ...consumers,
    close: async () => {
      pool.stopRetrying();
      await Promise.all([reapplier.close(), consumers.close()]);
    },
  };
}

/** The same with counters of the transactions. */
function countEnriched(enrichChunk: Pool["enrichChunk"], metrics: Metrics): Pool["enrichChunk"] {
  return async (...work) => {
    const enriched = await enrichChunk(...work);
    const failed = enriched.filter(({ facts }) => facts === null).length;
    metrics.transactionsEnriched(enriched.length - failed);
    metrics.transactionsFailed(failed);
    return enriched;
  };
}
