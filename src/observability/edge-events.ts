// What the edges tell about themselves, as log lines and metrics.

import type {
  ConsumerEvent,
  DispatchEvent,
  ModelEvent,
  PoolEvent,
  StatementEvent,
} from "../model/process-events.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** @param metrics null on the command line, which has no metrics */
export function reportPool(event: PoolEvent, logger: Logger, metrics: Metrics | null): void {
  if (event.kind === "item_failed") {
    logger.error({}, "pool.transaction_failed");
    return;
  }
  if (event.kind === "question_failed") {
    logger.error({ query: event.query }, "pool.question_failed");
    return;
  }
  if (event.kind === "rules_failed") {
    metrics?.rulesFailed(event.count);
    return;
  }
  metrics?.threadLost();
  logger.warn({ transactions: event.length, error: event.error }, "pool.task_lost");
}

/** Counts the transactions of a chunk; those without facts have failed. */
export function reportEnriched(
  enriched: readonly { readonly facts: string | null }[],
  metrics: Pick<Metrics, "transactionsEnriched" | "transactionsFailed">,
): void {
  const failed = enriched.filter(({ facts }) => facts === null).length;
  metrics.transactionsEnriched(enriched.length - failed);
  metrics.transactionsFailed(failed);
}

/** Neither names of files nor anything of their content. */
export function reportStatement(
  event: StatementEvent,
  logger: Logger,
  metrics: Pick<Metrics, "statementEnded" | "statementReaderLost">,
): void {
  const { kind, org, id } = event;
  if (kind === "reader_lost") {
    metrics.statementReaderLost();
    const { crashes, error } = event;
    logger.warn({ org, statement: id, crashes, error }, "statement.reader_lost");
    return;
  }
  const { failure, pages, transactions, ms } = event;
  metrics.statementEnded(failure ?? "processed", pages, ms / 1000);
  const ended = { org, statement: id, pages, transactions, ms };
  if (failure === null) logger.info(ended, "statement.processed");
  else if (failure === "internal_error") logger.error({ ...ended, failure }, "statement.failed");
  else logger.info({ ...ended, failure }, "statement.failed");
}

/** Neither names of models nor anything of their items. */
export function reportModel(
  event: ModelEvent,
  logger: Logger,
  metrics: Pick<Metrics, "modelTrained">,
): void {
  if (event.kind === "training_failed") {
    logger.warn({ error: event.error }, "model.training_failed");
    return;
  }
  const { org, isReady, seconds } = event;
  const outcome = isReady ? "ready" : "error";
  metrics.modelTrained(outcome, seconds);
  logger.info({ org, outcome, seconds }, "model.trained");
}

/** @param topic by its name in the program, without the prefix it has on a broker */
export function reportConsumer(
  event: ConsumerEvent,
  topic: string,
  logger: Logger,
  metrics: Metrics,
): void {
  if (event.kind === "postponed") {
    const { org, waitMs, isNew } = event;
    metrics.recordPostponed();
    if (isNew) logger.info({ topic, org, waitMs }, "credits.waiting");
    return;
  }
  const { kind, partition, offset, error } = event;
  const place = { topic, partition, offset };
  if (kind === "dead_letter") {
    const { reason } = event;
    metrics.deadLetter(reason);
    // A text about the error may quote the record, which only the dead letter may contain.
    const fault = typeof error === "string" ? {} : { error };
    logger.error({ ...place, reason, ...fault }, "log.dead_letter");
  } else {
    const happened =
      kind === "dependency_unavailable" ? "dependency.unavailable" : "log.handler_failed";
    logger.warn({ ...place, error }, happened);
  }
}

/** One line an attempt, without what was sent and what was answered. */
export function reportDispatch(event: DispatchEvent, logger: Logger, metrics: Metrics): void {
  switch (event.kind) {
    case "attempt": {
      const { org, webhookId, eventId, requestId, number, state, delayMs, result } = event;
      const { status, error, timings } = result;
      metrics.webhookAttempt(org, error ?? "delivered", state, delayMs);
      const made = { org, webhookId, eventId, requestId, number };
      logger.info({ ...made, state, status, error, ms: timings.total }, "webhook.attempt");
      return;
    }
    case "warning": {
      const { org, webhookId, level } = event;
      metrics.webhookFailing(level);
      logger.warn({ org, webhookId, percent: level }, "webhook.failing");
      return;
    }
    case "disabled": {
      const { org, webhookId, reason } = event;
      metrics.webhookDisabled(reason);
      logger.warn({ org, webhookId, reason }, "webhook.disabled");
      return;
    }
    case "secret_unavailable": {
      const { org, webhookId } = event;
      logger.error({ org, webhookId }, "webhook.secret_unavailable");
      return;
    }
    case "failed":
      logger.warn({ what: event.what, error: event.error }, "dispatch.failed");
  }
}

/**
 * What to tell about each push of metrics to a collector: why it failed, or null. One line when they begin to fail and
 * one when they arrive again, so that a collector that is away for a day is not in every minute of the log.
 */
export function createExportReport(
  logger: Logger,
  metrics: Pick<Metrics, "exportFailed">,
): (failure: string | null) => void {
  let isFailing = false;
  return (failure) => {
    if (failure !== null) metrics.exportFailed();
    if (failure !== null && !isFailing) logger.warn({ reason: failure }, "otlp.failing");
    if (failure === null && isFailing) logger.info({}, "otlp.recovered");
    isFailing = failure !== null;
  };
}
