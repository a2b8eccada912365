// Codes of a counterparty: merchant category codes (ISO 18245) and industry codes (NAICS 2017).
import type { Counterparty } from "../../src/model/facts.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";

/** Digits of a NAICS code that name the group of trades; the fifth and sixth say which of them. */
const GROUP_DIGITS = 4;

/** The code of the trade; of two codes of one group that of the category, which tells a café from a snack bar. */
export function naicsOf(mcc: number, category: number, knowledge: Knowledge): string | null {
  const ofCategory = knowledge.lexicon.categoryCodes[category]?.naics ?? "";
  const ofMcc = knowledge.mccNaics.get(mcc) ?? "";
  if (ofMcc === "") return ofCategory || null;
  const isFiner = ofCategory.length > GROUP_DIGITS;
  const isSameGroup = ofCategory.slice(0, GROUP_DIGITS) === ofMcc.slice(0, GROUP_DIGITS);
  return isFiner && isSameGroup ? ofCategory : ofMcc;
}

type Codes = Pick<Counterparty, "mccs" | "naics2017">;

/** Codes of a merchant that sells what is of the consumer's category. */
export function codesOfCategory(name: string, knowledge: Knowledge): Codes {
  const category = knowledge.lexicon.categories.indexOf(name);
  const mcc = knowledge.lexicon.categoryCodes[category]?.mcc ?? 0;
  return { mccs: mcc === 0 ? [] : [mcc], naics2017: naicsOf(mcc, category, knowledge) };
}
