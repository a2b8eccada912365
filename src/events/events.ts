// What subscribers are told. An event's id is a function of what happened, so that a repeat can never mint a second one,
// and its body is made once and stored: every subscriber gets the same bytes on every attempt.
import { v5 as uuidv5 } from "uuid";
import { type Batch, batchResource } from "../domain/batch.ts";
import type { EventType, StoredEvent, TEST_EVENT_TYPE } from "../domain/event.ts";
import { type Report, reportResource } from "../domain/report.ts";

/** Namespace of Ledgerline's event ids (RFC 9562, UUIDv5); made up once, never to be changed. */
const EVENT_NAMESPACE = "7c1f6a52-3f0e-5d0b-9a3e-2f6f1d9f4b10";

/** What a body may be long, in bytes of UTF-8: receivers and what stands before them refuse large ones. */
export const EVENT_BODY_BYTES_MAX = 256 * 1024;

/**
 * The bytes that subscribers get. A resource that would make them too long is named only; `data_truncated` says that the
 * rest is to be fetched.
 */
export function eventBody(
  id: string,
  type: EventType | typeof TEST_EVENT_TYPE,
  resourceId: string,
  data: object,
): string {
  const whole = JSON.stringify({ event_id: id, event_type: type, data });
  if (Buffer.byteLength(whole) <= EVENT_BODY_BYTES_MAX) return whole;
  return JSON.stringify({
    event_id: id,
    event_type: type,
    data: { id: resourceId },
    data_truncated: true,
  });
}

/**
 * The id of "this happened to this resource of this organization". A batch ends once and a report comes into a state once,
 * so that is all there is to it.
 */
export function eventId(org: string, type: EventType, resourceId: string): string {
  return uuidv5(JSON.stringify([org, type, resourceId]), EVENT_NAMESPACE);
}

/** The event of a batch that has ended; `batch` is as it is stored then. */
export function batchEvent(batch: Batch): StoredEvent {
  const eventType = batch.status === "error" ? "batches.error" : "batches.completed";
  const id = eventId(batch.org, eventType, batch.id);
  return {
    org: batch.org,
    eventId: id,
    eventType,
    resourceId: batch.id,
    createdAt: batch.updatedAt,
    body: eventBody(id, eventType, batch.id, batchResource(batch)),
  };
}

/** A report that was moved, as it is since. */
export type MovedReport = Report & { readonly status: Exclude<Report["status"], "open"> };

/** The event of a report that was moved. */
export function reportEvent(report: MovedReport): StoredEvent {
  const eventType = `reports.${report.status}` as const;
  const id = eventId(report.org, eventType, report.id);
  return {
    org: report.org,
    eventId: id,
    eventType,
    resourceId: report.id,
    createdAt: report.updatedAt,
    body: eventBody(id, eventType, report.id, reportResource(report)),
  };
}
