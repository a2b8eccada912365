import type {
  Attempt,
  Delivery,
  DeliveryOutcome,
  DueEndpoint,
  PendingDelivery,
  RecoveryRequest,
  TakenDelivery,
} from "../../model/webhook.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { EventHead } from "../../model/event.ts";
import type { Collection, FieldCondition, Store, Where, Write } from "../collection.ts";
import { readPage } from "./pages.ts";
import { createRetry, type RetryFailed } from "./delivery-retries.ts";
import { createTimes, type DeliveryTimes } from "./delivery-times.ts";
import {
  type AttemptRow,
  attemptSpec,
  type DeliveryRow,
  deliverySpec,
} from "../specs/webhook-specs.ts";

export interface DeliveryRepository extends DeliveryTimes {
  /** Step that makes the delivery of an event to a webhook, unless it is there. */
  insertStep(event: EventHead, webhookId: string): Write;
  /** Every endpoint that has something pending, with when the first of it is due. Costs one look-up an endpoint. */
  dueEndpoints(): AsyncIterable<DueEndpoint>;
  /** Every endpoint of which deliveries are known that have ended; one may come twice. Costs two look-ups an endpoint. */
  ended(): AsyncIterable<Pick<DueEndpoint, "org" | "webhookId">>;
  /** Pending deliveries to an endpoint that were due before then, counted up to `limit`. */
  countDue(webhookId: string, beforeMs: number, limit: number): Promise<number>;
  /** Claims up to `limit` due deliveries. Until `leaseUntil` no other process can claim them. */
  take(
    webhookId: string,
    nowMs: number,
    leaseUntil: number,
    token: string,
    limit: number,
  ): Promise<readonly TakenDelivery[]>;
  /** When the first pending delivery to the endpoint is due; null when there is none. */
  nextDueAt(webhookId: string): Promise<number | null>;
  /** The pending deliveries of events of some resources to a webhook. */
  pendingOf(
    org: string,
    webhookId: string,
    resourceIds: readonly string[],
  ): Promise<readonly PendingDelivery[]>;
  /** Steps that store the outcomes of deliveries that the caller still holds, and their attempts. */
  outcomeSteps(
    outcomes: readonly { readonly taken: TakenDelivery; readonly outcome: DeliveryOutcome }[],
  ): readonly Write[];
  /** Step that gives a delivery back before its lease ends. */
  giveBackStep(taken: TakenDelivery, dueAt: number): Write;
  /** Step that expedites a rescheduled delivery to the time when its attempt is due. */
  expediteStep(org: string, webhookId: string, reschedule: PendingDelivery): Write;
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
  retryFailed: RetryFailed;
  /** The deliveries that a recovery asks for, oldest first. */
  recoverable(
    org: string,
    webhookId: string,
    request: RecoveryRequest,
    after: { readonly createdAt: number; readonly eventId: string } | null,
    limit: number,
  ): Promise<readonly Delivery[]>;
  /** Removes up to `limit` deliveries to a webhook that is gone, with their attempts; returns how many. */
  removeOfWebhook(org: string, webhookId: string, limit: number): Promise<number>;
  /**
   * Removes up to `limit` attempts that were made before then; returns how many. Those of a delivery go with it, but one
   * that ends late is written down when its delivery is gone.
   */
  removeAttempts(beforeMs: number, limit: number): Promise<number>;
  /** Steps that remove what is known of the ways of events to webhooks. */
  removeSteps(
    ways: readonly Pick<DeliveryRow, "org" | "webhookId" | "eventId">[],
  ): readonly Write[];
}

/** More attempts than this are not shown of one delivery. */
const ATTEMPTS_SHOWN_MAX = 500;
/** A resource has as many events as its states allow, which are a few. */
const EVENTS_OF_RESOURCE_MAX = 64;
/** Above every time. */
const NEVER = Number.MAX_SAFE_INTEGER;

type Deliveries = Collection<DeliveryRow>;

export function createDeliveryRepository(store: Store): DeliveryRepository {
  const deliveries = store.collection<DeliveryRow>(deliverySpec);
  const attempts = store.collection<AttemptRow>(attemptSpec);
  return {
    ...createQueue(deliveries),
    ...createTimes(store, deliveries),
    retryFailed: createRetry(store, deliveries),
    ...createSteps(deliveries, attempts),
    ...createLog(deliveries, attempts),
    ...createRemoval(store, deliveries, attempts),
  };
}

const BY_DUE = { fields: ["dueAt"], direction: "asc" } as const;

const dueOf = (webhookId: string, due: FieldCondition): Where<DeliveryRow> => ({
  state: "pending",
  webhookId,
  dueAt: due,
});

/** The first delivery in this state to each endpoint. */
async function* firstOfEach(
  deliveries: Deliveries,
  state: DeliveryRow["state"],
): AsyncGenerator<DueEndpoint> {
  let last: string | null = null;
  for (;;) {
    const [row]: DeliveryRow[] = await deliveries.find({
      where: { state },
      order: { fields: ["webhookId", "dueAt"], direction: "asc" },
      // From one endpoint to the next, past all that there is of it.
      ...(last === null ? {} : { after: [last, NEVER] }),
      limit: 1,
    });
    if (row === undefined) return;
    last = row.webhookId;
    yield { org: row.org, webhookId: row.webhookId, dueAt: row.dueAt };
  }
}

/** What the dispatcher takes, and what it looks for. */
function createQueue(
  deliveries: Deliveries,
): Pick<
  DeliveryRepository,
  "dueEndpoints" | "ended" | "countDue" | "take" | "nextDueAt" | "pendingOf"
