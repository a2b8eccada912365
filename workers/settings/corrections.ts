// Applies learned corrections of resolved reports to recognised facts.
import type { Facts } from "../../src/model/facts.ts";
import type {
  CorrectedCategories,
  CorrectedParts,
  Correction,
  Override,
} from "../../src/model/tenant-settings.ts";
import type { AccountType, EntryType } from "../../src/model/transaction.ts";
import { withMerchantName } from "../recogniser/place/location.ts";

/** A line for which corrections are looked up. */
export interface NamedLine {
  /** An empty name matches no line. */
  readonly cleanName: string;
  readonly entryType: EntryType;
  readonly accountType: AccountType | null;
  /** The category set of the holder; null: our categories. */
  readonly setId: string | null;
}

/** The facts with what was corrected for lines of this name. */
export type Correct = (line: NamedLine, facts: Facts) => Facts;

/** What is known of one clean name in one direction. */
type ByAccountType = Map<AccountType | null, CorrectedParts>;

const correctionKeyOf = (entryType: EntryType, cleanName: string): string =>
  `${entryType} ${cleanName}`;

/**
 * @param corrections the later of two that say something else of a name counts, unless the other one was made for the
 * type of the account; categories count for accounts of their type alone
 */
export function createCorrections(corrections: readonly Correction[]): Correct {
  const known = new Map<string, ByAccountType>();
  for (const { cleanName, entryType, accountType, parts } of corrections) {
    const key = correctionKeyOf(entryType, cleanName);
    const ofName = known.get(key) ?? new Map<AccountType | null, CorrectedParts>();
    // Put behind what is there, which an entry that is only set again would not be.
    const before = ofName.get(accountType);
    ofName.delete(accountType);
    ofName.set(accountType, { ...before, ...parts });
    known.set(key, ofName);
  }
  return ({ cleanName, entryType, accountType, setId }, facts) => {
    const ofName = cleanName === "" ? undefined : known.get(correctionKeyOf(entryType, cleanName));
    if (ofName === undefined) return facts;
    const { location, ...parts } = forSet(partsFor(ofName, accountType), setId);
    const place = correctedLocation(facts.location, location);
    return withParts(facts, { ...parts, ...(place === undefined ? {} : { location: place }) });
  };
}

/** The parts without a category that is a word of another set. */
export function forSet<Parts extends CorrectedParts>(
  parts: Parts,
  setId: string | null,
): Omit<Parts, "categories"> & Pick<CorrectedParts, "categories"> {
  const { categories, ...others } = parts;
  return categories?.set === undefined || categories.set === setId ? parts : others;
}

/** The facts with the parts in place of what was found. */
export function withParts(
  facts: Facts,
  { counterparty, categories, location, intermediaries }: Override,
): Facts {
  const shown = correctedCategories(facts.categories, categories);
  const place = location === undefined ? facts.location : location;
  const between = intermediaries ?? facts.entities?.intermediaries ?? [];
  if (counterparty === undefined) {
    const entities =
      intermediaries === undefined
        ? facts.entities
        : { counterparty: facts.entities?.counterparty ?? null, intermediaries };
    return { ...facts, entities, categories: shown, location: place };
  }
  return {
    entities: { counterparty, intermediaries: between },
    categories: shown,
    location: place === null ? null : withMerchantName(place, counterparty?.name ?? null),
  };
}

/** The changed facts; corrected fields keep their previous values. */
export function keepParts(
  changed: Facts,
  shown: Facts,
  { counterparty, categories, location }: Override,
): Facts {
  return {
    entities:
      counterparty === undefined
        ? changed.entities
        : {
            counterparty: shown.entities?.counterparty ?? null,
            intermediaries: changed.entities?.intermediaries ?? [],
          },
    categories: categories === undefined ? changed.categories : shown.categories,
    location: location === undefined ? changed.location : shown.location,
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

/** Without an account type there is no category. */
const correctedCategories = (
  found: Facts["categories"],
  corrected: CorrectedCategories | undefined,
): Facts["categories"] => {
  if (found === null || corrected === undefined) return found;
  return { general: corrected.general, accounting: corrected.accounting };
};

/**
 * Shops with one name are in many places: a corrected address applies when the line has none. A removed address always
 * applies: a word of the name was taken for a place.
 */
const correctedLocation = (
  found: Facts["location"],
  location: Facts["location"] | undefined,
): Facts["location"] | undefined => (location == null ? location : (found ?? location));
