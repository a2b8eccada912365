import type { Batch, BatchOptions, ChunkResults } from "../../model/batch.ts";
import type { EnrichmentResult } from "../../model/records.ts";
import type { HolderType, TransactionInput } from "../../model/transaction.ts";
import {
  type Answer,
  errorAnswer,
  jsonAnswer,
  problemAnswer,
  transient,
} from "../server/answer.ts";
import { BATCH_BODY } from "../server/body-bounds.ts";
import { type CreditsPort, withCredits } from "../server/limits.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { withSlot } from "../server/slots.ts";
import type { V2RecurrenceServices } from "./recurrence.ts";
import {
  openingsOfBatch,
  openingsOfCall,
  type AheadCount,
  recurrenceReader,
  resultTexts,
  reviewReader,
  type ReviewsPort,
  streamed,
} from "./result-texts.ts";
import {
  asyncTransactions,
  batchPath,
  batchResult,
  enrichedList,
  submissionQuery,
  submittedTransaction,
  syncTransactions,
} from "./transaction-schemas.ts";

export interface SubmissionPort {
  /** Finds the account holders of the transactions, and creates those that may be; nothing when one is missing. */
  prepareHolders(
    org: string,
    inputs: readonly TransactionInput[],
    mayCreate: boolean,
  ): Promise<
    | { readonly ok: true; readonly types: ReadonlyMap<string, HolderType> }
    | { readonly ok: false; readonly missingIds: readonly string[] }
  >;
}

export interface EnrichManyPort {
  /** Accepts the transactions and waits for all results, which are in the same order. */
  enrichMany(
    org: string,
    requestId: string,
    inputs: readonly TransactionInput[],
  ): Promise<{ readonly createdAt: number; readonly results: readonly EnrichmentResult[] }>;
  /** Accepts all or none, under an id that no batch has. */
  submitBatch(
    org: string,
    requestId: string,
    inputs: readonly TransactionInput[],
    options: BatchOptions,
  ): Promise<Batch>;
}

export interface BatchResultsPort {
  get(org: string, id: string): Promise<Batch | null>;
  /** Chunks of results in the order submitted; none unless the batch is completed. */
  resultChunks(
    org: string,
    id: string,
  ): Promise<{ readonly batch: Batch; readonly chunks: AsyncIterable<ChunkResults> } | null>;
}

export interface ReadyModelPort {
  /** Whether a version of the model is ready to label. */
  isReady(org: string, name: string): Promise<boolean>;
}

export interface V2TransactionServices extends V2RecurrenceServices {
  readonly models: ReadyModelPort;
  readonly submissions: SubmissionPort;
  readonly ingest: EnrichManyPort;
  readonly batches: BatchResultsPort;
  readonly ownCorrections: ReviewsPort;
  readonly limits: CreditsPort;
  /** Results that all answers together have prepared ahead of what is sent. */
  readonly aheadCount: AheadCount;
}

const tag = "Transactions";
const BATCH_NOT_FOUND = "Batch not found";
const NO_HOLDER = "Account holders are missing: create them, or send their type";
const NO_MODEL = "There is no ready model with this name";
const TOO_MANY =
  "Too many concurrent calls, or the limit of requests or credits of this API key is reached; see Retry-After";

const list = { field: null, item: submittedTransaction };
const SYNC_ERRORS = {
  400: NO_MODEL,
  404: NO_HOLDER,
  429: TOO_MANY,
  504: "No result in time",
};

const syncRoute = (path: string, operationId: string): Route<V2TransactionServices> =>
  defineRoute({
    method: "POST",
    path,
    operationId,
    summary: "Enrich 1 to 4000 transactions and wait for the results, in the order submitted",
    tag,
    request: {
      path: nothing,
      query: submissionQuery,
      body: syncTransactions,
      bounds: BATCH_BODY,
      list,
    },
    success: enrichedList,
    errors: SYNC_ERRORS,
    async handle(services: V2TransactionServices, { principal, requestId, query, items: sent }) {
      const { submissions, ingest, limits, syncSlots } = services;
      const { org, keyId } = principal;
      if (await isModelMissing(services, org, query.model_name)) return UNKNOWN_MODEL;
      const items = labelledBy(sent, query.model_name);
      return withSlot(syncSlots, keyId, () =>
        withCredits(limits, principal, items.length, async () => {
          const mayCreate = query.create_account_holder ?? true;
          const holders = await submissions.prepareHolders(org, items, mayCreate);
          if (!holders.ok) return missingAnswer(holders.missingIds);
          const { results } = await ingest.enrichMany(org, requestId, items);
          const recurrence = recurrenceReader(services, org, query.with_recurrence ?? true);
          const reviews = reviewReader(services.ownCorrections, org);
          const openings = openingsOfCall(items, results, holders.types, reviews);
          return {
            ...streamed("[", resultTexts(openings, recurrence, services.aheadCount), "]"),
            accountHolderIds: holdersAmong(items),
            // Repeated, one that failed may succeed.
            isTransient: results.some(({ error }) => error !== null),
          };
        }),
      );
    },
  });

