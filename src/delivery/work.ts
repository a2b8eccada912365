// What the parts of a dispatcher share: its ports, its endpoint queues, and the work that is under way.
import type { AuditEntry } from "../model/audit.ts";
import type { StoredEvent } from "../model/event.ts";
import type {
  AttemptResult,
  DeliveryOutcome,
  DueEndpoint,
  StoredWebhook,
  TakenDelivery,
  WebhookSettings,
} from "../model/webhook.ts";
import { openEndpoint, type Send, type Sender, type Vault } from "../webhooks/endpoint.ts";
import type { DisablePolicy, WarningLevel } from "../webhooks/endpoint-health.ts";
import type { OrderPorts } from "./order.ts";
import { beginAnew, createEndpointQueue, type EndpointQueue } from "./endpoint-queue.ts";
import type { RecoveryPorts } from "./recover.ts";
import type { Recorded, Recorder } from "./recorder.ts";
import type { RelayPorts } from "./relay.ts";
import { type QuotaPorts, applyQuota } from "./endpoint-quota.ts";

export interface DispatchPorts extends RelayPorts, RecoveryPorts, OrderPorts {
  getWebhook(org: string, id: string): Promise<StoredWebhook | null>;
  /** @param told what somebody hears of the change */
  replaceWebhook(
    seen: StoredWebhook,
    settings: WebhookSettings,
    entry: AuditEntry | undefined,
    told: readonly StoredEvent[],
  ): Promise<boolean>;
  dueEndpoints(): AsyncIterable<DueEndpoint>;
  take(
    webhookId: string,
    nowMs: number,
    leaseUntil: number,
    token: string,
    limit: number,
  ): Promise<readonly TakenDelivery[]>;
  nextDueAt(webhookId: string): Promise<number | null>;
  countDue(webhookId: string, beforeMs: number, limit: number): Promise<number>;
  record(recorded: readonly Recorded[]): Promise<void>;
  giveBack(taken: readonly TakenDelivery[]): Promise<void>;
  /** Gives each of them back, not to be taken before then. */
  putOff(
    deliveries: readonly { readonly taken: TakenDelivery; readonly until: number }[],
  ): Promise<void>;
  expire(
    org: string,
    webhookId: string,
    basedBeforeMs: number,
    nowMs: number,
    limit: number,
  ): Promise<number>;
  /** Makes deliveries due at once that are due from `dueFromMs` on; returns how many. */
  rescheduleFrom(
    org: string,
    webhookId: string,
    dueFromMs: number,
    nowMs: number,
    limit: number,
  ): Promise<number>;
  /** Whether the clock has been later before, so that it may be behind now. */
  isClockBehind(): Promise<boolean>;
  /** Every endpoint of which deliveries are known that have ended. */
  ended(): AsyncIterable<{ readonly org: string; readonly webhookId: string }>;
  removeOfWebhook(org: string, webhookId: string, limit: number): Promise<number>;
  /** Removes up to `limit` of everything that happened before then; `limit`: there may be more. */
  forget(thanMs: number, limit: number): Promise<number>;
  /** The time by which old events are removed: it follows the clock, and no leap of it. Milliseconds since 1970. */
  retentionNow(): Promise<number>;
  /** Null: it is the only dispatcher. */
  readonly shares: QuotaPorts | null;
  send: Send;
  readonly vault: Vault;
  readonly sender: Sender;
  nowMs(): number;
  newId(): string;
  wait(ms: number): Promise<void>;
  report(event: DispatchEvent): void;
}

/** What a dispatcher tells about itself. */
export type DispatchEvent =
  | {
      readonly kind: "attempt";
      readonly org: string;
      readonly webhookId: string;
      readonly eventId: string;
      readonly requestId: string | null;
      readonly result: AttemptResult;
      readonly number: number;
      readonly state: DeliveryOutcome["state"];
      /** Milliseconds between the event and this attempt, of the first attempt only. */
      readonly delayMs: number | null;
    }
  | {
      readonly kind: "warning";
      readonly org: string;
      readonly webhookId: string;
      readonly level: WarningLevel;
    }
  | {
      readonly kind: "disabled";
      readonly org: string;
      readonly webhookId: string;
      readonly reason: string;
    }
  | { readonly kind: "secret_unavailable"; readonly org: string; readonly webhookId: string }
  | { readonly kind: "failed"; readonly what: string; readonly error: unknown };

