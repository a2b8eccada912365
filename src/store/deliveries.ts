import type {
  Attempt,
  Delivery,
  DeliveryOutcome,
  EndpointQueue,
  RecoveryRequest,
  TakenDelivery,
} from "../domain/webhook.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import type { StoredEvent } from "../domain/event.ts";
import type { Collection, Condition, Store, Where, Write } from "./collection.ts";
import { readPage } from "./pages.ts";
import { type AttemptRow, attemptSpec, type DeliveryRow, deliverySpec } from "./webhook-specs.ts";

export interface DeliveryRepository {
  /** Step that makes the delivery of an event to a webhook, unless it is there. */
  insertStep(event: StoredEvent, webhookId: string): Write;
  /** Every endpoint that has something pending, with when the first of it is due. Costs one look-up an endpoint. */
  queues(): AsyncIterable<EndpointQueue>;
  /** Pending deliveries to an endpoint that were due before then, at most `limit`: a count for the metrics. */
  countDue(webhookId: string, beforeMs: number): Promise<number>;
  /** Takes up to `limit` deliveries that are due. Until `leaseUntil` nobody else does. */
  take(
    webhookId: string,
    nowMs: number,
    leaseUntil: number,
    token: string,
    limit: number,
  ): Promise<readonly TakenDelivery[]>;
  /** When the first pending delivery to the endpoint is due; null when there is none. */
  nextDueAt(webhookId: string): Promise<number | null>;
  /** Steps that write down what came of a delivery, if it is still the caller's, and the attempt where one was made. */
  outcomeSteps(
    taken: TakenDelivery,
    outcome: DeliveryOutcome,
  ): { readonly attempt: Write | null; readonly delivery: Write };
  /** Step that gives a delivery back before its lease ends. */
  giveBackStep(taken: TakenDelivery, dueAt: number): Write;
  get(org: string, webhookId: string, eventId: string): Promise<Delivery | null>;
  list(
    org: string,
    webhookId: string,
    state: DeliveryRow["state"] | null,
    page: PageRequest,
  ): Promise<Page<Delivery>>;
  attempts(org: string, webhookId: string, eventId: string): Promise<readonly Attempt[]>;
  /** Step that puts a delivery that has ended back to the beginning of its schedule. */
  replayStep(org: string, webhookId: string, eventId: string, nowMs: number): Write;
  /** Step that makes a delivery that waits for its next attempt due at once. */
  hastenStep(org: string, webhookId: string, eventId: string, nowMs: number): Write;
  /** The deliveries that a recovery asks for, oldest first. */
  recoverable(
    org: string,
    webhookId: string,
    request: RecoveryRequest,
    after: { readonly createdAt: number; readonly eventId: string } | null,
    limit: number,
  ): Promise<readonly Delivery[]>;
  /** Ends pending deliveries to an endpoint that were due before then; returns how many of at most `limit`. */
  expire(webhookId: string, dueBeforeMs: number, limit: number): Promise<number>;
  /** Removes up to `limit` deliveries to a webhook that is gone, with their attempts; returns how many. */
  removeOfWebhook(org: string, webhookId: string, limit: number): Promise<number>;
  /** Steps that remove what is known of an event's way to a webhook. */
  removeSteps(org: string, webhookId: string, eventId: string): readonly Write[];
}

/** More attempts than this are not shown of one delivery. */
const ATTEMPTS_SHOWN_MAX = 500;
/** Above every time. */
const NEVER = Number.MAX_SAFE_INTEGER;

type Deliveries = Collection<DeliveryRow>;

export function createDeliveryRepository(store: Store): DeliveryRepository {
  const deliveries = store.collection<DeliveryRow>(deliverySpec);
  const attempts = store.collection<AttemptRow>(attemptSpec);
  return {
    ...createQueue(store, deliveries),
    ...createSteps(deliveries, attempts),
    ...createLog(deliveries, attempts),
    ...createRemoval(store, deliveries, attempts),
  };
}

