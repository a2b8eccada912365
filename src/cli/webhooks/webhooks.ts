// ledgerline webhooks: lists deliveries with their outcome, and sends them again.
import type {
  Attempt,
  Delivery,
  DeliveryState,
  Recovery,
  RecoveryRequest,
  Webhook,
} from "../../model/webhook.ts";
import { alignColumns } from "../columns.ts";
import { safeText } from "../explain/table.ts";

/** What the commands need of webhooks; null where there is no such webhook, or no such delivery. */
export interface WebhookCommandPort {
  list(org: string): Promise<readonly Webhook[]>;
  /** The newest first. */
  deliveries(
    org: string,
    webhookId: string,
    state: DeliveryState | null,
    limit: number,
  ): Promise<readonly Delivery[] | null>;
  delivery(
    org: string,
    webhookId: string,
    eventId: string,
  ): Promise<{ readonly delivery: Delivery; readonly attempts: readonly Attempt[] } | null>;
  resend(org: string, webhookId: string, eventId: string): Promise<Delivery | null>;
  countRecoverable(
    org: string,
    webhookId: string,
    request: RecoveryRequest,
  ): Promise<{ readonly count: number; readonly capped: boolean } | null>;
  /** `running`: another one of this webhook is. */
  recover(
    org: string,
    webhookId: string,
    request: RecoveryRequest,
  ): Promise<Recovery | "running" | null>;
}

