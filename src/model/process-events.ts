// What the pool, the consumers and the dispatcher report about themselves; src/observability turns it into log lines and metrics.
import type { DeadLetterReason } from "./records.ts";
import type { StatementFailure } from "./statement-document.ts";
import type { AttemptResult, DeliveryOutcome } from "./webhook.ts";

/**
 * `task_lost`: a thread died or hung on a task of this many transactions. `item_failed`: one transaction failed for good.
 * `question_failed`: the thread's code threw on a query, which then has no answer. `rules_failed`: how often rules of an
 * organization were skipped because they failed on a transaction.
 */
export type PoolEvent =
  | { readonly kind: "task_lost"; readonly length: number; readonly error: unknown }
  | { readonly kind: "item_failed" }
  | { readonly kind: "question_failed"; readonly query: string }
  | { readonly kind: "rules_failed"; readonly count: number };

/**
 * What trainings of labelling models report. `training_failed`: the code or the thread failed, or the store could not be reached;
 * `model_trained`: one ended, ready or with an error.
 */
export type ModelEvent =
  | { readonly kind: "training_failed"; readonly error: unknown }
  | {
      readonly kind: "model_trained";
      readonly org: string;
      readonly isReady: boolean;
      readonly seconds: number;
    };

export type ConsumerEvent =
  | {
      readonly kind: "dead_letter";
      readonly partition: number;
      readonly offset: number;
      readonly reason: DeadLetterReason;
      readonly error: unknown;
    }
  | {
      readonly kind: "handler_failed" | "dependency_unavailable";
      readonly partition: number;
      readonly offset: number;
      readonly error: unknown;
    }
  | {
      /** A record waits for credits of its organization. */
      readonly kind: "postponed";
      readonly org: string;
      readonly waitMs: number;
      /** Whether the organization has not waited in the last minute. */
      readonly isNew: boolean;
    };

/** What the processing of bank statements reports about itself. `reader_lost`: the process that reads died or hung. */
export type StatementEvent =
  | {
      readonly kind: "ended";
      readonly org: string;
      readonly id: string;
      /** Null: it was processed. */
      readonly failure: StatementFailure | null;
      readonly pages: number;
      readonly transactions: number;
      /** From its submission. */
      readonly ms: number;
    }
  | {
      readonly kind: "reader_lost";
      readonly org: string;
      readonly id: string;
      /** How often, this time included. */
      readonly crashes: number;
      readonly error: unknown;
    };

/** What a dispatcher reports about itself. */
export type DispatchEvent =
  | {
      readonly kind: "attempt";
      readonly org: string;
      readonly webhookId: string;
      readonly eventId: string;
      readonly requestId: string | null;
      readonly result: AttemptResult;
      readonly number: number;
      readonly state: DeliveryOutcome["state"];
      /** Milliseconds between the event and this attempt, of the first attempt only. */
      readonly delayMs: number | null;
    }
  | {
      readonly kind: "warning";
      readonly org: string;
      readonly webhookId: string;
      /** Percent of the failures at which the webhook may be disabled. */
      readonly level: number;
    }
  | {
      readonly kind: "disabled";
      readonly org: string;
      readonly webhookId: string;
      readonly reason: string;
    }
  | { readonly kind: "secret_unavailable"; readonly org: string; readonly webhookId: string }
  | { readonly kind: "failed"; readonly what: string; readonly error: unknown };
