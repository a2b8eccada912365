// The work of a process: its threads, and the consumers that feed them. Part of the composition root.

import type { SettingsRef } from "../../workers/protocol.ts";
import type { Limits } from "../access/limits.ts";
import { createRecordCredits } from "../access/record-credits.ts";
import { type Config, publicUrlOf } from "../config/config.ts";
import { failBatchOf, failCallOf, markStatementOf } from "../enrich/abandoned.ts";
import { createEnrich } from "../enrich/enrich.ts";
import { batchLimits, interactiveLimits } from "../enrich/limits.ts";
import { createKnownHolders } from "../ledger/known-holders.ts";
import { type WatchedConsumers, watchConsumers } from "../log/consumer.ts";
import type { Log } from "../log/log.ts";
import type { ConsumerEvent } from "../model/process-events.ts";
import { does } from "../model/process-role.ts";
import type { Abandoned } from "../model/records.ts";
import { reportConsumer, reportEnriched, reportModel } from "../observability/edge-events.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import { batchCalls } from "../pool/call-batcher.ts";
import type { Pool, PoolOptions } from "../pool/pool.ts";
import { withModels } from "../pool/shared-settings.ts";
import type { Clock } from "../shared/clock.ts";
import type { Ledger } from "./ledger.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { type OpenedThreads, openThreads } from "./parts.ts";
import type { Repositories } from "./repositories.ts";
import {
  createModelLoaderOf,
  createSettingsOf,
  startReapplyingOf,
  startTrainingOf,
} from "./settings.ts";

/**
 * How long what is stored for a call waits before the process looks whether its account holder is still there: for the
 * next call, which looks too, before it is enriched. Its reply takes about as long.
 */
const LOOK_WITHIN_MS = 10;
/**
 * Threads of a process that recognises nothing: queries to the knowledge base are few and take less than a millisecond. They may
 * wait for a ledger in which recurring groups are found.
 */
const QUESTION_THREADS = 1;

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
}: ThreadParts): Promise<OpenedThreads> {
  const threads = does(config.role, "enrich") ? config.poolThreads : QUESTION_THREADS;
  const opened = await openThreads({ ...config, poolThreads: threads }, logger, metrics, {
    ...options.pool,
    publicUrl: publicUrlOf(config),
  });
  lifecycle.opened("pool", opened.pool.close);
  return opened;
}

interface ConsumerParts {
  readonly config: Config;
  readonly lifecycle: Lifecycle;
  readonly log: Log;
  readonly pool: Pool;
  /** What its threads read. */
  readonly knowledge: SharedArrayBuffer;
  readonly repositories: Repositories;
  readonly ledger: Ledger;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: Clock;
  readonly limits: Limits;
}

interface Consumers extends Omit<WatchedConsumers, "close"> {
  /** Looks for reapplications now. */
  reapply(): void;
  /** Looks for models to train now. */
  train(): void;
}

/** Gauges and services of a process without consumers or threads. */
export const NO_WORK = {
  poolState: (): ReturnType<Pool["state"]> => ({
    threads: 0,
    running: 0,
    waitingInteractive: 0,
    waitingBatch: 0,
  }),
  pendingRecords: () => ({ interactive: 0, batch: 0, statements: 0, events: 0 }),
  waitingRecords: () => ({ interactive: 0, default: 0, low: 0 }),
  oldestInFlightMs: () => 0,
  stalledMs: () => 0,
  pausedTenants: () => 0,
  reapply: () => undefined,
  train: () => undefined,
  explain: null,
};

/** What the enrichment needs of the ledger and the log. */
const portsOf = ({ config, repositories, ledger, log, nowMs, limits }: ConsumerParts) => ({
  takeCredits: createRecordCredits({ limits, grantedCredits: log.grantedCredits }),
  storeChunk: repositories.ledgerWrites.storeChunk,
  // MongoDB has its own groups of writes, and flushes no pages for each.
  storesTogether: config.distributed === null,
  withdraw: repositories.ledgerWrites.withdraw,
  hasChunk: repositories.batches.hasChunk,
  chunkStored: ledger.batches.chunkStored,
  joinBatch: ledger.outsideBatches.join,
  announces: log.announces,
  announce: log.announce,
  reply: log.reply,
  versionOf: (settings: SettingsRef | null) => settings?.key ?? null,
  nowMs,
});

/** Ends what a record of a batch belongs to with an error. */
async function abandonBatchRecord(
  record: Abandoned,
  { batches, outsideBatches }: Pick<Ledger, "batches" | "outsideBatches">,
  { statements }: Pick<Repositories, "statements">,
): Promise<void> {
  await failBatchOf(record, (org, id, isOutside) =>
    isOutside ? outsideBatches.fail(org, id) : batches.fail(org, id),
  );
  await markStatementOf(record, statements.markUnenriched);
}

export function startConsumers(parts: ConsumerParts): Consumers {
  const { config, log, pool, ledger, logger, metrics, repositories, nowMs } = parts;
  const { organizations, holders, transactions } = repositories;
  const { of: settingsOf } = createSettingsOf(repositories, pool.ask);
  const { find } = createKnownHolders({
    versionOf: organizations.holdersVersion,
    getHolders: holders.getMany,
  });
  // A look costs nothing where the store is in the process.
  const lookWithinMs = config.distributed === null ? 0 : LOOK_WITHIN_MS;
  const enrichChunk = batchCalls(pool, config.poolThreads);
  const models = createModelLoaderOf(repositories);
  const isAlone = config.distributed === null;
  const ports = {
    ...portsOf(parts),
    enrich: async (...[items, load, settings, isEncoded]: Parameters<Pool["enrichChunk"]>) => {
      const complete = await withModels(items, settings, (names) => models.of(load.org, names));
      const enriched = await enrichChunk(items, load, complete, isEncoded);
      reportEnriched(enriched, metrics);
      return enriched;
    },
    settingsOf,
    seenOf: transactions.seenOf,
    getHolders: (org: string, ids: readonly string[]) => find(org, ids),
    getHoldersSoon: (org: string, ids: readonly string[]) => find(org, ids, lookWithinMs),
  };
  const reportOf = (topic: string) => (event: ConsumerEvent) => {
    reportConsumer(event, topic, logger, metrics);
  };
  const interactive = log.consume("requests-interactive", {
    ...interactiveLimits,
    handle: createEnrich(ports, "interactive"),
    abandoned: (record) => failCallOf(record, log.reply),
    report: reportOf("requests-interactive"),
  });
  const batch = log.consume("requests", {
    ...batchLimits(config.poolThreads),
    handle: createEnrich(ports, "batch"),
    abandoned: (record) => abandonBatchRecord(record, ledger, repositories),
    report: reportOf("requests"),
  });
  const consumers = watchConsumers(interactive, batch);
  const reapplier = startReapplyingOf({
    repositories,
    isAlone,
    nowMs,
    pool,
    settingsOf,
    models,
    failed: (error) => {
      logger.warn({ error }, "reapplication.failed");
    },
  });
  const trainer = startTrainingOf({
    repositories,
    isAlone,
    nowMs,
    knowledge: parts.knowledge,
    report: (event) => {
      reportModel(event, logger, metrics);
    },
  });
  parts.lifecycle.opened("consumers", async () => {
    pool.stopRetrying();
    await Promise.all([reapplier.close(), trainer.close(), consumers.close()]);
  });
  return { ...consumers, reapply: reapplier.wake, train: trainer.wake };
}
