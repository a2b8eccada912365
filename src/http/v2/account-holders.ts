import {
  type AccountHolder,
  type HolderQuery,
  type HolderReplacement,
  type NewAccountHolder,
  statedTypeOf,
} from "../../model/account-holder.ts";
import type { Actor } from "../../model/audit.ts";
import { errorAnswer, jsonAnswer, ofHolder, type TextAnswer } from "../server/answer.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import {
  v2Holder,
  v2HolderList,
  v2HolderName,
  v2HolderPath,
  v2HolderQuery,
  v2HolderReplacement,
  v2HolderWithCounts,
  v2NewHolder,
  v2Renamed,
  v2Success,
} from "./account-holder-schemas.ts";

export interface V2HoldersPort {
  create(
    org: string,
    input: NewAccountHolder,
  ): Promise<
    | { readonly ok: true; readonly holder: AccountHolder }
    | { readonly ok: false; readonly reason: "exists" }
  >;
  get(org: string, id: string): Promise<AccountHolder | null>;
  /** Null when there is no such holder. */
  replace(org: string, id: string, replacement: HolderReplacement): Promise<AccountHolder | null>;
  /** False when there is no such holder. */
  rename(org: string, id: string, name: string): Promise<boolean>;
  search(org: string, query: HolderQuery): Promise<readonly AccountHolder[]>;
  /** Transactions in the ledger of the holder. */
  countTransactions(org: string, id: string): Promise<number>;
  /** The mean of how likely the categories of its transactions are right, 0 to 1; null: none is decided. */
  meanConfidence(org: string, id: string): Promise<number | null>;
  /** False when there is no such holder. */
  delete(org: string, id: string, by: Actor): Promise<boolean>;
}

export interface V2HolderServices {
  readonly holders: V2HoldersPort;
}

const tag = "Account holders";
const NOT_FOUND = "Account holder not found";
const EXISTS = "Account holder with this id already exists";
const UNSORTABLE = "Account holders can be sorted by created_at, id, name or type";

const SORTS: ReadonlyMap<string, HolderQuery["sortBy"]> = new Map([
  ["created_at", "createdAt"],
  ["id", "id"],
  ["name", "name"],
  ["type", "statedType"],
]);

export const v2HolderRoutes: readonly Route<V2HolderServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v2/account-holder",
    operationId: "create_holder",
    summary: "Create an account holder",
    tag,
    request: { path: nothing, query: nothing, body: v2NewHolder },
    success: v2Holder,
    errors: { 400: EXISTS },
    async handle({ holders }: V2HolderServices, { principal, body, resourceId }) {
      const id = body.id ?? resourceId();
      const created = await holders.create(principal.org, { ...body, id });
      if (!created.ok) return errorAnswer("account_holder_exists", EXISTS);
      return ofHolder(jsonAnswer(200, resource(created.holder)), id);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v2/account-holder",
    operationId: "list_holders",
    summary: "List account holders by pages, newest first unless sorted otherwise",
    tag,
    request: { path: nothing, query: v2HolderQuery, body: null },
    success: v2HolderList,
    errors: { 400: UNSORTABLE },
    async handle({ holders }: V2HolderServices, { principal, query }) {
      const sortBy = SORTS.get(query.sort_by ?? "created_at");
      if (sortBy === undefined) return errorAnswer("invalid_sort", UNSORTABLE);
      const found = await holders.search(principal.org, {
        search: query.query ?? null,
        isNamed: query.named_only ?? false,
        sortBy,
        direction: query.sort_order ?? "desc",
        offset: query.page * query.per_page,
        limit: query.per_page,
      });
      const confidences = new Map<string, number | null>();
      // One after the other: each reads the index of a ledger, and other requests continue between parts of it.
      if (query.with_confidence === true) {
        for (const { id } of found)
          confidences.set(id, await holders.meanConfidence(principal.org, id));
      }
      const shown = found.map((holder) => resource(holder, confidences.get(holder.id) ?? null));
      return jsonAnswer(200, shown);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v2/account-holder/{account_holder_id}",
    operationId: "get_holder",
    summary: "Get an account holder and the number of its transactions",
    tag,
    request: { path: v2HolderPath, query: nothing, body: null },
    success: v2HolderWithCounts,
    errors: { 404: NOT_FOUND },
    async handle({ holders }: V2HolderServices, { principal, path }) {
      const holder = await holders.get(principal.org, path.account_holder_id);
      if (holder === null) return notFound();
      const count = await holders.countTransactions(principal.org, path.account_holder_id);
      return jsonAnswer(200, { ...resource(holder), num_transactions: count });
    },
  }),
  defineRoute({
    method: "PUT",
    path: "/v2/account-holder/{account_holder_id}",
    operationId: "replace_holder",
    summary: "Replace type, name, industry, website and company of an account holder",
    tag,
    request: { path: v2HolderPath, query: nothing, body: v2HolderReplacement },
    success: v2Holder,
    errors: { 404: NOT_FOUND },
    async handle({ holders }: V2HolderServices, { principal, path, body }) {
      const holder = await holders.replace(principal.org, path.account_holder_id, body);
      return holder === null ? notFound() : jsonAnswer(200, resource(holder));
    },
  }),
  defineRoute({
    method: "PATCH",
    path: "/v2/account-holder/{account_holder_id}",
    operationId: "rename_holder",
    summary: "Rename an account holder",
    tag,
    request: { path: v2HolderPath, query: nothing, body: v2HolderName },
    success: v2Renamed,
    errors: { 404: NOT_FOUND },
    async handle({ holders }: V2HolderServices, { principal, path, body }) {
      const isThere = await holders.rename(principal.org, path.account_holder_id, body.name);
      return isThere ? jsonAnswer(200, null) : notFound();
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v2/account-holder/{account_holder_id}",
    operationId: "delete_holder",
    summary: "Delete an account holder and its history, irreversibly",
    tag,
    request: { path: v2HolderPath, query: nothing, body: null },
    success: v2Success,
    errors: { 404: NOT_FOUND },
    async handle({ holders }: V2HolderServices, { principal, requestId, path }) {
      const by = { keyId: principal.keyId, requestId };
      const deleted = await holders.delete(principal.org, path.account_holder_id, by);
      return deleted ? jsonAnswer(200, { status: "success" }) : notFound();
    },
  }),
];

const notFound = (): TextAnswer => errorAnswer("account_holder_not_found", NOT_FOUND);

/** With every key of the contract: clients fail on one that is missing. Null: nothing is known of it. */
function resource(holder: AccountHolder, meanConfidence: number | null = null): object {
  const { industry, website, company } = holder.details ?? NO_DETAILS;
  return {
    id: holder.id,
    type: statedTypeOf(holder),
    name: holder.name,
    industry,
    website,
    company: company === null ? null : { loan_state: company.loanState, logo: company.logo },
    created_at: new Date(holder.createdAt).toISOString(),
    mean_labeler_confidence: meanConfidence,
    total_revenue: null,
    application_time: null,
    alerts: {},
    review_percentage: null,
  };
}

const NO_DETAILS = { industry: null, website: null, company: null };
