import { z } from "zod";
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from "../../model/audit.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { Cursors } from "../server/cursor.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { answerPage } from "./lists.ts";
import { shownInstant } from "./resources.ts";
import { instant, nextCursor, pageQuery } from "./schemas.ts";

// Who changed what an organization is governed by. An extension of the contract.

export interface AuditPort {
  /** Newest first; `action` null: all of them. */
  list(
    org: string,
    filter: { readonly action: AuditAction | null },
    page: PageRequest,
  ): Promise<Page<AuditEntry>>;
}

interface AuditServices {
  readonly audit: AuditPort;
  readonly cursors: Cursors;
}

const action = z.enum(AUDIT_ACTIONS).openapi("AuditAction");
const auditQuery = pageQuery.extend({ action: action.nullish() });

const entry = z
  .object({
    id: z.string(),
    created_at: instant,
    action,
    subject: z.string().openapi({ description: "Id of the changed resource." }),
    key_id: z.string().nullable().openapi({
      description: "Id of the API key; null: the change was made on the command line.",
    }),
    request_id: z.string().nullable().openapi({
      description: "`X-Request-ID` of the call; null: the change was not made by a call.",
    }),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })
  .openapi("AuditEntry");
const auditPage = z
  .object({ next_cursor: nextCursor, data: z.array(entry) })
  .openapi("AuditEntryPage");

/** Innermost first, see the components of `schemas.ts`. */
export const auditComponents: readonly z.ZodType[] = [action];

export const auditRoutes: readonly Route<AuditServices>[] = [
  defineRoute({
    method: "GET",
    path: "/v3/audit",
    operationId: "list_audit_entries",
    summary:
      "List who changed keys, webhooks, rules, categories, reports and features, deleted account holders or began reapplications, newest first",
    tag: "Audit",
    role: "admin",
    request: { path: nothing, query: auditQuery, body: null },
    success: auditPage,
    errors: {},
    handle: ({ audit, cursors }: AuditServices, { principal, query }) =>
      answerPage(cursors, principal, query, {
        name: "audit",
        read: (page) => audit.list(principal.org, { action: query.action ?? null }, page),
        write: (row) => JSON.stringify(resource(row)),
      }),
  }),
];

function resource({ keyId, requestId, ...row }: AuditEntry): object {
  return {
    id: row.id,
    created_at: shownInstant(row.createdAt),
    action: row.action,
    subject: row.subject,
    key_id: keyId,
    request_id: requestId,
    details: row.details,
  };
}
