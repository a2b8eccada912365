import type { Actor } from "../../model/audit.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import {
  type Attempt,
  type Delivery,
  type DeliveryState,
  type NewWebhook,
  type Recovery,
  type RecoveryRequest,
  type Webhook,
  type WebhookPatch,
  WEBHOOKS_MAX,
} from "../../model/webhook.ts";
import { errorAnswer, jsonAnswer, noContent } from "../server/answer.ts";
import type { Cursors } from "../server/cursor.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { type FieldError, unprocessable } from "../server/validation.ts";
import { answerPage } from "./lists.ts";
import { idPath, pageQuery } from "./schemas.ts";
import { type Slots, TOO_MANY_CALLS, withSlot } from "../server/slots.ts";
import { attemptResource, webhookResource } from "./webhook-resources.ts";
import { attempt, newWebhook, webhook, webhookPage, webhookPatch } from "./webhook-schemas.ts";

/** Null and false: there is no such webhook, delivery or recovery. */
export interface WebhooksPort {
  /** Why a URL is refused, as a sentence that does not repeat it, or null. */
  urlProblem(url: string): string | null;
  /** Why a signing secret is refused, as the end of "hmac_secret …" and without the secret, or null. */
  secretProblem(secret: string): string | null;
  /** Why certificates are refused, as the end of "ca …" and without them, or null. */
  caProblem(pem: string): string | null;
  /** Repeating it with the same id adds nothing, and is not `full`. */
  create(
    org: string,
    input: NewWebhook,
    id: string,
    by: Actor,
  ): Promise<
    | { readonly ok: true; readonly webhook: Webhook }
    | { readonly ok: false; readonly reason: "full" }
  >;
  list(org: string, page: PageRequest): Promise<Page<Webhook>>;
  get(org: string, id: string): Promise<Webhook | null>;
  patch(org: string, id: string, patch: WebhookPatch, by: Actor): Promise<Webhook | null>;
  delete(org: string, id: string, by: Actor): Promise<boolean>;
  /** Calls the endpoint once with a test event, unless its secret cannot be decrypted. */
  test(org: string, id: string): Promise<Attempt | "secret_unavailable" | null>;
  deliveries(
    org: string,
    id: string,
    filter: { readonly state: DeliveryState | null },
    page: PageRequest,
  ): Promise<Page<Delivery> | null>;
  delivery(
    org: string,
    id: string,
    eventId: string,
  ): Promise<{ readonly delivery: Delivery; readonly attempts: readonly Attempt[] } | null>;
  resend(org: string, id: string, eventId: string): Promise<Delivery | null>;
  countRecoverable(
    org: string,
    id: string,
    request: RecoveryRequest,
  ): Promise<{ readonly count: number; readonly capped: boolean } | null>;
  /** Repeating it with the same `recoveryId` starts no second recovery. `running`: another one of this webhook is. */
  recover(
    org: string,
    id: string,
    request: RecoveryRequest,
    recoveryId: string,
  ): Promise<Recovery | "running" | null>;
  recovery(org: string, id: string, recoveryId: string): Promise<Recovery | null>;
  /** Like `recover`, of what a disabled webhook held for too long; null also when it is enabled. */
  replayHeld(org: string, id: string, recoveryId: string): Promise<Recovery | "running" | null>;
}

interface WebhookServices {
  readonly webhooks: WebhooksPort;
  readonly cursors: Cursors;
  readonly syncSlots: Slots;
}

export const tag = "Webhooks";
export const NOT_FOUND = "Webhook not found";
export const RUNNING = "A recovery of this webhook is running: wait until it is completed";
const SECRET_UNAVAILABLE =
  "The token or hmac_secret of this webhook cannot be decrypted: set it again with PATCH /v3/webhooks/{id}, or have the operator restore the encryption key";
const FULL = `An organization may have at most ${String(WEBHOOKS_MAX)} webhooks`;