const BY_DUE = { fields: ["dueAt"], direction: "asc" } as const;

const dueOf = (webhookId: string, due: Condition): Where<DeliveryRow> => ({
  state: "pending",
  webhookId,
  dueAt: due,
});

/** What the dispatcher takes, and what it looks for. */
function createQueue(
  store: Store,
  deliveries: Deliveries,
): Pick<DeliveryRepository, "queues" | "countDue" | "take" | "nextDueAt" | "expire"> {
  return {
    queues: async function* () {
      let last: string | null = null;
      for (;;) {
        const [row]: DeliveryRow[] = await deliveries.find({
          where: { state: "pending" },
          order: { fields: ["webhookId", "dueAt"], direction: "asc" },
          // From one endpoint to the next, past all that waits for it.
          ...(last === null ? {} : { after: [last, NEVER] }),
          limit: 1,
        });
        if (row === undefined) return;
        last = row.webhookId;
        yield { org: row.org, webhookId: row.webhookId, dueAt: row.dueAt };
      }
    },
    countDue: async (webhookId, beforeMs) =>
      (await deliveries.aggregate(dueOf(webhookId, { lt: beforeMs }), "attempts", "dueAt")).count,
    take: async (webhookId, nowMs, leaseUntil, token, limit) => {
      const rows = await deliveries.claim(
        { where: dueOf(webhookId, { lte: nowMs }), order: BY_DUE, limit },
        { dueAt: leaseUntil, leaseToken: token },
      );
      return rows.map(({ org, eventId, scheduledAt, attempts: made, ...row }) => ({
        org,
        webhookId,
        eventId,
        leaseToken: token,
        leaseUntil,
        scheduledAt,
        attempts: made,
        baseAt: row.baseAt,
        createdAt: row.createdAt,
        replay: row.replay === 1,
      }));
    },
    nextDueAt: async (webhookId) => {
      const where = { state: "pending", webhookId } as const;
      const [row] = await deliveries.find({ where, order: BY_DUE, limit: 1 });
      return row?.dueAt ?? null;
    },
    expire: async (webhookId, dueBeforeMs, limit) => {
      const where = dueOf(webhookId, { lt: dueBeforeMs });
      const rows = await deliveries.find({ where, order: BY_DUE, limit });
      await store.apply(
        rows.map(({ org, eventId, dueAt }) =>
          deliveries.update(
            { org, webhookId, eventId, state: "pending", dueAt },
            { state: "exhausted", leaseToken: null },
            "ignore",
          ),
        ),
      );
      return rows.length;
    },
  };
}

/** Steps that change one delivery. */
function createSteps(
  deliveries: Deliveries,
  attempts: Collection<AttemptRow>,
): Pick<
  DeliveryRepository,
  "insertStep" | "outcomeSteps" | "giveBackStep" | "replayStep" | "hastenStep"
> {
  return {
    insertStep: (event, webhookId) => deliveries.insert(newRow(event, webhookId), "ignore"),
    outcomeSteps: (taken, { state, dueAt, attempt }) => {
      const { org, webhookId, eventId, leaseToken } = taken;
      const own = { org, webhookId, eventId, leaseToken };
      const ended = { state, dueAt, scheduledAt: dueAt, leaseToken: null };
      if (attempt === null)
        return { attempt: null, delivery: deliveries.update(own, ended, "ignore") };
      const last = {
        attempts: attempt.number,
        lastAttemptAt: attempt.at,
        lastStatus: attempt.status,
        lastError: attempt.error,
      };
      return {
        attempt: attempts.insert({ org, webhookId, ...attempt }, "ignore"),
        delivery: deliveries.update(own, { ...ended, ...last }, "ignore"),
      };
    },
    giveBackStep: ({ org, webhookId, eventId, leaseToken }, dueAt) =>
      deliveries.update(
        { org, webhookId, eventId, leaseToken },
        { dueAt, leaseToken: null },
        "ignore",
      ),
    replayStep: (org, webhookId, eventId, nowMs) =>
      deliveries.update(
        { org, webhookId, eventId, state: { ne: "pending" } },
        {
          state: "pending",
          dueAt: nowMs,
          scheduledAt: nowMs,
          baseAt: nowMs,
          leaseToken: null,
          replay: 1,
        },
        "ignore",
      ),
    hastenStep: (org, webhookId, eventId, nowMs) =>
      deliveries.update(
        { org, webhookId, eventId, state: "pending", leaseToken: null },
        { dueAt: nowMs, replay: 1 },
        "ignore",
      ),
  };
}

