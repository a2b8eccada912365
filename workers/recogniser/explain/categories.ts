// What spoke for the category, in the order in which it is asked. Who decided is not written down a second time: the
// decision is made again with one source more each time, and the first with which it comes out as it did is the one.
import type { CategorySource, ExplainedEvidence } from "../../../src/model/explanation.ts";
import { CATEGORY_SOURCES } from "../../../src/model/explanation.ts";
import { NOT_ENOUGH_INFORMATION } from "../../../src/model/categories.ts";
import type { Categories } from "../../../src/model/facts.ts";
import { type Reading, rowServiceOf, tradeOfUnknown } from "../recogniser.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import type { PatternRow } from "../../knowledge/sections.ts";
import { type CategoryEvidence, decideCategories } from "../steps/category.ts";
import type { AccountType } from "../../../src/model/transaction.ts";

/** What each source is made of. */
const FIELDS: Readonly<Record<CategorySource, keyof CategoryEvidence>> = {
  wording: "wording",
  person: "personal",
  platform: "platform",
  service: "service",
  merchant: "merchant",
  codes: "mccs",
  words: "nameWords",
  intermediary: "through",
  guess: "guess",
};

const NO_EVIDENCE: CategoryEvidence = {
  wording: null,
  service: -1,
  merchant: -1,
  mccs: [],
  nameWords: null,
  guess: null,
  through: -1,
  personal: false,
  platform: false,
};

/** Whether the source has anything to say. */
const speaks = (evidence: CategoryEvidence, source: CategorySource): boolean => {
  const value = evidence[FIELDS[source]];
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "number" ? value >= 0 : Boolean(value);
};

/** Words of a pattern as the tables write them: `DIRECT * DEPOSIT`. */
export const patternText = ({ parts }: PatternRow): string =>
  parts.map((part) => part.join(" ").toUpperCase()).join(" * ");

/** The source that decided; null where nothing did. */
export function decidingSource(
  evidence: CategoryEvidence,
  decided: Categories,
  direction: 0 | 1,
  account: AccountType,
  knowledge: Knowledge,
): CategorySource | null {
  if (decided.general === null || decided.general === NOT_ENOUGH_INFORMATION) return null;
  let heard = NO_EVIDENCE;
  for (const source of CATEGORY_SOURCES) {
    if (!speaks(evidence, source)) continue;
    const field = FIELDS[source];
    heard = { ...heard, [field]: evidence[field] };
    if (decideCategories(heard, direction, account, knowledge).general === decided.general)
      return source;
  }
  return null;
}

/** The words of the name that tell the trade. */
function tradeText(reading: Reading, knowledge: Knowledge): string {
  const match = tradeOfUnknown(reading, knowledge);
  return match === null ? "" : patternText(match.row);
}

/** The word that says what an office is paid for. */
function serviceText(reading: Reading, knowledge: Knowledge): string {
  const trade = tradeOfUnknown(reading, knowledge);
  const at = rowServiceOf(reading, trade, knowledge)?.at ?? -1;
  return (reading.line.tokens[at]?.text ?? "").toUpperCase();
}

/** What spoke, in words. */
function speakerOf(
  source: CategorySource,
  evidence: CategoryEvidence,
  reading: Reading,
  knowledge: Knowledge,
): string {
  const { wording, parties } = reading;
  const { party, through } = parties;
  const nameOf = (merchant: number): string =>
    knowledge.text(knowledge.merchants.name[merchant] ?? 0);
  switch (source) {
    case "wording":
      return wording === null ? "" : patternText(wording.row);
    case "person":
      return party.kind === "named" ? party.name : "";
    case "service":
      return serviceText(reading, knowledge);
    case "platform":
    case "merchant":
      return party.kind === "merchant" ? nameOf(party.merchant) : "";
    case "codes":
      return evidence.mccs.join(", ");
    case "words":
      return tradeText(reading, knowledge);
    case "intermediary":
      return nameOf(through[0] ?? -1);
    case "guess":
      return Number.isNaN(reading.hints.size)
        ? "pieces of the words"
        : "pieces of the words, and the amount";
  }
}

/** Index of the category a source names, -1 when it names none by itself. */
function categoryIndex(source: CategorySource, evidence: CategoryEvidence): number {
  const said = evidence[FIELDS[source]];
  if (typeof said === "number") return said;
  return typeof said === "object" && said !== null && "category" in said ? said.category : -1;
}

/** What a source says on its own: the category it names, or what would be decided with nothing else. */
function categoryOf(
  source: CategorySource,
  evidence: CategoryEvidence,
  direction: 0 | 1,
  knowledge: Knowledge,
): string | null {
  const named = knowledge.lexicon.categories[categoryIndex(source, evidence)];
  if (named !== undefined) return named;
  const field = FIELDS[source];
  const alone = { ...NO_EVIDENCE, [field]: evidence[field] };
  const asked = source === "codes" ? 1 : direction;
  const { general } = decideCategories(alone, asked, "consumer", knowledge);
  return general === NOT_ENOUGH_INFORMATION ? null : general;
}

/** Everything that spoke for a category, the strongest first. */
export function categoryEvidence(
  evidence: CategoryEvidence,
  decided: CategorySource | null,
  reading: Reading,
  knowledge: Knowledge,
): readonly ExplainedEvidence[] {
  const { direction } = reading.hints;
  return CATEGORY_SOURCES.filter((source) => speaks(evidence, source)).map((source) => ({
    source,
    from: speakerOf(source, evidence, reading, knowledge),
    category: categoryOf(source, evidence, direction, knowledge),
    probability: source === "guess" ? (evidence.guess?.probability ?? null) : null,
    decided: source === decided,
  }));
}
