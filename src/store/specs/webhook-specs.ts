// The collections of webhooks: endpoints, deliveries and attempts. See specs.ts for the others.
import type { AttemptTimings, Delivery, RecoveryRequest } from "../../model/webhook.ts";
import type { CollectionSpec } from "../collection.ts";

export interface WebhookRow {
  readonly org: string;
  readonly id: string;
  /** 0..9: the unique index over it keeps an organization from having more, however many are created at once. */
  readonly slot: number;
  readonly createdAt: number;
  /** Raised by every change, which names the one it saw. */
  readonly revision: number;
  /** JSON of `WebhookSettings`. */
  readonly body: string;
}

export const webhookSpec: CollectionSpec<WebhookRow> = {
  name: "webhooks",
  fields: {
    org: "text",
    id: "text",
    slot: "integer",
    createdAt: "integer",
    revision: "integer",
    body: "json",
  },
  key: ["org", "id"],
  indexes: [
    { name: "slot", fields: ["org", "slot"], unique: true },
    { name: "newest", fields: ["org", "createdAt", "id"] },
  ],
};

/** Events that are not published yet. Written with the event, removed once it is in the log. */
export interface OutboxRow {
  readonly org: string;
  readonly eventId: string;
  readonly resourceId: string;
  readonly createdAt: number;
  // In the document:
  readonly sequence: number | null;
}

export const outboxSpec: CollectionSpec<OutboxRow> = {
  name: "outbox",
  fields: { org: "text", eventId: "text", resourceId: "text", createdAt: "integer" },
  key: ["org", "eventId"],
  indexes: [
    { name: "oldest", fields: ["createdAt", "eventId"] },
    { name: "resource", fields: ["org", "resourceId"] },
    { name: "byOrg", fields: ["org", "createdAt", "eventId"] },
  ],
};

export interface DeliveryRow {
  readonly org: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly state: "pending" | "delivered" | "exhausted";
  /** Of a pending one: when it may be claimed. A claim moves it to the end of the lease. */
  readonly dueAt: number;
  /** Fencing token of the last claim; a write counts only with the current one. */
  readonly leaseToken: string | null;
  /** When its attempt was due, whatever leases were taken since. */
  readonly scheduledAt: number;
  /** Attempts made. */
  readonly attempts: number;
  /** Where the 24 hours of its attempts begin. */
  readonly baseAt: number;
  /** When the event happened. */
  readonly createdAt: number;
  readonly lastAttemptAt: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  /** 1: a caller requested to send it again. */
  readonly replay: number;
  readonly resourceId: string;
  // In the document:
  readonly eventType: Delivery["eventType"];
  readonly sequence: number | null;
}

export const deliverySpec: CollectionSpec<DeliveryRow> = {
  name: "deliveries",
  fields: {
    org: "text",
    webhookId: "text",
    eventId: "text",
    state: "text",
    dueAt: "integer",
    leaseToken: "text",
    scheduledAt: "integer",
    attempts: "integer",
    baseAt: "integer",
    createdAt: "integer",
    lastAttemptAt: "integer",
    lastStatus: "integer",
    lastError: "text",
    replay: "integer",
    resourceId: "text",
  },
  key: ["org", "webhookId", "eventId"],
  indexes: [
    // By endpoint: a full queue in front of one never stands in the way of another.
    { name: "due", fields: ["state", "webhookId", "dueAt"] },
    { name: "newest", fields: ["org", "webhookId", "createdAt", "eventId"] },
    { name: "state", fields: ["org", "webhookId", "state", "createdAt", "eventId"] },
    // Without the state, which changes.
    { name: "resource", fields: ["org", "webhookId", "resourceId"] },
  ],
};

export interface AttemptRow {
  readonly org: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** From 1. */
  readonly number: number;
  readonly at: number;
  // In the document:
  readonly status: number | null;
  readonly error: string | null;
  readonly detail: string | null;
  readonly timings: AttemptTimings;
  readonly responseBody: string | null;
  readonly retryAfter: string | null;
  readonly replay: boolean;
  readonly requestId: string | null;
  readonly keyIds: readonly string[];
}

export const attemptSpec: CollectionSpec<AttemptRow> = {
  name: "attempts",
  fields: { org: "text", webhookId: "text", eventId: "text", number: "integer", at: "integer" },
  key: ["org", "webhookId", "eventId", "number"],
  // What is old enough to go, whatever has become of its delivery.
  indexes: [{ name: "oldest", fields: ["at"] }],
};

/** Dispatchers that are there, or were. */
export interface DispatcherRow {
  readonly id: string;
  /** Time of its last heartbeat. */
  readonly seenAt: number;
}

export const dispatcherSpec: CollectionSpec<DispatcherRow> = {
  name: "dispatchers",
  fields: { id: "text", seenAt: "integer" },
  key: ["id"],
  indexes: [{ name: "seen", fields: ["seenAt"] }],
};

export interface RecoveryRow {
  readonly org: string;
  readonly webhookId: string;
  readonly id: string;
  readonly status: "running" | "completed";
  readonly createdAt: number;
  readonly resent: number;
  /** Where the walk goes on: creation and event id of the last delivery that was looked at, null before the first. */
  readonly afterAt: number | null;
  readonly afterId: string | null;
  // In the document:
  readonly since: number;
  readonly until: number;
  readonly states: RecoveryRequest["states"];
}

export const recoverySpec: CollectionSpec<RecoveryRow> = {
  name: "recoveries",
  fields: {
    org: "text",
    webhookId: "text",
    id: "text",
    status: "text",
    createdAt: "integer",
    resent: "integer",
    afterAt: "integer",
    afterId: "text",
  },
  key: ["org", "webhookId", "id"],
  indexes: [
    { name: "running", fields: ["status", "createdAt"] },
    { name: "webhook", fields: ["status", "org", "webhookId"] },
  ],
};
