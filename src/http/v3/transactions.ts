import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { TransactionError, TransactionInput } from "../../model/transaction.ts";
import {
  type Answer,
  errorAnswer,
  jsonTextAnswer,
  noContent,
  ofHolder,
  retryAfter,
  transient,
} from "../server/answer.ts";
import type { Cursors } from "../server/cursor.ts";
import { type CreditsPort, withCredits } from "../server/limits.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { answerPage } from "./lists.ts";
import { enrichedTransactionText } from "../../model/enriched-transaction.ts";
import { shownInstant, transactionText } from "./resources.ts";
import {
  assignment,
  enrichedTransaction,
  idPath,
  transaction,
  transactionInput,
  transactionPage,
  transactionQuery,
} from "./schemas.ts";
import { type Slots, TOO_MANY_CALLS, withSlot } from "../server/slots.ts";

export interface TransactionsPort {
  list(
    org: string,
    filter: { readonly accountHolderId: string | null },
    page: PageRequest,
  ): Promise<Page<LedgerTransaction>>;
  get(org: string, id: string): Promise<LedgerTransaction | null>;
  /** False when there is no such transaction. */
  delete(org: string, id: string): Promise<boolean>;
  assign(
    org: string,
    id: string,
    accountHolderId: string,
    requestId: string,
  ): Promise<
    | { readonly ok: true; readonly transaction: LedgerTransaction }
    | { readonly ok: false; readonly reason: AssignRefusal }
  >;
}

type AssignRefusal =
  | "transaction_not_found"
  | "account_holder_not_found"
  | "type_mismatch"
  | "conflict";

export interface TransactionIngestPort {
  /** Accepts one transaction and waits for what is found out about it. */
  enrichOne(
    org: string,
    requestId: string,
    input: TransactionInput,
  ): Promise<{
    readonly createdAt: number;
    readonly facts: string | null;
    readonly error: TransactionError | null;
  }>;
}

interface TransactionServices {
  readonly transactions: TransactionsPort;
  readonly ingest: TransactionIngestPort;
  readonly limits: CreditsPort;
  readonly cursors: Cursors;
  readonly syncSlots: Slots;
}

const tag = "Transactions";
const NOT_FOUND = "Transaction not found";

const ASSIGN_REFUSALS: Readonly<Record<AssignRefusal, Answer>> = {
  transaction_not_found: errorAnswer("transaction_not_found", NOT_FOUND),
  account_holder_not_found: errorAnswer("account_holder_not_found", "Account holder not found"),
  type_mismatch: errorAnswer(
    "account_type_mismatch",
    "The old and the new account holder are of different type",
  ),
  conflict: errorAnswer(
    "concurrent_change",
    "The transaction was changed at the same time",
    retryAfter(1),
  ),
};

export const transactionRoutes: readonly Route<TransactionServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v3/transactions",
    operationId: "enrich_transaction",
    summary: "Enrich one transaction and add it to its account holder's ledger",
    tag,
    request: { path: nothing, query: nothing, body: transactionInput },
    success: enrichedTransaction,
    errors: {
      429: "Too many concurrent calls, or the limit of requests or credits of this API key is reached; see Retry-After",
      504: "No result in time",
    },
    handle({ ingest, limits, syncSlots }: TransactionServices, { principal, requestId, body }) {
      const enrich = async (): Promise<Answer> => {
        const { createdAt, facts, error } = await ingest.enrichOne(principal.org, requestId, body);
        const text = enrichedTransactionText(body.id, shownInstant(createdAt), facts, error);
        const answer = ofHolder(jsonTextAnswer(200, text), body.accountHolderId);
        return error === null ? answer : transient(answer);
      };
      return withSlot(syncSlots, principal.keyId, () => withCredits(limits, principal, 1, enrich));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/transactions",
    operationId: "list_transactions",
    summary: "List transactions, newest first",
    tag,
    request: { path: nothing, query: transactionQuery, body: null },
    success: transactionPage,
    errors: {},
    handle({ transactions, cursors }: TransactionServices, { principal, query }) {
      const filter = { accountHolderId: query.account_holder_id ?? null };
      return answerPage(cursors, principal, query, {
        name: "transactions",
        read: (page) => transactions.list(principal.org, filter, page),
        write: transactionText,
      });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/transactions/{id}",
    operationId: "get_transaction",
    summary: "Get a transaction",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: transaction,
    errors: { 404: NOT_FOUND },
    async handle({ transactions }: TransactionServices, { principal, path }) {
      const found = await transactions.get(principal.org, path.id);
      if (found === null) return errorAnswer("transaction_not_found", NOT_FOUND);
      return jsonTextAnswer(200, transactionText(found));
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v3/transactions/{id}",
    operationId: "delete_transaction",
    summary: "Delete a transaction",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: null,
    errors: { 404: NOT_FOUND },
    async handle({ transactions }: TransactionServices, { principal, path }) {
      const deleted = await transactions.delete(principal.org, path.id);
      return deleted ? noContent() : errorAnswer("transaction_not_found", NOT_FOUND);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v3/transactions/{id}/assign",
    operationId: "assign_transaction",
    summary: "Move a transaction to another account holder of the same type",
    tag,
    request: { path: idPath, query: nothing, body: assignment },
    success: transaction,
    errors: {
      400: "The account holders are of different type",
      404: "Transaction or account holder not found",
      409: "Changed at the same time; see Retry-After",
      429: TOO_MANY_CALLS,
    },
    handle({ transactions, syncSlots }: TransactionServices, { principal, requestId, path, body }) {
      const { org, keyId } = principal;
      return withSlot(syncSlots, keyId, async () => {
        const assigned = await transactions.assign(org, path.id, body.account_holder_id, requestId);
        if (!assigned.ok) return ASSIGN_REFUSALS[assigned.reason];
        const answer = jsonTextAnswer(200, transactionText(assigned.transaction));
        const kept = ofHolder(answer, assigned.transaction.input.accountHolderId);
        return assigned.transaction.error === null ? kept : transient(kept);
      });
    },
  }),
];
