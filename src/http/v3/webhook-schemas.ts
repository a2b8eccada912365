import { z } from "zod";
import { EVENT_TYPES } from "../../model/event.ts";
import {
  ATTEMPT_ERRORS,
  DELIVERY_STATES,
  DISABLED_REASONS,
  type NewWebhook,
  type RecoveryRequest,
  type WebhookPatch,
} from "../../model/webhook.ts";
import { boundedList, distinctList, headerText, instantText, text } from "../server/fields.ts";
import { anyText, id, instant, nextCursor, pageQuery } from "./schemas.ts";

// Webhooks and what is sent to them, like `schemas.ts`. The signing secret is in requests only.

/** The URLs that browsers and proxies are sure to take. */
const URL_LENGTH_MAX = 2048;
const TOKEN_LENGTH_MAX = 512;
const SECRET_LENGTH_MAX = 512;
const CA_LENGTH_MAX = 16_384;

const eventType = z.enum(EVENT_TYPES).openapi("EventType");
const disabledReason = z.enum(DISABLED_REASONS).openapi("WebhookDisabledReason");
const deliveryState = z.enum(DELIVERY_STATES).openapi("DeliveryState");
const attemptError = z.enum(ATTEMPT_ERRORS).openapi("AttemptError");
/** More than there are types: who names one several times is not wrong. */
const EVENTS_MAX = 100;
const recoverableState = z.enum(["delivered", "exhausted"]).openapi("RecoverableState");

// ---- Requests

export const deliveryPath = z.object({ id, event_id: id });
export const recoveryPath = z.object({ id, recovery_id: id });
export const deliveryQuery = pageQuery.extend({ state: deliveryState.nullish() });

const url = text(1, URL_LENGTH_MAX).openapi({ format: "uri" });
/** Duplicates are removed; an empty list is a webhook without subscriptions. */
const events = boundedList(eventType, { min: 0, max: EVENTS_MAX }, "EventType").transform(
  (types) => [...new Set(types)],
);
const token = headerText(TOKEN_LENGTH_MAX).nullish().openapi({
  description: "Sent in the header `X-Service-Token` of every call. Empty: no token.",
});
const hmacSecret = text(0, SECRET_LENGTH_MAX)
  .nullish()
  .openapi({
    description:
      "Signs every call, as Standard Webhooks does: `whsec_` and base64, or any other text, used as UTF-8. Never returned. " +
      "Empty: none.",
  });

const ordered = z
  .boolean()
  .nullish()
  .openapi({
    description:
      "Extension: whether an event waits until the one before it of the same resource was delivered or has ended. Left out " +
      "at creation: false.",
  });

const ca = text(0, CA_LENGTH_MAX).nullish().openapi({
  description:
    "Extension: certificates in PEM. Calls to this webhook trust only these. Empty: the CA certificates of the system.",
});

const textOrNull = (value: string | null | undefined): string | null =>
  value === undefined || value === "" ? null : value;

export const newWebhook = z
  .object({ url, events, token, hmac_secret: hmacSecret, ordered, ca })
  .openapi("WebhookBase")
  .transform(
    (input): NewWebhook => ({
      url: input.url,
      events: input.events,
      token: textOrNull(input.token),
      hmacSecret: textOrNull(input.hmac_secret),
      ordered: input.ordered ?? false,
      ca: textOrNull(input.ca),
    }),
  );

/** How a webhook is changed, and whether what it held is to be sent again. */
export interface WebhookChange {
  readonly patch: WebhookPatch;
  readonly isReplay: boolean;
}

/** Null is how clients write that they leave a field out. */
export const webhookPatch = z
  .object({
    url: url.nullish(),
    events: events.nullish(),
    enabled: z.boolean().nullish(),
    token,
    hmac_secret: hmacSecret,
    ordered,
    ca,
    replay: z.enum(["held"]).nullish().openapi({
      description:
        "Extension: with `enabled`, sends again what was held for longer than 24 hours while the webhook was disabled.",
    }),
  })
  .check((context) => {
    const { replay, enabled } = context.value;
    if (typeof replay !== "string" || enabled === true) return;
    const params = { type: "value_error", msg: "Value error, replay needs enabled to be true" };
    context.issues.push({ code: "custom", input: null, path: ["replay"], params });
  })
  .openapi("WebhookPatch", {
    description:
      "Fields that are left out or null do not change. An empty text removes `token`, `hmac_secret` or `ca`.",
  })
  .transform(
    (input): WebhookChange => ({
      isReplay: typeof input.replay === "string",
      patch: {
        ...(typeof input.url === "string" ? { url: input.url } : {}),
        ...(Array.isArray(input.events) ? { events: input.events } : {}),
        ...(typeof input.enabled === "boolean" ? { enabled: input.enabled } : {}),
        ...(typeof input.token === "string" ? { token: textOrNull(input.token) } : {}),
        ...(typeof input.hmac_secret === "string"
          ? { hmacSecret: textOrNull(input.hmac_secret) }
          : {}),
        ...(typeof input.ordered === "boolean" ? { ordered: input.ordered } : {}),
        ...(typeof input.ca === "string" ? { ca: textOrNull(input.ca) } : {}),
      },
    }),
  );

const recoverableStates = distinctList(recoverableState, { min: 1, max: 2 }, "RecoverableState");

/** What is to be sent again, and whether it is only to be counted. */
export interface RecoveryCall {
  readonly request: RecoveryRequest;
  readonly isDryRun: boolean;
}

