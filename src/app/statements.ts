// Joins the statements stage with files, store, log and reader; part of the composition root.
import { randomUUID } from "node:crypto";
import type { Config } from "../config/config.ts";
import type { Log } from "../log/log.ts";
import type { Statements } from "../model/statement-document.ts";
import { reportConsumer, reportStatement } from "../observability/edge-events.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import {
  openStatementPool,
  type StatementPool,
  type StatementPoolOptions,
} from "../pool/statements.ts";
import type { Clock } from "../shared/clock.ts";
import { statementLimits } from "../statements/limits.ts";
import type { PasswordVault } from "../statements/password.ts";
import { createStatementProcessing } from "../statements/process.ts";
import { createStatementRemovals, type StatementRemovals } from "../statements/removal.ts";
import { createStatements } from "../statements/statements.ts";
import type { Engine } from "./engine.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Repositories } from "./repositories.ts";

interface StatementParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: Clock;
  readonly lifecycle: Lifecycle;
  readonly engine: Pick<Engine, "files">;
  readonly repositories: Repositories;
}

interface ReaderParts extends Pick<StatementParts, "config" | "lifecycle"> {
  readonly options: { readonly statementPool?: Pick<StatementPoolOptions, "workerUrl" | "limits"> };
}

interface ReadingParts extends StatementParts {
  readonly log: Log;
  readonly vault: PasswordVault;
  readonly reader: StatementPool;
  /** Called when an event was recorded. */
  onEvent(): void;
}

/**
 * The reader of this process; its child process starts with the first document. A process that serves the API and reads no whole documents
 * has one for headers.
 */
export function openStatementReader({ config, lifecycle, options }: ReaderParts): StatementPool {
  const { poolThreads, recognition } = config;
  const reader = openStatementPool(poolThreads, { recognition, ...options.statementPool });
  lifecycle.opened("statement reader", reader.close);
  return reader;
}

export function createRemovals({
  repositories,
  engine: { files },
  nowMs,
}: Pick<StatementParts, "repositories" | "engine" | "nowMs">): StatementRemovals {
  const { statements, statementErasure, events } = repositories;
  return createStatementRemovals({
    ...statements,
    deleteFile: files.delete,
    eraseAnswers: statementErasure.eraseAnswers,
    removeRows: statements.remove,
    getEvents: events.getMany,
    listFiles: files.list,
    nowMs,
  });
}

export function createStatementsOf(parts: ReadingParts, removals: StatementRemovals): Statements {
  const { repositories, engine, log, vault, reader, nowMs } = parts;
  const { statements, holders } = repositories;
  const { files } = engine;
  return createStatements({
    ...statements,
    remove: removals.remove,
    discard: removals.discard,
    putFile: files.put,
    readFile: files.read,
    vault,
    hasHolder: async (org, id) => (await holders.get(org, id)) !== null,
    endOrder: log.endOrder,
    readHeader: reader.verify,
    publish: log.publish,
    pending: log.pending,
    newId: randomUUID,
    nowMs,
  });
}

/** Starts to read submitted documents. */
export function startStatements(parts: ReadingParts): void {
  const { config, repositories, engine, log, vault, reader, nowMs, logger, metrics } = parts;
  const { statements, batches } = repositories;
  const processing = createStatementProcessing({
    ...statements,
    readFile: engine.files.read,
    vault,
    readDocument: reader.read,
    publish: log.publish,
    insertBatch: batches.insert,
    batchStatus: async (org, id) => (await batches.get(org, id))?.status ?? null,
    onEvent: parts.onEvent,
    report: (event) => {
      reportStatement(event, logger, metrics);
    },
    nowMs,
  });
  const consumer = log.consume("statements", {
    ...statementLimits(config.poolThreads),
    handle: processing.handle,
    abandoned: processing.abandoned,
    report: (event) => {
      reportConsumer(event, "statements", logger, metrics);
    },
  });
  parts.lifecycle.opened("statement consumer", async () => {
    // A document may take minutes: it is read again by the next process.
    processing.stop();
    await Promise.all([consumer.close(), reader.close()]);
  });
}
