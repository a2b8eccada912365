// The composition root: opens the edges, joins the stages in the order in which data flows, closes in reverse. It does
// not depend on which engine runs.
import { randomUUID } from "node:crypto";
import type { Statements } from "../model/statement-document.ts";
import type { StatementRemovals } from "../statements/removal.ts";
import { type Access, createAccess } from "./access.ts";
import { configSummary } from "../config/summary.ts";
import { type Config, configWarnings, httpUrl } from "../config/config.ts";
import { does } from "../model/process-role.ts";
import { type Engine, openEngine } from "./engine.ts";
import { createHttpServer, createOpsServer, type HttpOptions, type OpsDeps } from "../http/http.ts";
import type { HttpServer } from "../http/server/server.ts";
import { type IngestLimits, ingestLimits } from "../ingest/ingest.ts";
import { batchRetention, startRetentionJob } from "../ledger/retention-job.ts";
import { createFirstKey } from "../access/keys.ts";
import { openLogos } from "../logos/logos.ts";
import type { Log } from "../log/log.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import { createHealth, type HealthSources } from "../observability/health.ts";
import { NO_DISPATCHING, type Notifying, openNotifying, startDispatching } from "./dispatching.ts";
import { openExport } from "./export.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import { createMetrics, type Metrics, type MetricSources } from "../observability/metrics.ts";
import type { SenderOptions } from "../outbound/sender.ts";
import { logOptions, secretOf } from "./parts.ts";
import type { Pool, PoolOptions } from "../pool/pool.ts";
import type { StatementPoolOptions } from "../pool/statements.ts";
import type { Repositories } from "./repositories.ts";
import { createSettingsStages } from "./settings.ts";
import type { IdempotencyRepository } from "../model/idempotency.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import {
  createRemovals,
  createStatementsOf,
  openStatementReader,
  startStatements,
} from "./statements.ts";
import { openKeyringOf } from "./webhooks.ts";
import { NO_WORK, openThreadsOf, startConsumers } from "./work.ts";
import { programVersion } from "../config/version.ts";

