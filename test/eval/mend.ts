// What would mend a wrong answer: for each wrong fact the first part of the recogniser that had no right value.
import type { Knowledge } from "../../workers/knowledge/knowledge.ts";
import { partyOf } from "../../workers/recogniser/read.ts";
import type { Examination } from "../../workers/recogniser/recogniser.ts";
import { isRegistered } from "../../workers/recogniser/website/domains.ts";
import {
  comparableName,
  isCategoryRight,
  isMerchantRight,
  isWebsiteRight,
  type Outcome,
} from "./measure.ts";

export const MENDS = {
  ranker: "name: another candidate is right (ranker)",
  silent: "name: there is one (tagger, or the threshold)",
  none: "name: there is none (tagger)",
  alias: "name: the line has it in other words (a row of the tables)",
  ends: "name: the words are in the line, but in no candidate (tagger, candidates)",
  site: "website: registered, not reached from the name (a row of the tables, a variant)",
  list: "website: in no list (a row of the tables)",
  source: "category: no source names one (words of trades, the model of words)",
  weight: "category: a source names another (tables, categoriser)",
} as const;
export type Mend = keyof typeof MENDS;

function candidateNames({ reading }: Examination, knowledge: Knowledge): readonly string[] {
  const { ranked, line, tagging, hints } = reading;
  return ranked.map(({ candidate }) => {
    const party = partyOf(line, candidate, tagging.flags, hints.home, knowledge);
    if (party.kind === "none") return "";
    return party.kind === "named"
      ? party.name
      : knowledge.text(knowledge.merchants.name[party.merchant] ?? 0);
  });
}

function mendOfName(outcome: Outcome, examination: Examination, knowledge: Knowledge): Mend {
  const right = (outcome.one.label.merchants ?? []).map(comparableName);
  if (right.every((name) => name === "")) return "none";
  if (outcome.merchant === "") return "silent";
  const names = candidateNames(examination, knowledge).map(comparableName);
  if (names.some((name) => right.includes(name))) return "ranker";
  const line = comparableName(outcome.one.item.description);
  return right.some((name) => name !== "" && line.includes(name)) ? "ends" : "alias";
}

/** For each wrong fact what would mend it; empty where nothing is wrong. */
export function mendsOf(
  outcome: Outcome,
  examination: Examination,
  knowledge: Knowledge,
): readonly Mend[] {
  const mends: Mend[] = [];
  const isNameWrong = isMerchantRight(outcome) === false;
  if (isNameWrong) mends.push(mendOfName(outcome, examination, knowledge));
  // The website and the category of a wrong name are wrong with it.
  if (isNameWrong) return mends;
  const sites = outcome.one.label.websites ?? [];
  if (isWebsiteRight(outcome) === false)
    mends.push(sites.some((site) => isRegistered(knowledge, site)) ? "site" : "list");
  if (isCategoryRight(outcome) === false)
    mends.push(examination.categoryInput?.sources.size === 0 ? "source" : "weight");
  return mends;
}
