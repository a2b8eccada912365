// Dispatchers over a real store with a clock that only the test moves and endpoints that are functions. Each dispatcher
// has a stage of its own, as a process would; one that is no longer turned is one that was killed.
import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import type { WebhookConfig } from "../../src/config/webhooks.ts";
import type { Dispatcher } from "../../src/delivery/delivery.ts";
import type { Send } from "../../src/webhooks/endpoint.ts";
import { COMMAND_LINE } from "../../src/model/audit.ts";
import { LedgerlineError } from "../../src/shared/errors.ts";
import type { StoredEvent } from "../../src/model/event.ts";
import type { Attempt, AttemptResult, Delivery, NewWebhook } from "../../src/model/webhook.ts";
import type { Store, Write } from "../../src/store/collection.ts";
import { createDeliveryRepository } from "../../src/store/repositories/deliveries.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import { openWebhookStage, type WebhookStage } from "../../src/app/webhooks.ts";
import { createRepositories } from "../../src/app/repositories.ts";
import type { DispatchEvent } from "../../src/model/process-events.ts";

/** A database of its own. */
export interface OpenedStore {
  readonly store: Store;
  /** Whether it puts writes together by itself. */
  readonly storeBatches: boolean;
  /** The same database as another process sees it. */
  another(): Promise<Store>;
  close(): Promise<void>;
}
export type OpenStore = () => Promise<OpenedStore>;

export const ORG = "o";
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A moment like any other. */
const START = Date.UTC(2026, 4, 4, 9, 30);
/** As long as a slow turn may take. */
const TURNS_MAX = 10_000;
const WEBHOOKS: WebhookConfig = {
  allowCidrs: [],
  allowPorts: [{ from: 443, to: 443 }],
  allowHttp: true,
  // No more than a bucket that is filled anew at every look, so that a standing clock stops nothing.
  ratePerSecond: 100_000,
  failuresMax: 1_000,
  failingMs: 2 * DAY,
  graceMs: 86_400_000,
  ed25519: false,
  operator: null,
};

/** A call as an endpoint sees it. */
export interface Call {
  readonly url: string;
  readonly eventId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ca: string | null;
  readonly at: number;
  /** Of the dispatcher that makes it. */
  readonly by: string;
}
/** What an endpoint does; a status alone is an answer with it. */
export type Answer = (call: Call) => AttemptResult | number | Promise<AttemptResult | number>;

export interface Process {
  readonly dispatcher: Dispatcher;
  readonly webhooks: WebhookStage["webhooks"];
  readonly reports: readonly DispatchEvent[];
}

export interface Dispatching {
  readonly store: Store;
  readonly storeBatches: boolean;
  /** `leaptMs`: how much of `now` is a leap of the clock. */
  readonly clock: { now: number; leaptMs: number };
  readonly calls: readonly Call[];
  /** Replaces what endpoints do. */
  answer(how: Answer): void;
  callsTo(url: string): readonly Call[];
  /**
   * @param store instead of one of its own over the same database
   * @param settings instead of those of the others
   */
  start(name: string, store?: Store, settings?: Partial<WebhookConfig>): Promise<Process>;
  /** Makes a webhook that is subscribed to all batch events and returns its id. */
  register(url: string, fields?: Partial<NewWebhook>, org?: string): Promise<string>;
  /** Lets as many batches end now; returns the ids of the events. */
  happen(count: number, org?: string): Promise<readonly string[]>;
  /** Lets as much happen to one resource now, one after the other; returns the ids of the events. */
  happenTo(resourceId: string, count: number): Promise<readonly string[]>;
  /** When the first delivery to the webhook is due; null when none is pending. */
  nextDueAt(webhookId: string): Promise<number | null>;
  /** Moves the clock and lets each process do what there is to do. */
  pass(ms: number, ...processes: readonly Process[]): Promise<void>;
  delivery(
    webhookId: string,
    eventId: string,
  ): Promise<{ readonly delivery: Delivery; readonly attempts: readonly Attempt[] }>;
}

