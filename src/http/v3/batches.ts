import type { Actor } from "../../model/audit.ts";
import {
  type Batch,
  type BatchOptions,
  batchResource,
  type BatchStatus,
} from "../../model/batch.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { TransactionInput } from "../../model/transaction.ts";
import { errorAnswer, JSON_TYPE, jsonAnswer, noContent } from "../server/answer.ts";
import type { Cursors } from "../server/cursor.ts";
import { type CreditsPort, withCredits } from "../server/limits.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { answerPage } from "./lists.ts";
import { BATCH_BODY } from "../server/body-bounds.ts";
import {
  batch,
  batchInput,
  batchPage,
  batchQuery,
  batchResults,
  idPath,
  transactionInput,
} from "./schemas.ts";

export interface BatchIngestPort {
  /** Accepts all or none, under an id that no batch has. */
  submitBatch(
    org: string,
    requestId: string,
    inputs: readonly TransactionInput[],
    options: BatchOptions,
  ): Promise<Batch>;
}

export interface BatchesPort {
  list(
    org: string,
    filter: { readonly status: BatchStatus | null },
    page: PageRequest,
  ): Promise<Page<Batch>>;
  get(org: string, id: string): Promise<Batch | null>;
  /** Deletes a batch that has ended, and its results; its transactions stay. */
  delete(org: string, id: string, by: Actor): Promise<"deleted" | "processing" | "not_found">;
  /** Chunks of comma-joined EnrichedTransaction texts (bytes: UTF-8) in the order submitted; none unless the batch is completed. */
  results(
    org: string,
    id: string,
  ): Promise<{ readonly batch: Batch; readonly chunks: AsyncIterable<string | Uint8Array> } | null>;
}

interface BatchServices {
  readonly ingest: BatchIngestPort;
  readonly batches: BatchesPort;
  readonly limits: CreditsPort;
  readonly cursors: Cursors;
}

const tag = "Batches";
const NOT_FOUND = "Batch not found";
const PROCESSING = "The batch is still processing: delete it once it has ended";

export const batchRoutes: readonly Route<BatchServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v3/batches",
    operationId: "create_batch",
    summary: "Submit 1 to 24 960 transactions to be enriched together",
    tag,
    request: {
      path: nothing,
      query: nothing,
      body: batchInput,
      bounds: BATCH_BODY,
      list: { field: "data", item: transactionInput },
    },
    success: batch,
    errors: {
      413: "The request body has more than 32 MiB or 1 000 000 values, or the batch needs more than all credits of this API key",
      429: "Too many requests or credits of this API key; see Retry-After",
    },
    async handle({ ingest, batches, limits }: BatchServices, call) {
      const { principal, requestId, body, items } = call;
      const { org } = principal;
      const id = call.resourceId();
      // Accepted by an earlier try, whose answer was lost: it is paid for, and published again it would be counted twice.
      const known = await batches.get(org, id);
      if (known !== null) return jsonAnswer(200, batchResource(known));
      return withCredits(limits, principal, items.length, async () => {
        const options = { id, priority: body.priority ?? "default" };
        const submitted = await ingest.submitBatch(org, requestId, items, options);
        return jsonAnswer(200, batchResource(submitted));
      });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/batches",
    operationId: "list_batches",
    summary: "List batches, newest first",
    tag,
    request: { path: nothing, query: batchQuery, body: null },
    success: batchPage,
    errors: {},
    handle({ batches, cursors }: BatchServices, { principal, query }) {
      const filter = { status: query.status ?? null };
      return answerPage(cursors, principal, query, {
        name: "batches",
        read: (page) => batches.list(principal.org, filter, page),
        write: (row) => JSON.stringify(batchResource(row)),
      });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/batches/{id}",
    operationId: "get_batch",
    summary: "Get a batch",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: batch,
    errors: { 404: NOT_FOUND },
    async handle({ batches }: BatchServices, { principal, path }) {
      const found = await batches.get(principal.org, path.id);
      return found === null
        ? errorAnswer("batch_not_found", NOT_FOUND)
        : jsonAnswer(200, batchResource(found));
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v3/batches/{id}",
    operationId: "delete_batch",
    summary: "Delete a batch that has ended, and its results; its transactions stay in the ledger",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: null,
    errors: { 404: NOT_FOUND, 409: PROCESSING },
    async handle({ batches }: BatchServices, { principal, requestId, path }) {
      const by = { keyId: principal.keyId, requestId };
      switch (await batches.delete(principal.org, path.id, by)) {
        case "deleted":
          return noContent();
        case "processing":
          return errorAnswer("batch_processing", PROCESSING);
        case "not_found":
          return errorAnswer("batch_not_found", NOT_FOUND);
      }
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/batches/{id}/results",
    operationId: "get_batch_results",
    summary: "Get the results of a batch, in the order submitted",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: batchResults,
    errors: { 404: NOT_FOUND },
    async handle({ batches }: BatchServices, { principal, path }) {
      const found = await batches.results(principal.org, path.id);
      if (found === null) return errorAnswer("batch_not_found", NOT_FOUND);
      const { id, total, status } = found.batch;
      return {
        kind: "stream",
        status: 200,
        headers: { "Content-Type": JSON_TYPE },
        opening: `${JSON.stringify({ id, total, status }).slice(0, -1)},"results":[`,
        chunks: found.chunks,
        closing: "]}",
      };
    },
  }),
];
