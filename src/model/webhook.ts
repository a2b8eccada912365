// Webhooks, deliveries and attempts: the words of everything that tells subscribers what happened.
import type { EventType, StoredEvent } from "./event.ts";

/** Webhooks an organization may have. */
export const WEBHOOKS_MAX = 10;

/** The webhook of the operator. No organization can have the name of its organization. */
export const OPERATOR_WEBHOOK = { org: "_operator", id: "operator" } as const;

const REPORT_ENDPOINT = "report:";

/**
 * The id under which the URL of a report gets its events. No webhook has such an id: theirs are UUIDs. It does not need the
 * organization, because no two reports have the same id.
 */
export const reportEndpointId = (reportId: string): string => `${REPORT_ENDPOINT}${reportId}`;

/** The report whose URL has this id; null: it is the id of a webhook. */
export const reportOfEndpoint = (id: string): string | null =>
  id.startsWith(REPORT_ENDPOINT) ? id.slice(REPORT_ENDPOINT.length) : null;

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly EventType[];
  /** Sent back in `X-Service-Token`. */
  readonly token: string | null;
  /** `whsec_` and base64, or any other text, which is used as UTF-8 bytes. */
  readonly hmacSecret: string | null;
  /** Whether an event waits until the one before it of the same resource was delivered or has ended. */
  readonly ordered: boolean;
  /** CA bundle in PEM: only these certificates are trusted for its endpoint; null: the default ones. */
  readonly ca: string | null;
}

/** What is left out stays as it is; null takes the token, the secret or the certificates away. */
export type WebhookPatch = Partial<NewWebhook> & { readonly enabled?: boolean };

/** `failures`: too many in a row for too long. `gone`: the endpoint answered 410. `customer`: switched off by the customer. */
export const DISABLED_REASONS = ["failures", "gone", "customer"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** How an endpoint has been answering. */
export interface WebhookHealth {
  /** Attempts that failed since the last one that did not. */
  readonly consecutiveFailures: number;
  /** Milliseconds since 1970; null before the first success. */
  readonly lastSuccessAt: number | null;
  /** When it was created or last enabled: earlier time is not counted. */
  readonly enabledAt: number;
  readonly disabledAt: number | null;
  readonly disabledReason: DisabledReason | null;
  /** One sentence about the last failure since the last success. */
  readonly lastError: string | null;
}

/** A signing secret by its name, and until when it signs together with a newer one; null: until it is replaced. */
export interface SigningSecret {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly until: number | null;
}

/** A webhook as the API shows it: never with its signing secret. */
export interface Webhook {
  readonly org: string;
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly createdAt: number;
  readonly enabled: boolean;
  readonly token: string | null;
  /** Newest first. */
  readonly signingKeys: readonly SigningSecret[];
  readonly ordered: boolean;
  readonly ca: string | null;
  readonly health: WebhookHealth;
}

/** A secret or token that is still good until `until`; null: as long as it is not replaced. */
export interface EncryptedSecret {
  /** Names it without revealing it: random, and created with it. */
  readonly id: string;
  /** Encrypted for this webhook. */
  readonly encrypted: string;
  /** Milliseconds since 1970. */
  readonly until: number | null;
}

/** What of a webhook is only read and replaced whole. */
export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly enabled: boolean;
  readonly ordered: boolean;
  readonly ca: string | null;
  /** Newest first; those behind it are the ones before, until they end. */
  readonly tokens: readonly EncryptedSecret[];
  readonly secrets: readonly EncryptedSecret[];
  readonly health: WebhookHealth;
}

/** A webhook as it is stored. */
export interface StoredWebhook extends WebhookSettings {
  readonly org: string;
  readonly id: string;
  readonly createdAt: number;
  /** Raised by every change, which names the one it saw. */
  readonly revision: number;
}

/**
 * `pending`: another attempt is to come. `held`: the webhook is disabled; it goes on when it is enabled within 24 h of the
 * event. `exhausted`: no attempt is left.
 */
