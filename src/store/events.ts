import type { Store, Write } from "./collection.ts";
import { type EventRow, eventSpec } from "./specs.ts";

/** An event as it is stored: `body` is what every subscriber gets, byte for byte, on every attempt. */
export type StoredEvent = EventRow;

export interface EventRepository {
  /** Step that records an event, unless one of its id is there: what happened once makes one event. */
  insertStep(event: StoredEvent): Write;
}

export function createEventRepository(store: Store): EventRepository {
  const events = store.collection<EventRow>(eventSpec);
  return { insertStep: (event) => events.insert(event, "ignore") };
}
