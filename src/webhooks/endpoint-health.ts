// When a webhook is disabled. An endpoint that fails often may be busy, and one that fails for long may get few calls: only
// both together disable its webhook, and the owner gets warnings before. With a 410 the endpoint itself reports that it is
// gone.
import type { AttemptError, DisabledReason, WebhookHealth } from "../model/webhook.ts";

export interface DisablePolicy {
  /** Consecutive failures after which a webhook may be disabled, at least 1. */
  readonly failuresMax: number;
  /** Minimum age of the last success; 0: only the failures count. */
  readonly quietMs: number;
}

/** Percentages of `failuresMax` at which the owner gets a warning. */
export const WARNING_LEVELS = [50, 80, 100] as const;
export type WarningLevel = (typeof WARNING_LEVELS)[number];

/** `detail` is one sentence; this limits the growth of a webhook's document. */
const LAST_ERROR_CHARS_MAX = 300;

const GONE = 410;

/** The outcome of an attempt, as far as it shows the state of the endpoint. */
export interface HealthResult {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The answer was 2xx. */
  readonly ok: boolean;
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly detail: string | null;
  /** False for a manual test, an address that we refused and an unreadable secret: their outcomes are ignored. */
  readonly counts: boolean;
}

export interface AppliedResults {
  readonly health: WebhookHealth;
  readonly enabled: boolean;
  /** Levels that these results reached and that still apply after them, each at most once, ascending. */
  readonly warnings: readonly WarningLevel[];
}

/** The health of a new webhook. */
export function newHealth(nowMs: number): WebhookHealth {
  return {
    consecutiveFailures: 0,
    lastSuccessAt: null,
    enabledAt: nowMs,
    disabledAt: null,
    disabledReason: null,
    lastError: null,
  };
}

/** Starts again and keeps the time of the last success. Does not change a webhook that is already enabled. */
export function enabledHealth(health: WebhookHealth, nowMs: number): WebhookHealth {
  if (health.disabledAt === null) return health;
  return { ...newHealth(nowMs), lastSuccessAt: health.lastSuccessAt };
}

/** Keeps the first reason: disabling twice reports it once. */
export function disabledHealth(
  health: WebhookHealth,
  reason: DisabledReason,
  nowMs: number,
): WebhookHealth {
  if (health.disabledAt !== null) return health;
  return { ...health, disabledAt: nowMs, disabledReason: reason };
}

/**
 * Applies results in their order, one after the other: how they are grouped makes no difference. No result changes a disabled
 * webhook, so of many failures that end together only one disables it.
 */
export function applyResults(
  health: WebhookHealth,
  results: readonly HealthResult[],
  policy: DisablePolicy,
): AppliedResults {
  let current = health;
  let warnings: readonly WarningLevel[] = [];
  for (const result of results) {
    // It does not concern the endpoint, but the owner has to see it.
    if (isSecretFailure(result) && current.disabledAt === null)
      current = { ...current, lastError: sentence(result) };
    if (!isConsidered(current, result)) continue;
    const before = current.consecutiveFailures;
    current = result.ok ? succeeded(current, result) : failedHealth(current, result, policy);
    const reached = levelsReached(before, current.consecutiveFailures, policy);
    warnings = result.ok ? [] : [...warnings, ...reached];
  }
  return { health: current, enabled: current.disabledAt === null, warnings };
}

/** Whether nothing was sent, because a secret of the webhook cannot be decrypted. */
export const isSecretFailure = ({ error }: Pick<HealthResult, "error">): boolean =>
  error === "secret_unavailable";

/** A failure of a call from before the webhook was enabled again does not count. */
function isConsidered(health: WebhookHealth, result: HealthResult): boolean {
  if (!result.counts || health.disabledAt !== null) return false;
  return result.ok || result.at >= health.enabledAt;
}

function succeeded(health: WebhookHealth, result: HealthResult): WebhookHealth {
  const lastSuccessAt = Math.max(health.lastSuccessAt ?? result.at, result.at);
  return { ...health, consecutiveFailures: 0, lastSuccessAt, lastError: null };
}

function failedHealth(
  health: WebhookHealth,
  result: HealthResult,
  policy: DisablePolicy,
): WebhookHealth {
  const consecutiveFailures = health.consecutiveFailures + 1;
  const next = { ...health, consecutiveFailures, lastError: sentence(result) };
  if (result.status === GONE) return disabledHealth(next, "gone", result.at);
  // A success from before the webhook was enabled again counts as new as that: the owner has just confirmed the endpoint.
  const goodAt = Math.max(health.lastSuccessAt ?? health.enabledAt, health.enabledAt);
  // A clock that was set back makes the difference negative, but a policy of 0 ms must still apply.
  const quietMs = Math.max(0, result.at - goodAt);
  const isOver = consecutiveFailures >= policy.failuresMax && quietMs >= policy.quietMs;
  return isOver ? disabledHealth(next, "failures", result.at) : next;
}

function levelsReached(before: number, after: number, policy: DisablePolicy): WarningLevel[] {
  return WARNING_LEVELS.filter((level) => {
    const failures = Math.ceil((policy.failuresMax * level) / 100);
    return before < failures && after >= failures;
  });
}

function sentence(result: HealthResult): string {
  const fallback =
    result.status === null
      ? `The call failed: ${result.error ?? "no answer"}.`
      : `The endpoint answered ${String(result.status)}.`;
  return (result.detail ?? fallback).slice(0, LAST_ERROR_CHARS_MAX);
}