function newRow(event: StoredEvent, webhookId: string): DeliveryRow {
  const { org, eventId, eventType, resourceId, createdAt } = event;
  return {
    org,
    webhookId,
    eventId,
    state: "pending",
    dueAt: createdAt,
    leaseToken: null,
    scheduledAt: createdAt,
    attempts: 0,
    baseAt: createdAt,
    createdAt,
    lastAttemptAt: null,
    lastStatus: null,
    lastError: null,
    replay: 0,
    eventType,
    resourceId,
  };
}

/** What is shown of them. */
function createLog(
  deliveries: Deliveries,
  attempts: Collection<AttemptRow>,
): Pick<DeliveryRepository, "get" | "list" | "attempts" | "recoverable"> {
  return {
    get: async (org, webhookId, eventId) => {
      const row = await deliveries.get({ org, webhookId, eventId });
      return row === null ? null : toDelivery(row);
    },
    list: (org, webhookId, state, page) =>
      readPage(
        deliveries,
        { org, webhookId, ...(state === null ? {} : { state }) },
        page,
        "eventId",
        toDelivery,
      ),
    attempts: async (org, webhookId, eventId) => {
      const rows = await attempts.find({
        where: { org, webhookId, eventId },
        order: { fields: ["number"], direction: "asc" },
        limit: ATTEMPTS_SHOWN_MAX,
      });
      return rows.map(toAttempt);
    },
    recoverable: async (org, webhookId, { since, until, states }, after, limit) => {
      const rows = await deliveries.find({
        where: { org, webhookId, state: { in: states }, createdAt: { gte: since, lt: until } },
        order: { fields: ["createdAt", "eventId"], direction: "asc" },
        ...(after === null ? {} : { after: [after.createdAt, after.eventId] }),
        limit,
      });
      return rows.map(toDelivery);
    },
  };
}

function createRemoval(
  store: Store,
  deliveries: Deliveries,
  attempts: Collection<AttemptRow>,
): Pick<DeliveryRepository, "removeOfWebhook" | "removeSteps"> {
  const removeSteps: DeliveryRepository["removeSteps"] = (org, webhookId, eventId) => [
    attempts.delete({ org, webhookId, eventId }),
    deliveries.delete({ org, webhookId, eventId }),
  ];
  return {
    removeOfWebhook: async (org, webhookId, limit) => {
      const rows = await deliveries.find({ where: { org, webhookId }, limit });
      await store.apply(rows.flatMap(({ eventId }) => removeSteps(org, webhookId, eventId)));
      return rows.length;
    },
    removeSteps,
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  const { webhookId, eventId, eventType, resourceId, state, attempts, createdAt } = row;
  return {
    eventId,
    eventType,
    webhookId,
    resourceId,
    state,
    attempts,
    createdAt,
    nextAttemptAt: state === "pending" ? row.scheduledAt : null,
    lastAttemptAt: row.lastAttemptAt,
    lastStatus: row.lastStatus,
    lastError: row.lastError as Delivery["lastError"],
    replay: row.replay === 1,
  };
}

function toAttempt(row: AttemptRow): Attempt {
  const { number, eventId, at, status, detail, timings, responseBody, retryAfter, replay } = row;
  const error = row.error as Attempt["error"];
  return { number, eventId, at, status, error, detail, timings, responseBody, retryAfter, replay };
}
