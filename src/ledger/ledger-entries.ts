// Transactions of a ledger as the threads that look for what recurs take them. A ledger has many transactions with few
// counterparties: the text of each is parsed once.
import { ownCategories } from "../model/categories.ts";
import type { Facts } from "../model/facts.ts";
import type { WalkedTransaction } from "../model/ledger-transaction.ts";
import type { LedgerCounterparty, LedgerEntry } from "../model/recurrence.ts";

/** Each keeps the text of one transaction's facts. */
const KNOWN_MAX = 4_000;
const WITHOUT = ['{"entities":null,', '{"entities":{"counterparty":null,'];
/** What is read of a counterparty stands in front of this, in texts that the recogniser has written. */
const BEHIND = '"phone_number":';
const READ = ['"type":', '"id":', '"name":', '"website":'];

/**
 * Returns what reads the transactions of one ledger. Of a transaction that could not be enriched, only what was submitted is
 * known. Facts contain what was corrected.
 */
export function createEntryReader(): (transaction: WalkedTransaction) => LedgerEntry {
  const counterpartyOf = createCounterpartyReader();
  return ({ id, date, amount, entryType, currency, description, facts, label }) => {
    return {
      id,
      date,
      amount,
      entryType,
      currency,
      description,
      counterparty: facts === null ? null : counterpartyOf(facts),
      // The own names of an organization mean nothing to the threads.
      category: label !== null && ownCategories[entryType].has(label) ? label : null,
    };
  };
}

function createCounterpartyReader(): (facts: string) => LedgerCounterparty | null {
  const known = new Map<string, LedgerCounterparty | null>();
  return (facts) => {
    if (WITHOUT.some((opening) => facts.startsWith(opening))) return null;
    const text = facts.slice(0, Math.max(0, facts.indexOf(BEHIND)));
    let found = known.get(text);
    if (found !== undefined) return found;
    found = parsedCounterparty(facts);
    // In another order of its properties it does not say everything yet.
    if (!READ.every((name) => text.includes(name))) return found;
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(text, found);
    return found;
  };
}

/** Null also where a counterparty has neither a name nor a website. */
function parsedCounterparty(text: string): LedgerCounterparty | null {
  const { entities } = JSON.parse(text) as Partial<Facts>;
  const counterparty = entities?.counterparty ?? null;
  if (counterparty === null) return null;
  const { id, website, type } = counterparty;
  const name = counterparty.name ?? website;
  return name === null ? null : { id, name, website, type };
}
