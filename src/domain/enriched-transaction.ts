import type { TransactionError } from "./transaction.ts";

const NO_FACTS = '{"entities":null,"categories":null,"location":null}';

/**
 * JSON text of a v3 EnrichedTransaction. The facts are spliced in as the text that the worker thread made.
 * @param createdAt milliseconds since 1970, UTC
 * @param facts JSON text of `Facts`, or null when `error` is set
 */
export function enrichedTransactionText(
  id: string,
  createdAt: number,
  facts: string | null,
  error: TransactionError | null,
): string {
  const head = `{"created_at":"${new Date(createdAt).toISOString()}","id":${JSON.stringify(id)},`;
  return `${head}${(facts ?? NO_FACTS).slice(1, -1)},"error":${JSON.stringify(error)}}`;
}