export const DELIVERY_STATES = ["pending", "held", "delivered", "exhausted"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event for one webhook. */
export interface Delivery {
  readonly eventId: string;
  readonly eventType: StoredEvent["eventType"];
  readonly webhookId: string;
  readonly resourceId: string;
  readonly state: DeliveryState;
  /** Attempts made. */
  readonly attempts: number;
  /** When the event happened, milliseconds since 1970. */
  readonly createdAt: number;
  readonly nextAttemptAt: number | null;
  readonly lastAttemptAt: number | null;
  readonly lastStatus: number | null;
  readonly lastError: AttemptError | null;
  /** Sent again on request. */
  readonly replay: boolean;
}

/**
 * Why an attempt failed. `status`: an answer that is neither 2xx nor 3xx. `secret_unavailable`: nothing was sent, because
 * the token or the signing secret cannot be decrypted.
 */
export const ATTEMPT_ERRORS = [
  "secret_unavailable",
  "dns_failed",
  "address_refused",
  "connect_failed",
  "tls_failed",
  "timed_out",
  "connection_lost",
  "bad_response",
  "redirected",
  "status",
] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** Milliseconds that the phases of an attempt took; null for a phase that was not reached or not needed. */
export interface AttemptTimings {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  /** From the request to the first byte of the answer. */
  readonly firstByte: number | null;
  readonly total: number;
}

/** The outcome of one call to an endpoint. */
export interface AttemptResult {
  /** Status of the answer, null without one. */
  readonly status: number | null;
  /** Null: it was a success. */
  readonly error: AttemptError | null;
  /** One sentence for people, without payload or secrets; null for a success. */
  readonly detail: string | null;
  readonly timings: AttemptTimings;
  /** At most 4 KiB of the answer's body as text; null where nothing of it may be kept. */
  readonly responseBody: string | null;
  /** `Retry-After` as it came. */
  readonly retryAfter: string | null;
}

/** An attempt as it is remembered. */
export interface Attempt extends AttemptResult {
  /** From 1. */
  readonly number: number;
  readonly eventId: string;
  /** When it began, milliseconds since 1970. */
  readonly at: number;
  readonly replay: boolean;
  /** As the endpoint got it in `X-Request-ID`; null: nothing was sent. */
  readonly requestId: string | null;
  /** Which secrets signed it, newest first, and `ed25519` for the key of the installation. */
  readonly keyIds: readonly string[];
}

/** A delivery that a dispatcher has taken, until its lease ends. */
export interface TakenDelivery {
  readonly org: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly resourceId: string;
  /** Of its event. */
  readonly sequence: number | null;
  readonly leaseToken: string;
  /** Until then no other process claims it, milliseconds since 1970. */
  readonly leaseUntil: number;
  /** When this attempt was due. */
  readonly scheduledAt: number;
  /** Attempts made so far. */
  readonly attempts: number;
  /** Where the 24 hours of its attempts begin, milliseconds since 1970. */
  readonly baseAt: number;
  readonly createdAt: number;
  readonly replay: boolean;
}

/** A delivery that has not ended, to find the next one of its resource. */
export interface PendingDelivery {
  readonly eventId: string;
  readonly resourceId: string;
  readonly sequence: number | null;
  readonly createdAt: number;
  /** When it may be claimed, which is the end of its lease while it is claimed. */
  readonly dueAt: number;
  /** When its attempt is due, whatever puts it off. */
  readonly scheduledAt: number;
  readonly leaseToken: string | null;
}

/** The outcome of a claimed delivery. */
export interface DeliveryOutcome {
  readonly state: "pending" | "delivered" | "exhausted";
  /** Of a pending one: when the next attempt is due. */
  readonly dueAt: number;
  /** Null when none was made: its time was over. */
  readonly attempt: Attempt | null;
}

/** An endpoint that deliveries wait for, and when the first of them is due. */
export interface DueEndpoint {
  readonly org: string;
  readonly webhookId: string;
  readonly dueAt: number;
}

/** Which deliveries of a webhook are to be sent again. */
export interface RecoveryRequest {
  /** Of events from this time on, milliseconds since 1970. */
  readonly since: number;
  /** Before this time. */
  readonly until: number;
  readonly states: readonly ("delivered" | "exhausted")[];
}

/** Deliveries that are being sent again. */
export interface Recovery extends RecoveryRequest {
  readonly id: string;
  readonly webhookId: string;
  readonly createdAt: number;
  readonly status: "running" | "completed";
  /** Deliveries that were put back so far. */
  readonly resent: number;
}

/** A recovery with how far it has come. */
export interface StoredRecovery extends Recovery {
  readonly org: string;
  /** The last delivery that was looked at; null before the first. */
  readonly after: { readonly createdAt: number; readonly eventId: string } | null;
}

/** Position of a delivery in the order in which the deliveries of a webhook were created. */
export interface DeliveryPlace {
  readonly createdAt: number;
  readonly eventId: string;
}
