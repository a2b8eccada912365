import type { StoredEvent } from "../domain/event.ts";
import type { Store, Write } from "./collection.ts";
import { type EventRow, eventSpec } from "./specs.ts";
import { type OutboxRow, outboxSpec } from "./webhook-specs.ts";

export interface EventRepository {
  /** Steps that record an event, unless one of its id is there: what happened once makes one event. */
  insertSteps(event: StoredEvent): readonly Write[];
  /** Steps that give an event that is there another body. */
  replaceSteps(event: StoredEvent): readonly Write[];
  get(org: string, eventId: string): Promise<StoredEvent | null>;
  getMany(org: string, eventIds: readonly string[]): Promise<readonly StoredEvent[]>;
  /** The oldest events that have no deliveries yet. */
  outbox(limit: number): Promise<readonly OutboxEntry[]>;
  /** Those of some resources. */
  outboxOf(org: string, resourceIds: readonly string[]): Promise<readonly WaitingEvent[]>;
  /** Step that says that the deliveries of an event are there. */
  relayedStep(entry: OutboxEntry): Write;
  /** The oldest events that happened before then. */
  older(thanMs: number, limit: number): Promise<readonly StoredEvent[]>;
  removeStep(event: OutboxEntry): Write;
}

export type OutboxEntry = Pick<StoredEvent, "org" | "eventId">;
export type WaitingEvent = Pick<StoredEvent, "resourceId" | "sequence">;

/** A resource has as many events as its states allow, which are a few. */
const EVENTS_OF_RESOURCE_MAX = 64;

export function createEventRepository(store: Store): EventRepository {
  const events = store.collection<EventRow>(eventSpec);
  const outbox = store.collection<OutboxRow>(outboxSpec);
  return {
    insertSteps: (event) => {
      const { org, eventId, resourceId, sequence, createdAt } = event;
      const entry = { org, eventId, resourceId, sequence, createdAt };
      return [events.insert(event, "ignore"), outbox.insert(entry, "ignore")];
    },
    replaceSteps: (event) => {
      const { org, eventId } = event;
      return [
        events.require({ org, eventId }, 1),
        events.delete({ org, eventId }),
        events.insert(event, "fail"),
      ];
    },
    get: async (org, eventId) => {
      const row = await events.get({ org, eventId });
      return row === null ? null : toEvent(row);
    },
    getMany: async (org, eventIds) => {
      const where = { org, eventId: { in: eventIds } };
      return (await events.find({ where, limit: eventIds.length })).map(toEvent);
    },
    outbox: (limit) =>
      outbox.find({
        where: {},
        order: { fields: ["createdAt", "eventId"], direction: "asc" },
        limit,
      }),
    outboxOf: async (org, resourceIds) => {
      const where = { org, resourceId: { in: resourceIds } };
      const limit = resourceIds.length * EVENTS_OF_RESOURCE_MAX;
      const rows = await outbox.find({ where, limit });
      return rows.map(({ resourceId, sequence = null }) => ({ resourceId, sequence }));
    },
    relayedStep: ({ org, eventId }) => outbox.delete({ org, eventId }),
    older: async (thanMs, limit) => {
      const rows = await events.find({
        where: { createdAt: { lt: thanMs } },
        order: { fields: ["createdAt", "eventId"], direction: "asc" },
        limit,
      });
      return rows.map(toEvent);
    },
    removeStep: ({ org, eventId }) => events.delete({ org, eventId }),
  };
}

const toEvent = (row: EventRow): StoredEvent => ({ ...row, sequence: row.sequence ?? null });
