import type { Actor } from "../../model/audit.ts";
import {
  CATEGORY_LENGTH_MAX,
  CATEGORY_SET_BYTES_MAX,
  CATEGORY_SETS_MAX,
  type CategoryMapping,
  type MappingPatch,
  type MappingProblem,
  type NamedCategorySet,
  type CategorySetRefusal,
  type CategorySetRefused,
} from "../../model/category-set.ts";
import { type Answer, errorAnswer, jsonAnswer, retryAfter } from "../server/answer.ts";
import { CATEGORIES_BODY } from "../server/body-bounds.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { type FieldError, unprocessable } from "../server/validation.ts";
import {
  categoryMapping,
  categorySet,
  customCategorySet,
  mappingPatch,
} from "./category-schemas.ts";
import { idPath } from "./schemas.ts";
import { type Slots, TOO_MANY_CALLS, withSlot } from "../server/slots.ts";
import type { CategorySet } from "../../model/categories.ts";

/** Null: there is no such set. */
export interface CategoriesPort {
  get(org: string, id: string): Promise<NamedCategorySet | null>;
  /** Repeating it with the same `changeId` replaces nothing. */
  replace(
    org: string,
    id: string,
    set: NamedCategorySet,
    by: Actor,
    changeId: string,
  ): Promise<{ readonly ok: true; readonly set: NamedCategorySet } | CategorySetRefused>;
  /** The default set that is back; null for any other, which is gone. */
  reset(
    org: string,
    id: string,
    by: Actor,
    changeId: string,
  ): Promise<{ readonly ok: true; readonly set: CategorySet | null } | CategorySetRefused>;
  mapping(org: string, id: string): Promise<CategoryMapping | null>;
  patchMapping(
    org: string,
    id: string,
    patch: MappingPatch,
    by: Actor,
  ): Promise<
    | { readonly ok: true; readonly mapping: CategoryMapping }
    | {
        readonly ok: false;
        readonly reason: "invalid";
        readonly problems: readonly MappingProblem[];
      }
    | CategorySetRefused
    | null
  >;
}

interface CategoryServices {
  readonly categories: CategoriesPort;
  readonly syncSlots: Slots;
}

const tag = "Categories";
const NOT_FOUND = "Category set not found";
const FULL = `An organization may have at most ${String(CATEGORY_SETS_MAX)} category sets`;
const TOO_LARGE = `A category set may have at most ${String(CATEGORY_SET_BYTES_MAX)} bytes as compact JSON, its mapping included`;
const BUSY = "The category sets are being changed by too many at once";

/** Why a category set was not changed. */
export const CATEGORY_SET_REFUSALS: Readonly<Record<CategorySetRefusal, Answer>> = {
  full: errorAnswer("category_set_limit", FULL),
  too_large: errorAnswer("category_set_too_large", TOO_LARGE),
  busy: errorAnswer("concurrent_change", BUSY, retryAfter(1)),
};

export const categoryRoutes: readonly Route<CategoryServices>[] = [
  defineRoute({
    method: "GET",
    path: "/v3/categories/{id}",
    operationId: "get_category_set",
    summary: "Get the words of a category set",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: categorySet,
    errors: { 404: NOT_FOUND },
    async handle({ categories }: CategoryServices, { principal, path }) {
      const found = await categories.get(principal.org, path.id);
      return found === null
        ? errorAnswer("category_set_not_found", NOT_FOUND)
        : jsonAnswer(200, found);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v3/categories/{id}",
    operationId: "set_category_set",
    summary:
      "Tell categories in words of one's own: those of a default set, or of a set that account holders name",
    tag,
    request: { path: idPath, query: nothing, body: customCategorySet, bounds: CATEGORIES_BODY },
    success: categorySet,
    errors: { 400: FULL, 409: BUSY, 413: TOO_LARGE, 429: TOO_MANY_CALLS },
    // A thread works on it for up to a few hundred milliseconds, before transactions of batches.
    handle: (
      { categories, syncSlots }: CategoryServices,
      { principal, requestId, path, body, resourceId },
    ) =>
      withSlot(syncSlots, principal.keyId, async () => {
        const { org, keyId } = principal;
        const by = { keyId, requestId };
        const stored = await categories.replace(org, path.id, body, by, resourceId());
        return stored.ok ? jsonAnswer(200, stored.set) : CATEGORY_SET_REFUSALS[stored.reason];
      }),
  }),
  defineRoute({
    method: "POST",
    path: "/v3/categories/{id}/reset",
    operationId: "reset_category_set",
    summary: "Bring the words of a default set back, or remove any other set",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: categorySet.nullable(),
    errors: { 409: BUSY },
    async handle({ categories }: CategoryServices, { principal, requestId, path, resourceId }) {
      const by = { keyId: principal.keyId, requestId };
      const done = await categories.reset(principal.org, path.id, by, resourceId());
      return done.ok ? jsonAnswer(200, done.set) : CATEGORY_SET_REFUSALS[done.reason];
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/categories/{id}/mapping",
    operationId: "get_category_mapping",
    summary: "Get which entry of a category set each of our own categories maps to",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: categoryMapping,
    errors: { 404: NOT_FOUND },
    async handle({ categories }: CategoryServices, { principal, path }) {
      const found = await categories.mapping(principal.org, path.id);
      return found === null
        ? errorAnswer("category_set_not_found", NOT_FOUND)
        : jsonAnswer(200, found);
    },
  }),
  defineRoute({
    method: "PATCH",
    path: "/v3/categories/{id}/mapping",
    operationId: "patch_category_mapping",
    summary: "Change which entries of a category set some of our own categories map to",
    tag,
    request: { path: idPath, query: nothing, body: mappingPatch, bounds: CATEGORIES_BODY },
    success: categoryMapping,
    errors: { 400: FULL, 404: NOT_FOUND, 409: BUSY, 413: TOO_LARGE, 429: TOO_MANY_CALLS },
    handle: ({ categories, syncSlots }: CategoryServices, { principal, requestId, path, body }) =>
      withSlot(syncSlots, principal.keyId, async () => {
        const { org, keyId } = principal;
        const changed = await categories.patchMapping(org, path.id, body, { keyId, requestId });
        if (changed === null) return errorAnswer("category_set_not_found", NOT_FOUND);
        if (changed.ok) return jsonAnswer(200, changed.mapping);
        if (changed.reason === "invalid") return unprocessable(changed.problems.map(fieldError));
        return CATEGORY_SET_REFUSALS[changed.reason];
      }),
  }),
];

const PROBLEM_WORDS: Readonly<Record<MappingProblem["problem"], string>> = {
  unknown_category: "this is not one of our own categories",
  not_in_set: "this is not an entry of the category set",
};

const fieldError = ({ direction, category, problem }: MappingProblem): FieldError => ({
  loc: ["body", direction, category.slice(0, CATEGORY_LENGTH_MAX)],
  msg: `Value error, ${PROBLEM_WORDS[problem]}`,
  type: "value_error",
});
