// The composition root: opens the edges, joins the stages in the order in which data flows, closes in reverse. It does
// not depend on which engine runs.
import { randomUUID } from "node:crypto";
import { type Access, createAccess } from "./access.ts";
import { configSummary } from "../config/summary.ts";
import { type Config, configWarnings, httpUrl } from "../config/config.ts";
import type { Dispatcher } from "../delivery/delivery.ts";
import { does } from "../model/process-role.ts";
import { type Engine, openEngine } from "./engine.ts";
import { createHttpServer, createOpsServer, type HttpOptions, type OpsDeps } from "../http/http.ts";
import type { HttpServer } from "../http/server/server.ts";
import { type IngestLimits, ingestLimits } from "../ingest/ingest.ts";
import { batchRetention, startRetentionJob } from "../ledger/retention-job.ts";
import { createFirstKey } from "../access/keys.ts";
import { type Logos, openLogos } from "../logos/logos.ts";
import type { Log } from "../log/log.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import { createHealth, type Health, type HealthSources } from "../observability/health.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import { createMetrics, type Metrics } from "../observability/metrics.ts";
import { createExportReport, reportDispatch } from "../observability/edge-events.ts";
import type { SenderOptions } from "../outbound/sender.ts";
import { logOptions, secretOf } from "./parts.ts";
import type { Pool, PoolOptions } from "../pool/pool.ts";
import type { Repositories } from "./repositories.ts";
import { createSettingsStages } from "./settings.ts";
import type { IdempotencyRepository } from "../model/idempotency.ts";
import { createWakeSignal, type WakeSignal } from "../shared/wake-signal.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { openWebhookStage, type WebhookStage } from "./webhooks.ts";
import { NO_WORK, type Consumers, openThreadsOf, startConsumers } from "./work.ts";
import { programVersion } from "../config/version.ts";

/** What tests may set otherwise. */
export interface ServiceOptions {
  readonly clock?: Clock;
  /** Milliseconds since any moment, never set back. */
  readonly monotonicClock?: Clock;
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
  /** Whether the API is answered there, or only health and metrics. */
  readonly hasApi: boolean;
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
  await openExport(config, logger, metrics, nowMs, lifecycle);
  const engine = await openEngine(config, logger, "service");
  lifecycle.opened("engine", engine.close);
  const lagging = (lagMs: number): void => {
    // The clock was set, or the service was stopped for long: nothing is deleted sooner for it.
    logger.warn({ lagMs }, "retention.lagging");
  };
  const { repositories, isShared } = engine;
  const access = createAccess(
    repositories,
    isShared,
    config,
    nowMs,
    lagging,
    options.monotonicClock,
  );
  const base = {
    ...access,
    config,
    logger,
    metrics,
    nowMs,
    options,
    lifecycle,
    engine,
    repositories,
  };
  const opened =
    config.role === "dispatch" ? await openDispatchOnly(base) : await openWithLog(base);
  const { server, knowledgeVersion } = opened;
  metrics.observeBuild({ version: programVersion(), knowledge: knowledgeVersion ?? "" });
  lifecycle.opened("http", server.close);
  const { port } = await server.listen(config.host, config.port);
  const url = httpUrl(config.host, port);
  const settings = configSummary(config);
  for (const advice of [...configWarnings(config), ...engine.warnings])
    logger.warn({ advice }, "config.warning");
  logger.info({ settings, knowledge: knowledgeVersion, url }, "ledgerline.started");
  return {
    url,
    hasApi: does(config.role, "ingest"),
    close: async () => {
      for (const { name, error } of await lifecycle.close()) {
        logger.error({ part: name, error }, "close.failed");
      }
    },
    closeAllConnections: server.closeAllConnections,
  };
}

/** Of the 25 s that a stop may take. */
const LAST_PUSH_TIMEOUT_MS = 2_000;

/**
 * Pushes the metrics to a collector, where one is set; its libraries are loaded only then. The first to open, so that it
 * is the last to close: what the end of the others counts is pushed too.
 */
