// The composition root: opens the edges, joins the stages in the order in which data flows, closes in reverse. The only
// place that knows which engine runs.
import { randomBytes, randomUUID } from "node:crypto";
import { type Config, configSummary, httpUrl, publicUrlOf } from "./config.ts";
import { ROLES } from "./domain/api-key.ts";
import type { Abandoned } from "./domain/records.ts";
import { type Engine, type LogOptions, openEngine } from "./engine.ts";
import { createEnrich, failedReply } from "./enrich/enrich.ts";
import { createHttpServer, createOpsServer, type HttpOptions } from "./http/http.ts";
import type { IngestLimits } from "./ingest/ingest.ts";
import type { Batches } from "./ledger/batches.ts";
import { startJanitor } from "./ledger/janitor.ts";
import { createKeys, DEFAULT_ORG, type Keys } from "./ledger/keys.ts";
import { type Logos, openLogos } from "./logos/logos.ts";
import type { Consumer } from "./log/consumer.ts";
import type { DeadLetters, Log } from "./log/log.ts";
import type { ConsumerEvent } from "./log/record-runner.ts";
import { type Clock, systemClock } from "./ops/clock.ts";
import { createHealth } from "./ops/health.ts";
import { createLifecycle, type Lifecycle } from "./ops/lifecycle.ts";
import type { Logger } from "./ops/logger.ts";
import { createMetrics, type Metrics } from "./ops/metrics.ts";
import { reportConsumer, reportPool } from "./ops/reports.ts";
import { loadKnowledge } from "./pool/knowledge.ts";
import { openPool, type Pool, type PoolOptions } from "./pool/pool.ts";
import { createKeyRepository } from "./store/keys.ts";
import { createSettingRepository } from "./store/settings.ts";
import { createLedger, type Ledger } from "./stages.ts";
import type { Store } from "./store/collection.ts";

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
  /** Called when the process can do its work no longer and should be started again. */
  readonly onFatal?: (reason: string) => void;
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
  const engine = await openEngine(config, logger, true);
  lifecycle.opened("engine", engine.close);
  const keys = createKeysOf(engine.store, config, nowMs);
  const engineLog = await engine.openLog(await logOptions(engine, keys, logger, options));
  lifecycle.opened("log", engineLog.close);
  const { log } = engineLog;
  const ledger = createLedger(engine.store, nowMs, engineLog, options.ingest ?? {});
  await engine.ready();
  if (config.role !== "enrich") await makeFirstKey(keys, config, options);

  const parts = { config, logger, metrics, nowMs, ledger, log, options, lifecycle };
  const work = config.role === "ingest" ? NO_WORK : await startWork(parts);
  if (config.role !== "enrich") await startKeeping(parts);
  const { oldestInFlightMs } = work;
  metrics.observe({
    poolState: work.poolState,
    pendingRecords: () => ({
      interactive: log.pending("requests-interactive"),
      batch: log.pending("requests"),
    }),
    oldestInFlightMs,
  });
  const failure = (): string | null => engine.failure() ?? engineLog.failure();
  const common = {
    idempotency: ledger.idempotency,
    explain: work.explain,
    authenticate: keys.authenticate,
    health: createHealth({ storeFailure: failure, oldestInFlightMs }),
    metrics,
    logger,
    newId: randomUUID,
  };
  const server =
    config.role === "enrich"
      ? createOpsServer(common, options.http?.server)
      : createHttpServer(
          { ...ledger, ...common, logos: await openLogosOf(lifecycle) },
          { cursorSecret: await secretOf(engine.store, "cursor_secret"), ...options.http },
        );
  lifecycle.opened("http", server.close);
  const { port } = await server.listen(config.host, config.port);
  const url = httpUrl(config.host, port);
  const settings = configSummary(config);
  logger.info({ settings, knowledge: work.knowledgeVersion, url }, "ledgerline.started");
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

async function openLogosOf(lifecycle: Lifecycle): Promise<Logos> {
  const logos = await openLogos();
  lifecycle.opened("logos", logos.close);
  return logos;
}

interface Parts {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: Clock;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly options: ServiceOptions;
  readonly lifecycle: Lifecycle;
}

/** The work of a process that enriches. */
interface Work extends Pick<Consumers, "oldestInFlightMs"> {
  readonly knowledgeVersion: string | null;
  poolState(): ReturnType<Pool["state"]>;
  /** Null without threads. */
  readonly explain: Pool["explain"] | null;
}

const NO_WORK: Work = {
  knowledgeVersion: null,
  poolState: () => ({ threads: 0, running: 0, waitingInteractive: 0, waitingBatch: 0 }),
  oldestInFlightMs: () => 0,
  explain: null,
};

