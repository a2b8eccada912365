import type { Attempt, Delivery, Recovery, RecoveryRequest, Webhook } from "../../model/webhook.ts";
import { shownInstant } from "./resources.ts";

// Webhooks and what was sent to them, as the v3 API shows them.

export function webhookResource({ health, ...webhook }: Webhook): Record<string, unknown> {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    created_at: shownInstant(webhook.createdAt),
    enabled: webhook.enabled,
    token: webhook.token,
    signing_keys: webhook.signingKeys.map(({ id, until }) => ({
      id,
      expires_at: instantOrNull(until),
    })),
    ordered: webhook.ordered,
    ca: webhook.ca,
    disabled_reason: health.disabledReason,
    disabled_at: instantOrNull(health.disabledAt),
    last_error: health.lastError,
    last_success_at: instantOrNull(health.lastSuccessAt),
    consecutive_failures: health.consecutiveFailures,
  };
}

export function deliveryResource(delivery: Delivery): Record<string, unknown> {
  return {
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    webhook_id: delivery.webhookId,
    resource_id: delivery.resourceId,
    state: delivery.state,
    attempt_count: delivery.attempts,
    created_at: shownInstant(delivery.createdAt),
    next_attempt_at: instantOrNull(delivery.nextAttemptAt),
    last_attempt_at: instantOrNull(delivery.lastAttemptAt),
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    replay: delivery.replay,
  };
}

export function attemptResource(attempt: Attempt): Record<string, unknown> {
  const { dns, connect, tls, firstByte, total } = attempt.timings;
  return {
    event_id: attempt.eventId,
    number: attempt.number,
    at: shownInstant(attempt.at),
    status: attempt.status,
    error: attempt.error,
    detail: attempt.detail,
    timings: { dns, connect, tls, first_byte: firstByte, total },
    response_body: attempt.responseBody,
    retry_after: attempt.retryAfter,
    replay: attempt.replay,
    request_id: attempt.requestId,
    key_ids: attempt.keyIds,
  };
}

export function recoveryResource(recovery: Recovery): Record<string, unknown> {
  return {
    id: recovery.id,
    webhook_id: recovery.webhookId,
    created_at: shownInstant(recovery.createdAt),
    status: recovery.status,
    resent: recovery.resent,
    ...recoveryRequestResource(recovery),
  };
}

export function recoveryRequestResource(request: RecoveryRequest): Record<string, unknown> {
  return {
    since: shownInstant(request.since),
    until: shownInstant(request.until),
    states: request.states,
  };
}

function instantOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : shownInstant(milliseconds);
}