export interface WebhookCommandDeps {
  readonly webhooks: WebhookCommandPort;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A webhook by its id, and whose it is. */
export interface WebhookName {
  readonly org: string;
  readonly webhookId: string;
}

/** What is shown of an answer's body: enough for an error message. */
const ANSWER_LENGTH_MAX = 200;

/** One line each, with how the endpoint has been answering; nothing secret. */
export async function listWebhooks(deps: WebhookCommandDeps, org: string): Promise<number> {
  const rows = (await deps.webhooks.list(org)).map(({ id, url, events, enabled, health }) => [
    id,
    enabled ? "enabled" : `disabled (${health.disabledReason ?? "customer"})`,
    String(health.consecutiveFailures),
    health.lastSuccessAt === null ? "-" : isoOf(health.lastSuccessAt),
    events.join(","),
    url,
    health.lastError ?? "-",
  ]);
  const head = ["ID", "STATE", "FAILURES", "LAST SUCCESS", "EVENTS", "URL", "LAST ERROR"];
  print(deps, [head, ...rows]);
  return 0;
}

/** One line each: event, state, outcome of the last attempt, time of the next. */
export async function listDeliveries(
  deps: WebhookCommandDeps,
  name: WebhookName,
  state: DeliveryState | null,
  limit: number,
): Promise<number> {
  const deliveries = await deps.webhooks.deliveries(name.org, name.webhookId, state, limit);
  if (deliveries === null) return noWebhook(deps, name);
  const rows = deliveries.map((delivery) => [
    delivery.eventId,
    delivery.eventType,
    delivery.resourceId,
    stateOf(delivery),
    isoOf(delivery.createdAt),
    String(delivery.attempts),
    resultOf(delivery.lastStatus, delivery.lastError),
    waitOf(delivery, deps.now()),
  ]);
  const head = ["EVENT", "TYPE", "RESOURCE", "STATE", "CREATED", "ATTEMPTS", "LAST", "NEXT"];
  print(deps, [head, ...rows]);
  if (deliveries.length >= limit)
    deps.stderr.write(`There may be more than these ${String(limit)}: see --limit.\n`);
  return 0;
}

/**
 * Every attempt of one delivery: time, outcome, milliseconds of each phase, the keys that signed it, and its request id at
 * the endpoint.
 */
export async function listAttempts(
  deps: WebhookCommandDeps,
  name: WebhookName,
  eventId: string,
): Promise<number> {
  const found = await deps.webhooks.delivery(name.org, name.webhookId, eventId);
  if (found === null) return noDelivery(deps, name, eventId);
  const { delivery, attempts } = found;
  const next = delivery.nextAttemptAt === null ? "" : `, next ${waitOf(delivery, deps.now())}`;
  const { eventType, resourceId } = delivery;
  deps.stdout.write(`${safeText(`${eventType} ${resourceId}: ${stateOf(delivery)}${next}`)}\n\n`);
  const times = ["DNS", "CONNECT", "TLS", "FIRST BYTE", "TOTAL"];
  const head = ["#", "AT", "RESULT", ...times, "KEYS", "REQUEST", "DETAIL"];
  print(deps, [head, ...attempts.map(attemptCells)]);
  return 0;
}

/** Sends one event again, with the same id and the same bytes. */
export async function resendDelivery(
  deps: WebhookCommandDeps,
  name: WebhookName,
  eventId: string,
): Promise<number> {
  const delivery = await deps.webhooks.resend(name.org, name.webhookId, eventId);
  if (delivery === null) return noDelivery(deps, name, eventId);
  deps.stderr.write(
    delivery.state === "held"
      ? `Event ${eventId} will be sent when webhook ${name.webhookId} is enabled.\n`
      : `Event ${eventId} is being sent to webhook ${name.webhookId} again.\n`,
  );
  return 0;
}

/** Sends again what happened in a span of time; with `isDryRun` it only counts. */
export async function recoverDeliveries(
  deps: WebhookCommandDeps,
  name: WebhookName,
  request: RecoveryRequest,
  isDryRun: boolean,
): Promise<number> {
  if (isDryRun) {
    const counted = await deps.webhooks.countRecoverable(name.org, name.webhookId, request);
    if (counted === null) return noWebhook(deps, name);
    const { count, capped } = counted;
    deps.stdout.write(`${capped ? "More than " : ""}${plural(count)} would be sent again.\n`);
    return 0;
  }
  const recovery = await deps.webhooks.recover(name.org, name.webhookId, request);
  if (recovery === null) return noWebhook(deps, name);
  if (recovery === "running") {
    deps.stderr.write(
      `A recovery of webhook ${name.webhookId} is running: wait until it is completed.\n`,
    );
    return 1;
  }
  const { id, status, resent } = recovery;
  deps.stdout.write(
    status === "completed"
      ? `Recovery ${id} is complete: ${plural(resent)} sent again.\n`
      : `Recovery ${id} is running: the service sends the deliveries one after the other.\n`,
  );
  return 0;
}

function attemptCells({ number, at, status, error, timings, ...attempt }: Attempt): string[] {
  const { dns, connect, tls, firstByte, total } = timings;
  const answer = attempt.responseBody ?? "";
  const details = [
    attempt.replay ? "sent again on request" : "",
    attempt.detail ?? "",
    attempt.retryAfter === null ? "" : `Retry-After: ${attempt.retryAfter}`,
    answer === "" ? "" : JSON.stringify(answer.slice(0, ANSWER_LENGTH_MAX)),
  ];
  return [
    String(number),
    isoOf(at),
    resultOf(status, error),
    ...[dns, connect, tls, firstByte, total].map((ms) =>
      ms === null ? "-" : String(Math.round(ms)),
    ),
    attempt.keyIds.join(",") || "-",
    attempt.requestId ?? "-",
    details.filter((text) => text !== "").join("; "),
  ];
}

const isoOf = (at: number): string => new Date(at).toISOString();

const stateOf = ({ state, replay }: Delivery): string => (replay ? `${state}, replay` : state);

/** The status of an answer; without an answer the error. */
function resultOf(status: number | null, error: string | null): string {
  if (error === null) return status === null ? "-" : String(status);
  return status === null || error !== "status" ? error : String(status);
}

function waitOf({ nextAttemptAt }: Delivery, now: number): string {
  if (nextAttemptAt === null) return "-";
  const seconds = Math.ceil((nextAttemptAt - now) / 1_000);
  if (seconds <= 0) return "now";
  if (seconds < 120) return `in ${String(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `in ${String(minutes)} min` : `in ${String(Math.round(minutes / 60))} h`;
}

const plural = (count: number): string =>
  `${String(count)} ${count === 1 ? "delivery" : "deliveries"}`;

function print({ stdout }: WebhookCommandDeps, rows: readonly (readonly string[])[]): void {
  for (const line of alignColumns(rows.map((row) => row.map(safeText)))) stdout.write(`${line}\n`);
}

function noWebhook({ stderr }: WebhookCommandDeps, { org, webhookId }: WebhookName): number {
  stderr.write(`Organization ${org} has no webhook ${webhookId}.\n`);
  return 1;
}

function noDelivery(
  { stderr }: WebhookCommandDeps,
  { org, webhookId }: WebhookName,
  eventId: string,
): number {
  stderr.write(
    `Event ${eventId} was not for webhook ${webhookId} of organization ${org}, or one of them does not exist.\n`,
  );
  return 1;
}
