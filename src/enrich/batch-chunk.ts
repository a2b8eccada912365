// What a batch keeps of one of its chunks.
import type { HolderSince } from "../model/account-holder.ts";
import type { BatchChunk } from "../model/batch.ts";
import { enrichedTransactionText } from "../model/enriched-transaction.ts";
import type { EnrichmentRequest, EnrichmentResult } from "../model/records.ts";
import { HOLDER_NOT_FOUND } from "../model/transaction.ts";
import { accountTypeOf } from "./item.ts";

/** Whether a transaction changes nothing, because its account holder does not exist. */
export const isHolderMissing = (result: EnrichmentResult): boolean =>
  result.error?.code === HOLDER_NOT_FOUND.code;

/** The results of a chunk in the form in which its batch keeps them. */
export function batchChunk(
  request: EnrichmentRequest,
  results: readonly EnrichmentResult[],
  holders: ReadonlyMap<string, HolderSince>,
  nowMs: number,
): BatchChunk {
  const createdAt = new Date(request.createdAt).toISOString();
  const texts = request.transactions.map((input, index) => {
    const result = results[index];
    return enrichedTransactionText(
      input.id,
      createdAt,
      result?.facts ?? null,
      result?.error ?? null,
    );
  });
  return {
    index: request.chunkIndex,
    length: texts.length,
    storedAt: nowMs,
    results: texts.join(","),
    accountHolderIds: request.transactions.map(({ accountHolderId }, index) => {
      const result = results[index];
      return result === undefined || isHolderMissing(result) ? null : accountHolderId;
    }),
    accountTypes: request.transactions.map((input) =>
      accountTypeOf(input, holders.get(input.accountHolderId ?? "")?.holder ?? null),
    ),
    sentMccs: sentMccs(request, results),
  };
}

function sentMccs(
  { transactions }: EnrichmentRequest,
  results: readonly EnrichmentResult[],
): readonly (number | null)[] | null {
  if (transactions.every(({ details }) => details?.mcc == null)) return null;
  return transactions.map(({ details }, index) => {
    const result = results[index];
    return result === undefined || isHolderMissing(result) ? null : (details?.mcc ?? null);
  });
}
