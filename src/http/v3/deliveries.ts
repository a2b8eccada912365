import { errorAnswer, jsonAnswer } from "../server/answer.ts";
import type { Cursors } from "../server/cursor.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { answerPage } from "./lists.ts";
import { idPath } from "./schemas.ts";
import {
  attemptResource,
  deliveryResource,
  recoveryRequestResource,
  recoveryResource,
} from "./webhook-resources.ts";
import {
  delivery,
  deliveryDetail,
  deliveryPage,
  deliveryPath,
  deliveryQuery,
  recovery,
  recoveryInput,
  recoveryOrCount,
  recoveryPath,
} from "./webhook-schemas.ts";
import { NOT_FOUND as WEBHOOK_NOT_FOUND, RUNNING, tag, type WebhooksPort } from "./webhooks.ts";

// Deliveries of a webhook with their outcome, and how to send them again. An extension of the contract.

interface DeliveryServices {
  readonly webhooks: Pick<
    WebhooksPort,
    "deliveries" | "delivery" | "resend" | "countRecoverable" | "recover" | "recovery"
  >;
  readonly cursors: Cursors;
}

const NOT_FOUND = "Delivery not found";
const RECOVERY_NOT_FOUND = "Recovery not found";

export const deliveryRoutes: readonly Route<DeliveryServices>[] = [
  defineRoute({
    method: "GET",
    path: "/v3/webhooks/{id}/deliveries",
    operationId: "list_deliveries",
    summary: "List deliveries to a webhook, newest event first",
    tag,
    request: { path: idPath, query: deliveryQuery, body: null },
    success: deliveryPage,
    errors: { 404: WEBHOOK_NOT_FOUND },
    handle({ webhooks, cursors }: DeliveryServices, { principal, path, query }) {
      const filter = { state: query.state ?? null };
      return answerPage(cursors, principal, query, {
        name: `webhooks/${path.id}/deliveries`,
        read: (page) => webhooks.deliveries(principal.org, path.id, filter, page),
        write: (row) => JSON.stringify(deliveryResource(row)),
        missing: errorAnswer("webhook_not_found", WEBHOOK_NOT_FOUND),
      });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/webhooks/{id}/deliveries/{event_id}",
    operationId: "get_delivery",
    summary: "Get a delivery with its attempts",
    tag,
    request: { path: deliveryPath, query: nothing, body: null },
    success: deliveryDetail,
    errors: { 404: NOT_FOUND },
    async handle({ webhooks }: DeliveryServices, { principal, path }) {
      const found = await webhooks.delivery(principal.org, path.id, path.event_id);
      if (found === null) return errorAnswer("delivery_not_found", NOT_FOUND);
      return jsonAnswer(200, {
        ...deliveryResource(found.delivery),
        attempts: found.attempts.map(attemptResource),
      });
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v3/webhooks/{id}/deliveries/{event_id}/resend",
    operationId: "resend_delivery",
    summary: "Send an event to a webhook again, under the same event id",
    tag,
    request: { path: deliveryPath, query: nothing, body: null },
    success: delivery,
    errors: { 404: NOT_FOUND },
    async handle({ webhooks }: DeliveryServices, { principal, path }) {
      const resent = await webhooks.resend(principal.org, path.id, path.event_id);
      return resent === null
        ? errorAnswer("delivery_not_found", NOT_FOUND)
        : jsonAnswer(200, deliveryResource(resent));
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v3/webhooks/{id}/recover",
    operationId: "recover_webhook",
    summary: "Send all events of a time to a webhook again, or count them",
    tag,
    request: { path: idPath, query: nothing, body: recoveryInput },
    success: recoveryOrCount,
    errors: { 404: WEBHOOK_NOT_FOUND, 409: RUNNING },
    async handle({ webhooks }: DeliveryServices, { principal, path, body, resourceId }) {
      const { request, isDryRun } = body;
      if (isDryRun) {
        const counted = await webhooks.countRecoverable(principal.org, path.id, request);
        if (counted === null) return errorAnswer("webhook_not_found", WEBHOOK_NOT_FOUND);
        const { count, capped } = counted;
        const asked = recoveryRequestResource(request);
        return jsonAnswer(200, { dry_run: true, count, capped, ...asked });
      }
      const begun = await webhooks.recover(principal.org, path.id, request, resourceId());
      if (begun === null) return errorAnswer("webhook_not_found", WEBHOOK_NOT_FOUND);
      return begun === "running"
        ? errorAnswer("recovery_running", RUNNING)
        : jsonAnswer(200, recoveryResource(begun));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/webhooks/{id}/recoveries/{recovery_id}",
    operationId: "get_recovery",
    summary: "Say how far a recovery has come",
    tag,
    request: { path: recoveryPath, query: nothing, body: null },
    success: recovery,
    errors: { 404: RECOVERY_NOT_FOUND },
    async handle({ webhooks }: DeliveryServices, { principal, path }) {
      const found = await webhooks.recovery(principal.org, path.id, path.recovery_id);
      return found === null
        ? errorAnswer("recovery_not_found", RECOVERY_NOT_FOUND)
        : jsonAnswer(200, recoveryResource(found));
    },
  }),
];
