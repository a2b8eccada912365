// What happens to the callers of a record that becomes a dead letter. Its key names them where its bytes cannot be read.
import { readRecordKey } from "../model/record-key.ts";
import type { Abandoned, EnrichmentReply } from "../model/records.ts";
import { failedReply } from "./enrich.ts";

/**
 * Ends the batch of an abandoned record with an error.
 * @param fail `isOutside`: an outside producer has sent the record, which can end a batch of such producers only
 */
export async function failBatchOf(
  { key, value }: Abandoned,
  fail: (org: string, batchId: string, isOutside: boolean) => Promise<void>,
): Promise<void> {
  const [org, batchId] =
    value === null ? readRecordKey(key) : [value.org, value.batchId ?? undefined];
  if (org === undefined || batchId === undefined) return;
  // A key of Ledgerline's names a batch of the API.
  await fail(org, batchId, value?.origin === "kafka");
}

/** Marks the statement whose transactions are in an abandoned record: it was read, and could not be enriched. */
export async function markStatementOf(
  { value }: Abandoned,
  mark: (key: { readonly org: string; readonly id: string }) => Promise<void>,
): Promise<void> {
  if (value?.origin === "statement") await mark({ org: value.org, id: value.requestId });
}

/** Answers the caller of an abandoned record with an error. */
export async function failCallOf(
  { key, value }: Abandoned,
  reply: (address: string, reply: EnrichmentReply) => Promise<void>,
): Promise<void> {
  const [, address, id] =
    value === null ? readRecordKey(key) : [value.org, value.replyTo?.address, value.replyTo?.id];
  if (address !== undefined && id !== undefined) await reply(address, failedReply(id));
}
