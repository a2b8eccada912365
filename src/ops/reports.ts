// What the edges tell about themselves, as log lines and metrics.
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

type PoolEvent =
  | { readonly kind: "task_lost"; readonly length: number; readonly error: unknown }
  | { readonly kind: "item_failed" };

/** @param metrics null where nobody scrapes them, on the command line */
export function reportPool(event: PoolEvent, logger: Logger, metrics: Metrics | null): void {
  if (event.kind === "item_failed") {
    logger.error({}, "pool.transaction_failed");
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
