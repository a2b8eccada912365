// What resolved reports taught, applied to what was recognised.
import type { Categories, Facts } from "../../src/domain/facts.ts";
import type { CorrectedParts, Correction } from "../../src/domain/profile.ts";
import type { AccountType, EntryType } from "../../src/domain/transaction.ts";
import { withMerchantName } from "../enrichment/steps/location.ts";

/** The facts with what was corrected for lines of this clean name. An empty name is nobody's. */
export type Correct = (
  cleanName: string,
  entryType: EntryType,
  accountType: AccountType | null,
  facts: Facts,
) => Facts;

/** What is known of one clean name in one direction. */
type ByAccountType = Map<AccountType | null, CorrectedParts>;

const keyOf = (entryType: EntryType, cleanName: string): string => `${entryType} ${cleanName}`;

/**
 * @param corrections the later of two that say something else of a name counts, unless the other one was made for the
 * type of the account; categories count for accounts of their type alone
 */
export function createCorrections(corrections: readonly Correction[]): Correct {
  const known = new Map<string, ByAccountType>();
  for (const { cleanName, entryType, accountType, parts } of corrections) {
    const key = keyOf(entryType, cleanName);
    const ofName = known.get(key) ?? new Map<AccountType | null, CorrectedParts>();
    // Put behind what is there, which an entry that is only set again would not be.
    const before = ofName.get(accountType);
    ofName.delete(accountType);
    ofName.set(accountType, { ...before, ...parts });
    known.set(key, ofName);
  }
  return (cleanName, entryType, accountType, facts) => {
    const ofName = cleanName === "" ? undefined : known.get(keyOf(entryType, cleanName));
    return ofName === undefined ? facts : corrected(facts, partsFor(ofName, accountType));
  };
}

function partsFor(ofName: ByAccountType, accountType: AccountType | null): CorrectedParts {
  const parts: { -readonly [Part in keyof CorrectedParts]: CorrectedParts[Part] } = {};
  for (const [type, { counterparty, location }] of ofName) {
    if (type === accountType) continue;
    if (counterparty !== undefined) parts.counterparty = counterparty;
    if (location !== undefined) parts.location = location;
  }
  return { ...parts, ...ofName.get(accountType) };
}

function corrected(facts: Facts, { counterparty, categories, location }: CorrectedParts): Facts {
  const told = correctedCategories(facts.categories, categories);
  const place = correctedLocation(facts.location, location);
  if (counterparty === undefined) {
    return { ...facts, categories: told, location: place };
  }
  return {
    entities: { counterparty, intermediaries: facts.entities?.intermediaries ?? [] },
    categories: told,
    location: place === null ? null : withMerchantName(place, counterparty?.name ?? null),
  };
}

/** Where no account type is known, no category is told. */
const correctedCategories = (
  found: Facts["categories"],
  categories: Categories | undefined,
): Facts["categories"] => (found === null ? null : (categories ?? found));

/**
 * Shops of one name are in many places: an address counts where the line itself tells none. That there is none counts
 * always: somebody took a word of the name for a place.
 */
const correctedLocation = (
  found: Facts["location"],
  location: Facts["location"] | undefined,
): Facts["location"] =>
  location === undefined ? found : location === null ? null : (found ?? location);