export async function openDispatching(
  open: OpenStore,
  settings: Partial<WebhookConfig> = {},
  isShared = false,
): Promise<Dispatching> {
  const { store, storeBatches, another, close } = await open();
  onTestFinished(close);
  const clock = { now: START, leaptMs: 0 };
  /** The topic of events. */
  const published: StoredEvent[] = [];
  const calls: Call[] = [];
  let answer: Answer = () => 200;
  const sendOf =
    (by: string): Send =>
    async ({ url, headers, body, ca }) => {
      const eventId = headers["webhook-id"] ?? "";
      const call = { url, eventId, headers, body, ca, at: clock.now, by };
      calls.push(call);
      const answered = await answer(call);
      return typeof answered === "number" ? resultOf({ status: answered }) : answered;
    };
  const config = {
    ...readConfig({}, 1),
    encryptionKeys: [Buffer.alloc(32, "dispatch").toString("base64")],
    webhooks: { ...WEBHOOKS, ...settings },
  };
  const nothing = (): void => undefined;
  const now = (): number => clock.now;
  const elapsedMs = (): number => clock.now - clock.leaptMs;
  const openStage = (
    over: Store,
    by: string,
    own: Partial<WebhookConfig> = {},
  ): Promise<WebhookStage> => {
    const all = { ...config, webhooks: { ...config.webhooks, ...own } };
    return openWebhookStage(createRepositories(over), all, now, nothing, {
      send: sendOf(by),
      isShared,
      storeBatches,
      elapsedMs,
    });
  };
  const { webhooks } = await openStage(store, "unknown");
  const events = createEventRepository(store);
  const deliveries = createDeliveryRepository(store);
  const record = async (all: readonly StoredEvent[]): Promise<readonly string[]> => {
    const steps = all.flatMap((event) => events.insertSteps(event));
    // Steps of one kind are done together.
    await store.apply(steps.toSorted((a, b) => a.collection.localeCompare(b.collection)));
    return all.map(({ eventId }) => eventId);
  };

  return {
    store,
    storeBatches,
    clock,
    calls,
    answer: (how) => {
      answer = how;
    },
    callsTo: (url) => calls.filter((call) => call.url === url),
    start: async (name, over, own) => {
      const stage = await openStage(over ?? (await another()), name, own);
      await stage.setOperatorWebhook();
      const reports: DispatchEvent[] = [];
      const log = {
        publishedEvents: () => published.length,
        publishEvents: async (all: readonly StoredEvent[]) => {
          published.push(...all);
          await consume(published, dispatcher);
        },
      };
      const dispatcher = stage.createDispatcher((event) => reports.push(event), log);
      const turn: Dispatcher["turn"] = async () => {
        // What an earlier attempt failed on.
        await consume(published, dispatcher);
        return dispatcher.turn();
      };
      return { dispatcher: { ...dispatcher, turn }, webhooks: stage.webhooks, reports };
    },
    register: async (url, fields = {}, org = ORG) => {
      const events = ["batches.completed"] as const;
      const none = { token: null, hmacSecret: null, ordered: false, ca: null };
      const input = { url, events, ...none, ...fields };
      const created = await webhooks.create(org, input, randomUUID(), COMMAND_LINE);
      if (!created.ok) throw new Error("There should be room for a webhook");
      return created.webhook.id;
    },
    happen: (count, org = ORG) =>
      record(Array.from({ length: count }, () => eventAt(clock.now, `b-${randomUUID()}`, 1, org))),
    happenTo: (resourceId, count) =>
      record(
        Array.from({ length: count }, (_, index) => eventAt(clock.now, resourceId, index + 1)),
      ),
    nextDueAt: deliveries.nextDueAt,
    pass: async (ms, ...processes) => {
      clock.now += ms;
      await Promise.all(processes.map(async ({ dispatcher }) => dispatcher.turn()));
      await Promise.all(processes.map(async ({ dispatcher }) => dispatcher.settled()));
    },
    delivery: async (webhookId, eventId) => {
      const found = await webhooks.delivery(ORG, webhookId, eventId);
      if (found === null) throw new Error("There should be a delivery");
      return found;
    },
  };
}

/** Gives a dispatcher what is published, as a log does: what it fails on stays. */
async function consume(published: StoredEvent[], { handle }: Dispatcher): Promise<void> {
  const all = published.splice(0);
  const handled = await Promise.allSettled(
    all.map((value) => handle({ key: value.resourceId, value, order: "" })),
  );
  published.push(...all.filter((_, index) => handled[index]?.status === "rejected"));
}

function eventAt(createdAt: number, resourceId: string, sequence: number, org = ORG): StoredEvent {
  const eventId = randomUUID();
  const body = JSON.stringify({ event_id: eventId, resource: resourceId });
  const eventType = "batches.completed";
  return { org, eventId, eventType, resourceId, sequence, createdAt, body };
}

/** Outcome of a call; a failure where the status is not 2xx. */
export function resultOf(fields: Partial<AttemptResult>): AttemptResult {
  const { status = null } = fields;
  return {
    status,
    error: status !== null && status < 300 ? null : "status",
    detail: null,
    timings: { dns: null, connect: null, tls: null, firstByte: null, total: 1 },
    responseBody: null,
    retryAfter: null,
    ...fields,
  };
}

export const UNREACHABLE: AttemptResult = resultOf({ error: "connect_failed" });

/** Passes from one moment at which something is due to the next until then. Calls `before` a millisecond ahead of each. */
export async function walk(
  on: Dispatching,
  webhookId: string,
  untilMs: number,
  processes: () => readonly Process[],
  before: (dueAt: number) => void = () => undefined,
): Promise<void> {
  await on.pass(0, ...processes());
  for (let turns = 0; on.clock.now < untilMs; turns += 1) {
    if (turns > TURNS_MAX) throw new Error("Something is due again and again");
    const dueAt = Math.min((await on.nextDueAt(webhookId)) ?? untilMs, untilMs);
    if (dueAt - 1 > on.clock.now) {
      await on.pass(dueAt - 1 - on.clock.now, ...processes());
      before(dueAt);
    }
    await on.pass(Math.max(1, dueAt - on.clock.now), ...processes());
  }
}

/** A store whose writes may be broken off. `doneBefore`: after how many of the steps; null: this one is not. */
export function breakingOff(
  store: Store,
  doneBefore: (steps: readonly Write[]) => number | null,
): Store {
  const failure = (): LedgerlineError =>
    new LedgerlineError("unavailable", "The store is unavailable.");
  return {
    ...store,
    apply: async (steps) => {
      const count = doneBefore(steps);
      const isDone = await store.apply(count === null ? steps : steps.slice(0, count));
      if (count !== null) throw failure();
      return isDone;
    },
    // All or nothing: what counts is whether the caller hears of it.
    write: async (steps) => {
      const count = doneBefore(steps);
      const outcome = count === 0 ? null : await store.write(steps);
      if (outcome === null || count !== null) throw failure();
      return outcome;
    },
  };
}

/** Starts so many dispatchers at the same time. */
export const startAll = (on: Dispatching, count: number): Promise<readonly Process[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => on.start(`d${String(index)}`)));
