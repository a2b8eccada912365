import { z } from "zod";
import { categorisedAs } from "../../model/account-holder.ts";
import type { CategorySet } from "../../model/categories.ts";
import { categoryGroups } from "../../model/category-groups.ts";
import { CATEGORY_SET_BYTES_MAX, CATEGORY_SETS_MAX } from "../../model/category-set.ts";
import type { HolderType } from "../../model/transaction.ts";
import { jsonAnswer } from "../server/answer.ts";
import { CATEGORIES_BODY } from "../server/body-bounds.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { type Slots, TOO_MANY_CALLS, withSlot } from "../server/slots.ts";
import { type CategoriesPort, CATEGORY_SET_REFUSALS } from "../v3/categories.ts";
import { labelSet } from "../v3/category-schemas.ts";
import { v2Success } from "./account-holder-schemas.ts";
import { accountHolderType } from "./schemas.ts";

// The labels of a type of account holder. Labels of one's own are the category set of v3 that has the type as its id: holders of the
// type that name no other set have its words.

interface LabelServices {
  readonly categories: Pick<CategoriesPort, "get" | "replace" | "reset">;
  readonly syncSlots: Slots;
}

const labelList = z.array(z.string());
const ownLabels = z
  .object({ incoming: labelList, outgoing: labelList })
  .openapi("LabelHierarchyByDirection");
const hierarchy = z.record(z.string(), labelList).openapi("LabelsHierarchy");

const path = z.object({ account_holder_type: accountHolderType });
const tag = "Labels";
const FULL = `An organization may have at most ${String(CATEGORY_SETS_MAX)} category sets`;
const TOO_LARGE = `Labels may have at most ${String(CATEGORY_SET_BYTES_MAX)} bytes as compact JSON`;
const BUSY = "The labels are being changed by too many at once";

export const labelComponents: readonly z.ZodType[] = [ownLabels, labelSet, hierarchy];

export const labelRoutes: readonly Route<LabelServices>[] = [
  defineRoute({
    method: "GET",
    path: "/v2/labels/hierarchy/{account_holder_type}",
    operationId: "get_label_hierarchy",
    summary: "Get the labels of a type of account holder, in groups",
    tag,
    isPublic: true,
    request: { path, query: nothing, body: null },
    success: hierarchy,
    errors: {},
    async handle(
      { categories }: LabelServices,
      { principal, path: { account_holder_type: type } },
    ) {
      const own = await ownSetOf(categories, principal.org, type);
      const shared = own ?? (await ownSetOf(categories, principal.org, categorisedAs(type)));
      return jsonAnswer(200, shared ?? categoryGroups[categorisedAs(type)]);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v2/labels/hierarchy/custom/{account_holder_type}",
    operationId: "set_custom_label_hierarchy",
    summary: "Set labels of one's own for a type of account holder",
    tag,
    request: { path, query: nothing, body: labelSet, bounds: CATEGORIES_BODY },
    success: ownLabels,
    errors: { 400: FULL, 409: BUSY, 413: TOO_LARGE, 429: TOO_MANY_CALLS },
    handle: (
      { categories, syncSlots }: LabelServices,
      { principal, requestId, path: { account_holder_type: type }, body, resourceId },
    ) =>
      withSlot(syncSlots, principal.keyId, async () => {
        const { org, keyId } = principal;
        const by = { keyId, requestId };
        const stored = await categories.replace(org, type, body, by, resourceId());
        return stored.ok ? jsonAnswer(200, stored.set) : CATEGORY_SET_REFUSALS[stored.reason];
      }),
  }),
  defineRoute({
    method: "GET",
    path: "/v2/labels/hierarchy/custom/{account_holder_type}",
    operationId: "get_custom_label_hierarchy",
    summary: "Get the labels of one's own for a type of account holder; null where there are none",
    tag,
    request: { path, query: nothing, body: null },
    success: ownLabels.nullable(),
    errors: {},
    handle: async (
      { categories }: LabelServices,
      { principal, path: { account_holder_type: type } },
    ) => jsonAnswer(200, await ownSetOf(categories, principal.org, type)),
  }),
  defineRoute({
    method: "DELETE",
    path: "/v2/labels/hierarchy/custom/{account_holder_type}",
    operationId: "delete_custom_label_hierarchy",
    summary: "Remove the labels of one's own for a type of account holder",
    tag,
    request: { path, query: nothing, body: null },
    success: v2Success,
    errors: { 409: BUSY },
    async handle(
      { categories }: LabelServices,
      { principal, requestId, path: { account_holder_type: type }, resourceId },
    ) {
      const by = { keyId: principal.keyId, requestId };
      const done = await categories.reset(principal.org, type, by, resourceId());
      return done.ok ? jsonAnswer(200, { status: "success" }) : CATEGORY_SET_REFUSALS[done.reason];
    },
  }),
];

/** The labels that an organization has set for a type; null: none, or the very words that we have. */
async function ownSetOf(
  categories: LabelServices["categories"],
  org: string,
  type: HolderType,
): Promise<CategorySet | null> {
  const set = await categories.get(org, type);
  return set === null || isBuiltIn(set, type) ? null : set;
}

function isBuiltIn({ incoming, outgoing }: CategorySet, type: HolderType): boolean {
  const own = new Set(Object.values(categoryGroups[categorisedAs(type)]).flat());
  const words = new Set([...incoming, ...outgoing]);
  return words.size === own.size && [...words].every((word) => own.has(word));
}
