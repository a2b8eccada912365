// What subscribers are told. An event's id is a function of what happened, so that a repeat can never mint a second one,
// and its body is made once and stored: every subscriber gets the same bytes on every attempt.
import { v5 as uuidv5 } from "uuid";
import { type Batch, batchResource } from "../domain/batch.ts";

/** Namespace of Ledgerline's event ids (RFC 9562, UUIDv5); made up once, never to be changed. */
const EVENT_NAMESPACE = "7c1f6a52-3f0e-5d0b-9a3e-2f6f1d9f4b10";

export type EventType = "batches.completed" | "batches.error";

/** An event ready to be stored. */
export interface Event {
  readonly org: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly resourceId: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** JSON of {event_id, event_type, data}. */
  readonly body: string;
}

/** The id of "this happened to this resource of this organization"; a batch ends once, so that is all there is to it. */
export function eventId(org: string, type: EventType, resourceId: string): string {
  return uuidv5(JSON.stringify([org, type, resourceId]), EVENT_NAMESPACE);
}

/** The event of a batch that has ended; `batch` is as it is stored then. */
export function batchEvent(batch: Batch): Event {
  const eventType = batch.status === "error" ? "batches.error" : "batches.completed";
  const id = eventId(batch.org, eventType, batch.id);
  return {
    org: batch.org,
    eventId: id,
    eventType,
    resourceId: batch.id,
    createdAt: batch.updatedAt,
    body: JSON.stringify({ event_id: id, event_type: eventType, data: batchResource(batch) }),
  };
}
