// The composition root: opens the edges, joins the stages in the order in which data flows, closes in reverse. The only
// place that knows which engine runs.
import { randomBytes, randomUUID } from "node:crypto";
import { type Config, configSummary } from "./config.ts";
import { ROLES } from "./domain/api-key.ts";
import { createEnrich, failedReply } from "./enrich/enrich.ts";
import { createHttpServer, type HttpOptions } from "./http/http.ts";
import { createIngest, type Ingest, INGEST_LIMITS, type IngestLimits } from "./ingest/ingest.ts";
import { type Batches, createBatches } from "./ledger/batches.ts";
import { createHolders, type Holders } from "./ledger/holders.ts";
import { startJanitor } from "./ledger/janitor.ts";
import { createKeys, DEFAULT_ORG, type Keys } from "./ledger/keys.ts";
import { createTransactions, type Transactions } from "./ledger/transactions.ts";
import type { Consumer, ConsumerEvent } from "./log/consumer.ts";
import type { Log } from "./log/log.ts";
import { createSqliteLog } from "./log/sqlite/log.ts";
import { type Clock, systemClock } from "./ops/clock.ts";
import { createHealth } from "./ops/health.ts";
import { createLifecycle, type Lifecycle } from "./ops/lifecycle.ts";
import type { Logger } from "./ops/logger.ts";
import { createMetrics, type Metrics } from "./ops/metrics.ts";
import { reportConsumer, reportPool } from "./ops/reports.ts";
import { loadKnowledge } from "./pool/knowledge.ts";
import { openPool, type Pool, type PoolOptions } from "./pool/pool.ts";
import { openDataFolder } from "./sqlite/data-folder.ts";
import { createBatchRepository } from "./store/batches.ts";
import { createEventRepository } from "./store/events.ts";
import { createHolderRepository } from "./store/holders.ts";
import { createIdempotencyRepository, type IdempotencyRepository } from "./store/idempotency.ts";
import { createKeyRepository } from "./store/keys.ts";
import { createSettingRepository } from "./store/settings.ts";
import { createSqliteStore } from "./store/sqlite/store.ts";
import type { Store } from "./store/collection.ts";
import { createTransactionRepository, type TransactionRepository } from "./store/transactions.ts";
import { createLedgerWrites, type LedgerWrites, type Repositories } from "./store/writes.ts";

/** Chunks of batches in work at a time: enough to keep every thread busy while results are being stored. */
const BATCH_CHUNKS_PER_THREAD = 4;
/** Synchronous calls in work at a time. */
const INTERACTIVE_IN_FLIGHT_MAX = 256;

/** What tests may set otherwise. */
export interface ServiceOptions {
  readonly clock?: Clock;
  readonly pool?: Partial<Pick<PoolOptions, "workerUrl" | "taskTimeoutMs">>;
  readonly ingest?: Partial<IngestLimits>;
  readonly http?: Partial<HttpOptions>;
  /** Called with the key that the first start makes. */
  readonly onFirstKey?: (secret: string) => void;
}

export interface Service {
  /** Base URL of the API. */
  readonly url: string;
  /** Answers what is running, drains the log, closes everything. Twice is safe. */
  close(): Promise<void>;
  /** Cuts connections that do not end by themselves. */
  closeAllConnections(): void;
}

/**
 * Opens everything and serves.
 * @throws LedgerlineError when something cannot be opened; nothing stays open then
 */