/** What tests may set otherwise. */
export interface ServiceOptions {
  readonly clock?: Clock;
  /** Milliseconds since any moment, never set back. */
  readonly monotonicClock?: Clock;
  readonly pool?: Partial<Pick<PoolOptions, "workerUrl" | "taskTimeoutMs">>;
  readonly statementPool?: Pick<StatementPoolOptions, "workerUrl" | "limits">;
  readonly ingest?: Partial<IngestLimits>;
  readonly http?: Partial<HttpOptions>;
  readonly outbound?: Pick<SenderOptions, "lookup" | "ca" | "timeoutMs">;
  /** How often expired rows are deleted. */
  readonly retentionIntervalMs?: number;
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
  const access = createAccess(engine, config, nowMs, lagging, options.monotonicClock);
  const { repositories } = engine;
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
  const { server, knowledgeVersion } = await openRole(base);
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

/** What a process with a log has. */
interface Parts extends Base {
  readonly ledger: Ledger;
  readonly log: Log;
  readonly pool: Pool;
  readonly statementRemovals: StatementRemovals;
}

interface OpenedServer {
  readonly server: HttpServer;
  readonly knowledgeVersion: string | null;
}

function openRole(base: Base): Promise<OpenedServer> {
  if (base.config.role === "dispatch") return openDispatchOnly(base);
  return base.config.role === "statements" ? openStatementsOnly(base) : openWithLog(base);
}

/** The role `statements` recognises no transactions: it has no threads for that, and no ledger. */
async function openStatementsOnly(base: Base): Promise<OpenedServer> {
  const { config, logger, nowMs, options, lifecycle, engine, repositories } = base;
  const engineLog = await engine.openLog(await logOptions(repositories, config, logger, options));
  lifecycle.opened("log", engineLog.close);
  const vault = await openKeyringOf(repositories, config, nowMs);
  const { log } = engineLog;
  await engine.ready();
  const onEvent = (): void => undefined;
  startStatements({ ...base, log, vault, onEvent, reader: openStatementReader(base) });
  const idempotency = repositories.idempotency({
    nowMs,
    retentionNow: base.retentionNow,
    newId: randomUUID,
    isOver: log.isOver,
  });
  const pendingRecords = (): ReturnType<MetricSources["pendingRecords"]> => pendingIn(log);
  const health = { storeFailure: () => engine.failure() ?? engineLog.failure(), ...NO_DISPATCHING };
  const ops = createOps(base, idempotency, { ...NO_WORK, pendingRecords }, health);
  return { server: createOpsServer(ops, options.http?.server), knowledgeVersion: null };
}

/** The role `dispatch` uses the store, and of the log the topic of events. */
async function openDispatchOnly(base: Base): Promise<OpenedServer> {
  const { engine, repositories, nowMs, options, retentionNow, logger, lifecycle } = base;
  const engineLog = await engine.openLog(
    await logOptions(repositories, base.config, logger, options),
  );
  lifecycle.opened("log", engineLog.close);
  const { log } = engineLog;
  const notify = await openNotifying(base);
  await engine.ready();
  const dispatching = await startDispatching({ ...base, log }, notify);
  const idempotency = repositories.idempotency({
    nowMs,
    retentionNow,
    newId: randomUUID,
    isOver: () => false,
  });
  const pendingRecords = (): ReturnType<MetricSources["pendingRecords"]> => pendingIn(log);
  const health = { storeFailure: () => engine.failure() ?? engineLog.failure(), ...dispatching };
  const ops = createOps(base, idempotency, { ...NO_WORK, pendingRecords }, health);
  return { server: createOpsServer(ops, options.http?.server), knowledgeVersion: null };
}

/** All other roles: log, webhooks, threads, ledger, then the work of the role, then HTTP. */
async function openWithLog(base: Base): Promise<OpenedServer> {
  const { config, logger, nowMs, options, lifecycle, engine, repositories, keys } = base;
  const isIngesting = does(config.role, "ingest");
  const engineLog = await engine.openLog(await logOptions(repositories, config, logger, options));
  lifecycle.opened("log", engineLog.close);
  const notify = config.role === "enrich" ? null : await openNotifying(base);
  const { pool, knowledge, knowledgeVersion } = await openThreadsOf(base);
  const removals = createRemovals(base);
  const ledger = createLedger(repositories, nowMs, engineLog, {
    limits: { ...ingestLimits(engine.isShared), ...options.ingest },
    // There are outside producers over Kafka only.
    batchMinutes: config.distributed?.kafka.batchMinutes ?? 0,
    pool,
    retentionNow: base.retentionNow,
    removeStatements: removals.removeOfHolder,
    onEvent: () => notify?.signal.wake(),
    removalFailed: (error) => {
      logger.error({ error }, "account_holder.removal_failed");
    },
  });
  await engine.ready();
  if (isIngesting && config.apiKey === null) {
    const secret = await createFirstKey(keys);
    if (secret !== null) options.onFirstKey?.(secret);
  }
  const { log } = engineLog;
  const statements = notify === null ? null : openStatements({ ...base, log }, notify, removals);
  const parts = { ...base, ledger, log, pool, statementRemovals: removals };
  // Before the consumers, so that nothing is enriched into a holder whose deletion a crash cut off.
  await ledger.holders.resumeDeletions();
  const work = does(config.role, "enrich") ? startConsumers({ ...parts, knowledge }) : NO_WORK;
  if (isIngesting) startRetention(parts);
  const isDispatching = notify !== null && does(config.role, "dispatch");
  const dispatching = isDispatching ? await startDispatching(parts, notify) : NO_DISPATCHING;
  const idempotency = notify?.stage.encryptAnswers(ledger.idempotency) ?? ledger.idempotency;
  const health = { storeFailure: () => engine.failure() ?? engineLog.failure(), ...dispatching };
  const gauges = { ...work, ...gaugesOf(parts), explain: pool.explain };
  const ops = createOps(base, idempotency, gauges, health);
  const server = await openServer(parts, notify, ops, work, statements);
  return { server, knowledgeVersion };
}

/** Connects gauges and health, and returns what every process serves to operators. */
function createOps(
  { config, keys, limits, metrics, logger }: Base,
  idempotency: IdempotencyRepository,
  { explain, ...sources }: MetricSources & Pick<OpsDeps, "explain">,
  health: Omit<HealthSources, "stalledMs">,
): OpsDeps {
  metrics.observe(sources);
  return {
    idempotency,
    explain,
    limits,
    metrics,
    logger,
    authenticate: keys.authenticate,
    health: createHealth({ ...health, stalledMs: sources.stalledMs }),
    newId: randomUUID,
    isStrict: config.strict,
  };
}

const gaugesOf = ({ log, pool }: Parts): Pick<MetricSources, "poolState" | "pendingRecords"> => ({
  poolState: pool.state,
  pendingRecords: () => pendingIn(log),
});

const pendingIn = (log: Log): ReturnType<MetricSources["pendingRecords"]> => ({
  interactive: log.pending("requests-interactive"),
  batch: log.pending("requests"),
  statements: log.pending("statements"),
  events: log.pending("events"),
});

/** Work of this process that a call may begin. */
interface Wakeable {
  reapply(): void;
  train(): void;
}

/** The API where this process serves it, else what operators are served. */
async function openServer(
  parts: Parts,
  notify: Notifying | null,
  ops: OpsDeps,
  work: Wakeable,
  statements: Statements | null,
): Promise<HttpServer> {
  return notify === null || statements === null
    ? createOpsServer(ops, parts.options.http?.server)
    : openApi(parts, notify, ops, work, statements);
}

/** The API: the stages, what operators are served, and the pictures of logos. */
async function openApi(
  { config, audit, organizations, ledger, lifecycle, nowMs, options, pool, repositories }: Parts,
  { stage, signal }: Notifying,
  ops: OpsDeps,
  work: Wakeable,
  statements: Statements,
): Promise<HttpServer> {
  const settings = createSettingsStages({
    repositories,
    nowMs,
    onReapplication: work.reapply,
    onTraining: work.train,
    ask: pool.ask,
    onEvent: signal.wake,
  });
  const logos = await openLogos();
  lifecycle.opened("logos", logos.close);
  const { corsOrigins } = config;
  return createHttpServer(
    {
      ...{ ...ledger, ...settings, ...ops, ...stage, corsOrigins, audit, organizations, logos },
      statements,
    },
    { cursorSecret: await secretOf(repositories, "cursor_secret"), ...options.http },
  );
}

/** The statements stage as the API needs it, and its consumer where this process reads whole documents. */
function openStatements(
  parts: Base & Pick<Parts, "log">,
  { stage, signal }: Notifying,
  removals: StatementRemovals,
): Statements {
  const reader = openStatementReader(parts);
  const reading = { ...parts, vault: stage.keyring, reader, onEvent: signal.wake };
  if (does(parts.config.role, "statements")) startStatements(reading);
  return createStatementsOf(reading, removals);
}

/** Deletes expired rows, in a process that accepts requests. */
function startRetention(parts: Parts): void {
  const { config, engine, repositories, ledger, log, logger, lifecycle, retentionNow } = parts;
  const { statementRemovals, options } = parts;
  const { transactions, reapplications, batchRemoval } = repositories;
  const ports = {
    doneOrder: log.doneOrder,
    removeTombstones: transactions.removeTombstones,
    removals: [
      async (limit: number) => ledger.idempotency.removeExpired(limit, await retentionNow()),
      async (limit: number) => reapplications.removeExpired(await retentionNow(), limit),
      ...batchRetention(ledger.batches.expire, retentionNow, config.batchRetentionDays),
      ledger.outsideBatches.endIncomplete,
      (limit: number) => batchRemoval.removeHidden(log.doneOrder(), limit),
      async (limit: number) => statementRemovals.removeLeftBehind(await retentionNow(), limit),
      statementRemovals.removeFilesWithoutDocument,
      ...parts.removals,
    ],
    // What the removals have deleted leaves the write-ahead log too.
    ended: engine.checkpoint,
    failed: (error: unknown) => {
      logger.warn({ error }, "retention.failed");
    },
  };
  lifecycle.opened("retention job", startRetentionJob(ports, options.retentionIntervalMs));
}