export const recoveryInput = z
  .object({
    since: instantText(),
    until: instantText(),
    states: recoverableStates.nullish().openapi({ description: 'Left out: `["exhausted"]`.' }),
    dry_run: z.boolean().nullish().openapi({ description: "True: count only. Left out: false." }),
  })
  .check((context) => {
    if (context.value.until > context.value.since) return;
    const params = { type: "value_error", msg: "Value error, until must be after since" };
    context.issues.push({ code: "custom", input: null, path: ["until"], params });
  })
  .openapi("RecoveryInput", {
    description:
      "Events from `since` on and before `until` whose deliveries are in one of `states`.",
  })
  .transform(
    (input): RecoveryCall => ({
      request: { since: input.since, until: input.until, states: input.states ?? ["exhausted"] },
      isDryRun: input.dry_run ?? false,
    }),
  );

// ---- Answers

const extension = (words: string): { description: string } => ({
  description: `Extension: ${words}`,
});

const signingKey = z
  .object({
    id: z.string(),
    expires_at: instant.nullable().openapi({ description: "Null: until it is replaced." }),
  })
  .openapi("SigningKey");

export const webhook = z
  .object({
    id: z.string(),
    url: z.string().openapi({ format: "uri" }),
    events: z.array(eventType),
    created_at: instant,
    enabled: z.boolean(),
    token: anyText,
    signing_keys: z
      .array(signingKey)
      .optional()
      .openapi(extension("the names of the signing secrets in use, newest first.")),
    ordered: z
      .boolean()
      .optional()
      .openapi(extension("whether events of one resource come one after the other.")),
    ca: anyText.openapi(extension("the only CA certificates that its calls trust, in PEM.")),
    recovery_id: z
      .string()
      .optional()
      .openapi(extension("the recovery that `replay` started, in the response to that request.")),
    disabled_reason: disabledReason.nullish().openapi(extension("why it was disabled.")),
    disabled_at: instant.nullish().openapi(extension("when it was disabled.")),
    last_error: anyText.openapi(extension("the last failure since the last success.")),
    last_success_at: instant.nullish().openapi(extension("when a call last succeeded.")),
    consecutive_failures: z
      .int()
      .optional()
      .openapi(extension("calls that failed since the last successful one.")),
  })
  .openapi("Webhook");

const deliveryShape = {
  event_id: z.string(),
  event_type: eventType,
  webhook_id: z.string(),
  resource_id: z.string(),
  state: deliveryState,
  attempt_count: z.int(),
  created_at: instant.openapi({ description: "When the event happened." }),
  next_attempt_at: instant.nullable(),
  last_attempt_at: instant.nullable(),
  last_status: z.int().nullable(),
  last_error: attemptError.nullable(),
  replay: z.boolean().openapi({ description: "Sent again on request." }),
};
export const delivery = z.object(deliveryShape).openapi("Delivery");

const milliseconds = z.number().openapi({ format: "double" });
const timings = z
  .object({
    dns: milliseconds.nullable(),
    connect: milliseconds.nullable(),
    tls: milliseconds.nullable(),
    first_byte: milliseconds.nullable(),
    total: milliseconds,
  })
  .openapi("AttemptTimings", {
    description:
      "Milliseconds of each phase; null for one that was not reached or not needed. `first_byte`: from the request on.",
  });

export const attempt = z
  .object({
    event_id: z.string(),
    number: z.int().openapi({ description: "From 1." }),
    at: instant.openapi({ description: "When the attempt began." }),
    status: z
      .int()
      .nullable()
      .openapi({ description: "HTTP status of the answer; null: no answer came." }),
    error: attemptError.nullable(),
    detail: z.string().nullable(),
    timings,
    response_body: z.string().nullable().openapi({ description: "The first 4 KiB of the answer." }),
    retry_after: z.string().nullable().openapi({ description: "As the endpoint sent it." }),
    replay: z.boolean(),
    request_id: z.string().nullable().openapi({ description: "Sent in `X-Request-ID`." }),
    key_ids: z.array(z.string()).openapi({
      description:
        "Names of the `signing_keys` that signed it, and `ed25519` for the key of `/webhooks/public-key`.",
    }),
  })
  .openapi("Attempt");

export const deliveryDetail = z
  .object({ ...deliveryShape, attempts: z.array(attempt) })
  .openapi("DeliveryDetail");

const recoveryRequestShape = { since: instant, until: instant, states: z.array(recoverableState) };
export const recovery = z
  .object({
    id: z.string(),
    webhook_id: z.string(),
    created_at: instant,
    status: z.enum(["running", "completed"]),
    resent: z.int().openapi({ description: "Deliveries that were made due again so far." }),
    ...recoveryRequestShape,
  })
  .openapi("Recovery");
const recoveryCount = z
  .object({
    dry_run: z.literal(true),
    count: z.int(),
    capped: z.boolean().openapi({ description: "True: there are more deliveries than `count`." }),
    ...recoveryRequestShape,
  })
  .openapi("RecoveryCount");
export const recoveryOrCount = z.union([recovery, recoveryCount]);

export const webhookPage = z
  .object({ next_cursor: nextCursor, data: z.array(webhook) })
  .openapi("WebhookPage");
export const deliveryPage = z
  .object({ next_cursor: nextCursor, data: z.array(delivery) })
  .openapi("DeliveryPage");

/** Innermost first, see the components of `schemas.ts`. */
export const webhookComponents: readonly z.ZodType[] = [
  eventType,
  disabledReason,
  deliveryState,
  attemptError,
  recoverableState,
  signingKey,
  timings,
];
