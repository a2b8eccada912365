import type { TransactionError } from "./transaction.ts";

// Facts leave the worker threads as JSON text and are spliced into answers as they are: parsing them only to write them
// again would cost more than everything else an answer needs.

const NO_FACTS = '{"entities":null,"categories":null,"location":null,"confidence":null}';

/** What was found out about a transaction, or why nothing was: the last properties of its JSON object, without braces. */
export function findingsText(facts: string | null, error: TransactionError | null): string {
  const shown = error === null ? (facts ?? NO_FACTS) : NO_FACTS;
  return `${shown.slice(1, -1)},"error":${JSON.stringify(error)}`;
}

/**
 * JSON text of a v3 EnrichedTransaction.
 * @param createdAt ISO 8601, UTC
 * @param facts JSON text of `Facts`, or null when `error` is set
 */
export function enrichedTransactionText(
  id: string,
  createdAt: string,
  facts: string | null,
  error: TransactionError | null,
): string {
  return `{"created_at":"${createdAt}","id":${JSON.stringify(id)},${findingsText(facts, error)}}`;
}
