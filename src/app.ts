// The composition root: opens the edges, joins the stages in the order in which data flows, closes in reverse. The only
// place that knows which engine runs.
import { randomUUID } from "node:crypto";
import { type Config, configSummary, httpUrl, publicUrlOf } from "./config.ts";
import type { Dispatcher } from "./dispatch/dispatcher.ts";
import { ROLES } from "./domain/api-key.ts";
import { does } from "./domain/process-role.ts";
import type { Abandoned } from "./domain/records.ts";
import { type Engine, openEngine } from "./engine.ts";
import { createEnrich, failedReply } from "./enrich/enrich.ts";
import { createHttpServer, createOpsServer, type HttpOptions, type OpsDeps } from "./http/http.ts";
import type { HttpServer } from "./http/server.ts";
import type { IngestLimits } from "./ingest/ingest.ts";
import type { Batches } from "./ledger/batches.ts";
import { startJanitor } from "./ledger/janitor.ts";
import { DEFAULT_ORG, type Keys } from "./ledger/keys.ts";
import { type Logos, openLogos } from "./logos/logos.ts";
import type { Consumer } from "./log/consumer.ts";
import type { Log } from "./log/log.ts";
import type { ConsumerEvent } from "./log/record-runner.ts";
import { type Clock, systemClock } from "./ops/clock.ts";
import { createHealth, type Health } from "./ops/health.ts";
import { createLifecycle, type Lifecycle } from "./ops/lifecycle.ts";
import type { Logger } from "./ops/logger.ts";
import { createMetrics, type Metrics } from "./ops/metrics.ts";
import { reportConsumer, reportDispatch } from "./ops/reports.ts";
import type { SenderOptions } from "./outbound/sender.ts";
import { createKeysOf, logOptions, openThreads, secretOf } from "./parts.ts";
import type { Pool, PoolOptions } from "./pool/pool.ts";
import { createIdempotencyRepository, type IdempotencyRepository } from "./store/idempotency.ts";
import { createLedger, type Ledger } from "./stages.ts";
import { openWebhookStage, type WebhookStage } from "./webhook-stages.ts";

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
  readonly outbound?: Pick<SenderOptions, "lookup" | "ca" | "timeoutMs">;
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
  const base = { config, logger, metrics, nowMs, options, lifecycle, engine, keys };
  const opened =
    config.role === "dispatch" ? await openDispatchOnly(base) : await openWithLog(base);
  const { server, knowledgeVersion } = opened;
  lifecycle.opened("http", server.close);
  const { port } = await server.listen(config.host, config.port);
  const url = httpUrl(config.host, port);
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

/** What every process has. */
interface Base {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: Clock;
  readonly options: ServiceOptions;
  readonly lifecycle: Lifecycle;
  readonly engine: Engine;
  readonly keys: Keys;
}

interface Opened {
  readonly server: HttpServer;
  readonly knowledgeVersion: string | null;
}

/** A process that only tells subscribers: it needs the store and nothing of the log. */
async function openDispatchOnly(base: Base): Promise<Opened> {
  const { engine, metrics, nowMs, options } = base;
  const notify = await openNotifying(base);
  await engine.ready();
  const dispatching = startDispatching(base, notify);
  metrics.observe({
    poolState: NO_WORK.poolState,
    pendingRecords: () => ({ interactive: 0, batch: 0 }),
    oldestInFlightMs: NO_WORK.oldestInFlightMs,
  });
  const idempotency = createIdempotencyRepository(engine.store, {
    nowMs,
    newId: randomUUID,
    isOver: () => false,
  });
  const health = createHealth({
    storeFailure: engine.failure,
    oldestInFlightMs: NO_WORK.oldestInFlightMs,
    dispatchStalledMs: dispatching,
  });
  const common = commonOf(base, idempotency, NO_WORK, health);
  return { server: createOpsServer(common, options.http?.server), knowledgeVersion: null };
}

