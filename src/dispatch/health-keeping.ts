// Tells webhooks how they have been answering: in groups, since every answer would be a write.
import { applyResults } from "./health.ts";
import type { Lane } from "./lane.ts";
import { inBackground, setWebhook, type Work } from "./work.ts";

/** Failures are written down this often. */
const HEALTH_MS = 1_000;
/** A success that changes nothing else is written down this often. */
const SUCCESS_MS = 60_000;

/**
 * Writes down what the results of a lane say, if it is time.
 * @param onDisabled what to do with a lane whose webhook has just been disabled
 */
export function saveHealth(
  work: Work,
  lane: Lane,
  onDisabled: (lane: Lane) => Promise<void>,
): void {
  const now = work.ports.nowMs();
  const stored = lane.webhook?.stored;
  // Of a webhook that is gone nobody wants to know.
  if (stored === undefined) lane.results = [];
  if (stored === undefined || lane.isSavingHealth || lane.results.length === 0) return;
  const { health, enabled, warnings } = applyResults(
    stored.health,
    lane.results,
    work.limits.policy,
  );
  const isQuiet =
    health.consecutiveFailures === 0 &&
    stored.health.consecutiveFailures === 0 &&
    (health.lastSuccessAt ?? 0) - (stored.health.lastSuccessAt ?? 0) < SUCCESS_MS;
  if (isQuiet) {
    lane.results = [];
    return;
  }
  const isUrgent = !enabled || warnings.length > 0;
  if (!isUrgent && now - lane.healthSavedAt < HEALTH_MS) return;
  lane.isSavingHealth = true;
  lane.healthSavedAt = now;
  const { results } = lane;
  lane.results = [];
  inBackground(work, "health", async () => {
    try {
      if (await applyTo(work, lane, results)) await onDisabled(lane);
    } catch (error) {
      lane.results = [...results, ...lane.results];
      throw error;
    } finally {
      lane.isSavingHealth = false;
    }
  });
}

/** Applies results to the webhook as it is now, whoever else changes it. True when that has disabled it. */
async function applyTo(work: Work, lane: Lane, results: Lane["results"]): Promise<boolean> {
  const { ports, limits } = work;
  const { org, webhookId } = lane;
  for (;;) {
    const seen = await ports.getWebhook(org, webhookId);
    if (seen === null) return false;
    const { health, enabled, warnings } = applyResults(seen.health, results, limits.policy);
    const settings = { ...seen, health, enabled: seen.enabled && enabled };
    if (!(await ports.replaceWebhook(seen, settings))) continue;
    setWebhook(work, lane, { ...settings, revision: seen.revision + 1 });
    for (const level of warnings) ports.report({ kind: "warning", org, webhookId, level });
    if (!seen.enabled || enabled) return false;
    const reason = health.disabledReason ?? "failures";
    ports.report({ kind: "disabled", org, webhookId, reason });
    return true;
  }
}
