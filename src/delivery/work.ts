// What the parts of a dispatcher have in common: its ports, its endpoint queues, and the work in flight.
import type { AuditEntry } from "../model/audit.ts";
import type { StoredEvent } from "../model/event.ts";
import type {
  DueEndpoint,
  StoredWebhook,
  TakenDelivery,
  WebhookSettings,
} from "../model/webhook.ts";
import { openEndpoint, type Send, type SenderIdentity, type Vault } from "../webhooks/endpoint.ts";
import type { DisablePolicy } from "../webhooks/endpoint-health.ts";
import type { OrderPorts } from "./order.ts";
import { beginAnew, createEndpointQueue, type EndpointQueue } from "./endpoint-queue.ts";
import type { RecoveryPorts } from "./recover.ts";
import { withDue } from "./queue-machine.ts";
import type { Recorded, Recorder } from "./recorder.ts";
import type { LeasePorts, RelayLease } from "./relay-lease.ts";
import type { RelayPorts } from "./relay.ts";
import type { SubscriptionPorts } from "./subscribe.ts";
import { type QuotaPorts, applyQuota } from "./endpoint-quota.ts";
import type { DispatchEvent } from "../model/process-events.ts";

export interface DeliveryPorts extends RelayPorts, SubscriptionPorts, RecoveryPorts, OrderPorts {
  getWebhook(org: string, id: string): Promise<StoredWebhook | null>;
  /** @param notices events that report the change */
  replaceWebhook(
    seen: StoredWebhook,
    settings: WebhookSettings,
    entry: AuditEntry | undefined,
    notices: readonly StoredEvent[],
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
  /** Releases each of them; none can be claimed before its new time. */
  reschedule(
    deliveries: readonly { readonly taken: TakenDelivery; readonly until: number }[],
  ): Promise<void>;
  expire(
    org: string,
    webhookId: string,
    basedBeforeMs: number,
    nowMs: number,
    limit: number,
  ): Promise<number>;
  /** Makes deliveries due now that are due at `dueFromMs` or later; returns how many. */
  rescheduleFrom(
    org: string,
    webhookId: string,
    dueFromMs: number,
    nowMs: number,
    limit: number,
  ): Promise<number>;
  /** Whether the clock was later before, so that it may be behind now. */
  isClockBehind(): Promise<boolean>;
  /** Every endpoint with ended deliveries. */
  ended(): AsyncIterable<{ readonly org: string; readonly webhookId: string }>;
  removeOfWebhook(org: string, webhookId: string, limit: number): Promise<number>;
  /** Removes up to `limit` events from before then, with their deliveries. Returns how many; `limit`: there may be more. */
  purge(thanMs: number, limit: number): Promise<number>;
  /** The time used for retention: it follows the clock but ignores its jumps. Milliseconds since 1970. */
  retentionNow(): Promise<number>;
  /** Null: it is the only dispatcher. */
  readonly shares: QuotaPorts | null;
  /** Which dispatcher publishes the outbox. Null: it is the only one. */
  readonly relayLease: LeasePorts | null;
  send: Send;
  readonly vault: Vault;
  readonly sender: SenderIdentity;
  nowMs(): number;
  newId(): string;
  wait(ms: number): Promise<void>;
  report(event: DispatchEvent): void;
}

export interface DispatchLimits {
  /** Deliveries per second to one webhook. */
  readonly ratePerSecond: number;
  /** Concurrent calls to one webhook. */
  readonly inFlightMax: number;
  /** Ended calls to one webhook without a stored outcome, in addition to the calls that may be in flight. */
  readonly unwrittenMax: number;
  /** Concurrent writes of outcomes. */
  readonly writesMax: number;
  readonly policy: DisablePolicy;
}

/** A running dispatcher. */
export interface Work {
  /** Of this dispatcher. */
  readonly id: string;
  /** Live dispatchers, including this one. */
  dispatchers: number;
  readonly ports: DeliveryPorts;
  readonly limits: DispatchLimits;
  readonly queues: Map<string, EndpointQueue>;
  /** Endpoint queues with something to send that found no free slot. */
  readonly waiting: Set<EndpointQueue>;
  readonly recorder: Recorder;
  readonly relayLease: RelayLease;
  /** Publishing a part of the outbox; null: none is being published. */
  relaying: Promise<void> | null;
  readonly running: Set<Promise<void>>;
  /** Calls in flight. */
  inFlight: number;
  /** Nothing is claimed or sent any more. */
  closing: boolean;
}

/** Maximum age of the webhook settings in use: a change takes effect after this time. */
const WEBHOOK_AGE_MAX_MS = 2_000;

export function failed(work: Work, what: string): (error: unknown) => void {
  return (error) => {
    work.ports.report({ kind: "failed", what, error });
  };
}

/** Runs a task that no caller waits for; `settled` waits for it. */
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
  queue.state = withDue(queue.state, at);
}

export function setWebhook({ ports }: Work, queue: EndpointQueue, stored: StoredWebhook): void {
  const known = queue.webhook;
  // An earlier read may arrive later.
  if (known !== null && known.stored.revision > stored.revision) return;
  const isSame = known?.stored.revision === stored.revision;
  const endpoint = isSame ? known.endpoint : openEndpoint(stored, ports.vault, ports.sender);
  if (known !== null && isOther(known.stored, stored)) beginAnew(queue);
  queue.webhook = { stored, endpoint, readAt: ports.nowMs() };
}

/** Whether the stored health belongs to another endpoint, or to the time before the owner enabled it again. */
const isOther = (known: StoredWebhook, stored: StoredWebhook): boolean =>
  known.url !== stored.url || known.health.enabledAt !== stored.health.enabledAt;

/** Whether the webhook that an endpoint queue holds is too old to be used. */
export const isOutdated = ({ webhook }: EndpointQueue, nowMs: number): boolean =>
  webhook === null || nowMs - webhook.readAt >= WEBHOOK_AGE_MAX_MS;

/** Whether its deliveries wait only for this process. */
export const isServed = (queue: EndpointQueue, nowMs: number): boolean =>
  (queue.webhook?.stored.enabled ?? false) &&
  queue.breaker.waitMs(nowMs) === 0 &&
  queue.bucket.waitMs(nowMs) === 0;