export const webhookRoutes: readonly Route<WebhookServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v3/webhooks",
    operationId: "create_webhook",
    summary: "Register a URL that receives events",
    tag,
    request: { path: nothing, query: nothing, body: newWebhook },
    success: webhook,
    errors: { 400: FULL },
    async handle({ webhooks }: WebhookServices, { principal, requestId, body, resourceId }) {
      const problems = problemsOf(webhooks, body);
      if (problems.length > 0) return unprocessable(problems);
      const by = { keyId: principal.keyId, requestId };
      const created = await webhooks.create(principal.org, body, resourceId(), by);
      return created.ok
        ? jsonAnswer(200, webhookResource(created.webhook))
        : errorAnswer("webhook_limit", FULL);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/webhooks",
    operationId: "list_webhooks",
    summary: "List webhooks, newest first",
    tag,
    request: { path: nothing, query: pageQuery, body: null },
    success: webhookPage,
    errors: {},
    handle: ({ webhooks, cursors }: WebhookServices, { principal, query }) =>
      answerPage(cursors, principal, query, {
        name: "webhooks",
        read: (page) => webhooks.list(principal.org, page),
        write: (row) => JSON.stringify(webhookResource(row)),
      }),
  }),
  defineRoute({
    method: "GET",
    path: "/v3/webhooks/{id}",
    operationId: "get_webhook",
    summary: "Get a webhook",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: webhook,
    errors: { 404: NOT_FOUND },
    async handle({ webhooks }: WebhookServices, { principal, path }) {
      const found = await webhooks.get(principal.org, path.id);
      return found === null
        ? errorAnswer("webhook_not_found", NOT_FOUND)
        : jsonAnswer(200, webhookResource(found));
    },
  }),
  defineRoute({
    method: "PATCH",
    path: "/v3/webhooks/{id}",
    operationId: "patch_webhook",
    summary: "Change a webhook, or enable it again",
    tag,
    request: { path: idPath, query: nothing, body: webhookPatch },
    success: webhook,
    errors: { 404: NOT_FOUND, 409: RUNNING },
    async handle({ webhooks }: WebhookServices, { principal, requestId, path, body, resourceId }) {
      const { patch, isReplay } = body;
      const problems = problemsOf(webhooks, patch);
      if (problems.length > 0) return unprocessable(problems);
      // Before it is enabled: enabling clears the time since when it was disabled. Until then nothing is sent.
      const begun = isReplay
        ? await webhooks.replayHeld(principal.org, path.id, resourceId())
        : null;
      if (begun === "running") return errorAnswer("recovery_running", RUNNING);
      const by = { keyId: principal.keyId, requestId };
      const changed = await webhooks.patch(principal.org, path.id, patch, by);
      if (changed === null) return errorAnswer("webhook_not_found", NOT_FOUND);
      const recovery = begun === null ? {} : { recovery_id: begun.id };
      return jsonAnswer(200, { ...webhookResource(changed), ...recovery });
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v3/webhooks/{id}",
    operationId: "delete_webhook",
    summary: "Delete a webhook; it is not called any more",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: null,
    errors: { 404: NOT_FOUND },
    async handle({ webhooks }: WebhookServices, { principal, requestId, path }) {
      const by = { keyId: principal.keyId, requestId };
      const deleted = await webhooks.delete(principal.org, path.id, by);
      return deleted ? noContent() : errorAnswer("webhook_not_found", NOT_FOUND);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v3/webhooks/{id}/test",
    operationId: "test_webhook",
    summary: "Call a webhook once with a test event, and return the outcome",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: attempt,
    errors: { 404: NOT_FOUND, 409: SECRET_UNAVAILABLE, 429: TOO_MANY_CALLS },
    // An endpoint may take its time to answer: the caller waits for it, and holds a connection meanwhile.
    handle: ({ webhooks, syncSlots }: WebhookServices, { principal, path }) =>
      withSlot(syncSlots, principal.keyId, async () => {
        const made = await webhooks.test(principal.org, path.id);
        if (made === null) return errorAnswer("webhook_not_found", NOT_FOUND);
        if (made === "secret_unavailable")
          return errorAnswer("webhook_secret_unavailable", SECRET_UNAVAILABLE);
        return jsonAnswer(200, attemptResource(made));
      }),
  }),
];

/** What only the stage behind can say about a URL and a secret, in the form of every other validation error. */
function problemsOf(webhooks: WebhooksPort, { url, hmacSecret, ca }: WebhookPatch): FieldError[] {
  const ofUrl = url === undefined ? null : webhooks.urlProblem(url);
  const ofSecret = typeof hmacSecret === "string" ? webhooks.secretProblem(hmacSecret) : null;
  const ofCa = typeof ca === "string" ? webhooks.caProblem(ca) : null;
  const problems = [
    ["url", ofUrl],
    ["hmac_secret", ofSecret === null ? null : `hmac_secret ${ofSecret}`],
    ["ca", ofCa === null ? null : `ca ${ofCa}`],
  ] as const;
  return problems.flatMap(([field, problem]) =>
    problem === null
      ? []
      : [{ loc: ["body", field], msg: `Value error, ${problem}`, type: "value_error" }],
  );
}