export interface DispatchLimits {
  /** Deliveries a second to one webhook. */
  readonly ratePerSecond: number;
  /** Calls under way to one webhook. */
  readonly inFlightMax: number;
  /** Calls to one webhook that have ended and are not written down, beyond those that could be under way instead. */
  readonly unwrittenMax: number;
  /** Writes of what came of calls, at a time. */
  readonly writesMax: number;
  readonly policy: DisablePolicy;
}

/** A dispatcher at work. */
export interface Work {
  /** Of this dispatcher. */
  readonly id: string;
  /** How many share what endpoints get, this one included. */
  dispatchers: number;
  readonly ports: DispatchPorts;
  readonly limits: DispatchLimits;
  readonly queues: Map<string, EndpointQueue>;
  /** Endpoint queues that have something to send and found all places taken. */
  readonly waiting: Set<EndpointQueue>;
  readonly recorder: Recorder;
  readonly running: Set<Promise<void>>;
  /** Calls under way. */
  inFlight: number;
  /** Nothing is taken or sent any more. */
  closing: boolean;
}

/** How old what is known of a webhook may be: a change counts after this. */
const WEBHOOK_AGE_MAX_MS = 2_000;

export function failed(work: Work, what: string): (error: unknown) => void {
  return (error) => {
    work.ports.report({ kind: "failed", what, error });
  };
}

/** Does something that nobody waits for; `settled` does. */
export function inBackground(work: Work, what: string, task: () => Promise<void>): void {
  const promise = task()
    .catch(failed(work, what))
    .finally(() => work.running.delete(promise));
  work.running.add(promise);
}

export function queueOf(work: Work, org: string, webhookId: string): EndpointQueue {
  const known = work.queues.get(webhookId);
  if (known !== undefined) return known;
  const { ratePerSecond, inFlightMax } = work.limits;
  const queue = createEndpointQueue(org, webhookId, ratePerSecond, inFlightMax, work.ports.nowMs());
  applyQuota(queue, work);
  work.queues.set(webhookId, queue);
  return queue;
}

export function dueFrom(queue: EndpointQueue, at: number): void {
  queue.nextDueAt = queue.nextDueAt === null ? at : Math.min(queue.nextDueAt, at);
}

export function setWebhook({ ports }: Work, queue: EndpointQueue, stored: StoredWebhook): void {
  const known = queue.webhook;
  // Whoever read it earlier may come later.
  if (known !== null && known.stored.revision > stored.revision) return;
  const isSame = known?.stored.revision === stored.revision;
  const endpoint = isSame ? known.endpoint : openEndpoint(stored, ports.vault, ports.sender);
  if (known !== null && isOther(known.stored, stored)) beginAnew(queue);
  queue.webhook = { stored, endpoint, readAt: ports.nowMs() };
}

/** Whether what is known of how the endpoint answers is of another one, or of the time before its owner vouched for it. */
const isOther = (known: StoredWebhook, stored: StoredWebhook): boolean =>
  known.url !== stored.url || known.health.enabledAt !== stored.health.enabledAt;

/** Whether what is known of the webhook of an endpoint queue is too old to act by. */
export const isOutdated = ({ webhook }: EndpointQueue, nowMs: number): boolean =>
  webhook === null || nowMs - webhook.readAt >= WEBHOOK_AGE_MAX_MS;

/** The webhook of an endpoint queue as it was a moment ago; null when it is gone. */
export async function webhookOf(work: Work, queue: EndpointQueue): Promise<StoredWebhook | null> {
  const { ports } = work;
  if (queue.webhook !== null && !isOutdated(queue, ports.nowMs())) return queue.webhook.stored;
  const stored = await ports.getWebhook(queue.org, queue.webhookId);
  if (stored === null) queue.webhook = null;
  else setWebhook(work, queue, stored);
  return stored === null ? null : (queue.webhook?.stored ?? stored);
}

/** Whether its deliveries wait for nothing but us. */
export const isServed = (queue: EndpointQueue, nowMs: number): boolean =>
  (queue.webhook?.stored.enabled ?? false) &&
  queue.breaker.waitMs(nowMs) === 0 &&
  queue.bucket.waitMs(nowMs) === 0;