export async function openService(
  config: Config,
  logger: Logger,
  options: ServiceOptions = {},
): Promise<Service> {
  const lifecycle = createLifecycle();
  try {
    return await open(config, logger, options, lifecycle);
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
}

async function open(
  config: Config,
  logger: Logger,
  options: ServiceOptions,
  lifecycle: Lifecycle,
): Promise<Service> {
  const nowMs = options.clock ?? systemClock;
  const metrics = createMetrics();
  const database = openDataFolder(config.dataFolder, true);
  lifecycle.opened("database", database.close);
  const store = createSqliteStore(database);
  const log = createSqliteLog(database, nowMs);
  const keys = createKeysOf(store, config, nowMs);
  await makeFirstKey(keys, config, options);

  const { pool, knowledgeVersion } = await openThreads(config, logger, metrics, options.pool);
  lifecycle.opened("pool", pool.close);

  const ledger = createLedger(store, log, nowMs, await startRecovery(log, nowMs), options);
  await ledger.holders.resumeDeletions();
  const threads = config.poolThreads;
  const consumers = startConsumers({ log, pool, ledger, logger, metrics, nowMs, threads });
  lifecycle.opened("consumers", async () => {
    pool.stopRetrying();
    await consumers.close();
  });
  const { oldestInFlightMs } = consumers;
  const janitor = startJanitor({
    passed: log.passed,
    removeTombstones: ledger.repositories.transactions.removeTombstones,
    removeExpiredIdempotencyKeys: ledger.idempotency.removeExpired,
    failed: (error) => {
      logger.warn({ error }, "janitor.failed");
    },
  });
  lifecycle.opened("janitor", janitor);

  metrics.observe({
    poolState: () => pool.state(),
    pendingRecords: () => ({
      interactive: log.pending("requests-interactive"),
      batch: log.pending("requests"),
    }),
    oldestInFlightMs,
  });
  const server = createHttpServer(
    {
      ...ledger,
      authenticate: keys.authenticate,
      health: createHealth({ storeFailure: database.failure, oldestInFlightMs }),
      metrics,
      logger,
      newId: randomUUID,
    },
    { cursorSecret: await cursorSecret(store), ...options.http },
  );
  lifecycle.opened("http", server.close);
  const { port } = await server.listen(config.host, config.port);
  const url = baseUrl(config.host, port);
  const settings = configSummary(config);
  logger.info({ settings, knowledge: knowledgeVersion, url }, "ledgerline.started");
  return {
    url,
    close: async () => {
      for (const { name, error } of await lifecycle.close()) {
        logger.error({ part: name, error }, "close.failed");
      }
    },
    closeAllConnections: server.closeAllConnections,
  };
}

/** IPv6 addresses stand in brackets in a URL. */
function baseUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}`;
}

/** Opens the data folder for the command line: beside a running service, or without one. */
export function openKeys(config: Config): { readonly keys: Keys; close(): Promise<void> } {
  const database = openDataFolder(config.dataFolder, false);
  return {
    keys: createKeysOf(createSqliteStore(database), config, systemClock),
    close: database.close,
  };
}

/** Opens the threads alone, for work that needs no store. */
export async function openPoolAlone(config: Config, logger: Logger): Promise<Pool> {
  return (await openThreads(config, logger, null)).pool;
}

async function openThreads(
  config: Config,
  logger: Logger,
  metrics: Metrics | null,
  options: ServiceOptions["pool"] = {},
): Promise<{ readonly pool: Pool; readonly knowledgeVersion: string }> {
  const knowledge = await loadKnowledge();
  const pool = await openPool({
    ...options,
    threads: config.poolThreads,
    knowledge: knowledge.bytes,
    report: (event) => {
      reportPool(event, logger, metrics);
    },
  });
  return { pool, knowledgeVersion: knowledge.contentVersion };
}

function createKeysOf(store: Store, config: Config, nowMs: Clock): Keys {
  const repository = createKeyRepository(store);
  return createKeys(
    {
      insertKey: repository.insert,
      findKeyByHash: repository.findByHash,
      listKeys: repository.list,
      revokeKey: repository.revoke,
      nowMs,
      randomBytes,
    },
    config.apiKey,
  );
}

async function makeFirstKey(keys: Keys, config: Config, options: ServiceOptions): Promise<void> {
  if (config.apiKey !== null || (await keys.list()).length > 0) return;
  const { secret } = await keys.create(DEFAULT_ORG, "first key", ROLES);
  options.onFirstKey?.(secret);
}

async function cursorSecret(store: Store): Promise<string> {
  return createSettingRepository(store).getOrSet(
    "cursor_secret",
    randomBytes(32).toString("base64url"),
  );
}

interface Recovery {
  /** Whether a request that began then cannot be running any more, and all that was accepted by then is done. */
  isOver(startedAtMs: number): boolean;
}

/** What the folder's last owner left behind; it is gone, because the folder has one owner at a time. */
async function startRecovery(log: Log, nowMs: Clock): Promise<Recovery> {
  const openedAtMs = nowMs();
  const head = await log.head();
  return { isOver: (startedAtMs) => startedAtMs < openedAtMs && log.passed() >= head };
}

interface Ledger {
  readonly holders: Holders;
  readonly transactions: Transactions;
  readonly batches: Batches;
  readonly ingest: Ingest;
  readonly idempotency: IdempotencyRepository;
  readonly repositories: Repositories & { readonly transactions: TransactionRepository };
  readonly writes: LedgerWrites;
}

function createLedger(
  store: Store,
  log: Log,
  nowMs: Clock,
  recovery: Recovery,
  options: ServiceOptions,
): Ledger {
  const repositories: Repositories = {
    holders: createHolderRepository(store),
    transactions: createTransactionRepository(store),
    batches: createBatchRepository(store),
    events: createEventRepository(store),
  };
  const writes = createLedgerWrites(store, repositories);
  const { holders, transactions, batches } = repositories;
  const ingest = createIngest(
    {
      ...log,
      insertBatch: batches.insert,
      getBatch: batches.get,
      nowMs,
      newId: randomUUID,
    },
    { ...INGEST_LIMITS, ...options.ingest },
  );
  return {
    repositories,
    writes,
    ingest,
    idempotency: createIdempotencyRepository(store, {
      nowMs,
      newId: randomUUID,
      isOver: recovery.isOver,
    }),
    holders: createHolders({
      insertHolder: holders.insert,
      getHolder: holders.get,
      listHolders: holders.list,
      markDeleting: holders.markDeleting,
      listDeleting: holders.listDeleting,
      removeTransactionsOfHolder: transactions.removeOfHolder,
      removeHolder: holders.remove,
      buryTransactions: transactions.bury,
      head: log.head,
      passed: log.passed,
      nowMs,
    }),
    transactions: createTransactions({
      getTransaction: transactions.get,
      listTransactions: transactions.list,
      buryTransactions: transactions.bury,
      getHolder: holders.get,
      enrichAgain: ingest.enrichAgain,
      head: log.head,
    }),
    batches: createBatches({
      getBatch: batches.get,
      listBatches: batches.list,
      storedOf: batches.stored,
      results: batches.results,
      endBatch: writes.endBatch,
      insertBatch: batches.insert,
      nowMs,
    }),
  };
}

interface ConsumerParts {
  readonly log: Log;
  readonly pool: Pool;
  readonly ledger: Ledger;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: Clock;
  readonly threads: number;
}

interface Consumers {
  /** Milliseconds since the oldest record in work was handed over; 0 when there is none. */
  oldestInFlightMs(): number;
  close(): Promise<void>;
}

function startConsumers(parts: ConsumerParts): Consumers {
  const { log, pool, ledger, metrics } = parts;
  const ports = {
    enrich: async (...work: Parameters<Pool["enrich"]>) => {
      const facts = await pool.enrich(...work);
      const failed = facts.filter((one) => one === null).length;
      metrics.transactionsEnriched(facts.length - failed);
      metrics.transactionsFailed(failed);
      return facts;
    },
    getHolders: ledger.repositories.holders.getMany,
    storeChunk: ledger.writes.storeChunk,
    hasChunk: ledger.repositories.batches.hasChunk,
    chunkStored: ledger.batches.chunkStored,
    reply: log.reply,
    nowMs: parts.nowMs,
  };
  const report = (event: ConsumerEvent): void => {
    reportConsumer(event, parts.logger, metrics);
  };
  const consumers: readonly Consumer[] = [
    log.consume("requests-interactive", {
      inFlightMax: INTERACTIVE_IN_FLIGHT_MAX,
      handle: createEnrich(ports, "interactive"),
      abandoned: (key) => failCallOf(key, log),
      report,
    }),
    log.consume("requests", {
      inFlightMax: BATCH_CHUNKS_PER_THREAD * parts.threads,
      handle: createEnrich(ports, "batch"),
      abandoned: (key) => failBatchOf(key, ledger.batches),
      report,
    }),
  ];
  return {
    oldestInFlightMs: () => Math.max(...consumers.map((consumer) => consumer.oldestInFlightMs())),
    close: async () => {
      await Promise.all(consumers.map((consumer) => consumer.close()));
    },
  };
}

/** The key of a batch's record names the batch, see `batchRecordKey`. */
async function failBatchOf(key: string, batches: Batches): Promise<void> {
  const [org, batchId] = keyParts(key);
  if (org !== undefined && batchId !== undefined) await batches.fail(org, batchId);
}

/** The key of a call's record names who waits, see `callRecordKey`. */
async function failCallOf(key: string, log: Log): Promise<void> {
  const [, address, id] = keyParts(key);
  if (address === undefined || id === undefined) return;
  await log.reply(address, failedReply(id));
}

/** The texts in a key of ours; nothing of a key that somebody else made. */
function keyParts(key: string): readonly (string | undefined)[] {
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts)
      ? parts.map((part: unknown) => (typeof part === "string" ? part : undefined))
      : [];
  } catch {
    return [];
  }
}