async function startWork(parts: Parts): Promise<Work> {
  const { config, logger, metrics, lifecycle, options } = parts;
  const { pool, knowledgeVersion } = await openThreads(config, logger, metrics, {
    ...options.pool,
    publicUrl: publicUrlOf(config),
  });
  lifecycle.opened("pool", pool.close);
  // Here, so that nothing is enriched into a holder whose deletion a crash cut off.
  await parts.ledger.holders.resumeDeletions();
  const consumers = startConsumers({ ...parts, pool, threads: config.poolThreads });
  lifecycle.opened("consumers", async () => {
    pool.stopRetrying();
    await consumers.close();
  });
  const { oldestInFlightMs } = consumers;
  const { state: poolState, explain } = pool;
  return { knowledgeVersion, poolState, oldestInFlightMs, explain };
}

/** What goes on beside requests in a process that accepts them. */
async function startKeeping({ config, ledger, log, logger, lifecycle }: Parts): Promise<void> {
  if (config.role === "ingest") await ledger.holders.resumeDeletions();
  const janitor = startJanitor({
    passed: log.passed,
    removeTombstones: ledger.repositories.transactions.removeTombstones,
    removeExpiredIdempotencyKeys: ledger.idempotency.removeExpired,
    failed: (error) => {
      logger.warn({ error }, "janitor.failed");
    },
  });
  lifecycle.opened("janitor", janitor);
}

async function logOptions(
  { store }: Engine,
  keys: Keys,
  logger: Logger,
  options: ServiceOptions,
): Promise<LogOptions> {
  return {
    secret: await secretOf(store, "record_secret"),
    findSigningKey: keys.signingKey,
    nowMs: options.clock ?? systemClock,
    logger,
    fatal: (reason) => {
      logger.error({ reason }, "ledgerline.gives_up");
      options.onFatal?.(reason);
    },
  };
}

/** Opens what the keys are kept in for the command line: beside a running service, or without one. */
export async function openKeys(
  config: Config,
  logger: Logger,
): Promise<{ readonly keys: Keys; close(): Promise<void> }> {
  const engine = await openEngine(config, logger, false);
  const keys = createKeysOf(engine.store, config, systemClock);
  return { keys, close: engine.close };
}

/** Opens the dead letters for the command line. */
export async function openDeadLetters(
  config: Config,
  logger: Logger,
): Promise<{ readonly deadLetters: DeadLetters; close(): Promise<void> }> {
  const engine = await openEngine(config, logger, false);
  try {
    const keys = createKeysOf(engine.store, config, systemClock);
    const opened = await engine.openDeadLetters(await logOptions(engine, keys, logger, {}));
    return {
      deadLetters: opened.deadLetters,
      close: async () => {
        await opened.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens the threads alone, for work that needs no store. Nobody answers logos then, unless a service does. */
export async function openPoolAlone(config: Config, logger: Logger): Promise<Pool> {
  const { publicUrl } = config;
  return (await openThreads(config, logger, null, { publicUrl })).pool;
}

async function openThreads(
  config: Config,
  logger: Logger,
  metrics: Metrics | null,
  options: Partial<PoolOptions>,
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
      findKeyById: repository.findById,
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

/** A secret that the installation made for itself at its first start. */
async function secretOf(store: Store, name: string): Promise<string> {
  return createSettingRepository(store).getOrSet(name, randomBytes(32).toString("base64url"));
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
    withdraw: ledger.repositories.transactions.withdraw,
    hasChunk: ledger.repositories.batches.hasChunk,
    chunkStored: ledger.batches.chunkStored,
    announces: log.announces,
    announce: log.announce,
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
      abandoned: (record) => failCallOf(record, log),
      report,
    }),
    log.consume("requests", {
      inFlightMax: BATCH_CHUNKS_PER_THREAD * parts.threads,
      handle: createEnrich(ports, "batch"),
      abandoned: (record) => failBatchOf(record, ledger.batches),
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

/** Whose batch it is says the record, or its key where the record cannot be read, see `batchRecordKey`. */
async function failBatchOf({ key, value }: Abandoned, batches: Batches): Promise<void> {
  const [org, batchId] = value === null ? keyParts(key) : [value.org, value.batchId ?? undefined];
  if (org !== undefined && batchId !== undefined) await batches.fail(org, batchId);
}

/** Who waits says the record, or its key where the record cannot be read, see `callRecordKey`. */
async function failCallOf({ key, value }: Abandoned, log: Log): Promise<void> {
  const [, address, id] =
    value === null ? keyParts(key) : [value.org, value.replyTo?.address, value.replyTo?.id];
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
