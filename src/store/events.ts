import type { StoredEvent } from "../domain/event.ts";
import type { Store, Write } from "./collection.ts";
import { type EventRow, eventSpec } from "./specs.ts";
import { type OutboxRow, outboxSpec } from "./webhook-specs.ts";

export interface EventRepository {
  /** Steps that record an event, unless one of its id is there: what happened once makes one event. */
  insertSteps(event: StoredEvent): readonly Write[];
  get(org: string, eventId: string): Promise<StoredEvent | null>;
  getMany(org: string, eventIds: readonly string[]): Promise<readonly StoredEvent[]>;
  /** The oldest events that have no deliveries yet. */
  outbox(limit: number): Promise<readonly OutboxEntry[]>;
  /** Step that says that the deliveries of an event are there. */
  relayedStep(entry: OutboxEntry): Write;
  /** The oldest events that happened before then. */
  older(thanMs: number, limit: number): Promise<readonly StoredEvent[]>;
  removeStep(event: OutboxEntry): Write;
}

export type OutboxEntry = Pick<StoredEvent, "org" | "eventId">;

export function createEventRepository(store: Store): EventRepository {
  const events = store.collection<EventRow>(eventSpec);
  const outbox = store.collection<OutboxRow>(outboxSpec);
  return {
    insertSteps: (event) => {
      const { org, eventId, createdAt } = event;
      return [events.insert(event, "ignore"), outbox.insert({ org, eventId, createdAt }, "ignore")];
    },
    get: (org, eventId) => events.get({ org, eventId }),
    getMany: (org, eventIds) =>
      events.find({ where: { org, eventId: { in: eventIds } }, limit: eventIds.length }),
    outbox: (limit) =>
      outbox.find({
        where: {},
        order: { fields: ["createdAt", "eventId"], direction: "asc" },
        limit,
      }),
    relayedStep: ({ org, eventId }) => outbox.delete({ org, eventId }),
    older: (thanMs, limit) =>
      events.find({
        where: { createdAt: { lt: thanMs } },
        order: { fields: ["createdAt", "eventId"], direction: "asc" },
        limit,
      }),
    removeStep: ({ org, eventId }) => events.delete({ org, eventId }),
  };
}