> {
  return {
    dueEndpoints: () => firstOfEach(deliveries, "pending"),
    ended: async function* () {
      yield* firstOfEach(deliveries, "delivered");
      yield* firstOfEach(deliveries, "exhausted");
    },
    countDue: async (webhookId, beforeMs, limit) => {
      const where = dueOf(webhookId, { lt: beforeMs });
      return (await deliveries.find({ where, order: BY_DUE, limit })).length;
    },
    take: async (webhookId, nowMs, leaseUntil, token, limit) => {
      const rows = await deliveries.claim(
        { where: dueOf(webhookId, { lte: nowMs }), order: BY_DUE, limit },
        { dueAt: leaseUntil, leaseToken: token },
      );
      return rows.map(({ org, eventId, scheduledAt, attempts: made, ...row }) => ({
        org,
        webhookId,
        eventId,
        resourceId: row.resourceId,
        sequence: row.sequence,
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
    pendingOf: async (org, webhookId, resourceIds) => {
      const where = { org, webhookId, resourceId: { in: resourceIds } };
      const limit = resourceIds.length * EVENTS_OF_RESOURCE_MAX;
      const rows = await deliveries.find({ where, limit });
      return rows.filter(({ state }) => state === "pending").map(toPending);
    },
  };
}

/** Steps that change one delivery. */
function createSteps(
  deliveries: Deliveries,
  attempts: Collection<AttemptRow>,
): Pick<
  DeliveryRepository,
  "insertStep" | "outcomeSteps" | "giveBackStep" | "expediteStep" | "replayStep" | "hastenStep"
> {
  return {
    insertStep: (event, webhookId) => deliveries.insert(newRow(event, webhookId), "ignore"),
    outcomeSteps: (outcomes) => {
      const made = outcomes.flatMap(({ taken: { org, webhookId }, outcome: { attempt } }) =>
        attempt === null ? [] : [{ org, webhookId, ...attempt }],
      );
      return [
        // The holder of a delivery called last: its attempt replaces those of the same number of earlier holders.
        ...(made.length === 0 ? [] : [attempts.upsertMany(made, "at")]),
        ...outcomes.map((one) => outcomeStep(deliveries, one.taken, one.outcome)),
      ];
    },
    giveBackStep: ({ org, webhookId, eventId, leaseToken }, dueAt) =>
      deliveries.update(
        { org, webhookId, eventId, leaseToken },
        { dueAt, leaseToken: null },
        "ignore",
      ),
    expediteStep: (org, webhookId, { eventId, dueAt, scheduledAt }) =>
      deliveries.update(
        { org, webhookId, eventId, state: "pending", leaseToken: null, dueAt },
        { dueAt: scheduledAt },
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
        { dueAt: nowMs, scheduledAt: nowMs, replay: 1 },
        "ignore",
      ),
  };
}

function outcomeStep(
  deliveries: Deliveries,
  { org, webhookId, eventId, leaseToken }: TakenDelivery,
  { state, dueAt, attempt }: DeliveryOutcome,
): Write {
  const own = { org, webhookId, eventId, leaseToken };
  const ended = { state, dueAt, scheduledAt: dueAt, leaseToken: null };
  if (attempt === null) return deliveries.update(own, ended, "ignore");
  const last = {
    attempts: attempt.number,
    lastAttemptAt: attempt.at,
    lastStatus: attempt.status,
    lastError: attempt.error,
  };
  return deliveries.update(own, { ...ended, ...last }, "ignore");
}

function newRow(event: EventHead, webhookId: string): DeliveryRow {
  const { org, eventId, eventType, resourceId, sequence, createdAt } = event;
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
    resourceId,
    eventType,
    sequence,
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
      const [only, ...others] = states;
      // One state has an index of its own; with both, nearly everything in the order of time is asked for.
      const state = only !== undefined && others.length === 0 ? only : { in: states };
      const rows = await deliveries.find({
        where: { org, webhookId, state, createdAt: { gte: since, lt: until } },
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
): Pick<DeliveryRepository, "removeOfWebhook" | "removeAttempts" | "removeSteps"> {
  // All attempts, then all deliveries: steps of one kind are done together.
  const removeSteps: DeliveryRepository["removeSteps"] = (ways) => [
    ...ways.map(({ org, webhookId, eventId }) => attempts.delete({ org, webhookId, eventId })),
    ...ways.map(({ org, webhookId, eventId }) => deliveries.delete({ org, webhookId, eventId })),
  ];
  return {
    removeOfWebhook: async (org, webhookId, limit) => {
      const rows = await deliveries.find({ where: { org, webhookId }, limit });
      await store.apply(removeSteps(rows));
      return rows.length;
    },
    removeAttempts: async (beforeMs, limit) => {
      const outcome = await store.write([attempts.delete({ at: { lt: beforeMs } }, limit)]);
      return outcome.ok ? (outcome.changed[0] ?? 0) : 0;
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

function toPending(row: DeliveryRow): PendingDelivery {
  const { eventId, resourceId, sequence, createdAt, dueAt, scheduledAt, leaseToken } = row;
  return { eventId, resourceId, sequence, createdAt, dueAt, scheduledAt, leaseToken };
}

function toAttempt(row: AttemptRow): Attempt {
  const { number, eventId, at, status, detail, timings, responseBody, retryAfter } = row;
  const error = row.error as Attempt["error"];
  const { replay, requestId, keyIds } = row;
  const result = { status, error, detail, timings, responseBody, retryAfter };
  return { number, eventId, at, ...result, replay, requestId, keyIds };
}
