// What the edges tell about themselves, as log lines and metrics.
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

type PoolEvent =
  | { readonly kind: "task_lost"; readonly length: number; readonly error: unknown }
  | { readonly kind: "item_failed" }
  | { readonly kind: "rules_failed"; readonly count: number };

/** @param metrics null where nobody scrapes them, on the command line */
export function reportPool(event: PoolEvent, logger: Logger, metrics: Metrics | null): void {
  if (event.kind === "item_failed") {
    logger.error({}, "pool.transaction_failed");
    return;
  }
  if (event.kind === "rules_failed") {
    metrics?.rulesFailed(event.count);
    return;
  }
  metrics?.threadLost();
  logger.warn({ transactions: event.length, error: event.error }, "pool.task_lost");
}

type ConsumerEvent =
  | {
      readonly kind: "dead_letter";
      readonly offset: number;
      readonly reason: string;
      readonly error: unknown;
    }
  | {
      readonly kind: "handler_threw" | "waiting";
      readonly offset: number;
      readonly error: unknown;
    };

export function reportConsumer(event: ConsumerEvent, logger: Logger, metrics: Metrics): void {
  const { kind, offset, error } = event;
  if (kind === "dead_letter") {
    metrics.deadLetter(event.reason);
    logger.error({ offset, reason: event.reason, error }, "log.dead_letter");
  } else {
    logger.warn({ offset, error }, kind === "waiting" ? "log.waiting" : "log.handler_threw");
  }
}

type DispatchEvent =
  | {
      readonly kind: "attempt";
      readonly org: string;
      readonly webhookId: string;
      readonly eventId: string;
      readonly number: number;
      readonly state: "pending" | "delivered" | "exhausted";
      readonly delayMs: number | null;
      readonly result: {
        readonly status: number | null;
        readonly error: string | null;
        readonly timings: { readonly total: number };
      };
    }
  | {
      readonly kind: "warning";
      readonly org: string;
      readonly webhookId: string;
      readonly level: number;
    }
  | {
      readonly kind: "disabled";
      readonly org: string;
      readonly webhookId: string;
      readonly reason: string;
    }
  | { readonly kind: "failed"; readonly what: string; readonly error: unknown };

/** One line an attempt, without what was sent and what was answered. */
export function reportDispatch(event: DispatchEvent, logger: Logger, metrics: Metrics): void {
  switch (event.kind) {
    case "attempt": {
      const { org, webhookId, eventId, number, state, delayMs, result } = event;
      const { status, error, timings } = result;
      metrics.webhookAttempt(error ?? "delivered", state, delayMs);
      const fields = { org, webhookId, eventId, number, state, status, error, ms: timings.total };
      logger.info(fields, "webhook.attempt");
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
    case "failed":
      logger.warn({ what: event.what, error: event.error }, "dispatch.failed");
  }
}
