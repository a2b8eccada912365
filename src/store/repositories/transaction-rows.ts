// Transactions as rows.
import { getRandomValues } from "node:crypto";
import { confidenceOfFacts, labelOfFacts, merchantOfFacts } from "../../codec/facts-party.ts";
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import type { TransactionRow } from "../specs/specs.ts";

/** Another number for each write of a row. */
export const newVersion = (): number => newVersions(1)[0] ?? 0;

/** The same for many rows: the system is asked for random numbers once. */
const newVersions = (count: number): Uint32Array => getRandomValues(new Uint32Array(count));

/** What amounts are added up by. */
type AmountKeyParts = Pick<TransactionRow, "entryType" | "currency" | "label" | "merchant">;

/** The fields of a row that are read out of its facts, or made of what is. */
export function factsFields(
  facts: string | null,
  { entryType, currency }: Pick<TransactionRow, "entryType" | "currency">,
): Pick<TransactionRow, "label" | "merchant" | "amountKey" | "confidence"> {
  const label = facts === null ? null : labelOfFacts(facts);
  const merchant = facts === null ? null : merchantOfFacts(facts);
  return {
    label,
    merchant,
    amountKey: JSON.stringify([entryType, currency, label, merchant]),
    confidence: facts === null ? null : confidenceOfFacts(facts),
  };
}

/** What the text of `amountKey` was made of. */
export function amountKeyParts(amountKey: string): AmountKeyParts {
  const [entryType, currency, label, merchant] = JSON.parse(amountKey) as [
    AmountKeyParts["entryType"],
    string,
    string | null,
    string | null,
  ];
  return { entryType, currency, label, merchant };
}

/** A tombstone keeps nothing of the transaction but its id and a place in the order of acceptance. */
export function tombstone(org: string, id: string, order: string): TransactionRow {
  return {
    org,
    id,
    holderId: null,
    createdAt: 0,
    order,
    deleted: 1,
    facts: null,
    version: newVersion(),
    date: "",
    amount: 0,
    entryType: "outgoing",
    currency: "",
    label: null,
    merchant: null,
    amountKey: "",
    confidence: null,
    corrected: 0,
    description: "",
    location: null,
    error: null,
  };
}

/** The rows of transactions. */
export function rowsOfTransactions(transactions: readonly LedgerTransaction[]): TransactionRow[] {
  const versions = newVersions(transactions.length);
  return transactions.map((one, index) => rowOfTransaction(one, versions[index] ?? 0));
}

/** Written out: thousands of them are made a second, and to spread each takes half as long again. */
function rowOfTransaction(transaction: LedgerTransaction, version: number): TransactionRow {
  const { input, override } = transaction;
  const { label, merchant, amountKey, confidence } = factsFields(transaction.facts, input);
  const row = {
    org: transaction.org,
    id: input.id,
    holderId: input.accountHolderId,
    createdAt: transaction.createdAt,
    order: transaction.order,
    deleted: 0,
    facts: transaction.facts,
    version,
    date: input.date,
    amount: input.amount,
    entryType: input.entryType,
    currency: input.currency,
    label,
    merchant,
    amountKey,
    confidence,
    corrected: override?.review === undefined ? 0 : 1,
    description: input.description,
    location: input.location,
    error: transaction.error,
  };
  if (input.details === undefined && override === null) return row;
  return {
    ...row,
    ...(input.details === undefined ? {} : { details: input.details }),
    ...(override === null ? {} : { override }),
  };
}

/** The transaction of a row. */
export function transactionOfRow(row: TransactionRow): LedgerTransaction {
  return {
    org: row.org,
    input: {
      id: row.id,
      description: row.description,
      date: row.date,
      amount: row.amount,
      entryType: row.entryType,
      currency: row.currency,
      accountHolderId: row.holderId,
      location: row.location,
      ...(row.details === undefined ? {} : { details: row.details }),
    },
    createdAt: row.createdAt,
    order: row.order,
    facts: row.facts,
    error: row.error,
    override: row.override ?? null,
  };
}
