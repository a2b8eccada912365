// What a request of a producer outside must keep to: the rules of the API, which such a request has not come through.
import { BATCH_LENGTH_MAX } from "../model/batch.ts";
import { COUNTRIES } from "../model/countries.ts";
import { CURRENCIES } from "../model/currencies.ts";
import { CHUNK_TRANSACTIONS_MAX, type EnrichmentRequest } from "../model/records.ts";
import { isMcc } from "../model/rules.ts";
import type { TransactionInput } from "../model/transaction.ts";

const ID_LENGTH_MAX = 256;
const TEXT_LENGTH_MAX = 1024;
/** A batch of chunks of one transaction. */
const CHUNKS_MAX = BATCH_LENGTH_MAX;
/** As the command that makes keys takes them. */
const ORGANIZATION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** In 2255 the microseconds since 1970 pass what a double counts exactly: no record could say such a time any more. */
const CREATED_AT_END_MS = Date.UTC(2200, 0, 1);
const currencies: ReadonlySet<string> = new Set(CURRENCIES);
const countries: ReadonlySet<string> = new Set(COUNTRIES);

/** The first rule that a request breaks, as a sentence that quotes nothing of it; null when it breaks none. */
export function brokenRule(request: EnrichmentRequest): string | null {
  return headRule(request) ?? transactionsRule(request.transactions) ?? totalRule(request);
}

/** Whether the ids in a request are valid, so that its batch can get the error, whatever else is wrong with it. */
export function isNamed({ org, batchId }: EnrichmentRequest): boolean {
  return ORGANIZATION.test(org) && (batchId === null || isId(batchId));
}

function headRule(request: EnrichmentRequest): string | null {
  const { org, requestId, origin, batchId, createdAt, basedOn, replyTo } = request;
  if (!ORGANIZATION.test(org)) {
    return "org must be 1 to 64 letters, digits, dots, dashes and underscores";
  }
  if (origin !== "kafka") return "origin must be kafka";
  if (basedOn !== null) return "based_on is not for producers outside";
  if (isLonger(requestId, ID_LENGTH_MAX)) return "request_id has more than 256 characters";
  if (batchId !== null && !isId(batchId)) return "batch_id must have 1 to 256 characters";
  if (createdAt < 0 || createdAt >= CREATED_AT_END_MS) {
    return "created_at must be of the years 1970 to 2199";
  }
  if (replyTo !== null && (!isId(replyTo.address) || !isId(replyTo.id))) {
    return "reply_to must have 1 to 256 characters each";
  }
  return chunkRule(request);
}

function chunkRule({ chunkIndex, chunkCount, total }: EnrichmentRequest): string | null {
  if (chunkCount < 1 || chunkCount > CHUNKS_MAX) return "chunk_count must be 1 to 24 960";
  if (chunkIndex < 0 || chunkIndex >= chunkCount) return "chunk_index must be 0 to chunk_count - 1";
  if (total < 0 || total > BATCH_LENGTH_MAX) return "total must be 0 to 24 960";
  return null;
}

/** A batch whose total cannot be right would show progress beyond it, or end before its end. */
function totalRule({ batchId, chunkCount, total, transactions }: EnrichmentRequest): string | null {
  const others = chunkCount - 1;
  if (batchId === null || (total === 0 && others === 0)) return null;
  const isPossible =
    total >= transactions.length + others &&
    total <= transactions.length + others * CHUNK_TRANSACTIONS_MAX;
  return isPossible ? null : "total must be the number of transactions in all chunk_count records";
}

function transactionsRule(transactions: readonly TransactionInput[]): string | null {
  if (transactions.length < 1 || transactions.length > CHUNK_TRANSACTIONS_MAX) {
    return "a record has 1 to 250 transactions";
  }
  for (const [index, transaction] of transactions.entries()) {
    const rule = transactionRule(transaction);
    if (rule !== null) return `transaction ${String(index)}: ${rule}`;
  }
  return null;
}

function transactionRule(transaction: TransactionInput): string | null {
  const { id, description, amount, date, currency, accountHolderId } = transaction;
  if (!isId(id)) return "id must have 1 to 256 characters";
  if (isLonger(description, TEXT_LENGTH_MAX)) return "description has more than 1 024 characters";
  if (!Number.isFinite(amount) || amount < 0) return "amount must be a number that is not negative";
  if (!/^\d{4}-/.test(date) || date.startsWith("0000")) {
    return "date must be of the years 0001 to 9999";
  }
  if (!currencies.has(currency)) return "currency must be an ISO 4217 code";
  if (accountHolderId !== null && !isId(accountHolderId)) {
    return "account_holder_id must have 1 to 256 characters";
  }
  return locationRule(transaction.location) ?? detailsRule(transaction.details);
}

function detailsRule(details: TransactionInput["details"]): string | null {
  if (details === undefined) return null;
  const { mcc, accountHolderName, model = null } = details;
  if (model !== null && !isId(model)) return "model must have 1 to 256 characters";
  if (mcc !== null && !isMcc(mcc)) return "mcc must be a whole number from 0 to 9999";
  if (accountHolderName !== null && isLonger(accountHolderName, TEXT_LENGTH_MAX)) {
    return "account_holder_name has more than 1 024 characters";
  }
  return null;
}

function locationRule(location: TransactionInput["location"]): string | null {
  if (location === null) return null;
  const { rawAddress, country } = location;
  if (rawAddress !== null && isLonger(rawAddress, TEXT_LENGTH_MAX)) {
    return "raw_address has more than 1 024 characters";
  }
  if (country !== null && !countries.has(country)) return "country must be an ISO 3166-1 code";
  return null;
}

function isId(text: string): boolean {
  return text !== "" && !isLonger(text, ID_LENGTH_MAX);
}

/** Characters as people count them (code points), as the API does. */
function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > max * 2 || Array.from(text).length > max;
}