async function openWithLog(base: Base): Promise<Opened> {
  const { config, logger, metrics, nowMs, options, lifecycle, engine, keys } = base;
  const engineLog = await engine.openLog(await logOptions(engine, keys, logger, options));
  lifecycle.opened("log", engineLog.close);
  const { log } = engineLog;
  const notify = config.role === "enrich" ? null : await openNotifying(base);
  const ledger = createLedger(engine.store, nowMs, engineLog, {
    limits: options.ingest ?? {},
    onEvent: () => notify?.wake(),
  });
  await engine.ready();
  if (does(config.role, "ingest")) await makeFirstKey(keys, config, options);
  const parts = { ...base, ledger, log };
  const work = does(config.role, "enrich") ? await startWork(parts) : NO_WORK;
  if (does(config.role, "ingest")) await startKeeping(parts);
  const isDispatching = notify !== null && does(config.role, "dispatch");
  const dispatchStalledMs = isDispatching ? startDispatching(base, notify) : () => 0;
  const { oldestInFlightMs } = work;
  metrics.observe({
    poolState: work.poolState,
    pendingRecords: () => ({
      interactive: log.pending("requests-interactive"),
      batch: log.pending("requests"),
    }),
    oldestInFlightMs,
  });
  const storeFailure = (): string | null => engine.failure() ?? engineLog.failure();
  const health = createHealth({ storeFailure, oldestInFlightMs, dispatchStalledMs });
  const idempotency = notify?.stage.sealAnswers(ledger.idempotency) ?? ledger.idempotency;
  const common = commonOf(base, idempotency, work, health);
  const server =
    notify === null
      ? createOpsServer(common, options.http?.server)
      : createHttpServer(
          { ...ledger, ...common, ...notify.stage, logos: await openLogosOf(lifecycle) },
          { cursorSecret: await secretOf(engine.store, "cursor_secret"), ...options.http },
        );
  return { server, knowledgeVersion: work.knowledgeVersion };
}

function commonOf(
  { keys, metrics, logger }: Base,
  idempotency: IdempotencyRepository,
  { explain }: Work,
  health: Health,
): OpsDeps {
  const { authenticate } = keys;
  return { idempotency, explain, authenticate, health, metrics, logger, newId: randomUUID };
}

/** Webhooks, and the dispatcher of this process once it has one. */
interface Notifying {
  readonly stage: WebhookStage;
  dispatcher: Dispatcher | null;
  readonly wake: Dispatcher["wake"];
}

async function openNotifying({
  engine,
  config,
  nowMs,
  lifecycle,
  options,
}: Base): Promise<Notifying> {
  let dispatcher: Dispatcher | null = null;
  const wake: Dispatcher["wake"] = (endpoint) => dispatcher?.wake(endpoint);
  const stage = await openWebhookStage(engine.store, config, nowMs, wake, options.outbound);
  lifecycle.opened("webhooks", stage.close);
  return {
    stage,
    wake,
    get dispatcher() {
      return dispatcher;
    },
    set dispatcher(started) {
      dispatcher = started;
    },
  };
}

/** Starts to tell subscribers; returns how long ago it last looked what there is to tell. */
function startDispatching(
  { logger, metrics, lifecycle }: Base,
  notifying: Notifying,
): () => number {
  const dispatcher = notifying.stage.createDispatcher((event) => {
    reportDispatch(event, logger, metrics);
  });
  notifying.dispatcher = dispatcher;
  metrics.observeDispatch(dispatcher.state);
  lifecycle.opened("dispatcher", dispatcher.close);
  dispatcher.start();
  return () => dispatcher.state().stalledMs;
}

async function openLogosOf(lifecycle: Lifecycle): Promise<Logos> {
  const logos = await openLogos();
  lifecycle.opened("logos", logos.close);
  return logos;
}

interface Parts extends Base {
  readonly ledger: Ledger;
  readonly log: Log;
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

async function makeFirstKey(keys: Keys, config: Config, options: ServiceOptions): Promise<void> {
  if (config.apiKey !== null || (await keys.list()).length > 0) return;
  const { secret } = await keys.create(DEFAULT_ORG, "first key", ROLES);
  options.onFirstKey?.(secret);
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