async function openExport(
  { otlp, role }: Config,
  logger: Logger,
  metrics: Metrics,
  nowMs: Clock,
  lifecycle: Lifecycle,
): Promise<void> {
  if (otlp === null) return;
  const { startOtlp } = await import("../observability/otlp/otlp.ts");
  const version = programVersion();
  const own = {
    "service.version": version,
    "service.instance.id": randomUUID(),
    "ledgerline.role": role,
  };
  const close = startOtlp(
    {
      ...otlp,
      lastTimeoutMs: LAST_PUSH_TIMEOUT_MS,
      resource: { ...own, ...otlp.resource },
    },
    { samples: metrics.samples, nowMs, version, pushed: createExportReport(logger, metrics) },
  );
  lifecycle.opened("otlp", close);
}

/** What every process has. */
interface Base extends Access {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: Clock;
  readonly options: ServiceOptions;
  readonly lifecycle: Lifecycle;
  readonly engine: Engine;
  readonly repositories: Repositories;
}

interface Opened {
  readonly server: HttpServer;
  readonly knowledgeVersion: string | null;
}

/** A process that only tells subscribers: it needs the store and nothing of the log. */
async function openDispatchOnly(base: Base): Promise<Opened> {
  const { engine, repositories, metrics, nowMs, options } = base;
  const notify = await openNotifying(base);
  await engine.ready();
  const dispatching = await startDispatching(base, notify);
  metrics.observe({
    poolState: NO_WORK.poolState,
    pendingRecords: () => ({ interactive: 0, batch: 0 }),
    waitingRecords: NO_WORK.waitingRecords,
    oldestInFlightMs: NO_WORK.oldestInFlightMs,
    stalledMs: NO_WORK.stalledMs,
  });
  const idempotency = repositories.idempotency({
    nowMs,
    retentionNow: base.retentionNow,
    newId: randomUUID,
    isOver: () => false,
  });
  const health = createHealth({
    storeFailure: engine.failure,
    stalledMs: NO_WORK.stalledMs,
    ...dispatching,
  });
  const common = commonOf(base, idempotency, NO_WORK, health);
  return { server: createOpsServer(common, options.http?.server), knowledgeVersion: null };
}

async function openWithLog(base: Base): Promise<Opened> {
  const { config, logger, metrics, nowMs, options, lifecycle, engine, repositories, keys } = base;
  const engineLog = await engine.openLog(await logOptions(repositories, keys, logger, options));
  lifecycle.opened("log", engineLog.close);
  const { log } = engineLog;
  const notify = config.role === "enrich" ? null : await openNotifying(base);
  const threads = await openThreadsOf(base);
  const ledger = createLedger(repositories, nowMs, engineLog, {
    limits: { ...ingestLimits(engine.isShared), ...options.ingest },
    threadMsPerTransaction: threads.pool.msPerItem,
    retentionNow: base.retentionNow,
    onEvent: () => notify?.signal.wake(),
    removalFailed: (error) => {
      logger.error({ error }, "account_holder.removal_failed");
    },
  });
  await engine.ready();
  if (does(config.role, "ingest") && config.apiKey === null) {
    const secret = await createFirstKey(keys);
    if (secret !== null) options.onFirstKey?.(secret);
  }
  const parts = { ...base, ledger, log, pool: threads.pool };
  // Before the consumers, so that nothing is enriched into a holder whose deletion a crash cut off.
  await ledger.holders.resumeDeletions();
  const work = does(config.role, "enrich") ? startWork(parts) : NO_WORK;
  const { waitingRecords, oldestInFlightMs, stalledMs } = work;
  if (does(config.role, "ingest")) startKeeping(parts);
  const isDispatching = notify !== null && does(config.role, "dispatch");
  const dispatching = isDispatching ? await startDispatching(base, notify) : NO_DISPATCHING;
  metrics.observe({
    poolState: threads.pool.state,
    pendingRecords: () => ({
      interactive: log.pending("requests-interactive"),
      batch: log.pending("requests"),
    }),
    waitingRecords,
    oldestInFlightMs,
    stalledMs,
  });
  const storeFailure = (): string | null => engine.failure() ?? engineLog.failure();
  const health = createHealth({ storeFailure, stalledMs, ...dispatching });
  const idempotency = notify?.stage.encryptAnswers(ledger.idempotency) ?? ledger.idempotency;
  const common = commonOf(base, idempotency, threads.pool, health);
  const server =
    notify === null
      ? createOpsServer(common, options.http?.server)
      : createHttpServer(
          {
            ...ledger,
            ...createSettingsStages({
              repositories,
              nowMs,
              ask: threads.pool.ask,
              onEvent: notify.signal.wake,
              onReapplication: work.reapply,
            }),
            ...common,
            ...notify.stage,
            corsOrigins: config.corsOrigins,
            audit: base.audit,
            organizations: base.organizations,
            logos: await openLogosOf(lifecycle),
          },
          { cursorSecret: await secretOf(repositories, "cursor_secret"), ...options.http },
        );
  return { server, knowledgeVersion: threads.knowledgeVersion };
}