const asyncRoute = (path: string, operationId: string): Route<V2TransactionServices> =>
  defineRoute({
    method: "POST",
    path,
    operationId,
    summary: "Submit 1 to 24 960 transactions to be enriched as a batch",
    tag,
    request: {
      path: nothing,
      query: submissionQuery,
      body: asyncTransactions,
      bounds: BATCH_BODY,
      list,
    },
    success: batchResult,
    successStatus: 202,
    errors: { 400: NO_MODEL, 404: NO_HOLDER, 429: TOO_MANY },
    async handle(services: V2TransactionServices, call) {
      const { submissions, ingest, batches, limits } = services;
      const { principal, requestId, query } = call;
      const { org } = principal;
      if (await isModelMissing(services, org, query.model_name)) return UNKNOWN_MODEL;
      const items = labelledBy(call.items, query.model_name);
      const id = call.resourceId();
      // Accepted by an earlier try, whose answer was lost: it is paid for, and published again it would be counted twice.
      const known = await batches.get(org, id);
      if (known !== null) return jsonAnswer(202, batchHead(known));
      return withCredits(limits, principal, items.length, async () => {
        const mayCreate = query.create_account_holder ?? true;
        const holders = await submissions.prepareHolders(org, items, mayCreate);
        if (!holders.ok) return missingAnswer(holders.missingIds);
        const options = { id, priority: "default" } as const;
        return jsonAnswer(202, batchHead(await ingest.submitBatch(org, requestId, items, options)));
      });
    },
  });

const batchRoute = (path: string, operationId: string): Route<V2TransactionServices> =>
  defineRoute({
    method: "GET",
    path,
    operationId,
    summary: "Get a batch, with its results once it is finished",
    tag,
    request: {
      path: batchPath,
      query: submissionQuery.pick({ with_recurrence: true }),
      body: null,
    },
    success: batchResult,
    errors: { 404: BATCH_NOT_FOUND },
    async handle(services: V2TransactionServices, { principal, path, query }) {
      const { org } = principal;
      const found = await services.batches.resultChunks(org, path.id);
      if (found === null) return errorAnswer("batch_not_found", BATCH_NOT_FOUND);
      const head = batchHead(found.batch);
      if (found.batch.status !== "completed") return jsonAnswer(200, head);
      const opening = `${JSON.stringify(head).slice(0, -1)},"results":[`;
      const recurrence = recurrenceReader(services, org, query.with_recurrence ?? true);
      const openings = openingsOfBatch(found.chunks, reviewReader(services.ownCorrections, org));
      return streamed(opening, resultTexts(openings, recurrence, services.aheadCount), "]}");
    },
  });

export const v2TransactionRoutes: readonly Route<V2TransactionServices>[] = [
  syncRoute("/v2/transactions/sync", "enrich_transactions"),
  syncRoute("/v2/transactions", "enrich_transactions_of_list"),
  syncRoute("/transactions/sync", "enrich_transactions_without_version"),
  asyncRoute("/v2/transactions/async", "submit_transactions"),
  asyncRoute("/transactions/async", "submit_transactions_without_version"),
  batchRoute("/v2/transactions/async/{id}", "get_transaction_batch"),
  batchRoute("/transactions/async/{id}", "get_transaction_batch_without_version"),
];

const UNKNOWN_MODEL = errorAnswer("unknown_model", NO_MODEL);

const holdersAmong = (inputs: readonly TransactionInput[]): readonly string[] => [
  ...new Set(inputs.flatMap(({ accountHolderId }) => accountHolderId ?? [])),
];

type ModelName = string | null | undefined;

const isModelMissing = async (
  { models }: V2TransactionServices,
  org: string,
  name: ModelName,
): Promise<boolean> => name != null && !(await models.isReady(org, name));

const NO_DETAILS = { mcc: null, accountHolderName: null, accountHolderType: null };

/** The transactions with the model that labels them, also when they are enriched again. */
const labelledBy = (
  inputs: readonly TransactionInput[],
  model: ModelName,
): readonly TransactionInput[] =>
  model == null
    ? inputs
    : inputs.map((input) => ({ ...input, details: { ...NO_DETAILS, ...input.details, model } }));

/** Clients create what is missing and repeat the request. */
const missingAnswer = (missingIds: readonly string[]): Answer =>
  transient(problemAnswer("account_holder_not_found", { detail: NO_HOLDER, missingIds }));

const STATUSES = { processing: "started", completed: "finished", error: "error" } as const;

function batchHead(batch: Batch): object {
  return {
    id: batch.id,
    status: STATUSES[batch.status],
    created_at: new Date(batch.createdAt).toISOString(),
    updated_at: new Date(batch.updatedAt).toISOString(),
    progress: batch.progress,
    total: batch.total,
  };
}
