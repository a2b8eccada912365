// The merchant of a descriptor: `AMZN MKTP US*2K3`, `SQ *BLUE BOTTLE`. The recogniser reads it; without the amount and the
// account of a line, some of its results are too uncertain for a text that is only a name.
import type { Examination } from "../recogniser/recogniser.ts";
import { flagsOfWord, type Knowledge } from "../knowledge/knowledge.ts";
import { AliasFlag, WordFlag } from "../knowledge/sections.ts";
import { isReference } from "../recogniser/line.ts";
import { companyWords, endWords } from "../recogniser/name/name-words.ts";
import { LABEL } from "../recogniser/parse/labels.ts";
import { AT } from "../recogniser/rank/evidence.ts";
import type { Party, Reading } from "../recogniser/read.ts";
import { nameKey } from "../recogniser/text/keys.ts";
import { type AskedPlace, countryOf } from "./area.ts";
import type { MerchantSite } from "./id-index.ts";
import type { MerchantNames } from "./names.ts";
import { labelKey, likeliestOwner, type Owner, siteAt } from "./owners.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

interface LineReader {
  readonly knowledge: Knowledge;
  readonly examine: (item: RecogniserInput) => Examination;
  readonly names: MerchantNames;
}

/**
 * Whether the merchant was found by its own words: a typo is too uncertain without the rest of a line around the name, and so is
 * an unchecked name that is not all of the text.
 */
function isSure({ ranked }: Reading): boolean {
  const [best] = ranked;
  if (best === undefined || best.candidate.evidence[AT.typo] === 1) return false;
  const { class: kind, evidence } = best.candidate;
  return kind === "curated" || (evidence[AT.whole] === 1 && evidence[AT.cutOff] !== 1);
}

/** A line is read as one of these when nothing else is known. */
const HOME = "US";

const itemOf = (description: string, country: string | null): RecogniserInput => ({
  description,
  amount: 1,
  entryType: "outgoing",
  currency: "",
  accountType: null,
  rawAddress: null,
  country,
});

type MerchantParty = Extract<Party, { kind: "merchant" }>;

/** What only statements have in a name: numbers and marks. */
const STATEMENT_MARK = /[\d*#]/u;
/** Words behind a name that say no more than what its owner is: `Chase Bank`, `Shell gas`, `Target online`. */
const trimmings: ReadonlySet<string> = new Set([
  ...endWords,
  ...companyWords,
  ..."app card cards com gas net oil online pay payments plus site website".split(" "),
]);

/** What stands where a bank's own words do is not a name: `apple pie`. */
const WORDS_OF_BANKS: ReadonlySet<number> = new Set([LABEL.wrapper, LABEL.purpose]);

/** A name that is also a word, or that no person wrote into a table, between unexplained words: `Chase Miller`, `target practice`. */
function isByChance(
  { span }: MerchantParty,
  owner: Owner,
  { line, placeFrom, tagging }: Reading,
  knowledge: Knowledge,
): boolean {
  if (STATEMENT_MARK.test(line.text)) return false;
  if (WORDS_OF_BANKS.has(tagging.labels[span.from] ?? -1)) return true;
  const rest = line.tokens
    .filter((_, at) => at < span.from || (at >= span.to && at < placeFrom))
    .map(({ text }) => text);
  // Nothing but the name: it was asked for as a whole before, and refused.
  if (rest.length === 0) return true;
  const isChecked = (owner.flags & AliasFlag.hand) !== 0;
  // Words of banks behind a checked name are part of a line; behind another they are as likely part of what was asked for.
  const isTrimming = (word: string): boolean =>
    trimmings.has(word) || (isChecked && (flagsOfWord(knowledge, word) & WordFlag.banking) !== 0);
  const isWeak = (owner.flags & AliasFlag.weak) !== 0 || !isChecked;
  return isWeak && !rest.every(isTrimming);
}

/** Words behind a name that may say which of its namesakes is meant: `AMAZON` `UK`. */
const MORE_TOKENS_MAX = 2;

/**
 * The merchant among those that share the recognised words, chosen by the words after them; -1 when the match was by
 * chance.
 */
function amongNamesakes(
  party: MerchantParty,
  reading: Reading,
  place: AskedPlace | null,
  knowledge: Knowledge,
): number {
  const { name } = knowledge.merchants;
  const { from, to } = party.span;
  const parts = reading.line.tokens.map(({ text }) => text);
  const keys = [nameKey(knowledge.text(name[party.merchant] ?? 0))];
  for (let more = 0; more <= MORE_TOKENS_MAX; more++)
    keys.unshift(parts.slice(from, to + more).join(""));
  for (const key of keys) {
    const alias = knowledge.aliases.keys.find(key);
    const owner = alias < 0 ? null : likeliestOwner(alias, place, knowledge);
    if (owner === null || name[owner.merchant] !== name[party.merchant]) continue;
    return isByChance(party, owner, reading, knowledge) ? -1 : owner.merchant;
  }
  return party.merchant;
}

/** Where the mark of a marketplace stands for it, the one of the country is meant: `AMZN MKTP*AB12` in Germany. */
function nationalBrand(
  merchant: number,
  place: AskedPlace | null,
  knowledge: Knowledge,
): MerchantSite {
  const general = siteAt(merchant, place, knowledge);
  const label = labelKey(knowledge.text(general.site));
  const alias = knowledge.aliases.keys.find(label);
  const owner = place === null || alias < 0 ? null : likeliestOwner(alias, place, knowledge);
  if (owner?.fit !== "exact") return general;
  const national = siteAt(owner.merchant, place, knowledge);
  return labelKey(knowledge.text(national.site)) === label ? national : general;
}

/** `UNITED 0162345678901 HOUSTON TX`: what is left of a line without numbers and place is a name that is asked for. */
function askedInLine({ line, placeFrom }: Reading, names: MerchantNames): number | null {
  if (!STATEMENT_MARK.test(line.text)) return null;
  let key = "";
  for (let at = 0; at < placeFrom; at++) {
    if (!isReference(line, at)) key += line.tokens[at]?.text ?? "";
  }
  return names.asked(key);
}

interface LineParty extends MerchantSite {
  /** Tokens of the line that name it. */
  readonly length: number;
}

function readIn(
  text: string,
  country: string | null,
  place: AskedPlace | null,
  { knowledge, examine, names }: LineReader,
): LineParty | null {
  const { reading } = examine(itemOf(text, country));
  const { party, tagging } = reading;
  const isFound = party.kind === "merchant" && isSure(reading);
  const merchant = isFound
    ? amongNamesakes(party, reading, place, knowledge)
    : (askedInLine(reading, names) ?? -1);
  if (merchant < 0) return null;
  const isMark = isFound && tagging.labels[party.span.from] === LABEL.prefix;
  const site = isMark
    ? nationalBrand(merchant, place, knowledge)
    : siteAt(merchant, place, knowledge);
  return { ...site, length: isFound ? party.span.to - party.span.from : 0 };
}

/**
 * Read in the country of the query, or else at home, and without any country; the last applies when it finds a longer name:
 * `ALBERT HEIJN` is not the Albert of the United States. Null when no merchant matches.
 */
export function readAsLine(
  text: string,
  place: AskedPlace | null,
  reader: LineReader,
): MerchantSite | null {
  const there = readIn(text, countryOf(place) ?? HOME, place, reader);
  const anywhere = readIn(text, null, place, reader);
  return there === null || (anywhere !== null && anywhere.length > there.length) ? anywhere : there;
}
