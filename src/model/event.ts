// Events for subscribers, as data: the names, the form of every event, and how it is stored.

/** Every type of event that a webhook can subscribe to. */
export const EVENT_TYPES = [
  "reports.resolved",
  "reports.rejected",
  "reports.pending",
  "bank_statements.completed",
  "bank_statements.error",
  "batches.completed",
  "batches.error",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The events of reports. */
export const REPORT_EVENT_TYPES = [
  "reports.resolved",
  "reports.rejected",
  "reports.pending",
] as const satisfies readonly EventType[];

export const isReportEvent = (type: StoredEvent["eventType"]): boolean =>
  REPORT_EVENT_TYPES.some((one) => one === type);

/** Sent on request as a test; it cannot be subscribed to. */
export const TEST_EVENT_TYPE = "webhooks.test";

/** An event for the operator; no organization can subscribe to it. */
export const OPERATOR_EVENT_TYPES = ["webhooks.failing", "webhooks.disabled"] as const;
export type OperatorEventType = (typeof OPERATOR_EVENT_TYPES)[number];

/** An event as it is stored. */
export interface StoredEvent extends EventHead {
  /** The bytes every subscriber gets on every attempt: JSON of {event_id, event_type, data}. */
  readonly body: string;
}

/** An event without its body. */
export interface EventHead {
  readonly org: string;
  readonly eventId: string;
  readonly eventType: EventType | OperatorEventType;
  readonly resourceId: string;
  /** Which event of its resource it is, from 1; null: that is not known. */
  readonly sequence: number | null;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}
