import type { StoredEvent } from "../../model/event.ts";
import type { Collection, Store, Write } from "../collection.ts";
import { eventSpec } from "../specs/specs.ts";
import { type OutboxRow, outboxSpec } from "../specs/webhook-specs.ts";

export interface EventRepository {
  /** Steps that record an event, unless one of its id is there: what happened once makes one event. */
  insertSteps(event: StoredEvent): readonly Write[];
  /** Steps that give an event that is there another body. */
  replaceSteps(event: StoredEvent): readonly Write[];
  get(org: string, eventId: string): Promise<StoredEvent | null>;
  getMany(org: string, eventIds: readonly string[]): Promise<readonly StoredEvent[]>;
  /**
   * Up to `limit` events that are not published yet, the oldest of each organization: all organizations that have some get
   * an equal part, and when there are too many of them, their turn in this repository's calls.
   */
  outbox(limit: number): Promise<OutboxPage>;
  /** Those of some resources. */
  outboxOf(org: string, resourceIds: readonly string[]): Promise<readonly WaitingEvent[]>;
  /** Step that marks an event as relayed: it is published. */
  relayedStep(entry: OutboxEntry): Write;
  /** The oldest events that happened before then. */
  older(thanMs: number, limit: number): Promise<readonly StoredEvent[]>;
  removeStep(event: OutboxEntry): Write;
}

export type OutboxEntry = Pick<StoredEvent, "org" | "eventId">;
export interface OutboxPage {
  readonly entries: readonly WaitingEvent[];
  /** Whether there are more. */
  readonly more: boolean;
}
export type WaitingEvent = Pick<StoredEvent, "org" | "eventId" | "resourceId" | "sequence">;

/** A resource has as many events as its states allow, which are a few. */
const EVENTS_OF_RESOURCE_MAX = 64;

export function createEventRepository(store: Store): EventRepository {
  const events = store.collection<StoredEvent>(eventSpec);
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
    get: (org, eventId) => events.get({ org, eventId }),
    getMany: (org, eventIds) =>
      events.find({ where: { org, eventId: { in: eventIds } }, limit: eventIds.length }),
    outbox: createFairOutbox(outbox),
    outboxOf: (org, resourceIds) => {
      const where = { org, resourceId: { in: resourceIds } };
      return outbox.find({ where, limit: resourceIds.length * EVENTS_OF_RESOURCE_MAX });
    },
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

/** Two look-ups an organization, and only when there are more events than are asked for. */
function createFairOutbox(outbox: Collection<OutboxRow>): EventRepository["outbox"] {
  let lastOrg = "";

  const nextOrg = async (after: string): Promise<string | null> => {
    const order = { fields: ["org", "createdAt"], direction: "asc" } as const;
    const [row] = await outbox.find({
      where: {},
      order,
      after: [after, Number.MAX_SAFE_INTEGER],
      limit: 1,
    });
    return row?.org ?? null;
  };

  /** Organizations that have events, from the one behind the last that was served, around to it. */
  async function organizations(max: number): Promise<readonly string[]> {
    const found: string[] = [];
    let hasTurned = false;
    let org = lastOrg;
    while (found.length < max) {
      const next = await nextOrg(org);
      if (next !== null && (!hasTurned || next <= lastOrg)) found.push(next);
      else if (hasTurned || next !== null) break;
      else hasTurned = true;
      org = next ?? "";
    }
    return found;
  }

  return async (limit) => {
    const oldest = { fields: ["createdAt", "eventId"], direction: "asc" } as const;
    const all = await outbox.find({ where: {}, order: oldest, limit });
    if (all.length < limit) return { entries: all, more: false };
    const orgs = await organizations(limit);
    const part = Math.ceil(limit / Math.max(1, orgs.length));
    const parts = await Promise.all(
      orgs.map((org) => outbox.find({ where: { org }, order: oldest, limit: part })),
    );
    const entries = parts.flat().slice(0, limit);
    lastOrg = entries.at(-1)?.org ?? lastOrg;
    return { entries, more: true };
  };
}
