// Stores the health of endpoints in groups of results, because one write for each answer would be too many.
import { type AuditEntry, COMMAND_LINE } from "../model/audit.ts";
import {
  OPERATOR_WEBHOOK,
  reportOfEndpoint,
  type StoredWebhook,
  type WebhookHealth,
} from "../model/webhook.ts";
import { webhookEvent } from "../events/events.ts";
import { type AppliedResults, applyResults, isSecretFailure } from "../webhooks/endpoint-health.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";
import { inBackground, setWebhook, type Work } from "./work.ts";

/** Interval between writes of failures. */
const HEALTH_MS = 1_000;
/** Interval between writes of a success that changes nothing else. */
const SUCCESS_MS = 60_000;

/**
 * Stores the results of an endpoint queue if it is time.
 * @param onDisabled what to do with an endpoint queue whose webhook has just been disabled
 */
export function saveHealth(
  work: Work,
  queue: EndpointQueue,
  onDisabled: (queue: EndpointQueue) => Promise<void>,
): void {
  const now = work.ports.nowMs();
  const stored = queue.webhook?.stored;
  if (stored === undefined || !hasHealth(stored)) queue.results = [];
  if (stored === undefined || queue.isSavingHealth || queue.results.length === 0) return;
  const { health, enabled, warnings } = applyResults(
    stored.health,
    queue.results,
    work.limits.policy,
  );
  if (isQuiet(stored.health, health)) {
    queue.results = [];
    return;
  }
  const isUrgent = !enabled || warnings.length > 0;
  if (!isUrgent && now - queue.healthSavedAt < HEALTH_MS) return;
  queue.isSavingHealth = true;
  queue.healthSavedAt = now;
  const { results } = queue;
  queue.results = [];
  inBackground(work, "health", async () => {
    try {
      if (await applyTo(work, queue, results)) await onDisabled(queue);
    } catch (error) {
      queue.results = [...results, ...queue.results];
      throw error;
    } finally {
      queue.isSavingHealth = false;
    }
  });
}

/**
 * A deleted webhook needs no health. Nothing could enable the operator's webhook, which comes from a setting, or the URL of a
 * report again.
 */
const hasHealth = ({ org, id }: StoredWebhook): boolean =>
  org !== OPERATOR_WEBHOOK.org && reportOfEndpoint(id) === null;

/** Whether only the time of the last success has changed, and only by a moment. */
const isQuiet = (before: WebhookHealth, after: WebhookHealth): boolean =>
  after.consecutiveFailures === 0 &&
  before.consecutiveFailures === 0 &&
  after.lastError === before.lastError &&
  (after.lastSuccessAt ?? 0) - (before.lastSuccessAt ?? 0) < SUCCESS_MS;

/** Applies results to the current state of the webhook, even while others change it. True when that disabled it. */
async function applyTo(
  work: Work,
  queue: EndpointQueue,
  results: EndpointQueue["results"],
): Promise<boolean> {
  const { ports, limits } = work;
  const { org, webhookId } = queue;
  for (;;) {
    const seen = await ports.getWebhook(org, webhookId);
    if (seen === null) return false;
    const applied = applyResults(seen.health, results, limits.policy);
    const { health, enabled, warnings } = applied;
    const next = {
      ...seen,
      health,
      enabled: seen.enabled && enabled,
      revision: seen.revision + 1,
    };
    const isDisabled = seen.enabled && !enabled;
    const isLost = results.some(isSecretFailure) && health.lastError !== seen.health.lastError;
    const entry = isDisabled
      ? disabledEntry(work, next)
      : isLost
        ? lostEntry(work, next)
        : undefined;
    const noticeEvents = noticesOf(work, next, applied, isDisabled);
    if (!(await ports.replaceWebhook(seen, next, entry, noticeEvents))) continue;
    setWebhook(work, queue, next);
    for (const level of warnings) ports.report({ kind: "warning", org, webhookId, level });
    if (isLost) ports.report({ kind: "secret_unavailable", org, webhookId });
    if (!isDisabled) return false;
    const reason = health.disabledReason ?? "failures";
    ports.report({ kind: "disabled", org, webhookId, reason });
    return true;
  }
}

/** No caller asked for it, and the owner of the webhook does not expect it: it must leave an audit entry. */
function disabledEntry({ ports }: Work, { org, id, url, health }: StoredWebhook): AuditEntry {
  const details = {
    host: new URL(url).host,
    reason: health.disabledReason,
    consecutive_failures: health.consecutiveFailures,
  };
  const change = { action: "webhook.disabled", subject: id, details } as const;
  return { ...COMMAND_LINE, org, id: ports.newId(), createdAt: ports.nowMs(), ...change };
}

/** The owner can repair it, and the operator must see it: one entry until it is repaired. */
function lostEntry({ ports }: Work, { org, id, url }: StoredWebhook): AuditEntry {
  const details = { host: new URL(url).host };
  const change = { action: "webhook.secret_unavailable", subject: id, details } as const;
  return { ...COMMAND_LINE, org, id: ports.newId(), createdAt: ports.nowMs(), ...change };
}

function noticesOf(
  { ports }: Work,
  next: StoredWebhook,
  { warnings }: AppliedResults,
  isDisabled: boolean,
) {
  const now = ports.nowMs();
  // The event that reports that it is disabled makes a warning unnecessary.
  if (isDisabled) return [webhookEvent("webhooks.disabled", next, null, now)];
  const percent = warnings.at(-1);
  return percent === undefined ? [] : [webhookEvent("webhooks.failing", next, percent, now)];
}
