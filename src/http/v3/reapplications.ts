import type { Actor } from "../../model/audit.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { Reapplication } from "../../model/reapplication.ts";
import { errorAnswer, jsonAnswer } from "../server/answer.ts";
import type { Cursors } from "../server/cursor.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { answerPage } from "./lists.ts";
import { shownInstant } from "./resources.ts";
import { reapplication, reapplicationPage } from "./reapplication-schemas.ts";
import { idPath, pageQuery } from "./schemas.ts";

export interface ReapplicationsPort {
  /** Repeating it with the same id begins no second one. `running`: another one of the organization is. */
  begin(org: string, id: string, by: Actor): Promise<Reapplication | "running">;
  get(org: string, id: string): Promise<Reapplication | null>;
  list(org: string, page: PageRequest): Promise<Page<Reapplication>>;
}

interface ReapplicationServices {
  readonly reapplications: ReapplicationsPort;
  readonly cursors: Cursors;
}

const tag = "Rules";
const RUNNING = "A reapplication is running: wait until it is completed";
const NOT_FOUND = "Reapplication not found";

export const reapplicationRoutes: readonly Route<ReapplicationServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v3/reapplications",
    operationId: "create_reapplication",
    summary:
      "Apply the current rules, category sets, corrections and features to stored transactions, in the background",
    tag,
    request: { path: nothing, query: nothing, body: null },
    success: reapplication,
    errors: { 409: RUNNING },
    async handle({ reapplications }: ReapplicationServices, { principal, requestId, resourceId }) {
      const by = { keyId: principal.keyId, requestId };
      const begun = await reapplications.begin(principal.org, resourceId(), by);
      return begun === "running"
        ? errorAnswer("reapplication_running", RUNNING)
        : jsonAnswer(200, resource(begun));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/reapplications",
    operationId: "list_reapplications",
    summary: "List reapplications of the last 30 days, newest first",
    tag,
    request: { path: nothing, query: pageQuery, body: null },
    success: reapplicationPage,
    errors: {},
    handle({ reapplications, cursors }: ReapplicationServices, { principal, query }) {
      return answerPage(cursors, principal, query, {
        name: "reapplications",
        read: (page) => reapplications.list(principal.org, page),
        write: (row) => JSON.stringify(resource(row)),
      });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/reapplications/{id}",
    operationId: "get_reapplication",
    summary: "Get the progress of a reapplication",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: reapplication,
    errors: { 404: NOT_FOUND },
    async handle({ reapplications }: ReapplicationServices, { principal, path }) {
      const found = await reapplications.get(principal.org, path.id);
      return found === null
        ? errorAnswer("reapplication_not_found", NOT_FOUND)
        : jsonAnswer(200, resource(found));
    },
  }),
];

function resource(one: Reapplication): object {
  const { id, createdAt, updatedAt, status, total, progress, changed } = one;
  return {
    id,
    created_at: shownInstant(createdAt),
    updated_at: shownInstant(updatedAt),
    status,
    total,
    progress,
    changed,
  };
}
