import type { Actor } from "../../model/audit.ts";
import type { AccountHolder, NewAccountHolder } from "../../model/account-holder.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { errorAnswer, jsonAnswer, noContent, ofHolder } from "../server/answer.ts";
import type { Cursors } from "../server/cursor.ts";
import { IDS_BODY } from "../server/body-bounds.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { answerPage } from "./lists.ts";
import { accountHolderResource } from "./resources.ts";
import {
  accountHolder,
  accountHolderPage,
  deletedTransactions,
  idPath,
  newAccountHolder,
  pageQuery,
} from "./schemas.ts";

export interface HoldersPort {
  create(
    org: string,
    input: NewAccountHolder,
  ): Promise<
    | { readonly ok: true; readonly holder: AccountHolder }
    | { readonly ok: false; readonly reason: "exists" }
  >;
  list(org: string, page: PageRequest): Promise<Page<AccountHolder>>;
  get(org: string, id: string): Promise<AccountHolder | null>;
  /** False when there is no such holder. */
  delete(org: string, id: string, by: Actor): Promise<boolean>;
  /** Ids of other holders are ignored. False when there is no such holder. */
  deleteTransactions(org: string, id: string, transactionIds: readonly string[]): Promise<boolean>;
}

interface HolderServices {
  readonly holders: HoldersPort;
  readonly cursors: Cursors;
}

const tag = "Account holders";
const NOT_FOUND = "Account holder not found";
const EXISTS = "Account holder with this id already exists";

export const accountHolderRoutes: readonly Route<HolderServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v3/account_holders",
    operationId: "create_account_holder",
    summary: "Create an account holder",
    tag,
    request: { path: nothing, query: nothing, body: newAccountHolder },
    success: accountHolder,
    errors: { 400: EXISTS },
    async handle(services: HolderServices, { principal, body }) {
      const created = await services.holders.create(principal.org, body);
      if (!created.ok) return errorAnswer("account_holder_exists", EXISTS);
      return ofHolder(jsonAnswer(200, accountHolderResource(created.holder)), body.id);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/account_holders",
    operationId: "list_account_holders",
    summary: "List account holders, newest first",
    tag,
    request: { path: nothing, query: pageQuery, body: null },
    success: accountHolderPage,
    errors: {},
    handle: (services: HolderServices, { principal, query }) =>
      answerPage(services.cursors, principal, query, {
        name: "account_holders",
        read: (page) => services.holders.list(principal.org, page),
        write: (holder) => JSON.stringify(accountHolderResource(holder)),
      }),
  }),
  defineRoute({
    method: "GET",
    path: "/v3/account_holders/{id}",
    operationId: "get_account_holder",
    summary: "Get an account holder",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: accountHolder,
    errors: { 404: NOT_FOUND },
    async handle(services: HolderServices, { principal, path }) {
      const holder = await services.holders.get(principal.org, path.id);
      if (holder === null) return errorAnswer("account_holder_not_found", NOT_FOUND);
      return jsonAnswer(200, accountHolderResource(holder));
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v3/account_holders/{id}",
    operationId: "delete_account_holder",
    summary: "Delete an account holder and its history, irreversibly",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: null,
    errors: { 404: NOT_FOUND },
    async handle(services: HolderServices, { principal, requestId, path }) {
      const by = { keyId: principal.keyId, requestId };
      const deleted = await services.holders.delete(principal.org, path.id, by);
      return deleted ? noContent() : errorAnswer("account_holder_not_found", NOT_FOUND);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v3/account_holders/{id}/transactions/delete",
    operationId: "delete_account_holder_transactions",
    summary: "Delete up to 1000 transactions of an account holder",
    tag,
    request: { path: idPath, query: nothing, body: deletedTransactions, bounds: IDS_BODY },
    success: null,
    errors: { 404: NOT_FOUND },
    async handle(services: HolderServices, { principal, path, body }) {
      const ids = body.transaction_ids;
      const found = await services.holders.deleteTransactions(principal.org, path.id, ids);
      return found ? noContent() : errorAnswer("account_holder_not_found", NOT_FOUND);
    },
  }),
];
