import type { Facts } from "../../../model/facts.ts";
import type { AccountType } from "../../../model/transaction.ts";
import { isJoinedBetter, isWeakEvidence } from "../evidence/joined-text.ts";
import type { ParsedTransaction } from "../parsed-file.ts";
import { type EnrichPort, toLine } from "./enrich-line.ts";

/** A transaction with the description that was read, and what was found; null where the recogniser failed. */
export interface Recognised {
  readonly transaction: ParsedTransaction;
  readonly facts: Facts | null;
}

/**
 * The facts of each transaction, in order. Where a clean name alone is weak evidence the joined description is recognised
 * as well, and the better of the two stands. Rejects when the port does.
 */
export async function recognise(
  transactions: readonly ParsedTransaction[],
  port: Pick<EnrichPort, "enrichChunk">,
  accountType: AccountType,
): Promise<Recognised[]> {
  const found = await enrichAll(transactions, port, accountType);
  const weak = found.flatMap(({ transaction, facts }, at) =>
    transaction.joinedDescription !== null && isWeakEvidence(facts, transaction.description)
      ? [{ at, transaction: { ...transaction, description: transaction.joinedDescription } }]
      : [],
  );
  const joined = await enrichAll(
    weak.map(({ transaction }) => transaction),
    port,
    accountType,
  );
  for (const [index, { at }] of weak.entries()) {
    const [alone, whole] = [found[at], joined[index]];
    if (alone === undefined || whole === undefined) continue;
    if (isJoinedBetter(alone.facts, whole.facts, alone.transaction.description)) found[at] = whole;
  }
  return found;
}

async function enrichAll(
  transactions: readonly ParsedTransaction[],
  port: Pick<EnrichPort, "enrichChunk">,
  accountType: AccountType,
): Promise<Recognised[]> {
  if (transactions.length === 0) return [];
  const texts = await port.enrichChunk(transactions.map((one) => toLine(one, accountType)));
  return transactions.map((transaction, at) => ({
    transaction,
    facts: parseFacts(texts[at] ?? null),
  }));
}

/** The port is our own pool: its texts are facts by contract, checked where they are made. */
function parseFacts(text: string | null): Facts | null {
  try {
    return text === null ? null : (JSON.parse(text) as Facts);
  } catch {
    return null;
  }
}