function commonOf(
  { config, keys, limits, metrics, logger }: Base,
  idempotency: IdempotencyRepository,
  { explain }: Pick<OpsDeps, "explain">,
  health: Health,
): OpsDeps {
  const { authenticate } = keys;
  const newId = randomUUID;
  const isStrict = config.strict;
  return { idempotency, explain, authenticate, limits, health, metrics, logger, newId, isStrict };
}

/** Webhooks, with a signal that wakes the dispatcher of this process once it has one. */
interface Notifying {
  readonly stage: WebhookStage;
  readonly signal: WakeSignal<Parameters<Dispatcher["wake"]>>;
}

async function openNotifying(base: Base): Promise<Notifying> {
  const { repositories, config, logger, nowMs, lifecycle, options, retentionNow } = base;
  const signal = createWakeSignal<Parameters<Dispatcher["wake"]>>();
  const stage = await openWebhookStage(repositories, config, nowMs, signal.wake, {
    ...options.outbound,
    retentionNow,
  });
  lifecycle.opened("webhooks", stage.close);
  for (const advice of stage.warnings) logger.warn({ advice }, "config.warning");
  return { stage, signal };
}

/** How the dispatcher of this process is doing. */
type DispatchHealth = Pick<HealthSources, "dispatchStalledMs" | "secretsUnavailable">;

const NO_DISPATCHING: DispatchHealth = {
  dispatchStalledMs: () => 0,
  secretsUnavailable: () => 0,
};

/** Starts the dispatcher. */
async function startDispatching(
  { logger, metrics, lifecycle }: Base,
  { stage, signal }: Notifying,
): Promise<DispatchHealth> {
  await stage.setOperatorWebhook();
  const dispatcher = stage.createDispatcher((event) => {
    reportDispatch(event, logger, metrics);
  });
  signal.connect(dispatcher.wake);
  metrics.observeDispatch(dispatcher.state);
  lifecycle.opened("dispatcher", dispatcher.close);
  dispatcher.start();
  return {
    dispatchStalledMs: () => dispatcher.state().stalledMs,
    secretsUnavailable: () => dispatcher.state().secretsUnavailable,
  };
}

async function openLogosOf(lifecycle: Lifecycle): Promise<Logos> {
  const logos = await openLogos();
  lifecycle.opened("logos", logos.close);
  return logos;
}

interface Parts extends Base {
  readonly ledger: Ledger;
  readonly log: Log;
  readonly pool: Pool;
}

function startWork(parts: Parts): Consumers {
  const consumers = startConsumers(parts);
  parts.lifecycle.opened("consumers", consumers.close);
  return consumers;
}

/** Deletes expired rows, in a process that accepts requests. */
function startKeeping(parts: Parts): void {
  const { config, engine, repositories, ledger, log, logger, lifecycle, retentionNow } = parts;
  const { transactions, reapplications, batchRemoval } = repositories;
  const stop = startRetentionJob({
    doneOrder: log.doneOrder,
    removeTombstones: transactions.removeTombstones,
    removals: [
      async (limit) => ledger.idempotency.removeExpired(limit, await retentionNow()),
      async (limit) => reapplications.removeExpired(await retentionNow(), limit),
      ...batchRetention(ledger.batches.expire, retentionNow, config.batchRetentionDays),
      (limit) => batchRemoval.removeHidden(log.doneOrder(), limit),
      ...parts.removals,
    ],
    // What the removals have deleted leaves the write-ahead log too.
    ended: engine.checkpoint,
    failed: (error) => {
      logger.warn({ error }, "retention.failed");
    },
  });
  lifecycle.opened("retention job", stop);
}
