// The events that webhooks get. An event's id is a function of what happened, so a repeat cannot create a second one, and its
// body is created once and stored: every webhook gets the same bytes on every attempt.
import { v5 as uuidv5 } from "uuid";
import { type Batch, batchResource } from "../model/batch.ts";
import type { OperatorEventType, StoredEvent, TEST_EVENT_TYPE } from "../model/event.ts";
import { type Report, reportResource, type ReportStatus } from "../model/report.ts";
import { type StatementDocument, statementResource } from "../model/statement-document.ts";
import { OPERATOR_WEBHOOK, type StoredWebhook } from "../model/webhook.ts";

/** Namespace of Ledgerline's event ids (RFC 9562, UUIDv5); generated once, must never change. */
const EVENT_NAMESPACE = "7c1f6a52-3f0e-5d0b-9a3e-2f6f1d9f4b10";

/** Maximum length of a body, in bytes of UTF-8: receivers and their proxies refuse large ones. */
export const EVENT_BODY_BYTES_MAX = 256 * 1024;

/**
 * The bytes that webhooks get. A resource that would make them too long is only named; `data_truncated` means that the rest can
 * be fetched from `url`.
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

/** The URL of the resource in the API: a type begins with the name of its collection. */
const resourceUrl = (type: string, id: string): string =>
  `/v3/${type.slice(0, type.indexOf("."))}/${encodeURIComponent(id)}`;

/**
 * The id of "this happened to this resource of this organization". `version` counts the events of the resource, from 1: another
 * occurrence is another event, and an occurrence that is processed again is the same event.
 */
export function eventId(
  org: string,
  type: StoredEvent["eventType"],
  resourceId: string,
  version = 1,
): string {
  return uuidv5(JSON.stringify([org, type, resourceId, version]), EVENT_NAMESPACE);
}

/** @param version counts the events of the resource, where that is not its place in a sequence */
function eventOf(
  happening: Omit<StoredEvent, "eventId" | "body">,
  data: object,
  version = happening.sequence ?? 1,
): StoredEvent {
  const { org, eventType, resourceId } = happening;
  const id = eventId(org, eventType, resourceId, version);
  return { ...happening, eventId: id, body: eventBody(id, eventType, resourceId, data) };
}

/** The event of a batch that has ended, which happens once; `batch` is as it is stored then. */
export const batchEvent = (batch: Batch): StoredEvent =>
  eventOf(
    {
      org: batch.org,
      eventType: batch.status === "error" ? "batches.error" : "batches.completed",
      resourceId: batch.id,
      sequence: 1,
      createdAt: batch.updatedAt,
    },
    batchResource(batch),
  );

/**
 * The event of a bank statement that was processed or has failed, which happens once; `document` is as it is stored then.
 * @param endedAt milliseconds since 1970, UTC
 */
export const statementEvent = (document: StatementDocument, endedAt: number): StoredEvent =>
  eventOf(
    {
      org: document.org,
      eventType:
        document.status === "failed" ? "bank_statements.error" : "bank_statements.completed",
      resourceId: document.id,
      sequence: 1,
      createdAt: endedAt,
    },
    statementResource(document),
  );

/** A report after it was moved. */
export type MovedReport = Report & { readonly status: Exclude<Report["status"], "open"> };

/** A report is open, then perhaps pending, then settled: its previous state gives the number of moves. */
const moveNumber = (from: ReportStatus): number => (from === "open" ? 1 : 2);

/** The event of a report that was moved out of the state `from`. */
export const reportEvent = (report: MovedReport, from: ReportStatus): StoredEvent =>
  eventOf(
    {
      org: report.org,
      eventType: `reports.${report.status}`,
      resourceId: report.id,
      sequence: moveNumber(from),
      createdAt: report.updatedAt,
    },
    reportResource(report),
  );

/**
 * An event for the operator about a webhook that fails.
 * @param webhook as it is after the change, with the new revision
 * @param percent of a warning: the percentage reached of the failures that disable it
 */
export function webhookEvent(
  eventType: OperatorEventType,
  webhook: StoredWebhook,
  percent: number | null,
  nowMs: number,
): StoredEvent {
  const { org } = OPERATOR_WEBHOOK;
  const { health } = webhook;
  // Of the URL only the host: many URLs have secrets in their paths.
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
  const happening = { org, eventType, resourceId: webhook.id, sequence: null, createdAt: nowMs };
  return eventOf(happening, data, webhook.revision);
}

const instantOrNull = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();
