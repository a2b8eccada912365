// What subscribers are told. An event's id is a function of what happened, so that a repeat can never mint a second one,
// and its body is made once and stored: every subscriber gets the same bytes on every attempt.
import { v5 as uuidv5 } from "uuid";
import { type Batch, batchResource } from "../model/batch.ts";
import type { OperatorEventType, StoredEvent, TEST_EVENT_TYPE } from "../model/event.ts";
import { type Report, reportResource, type ReportStatus } from "../model/report.ts";
import { OPERATOR_WEBHOOK, type StoredWebhook } from "../model/webhook.ts";

/** Namespace of Ledgerline's event ids (RFC 9562, UUIDv5); made up once, never to be changed. */
const EVENT_NAMESPACE = "7c1f6a52-3f0e-5d0b-9a3e-2f6f1d9f4b10";

/** What a body may be long, in bytes of UTF-8: receivers and what stands before them refuse large ones. */
export const EVENT_BODY_BYTES_MAX = 256 * 1024;

/**
 * The bytes that subscribers get. A resource that would make them too long is named only; `data_truncated` says that the
 * rest is to be fetched, from `url`.
 */
export function eventBody(
  id: string,
  type: StoredEvent["eventType"] | typeof TEST_EVENT_TYPE,
  resourceId: string,
  data: object,
): string {
  const whole = JSON.stringify({ event_id: id, event_type: type, data });
  if (Buffer.byteLength(whole) <= EVENT_BODY_BYTES_MAX) return whole;
  return JSON.stringify({
    event_id: id,
    event_type: type,
    data: { id: resourceId, url: resourceUrl(type, resourceId) },
    data_truncated: true,
  });
}

/** Where the API has the resource: what a type begins with is what its collection is called. */
const resourceUrl = (type: string, id: string): string =>
  `/v3/${type.slice(0, type.indexOf("."))}/${encodeURIComponent(id)}`;

/**
 * The id of "this happened to this resource of this organization". `version` counts what has happened to the resource, from
 * 1: that which happens to it again is another event, and that which is processed again is the same.
 */
export function eventId(
  org: string,
  type: StoredEvent["eventType"],
  resourceId: string,
  version = 1,
): string {
  // The first is not named, as none was before they were counted: ids that were given out stay what they are.
  const counted = version === 1 ? [] : [version];
  return uuidv5(JSON.stringify([org, type, resourceId, ...counted]), EVENT_NAMESPACE);
}

/** The event of a batch that has ended, which it does once; `batch` is as it is stored then. */
export function batchEvent(batch: Batch): StoredEvent {
  const eventType = batch.status === "error" ? "batches.error" : "batches.completed";
  const sequence = 1;
  const id = eventId(batch.org, eventType, batch.id, sequence);
  return {
    org: batch.org,
    eventId: id,
    eventType,
    resourceId: batch.id,
    sequence,
    createdAt: batch.updatedAt,
    body: eventBody(id, eventType, batch.id, batchResource(batch)),
  };
}

/** A report that was moved, as it is since. */
export type MovedReport = Report & { readonly status: Exclude<Report["status"], "open"> };

/** A report is open, then perhaps pending, then settled: the state it comes out of says how many moves there were. */
const moveNumber = (from: ReportStatus): number => (from === "open" ? 1 : 2);

/** The event of a report that was moved out of the state `from`. */
export function reportEvent(report: MovedReport, from: ReportStatus): StoredEvent {
  const eventType = `reports.${report.status}` as const;
  const sequence = moveNumber(from);
  const id = eventId(report.org, eventType, report.id, sequence);
  return {
    org: report.org,
    eventId: id,
    eventType,
    resourceId: report.id,
    sequence,
    createdAt: report.updatedAt,
    body: eventBody(id, eventType, report.id, reportResource(report)),
  };
}

/**
 * What whoever runs the installation is told of a webhook that fails.
 * @param webhook as it is since, with the revision that this made
 * @param percent of the failures after which it is disabled, of a warning
 */
export function webhookEvent(
  eventType: OperatorEventType,
  webhook: StoredWebhook,
  percent: number | null,
  nowMs: number,
): StoredEvent {
  const { org } = OPERATOR_WEBHOOK;
  const { health } = webhook;
  // Of the URL the host alone: many have secrets in their paths.
  const data = {
    organization: webhook.org,
    id: webhook.id,
    host: new URL(webhook.url).host,
    enabled: webhook.enabled,
    percent,
    consecutive_failures: health.consecutiveFailures,
    last_success_at: instantOrNull(health.lastSuccessAt),
    last_error: health.lastError,
    disabled_at: instantOrNull(health.disabledAt),
    disabled_reason: health.disabledReason,
  };
  const id = eventId(org, eventType, webhook.id, webhook.revision);
  return {
    org,
    eventId: id,
    eventType,
    resourceId: webhook.id,
    sequence: null,
    createdAt: nowMs,
    body: eventBody(id, eventType, webhook.id, data),
  };
}

const instantOrNull = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();
