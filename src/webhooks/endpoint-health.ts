// When an endpoint is given up. One that fails often may be busy, one that fails long may have little to do: only both
// together disable a webhook, and its owner is warned on the way. 410 is the endpoint's own word that it is gone.
import type { AttemptError, DisabledReason, WebhookHealth } from "../model/webhook.ts";

export interface DisablePolicy {
  /** Failures in a row from which on a webhook may be disabled, at least 1. */
  readonly failuresMax: number;
  /** How long the last success must be past; 0: the failures alone decide. */
  readonly quietMs: number;
}

/** Per cent of `failuresMax` at which the owner is warned. */
export const WARNING_LEVELS = [50, 80, 100] as const;
export type WarningLevel = (typeof WARNING_LEVELS)[number];

/** `detail` is one sentence; this bounds what a webhook's document may grow by. */
const LAST_ERROR_CHARS_MAX = 300;

const GONE = 410;

/** What came of an attempt, as far as it says something of the endpoint. */
export interface HealthResult {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The answer was 2xx. */
  readonly ok: boolean;
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly detail: string | null;
  /** False for a test by hand, an address that we refused and a lost secret: they are left out, good or bad. */
  readonly counts: boolean;
}

export interface AppliedResults {
  readonly health: WebhookHealth;
  readonly enabled: boolean;
  /** Levels that these results reached and that still stand after them, each at most once, ascending. */
  readonly warnings: readonly WarningLevel[];
}

/** Of a webhook that was just created. */
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

/** Begins anew, with the last success as a memory. A webhook that is enabled already stays as it is. */
export function enabledHealth(health: WebhookHealth, nowMs: number): WebhookHealth {
  if (health.disabledAt === null) return health;
  return { ...newHealth(nowMs), lastSuccessAt: health.lastSuccessAt };
}

/** The first reason stays: whoever disables twice hears of it once. */
export function disabledHealth(
  health: WebhookHealth,
  reason: DisabledReason,
  nowMs: number,
): WebhookHealth {
  if (health.disabledAt !== null) return health;
  return { ...health, disabledAt: nowMs, disabledReason: reason };
}

/**
 * Applies results in their order, one after the other: it makes no difference how they are cut into groups. Once disabled,
 * a webhook is changed by no result, so that of many failures that end together one alone disables it.
 */
export function applyResults(
  health: WebhookHealth,
  results: readonly HealthResult[],
  policy: DisablePolicy,
): AppliedResults {
  let current = health;
  let warnings: readonly WarningLevel[] = [];
  for (const result of results) {
    // It says nothing of the endpoint, but its owner has to see it.
    if (isSecretFailure(result) && current.disabledAt === null)
      current = { ...current, lastError: sentence(result) };
    if (!isConsidered(current, result)) continue;
    const before = current.consecutiveFailures;
    current = result.ok ? succeeded(current, result) : failed(current, result, policy);
    const reached = levelsReached(before, current.consecutiveFailures, policy);
    warnings = result.ok ? [] : [...warnings, ...reached];
  }
  return { health: current, enabled: current.disabledAt === null, warnings };
}

/** Whether nothing was sent, because a secret of the webhook cannot be decrypted. */
export const isSecretFailure = ({ error }: Pick<HealthResult, "error">): boolean =>
  error === "secret_unavailable";

/** A failure of a call that began before the webhook was enabled again belongs to the time before. */
function isConsidered(health: WebhookHealth, result: HealthResult): boolean {
  if (!result.counts || health.disabledAt !== null) return false;
  return result.ok || result.at >= health.enabledAt;
}

function succeeded(health: WebhookHealth, result: HealthResult): WebhookHealth {
  const lastSuccessAt = Math.max(health.lastSuccessAt ?? result.at, result.at);
  return { ...health, consecutiveFailures: 0, lastSuccessAt, lastError: null };
}

function failed(health: WebhookHealth, result: HealthResult, policy: DisablePolicy): WebhookHealth {
  const consecutiveFailures = health.consecutiveFailures + 1;
  const next = { ...health, consecutiveFailures, lastError: sentence(result) };
  if (result.status === GONE) return disabledHealth(next, "gone", result.at);
  // A success of before it was enabled again is no older than that: its owner has just vouched for the endpoint.
  const goodAt = Math.max(health.lastSuccessAt ?? health.enabledAt, health.enabledAt);
  // A clock that was set back makes the time negative, which must not outweigh a policy without one.
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
