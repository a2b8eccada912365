// What the categoriser gets of a line that was read: which source names which category, what the words of the name sound like, and
// what the amount is evidence of.
import type { AccountType, EntryType } from "../../../src/model/transaction.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { LABEL } from "../parse/labels.ts";
import type { Reading } from "../read.ts";
import { lookUp } from "../text/word-map.ts";
import { likelihoodOf } from "./amount.ts";
import {
  CATEGORY_SETS,
  type CategoryInput,
  type PartyTrait,
  type PlaceTrait,
  type Trade,
} from "./categoriser.ts";
import { zerosOf } from "../zeros.ts";
import { createNameSounds } from "./name-sounds.ts";
import { namedBySources, type NamedBySource, sourcesOf } from "./sources.ts";

function placeTrait({ tagging }: Reading): PlaceTrait {
  let trait: PlaceTrait = "noplace";
  for (const label of tagging.labels) {
    if (label === LABEL.city) return "city";
    if (label === LABEL.phone) trait = "phone";
    else if (label === LABEL.web && trait !== "phone") trait = "web";
  }
  return trait;
}

/** Of a merchant without a category no more is known than of an unknown name. */
function partyTrait({ party }: Reading, { merchants }: Knowledge): PartyTrait {
  if (party.kind === "none") return "none";
  if (party.kind === "merchant")
    return merchants.category[party.merchant] === 0 ? "unknown" : "known";
  return party.type === "person" ? "person" : "unknown";
}

/** Words of the name, or of the line without a counterparty, with abbreviations spelled out and without numbers. */
function wordsOf({ line, party }: Reading, knowledge: Knowledge): readonly string[] {
  const { from, to } = party.kind === "none" ? { from: 0, to: line.tokens.length } : party.span;
  const words: string[] = [];
  for (let at = from; at < to; at++) {
    const token = line.tokens[at];
    if (token === undefined || token.kind === "number" || token.kind === "mask") continue;
    words.push(lookUp(knowledge.abbreviations, token) ?? token.text);
  }
  return words;
}

/** As many as an account has categories, and more. */
const ZEROS: readonly number[] = zerosOf(256)();

const AMOUNT_MIN = -4;
const AMOUNT_MAX = 2;

/** What the words sound like counts as a trade from this probability on, and less where the trade is known. */
const TRADE_SHARE_MIN = 0.08;
const TRADE_SHARE_KNOWN = 0.3;

/** What the counterparty may sell, each with a share: known from tables, and by the sound of the words. */
function tradesOf(
  known: string | null,
  sounds: readonly number[],
  { lexicon }: Knowledge,
): readonly Trade[] {
  const trades: Trade[] = known === null ? [] : [[known, 1]];
  const weight = known === null ? 1 : TRADE_SHARE_KNOWN;
  sounds.forEach((share, at) => {
    if (share > TRADE_SHARE_MIN) trades.push([lexicon.categories[at] ?? "", weight * share]);
  });
  return trades;
}

const clamp = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, value));

export type CategoryInputOf = (
  reading: Reading,
  accountType: AccountType,
  entryType: EntryType,
) => CategoryInput;

/** Logarithm of how likely the amount is for each category of the account's set, see `CategoryInput`; zeros beyond. */
function amountsOf(
  { hints }: Reading,
  accountType: AccountType,
  places: Int16Array,
  zeros: () => number[],
  knowledge: Knowledge,
): readonly number[] {
  // Only consumers' amounts were counted.
  if (accountType !== "consumer" || Number.isNaN(hints.size)) return ZEROS;
  const byAmount = zeros();
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? -1;
    if (place >= 0)
      byAmount[place] = clamp(likelihoodOf(hints.size, at, knowledge), AMOUNT_MIN, AMOUNT_MAX);
  }
  return byAmount;
}

/** What of a line is evidence for every account. */
interface LineEvidence {
  readonly reading: Reading;
  readonly words: readonly string[];
  readonly named: readonly NamedBySource[];
}

/** One for each thread: a line of a company's card is asked about twice, so that of the last one is kept. */
export function createCategoryInput(knowledge: Knowledge): CategoryInputOf {
  const soundOf = createNameSounds(knowledge);
  const zeros = {
    outgoing: zerosOf(CATEGORY_SETS.consumer.outgoing.length),
    incoming: zerosOf(CATEGORY_SETS.consumer.incoming.length),
  };
  let last: LineEvidence | null = null;
  const evidenceOf = (reading: Reading): LineEvidence => {
    if (last?.reading !== reading)
      last = {
        reading,
        words: wordsOf(reading, knowledge),
        named: namedBySources(reading, knowledge),
      };
    return last;
  };
  return (reading, accountType, entryType) => {
    const { words, named } = evidenceOf(reading);
    const { shares, byWords, places } = soundOf(words, accountType, entryType);
    const { direction } = reading.hints;
    const { sources, trade } = sourcesOf(named, direction, accountType, knowledge);
    return {
      accountType,
      entryType,
      place: placeTrait(reading),
      party: partyTrait(reading, knowledge),
      sources,
      trades: accountType === "business" ? tradesOf(trade, shares, knowledge) : [],
      confidence: reading.confidence,
      byWords,
      byAmount: amountsOf(reading, accountType, places, zeros[entryType], knowledge),
    };
  };
}
