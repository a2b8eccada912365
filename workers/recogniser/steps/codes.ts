// Step: the codes of a trade, merchant category code (ISO 18245) and NAICS 2017, from each other and from the category.
import type { Counterparty } from "../../../src/model/facts.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { type CategoryEvidence, decideCategories } from "./category.ts";
import type { PartyEvidence } from "./confidence.ts";
import type { Party } from "./party-types.ts";

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

/** Where a card terminal or a website named somebody, so that the words say what is sold there. */
const soldByCard: ReadonlySet<PartyEvidence> = new Set([
  "name on card",
  "name behind processor",
  "unknown website",
]);

/** A category that was only guessed must be more certain than this before codes are made from it. */
const PROBABILITY_MIN = 0.7;

type Codes = Pick<Counterparty, "mccs" | "naics2017">;

/** Codes of a merchant that no table knows, by the category of what was bought there; null unless it was bought by card. */
export function codesOfUnknown(
  party: Party,
  evidence: CategoryEvidence,
  direction: 0 | 1,
  knowledge: Knowledge,
): Codes | null {
  const isShop =
    party.kind === "named" && party.type === "organization" && soldByCard.has(party.by);
  if (!isShop || direction === 0 || evidence.wording !== null) return null;
  const isSure = (evidence.guess?.probability ?? 0) >= PROBABILITY_MIN;
  const sure = { ...evidence, guess: isSure ? evidence.guess : null };
  const { general } = decideCategories(sure, direction, "consumer", knowledge);
  const category = knowledge.lexicon.categories.indexOf(general ?? "");
  const mcc = knowledge.lexicon.categoryCodes[category]?.mcc ?? 0;
  return { mccs: mcc === 0 ? [] : [mcc], naics2017: naicsOf(mcc, category, knowledge) };
}
