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
import { sourcesOf } from "./sources.ts";
import { createWordModel } from "./word-model.ts";

function placeTrait({ tagging }: Reading): PlaceTrait {
  const { labels } = tagging;
  if (labels.includes(LABEL.city)) return "city";
  if (labels.includes(LABEL.phone)) return "phone";
  return labels.includes(LABEL.web) ? "web" : "noplace";
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
const ZEROS = zerosOf(256)();

/** Added to probabilities, so that none is nothing. */
const WORDS_FLOOR = 0.003;
const WORDS_FLOOR_LOG = Math.log(WORDS_FLOOR);
/** Less than this is negligible in the sum. */
const WORDS_MIN = 1e-7;
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

/** Place in the account's set of each category of the lexicon, -1 = it has none there. */
function placesOf(
  accountType: AccountType,
  entryType: EntryType,
  { lexicon }: Knowledge,
): Int16Array {
  const names = CATEGORY_SETS[accountType][entryType];
  const { categories, businessCategories, toBusiness } = lexicon;
  return Int16Array.from(categories, (own, at) => {
    const name = accountType === "consumer" ? own : businessCategories[toBusiness[at] ?? -1];
    return name === undefined ? -1 : names.indexOf(name);
  });
}

/** One for each thread. */
export function createCategoryInput(knowledge: Knowledge): CategoryInputOf {
  const kept = new Map<string, Int16Array>();
  const soundOf = createWordModel(knowledge);
  function keptPlaces(accountType: AccountType, entryType: EntryType): Int16Array {
    const key = `${accountType} ${entryType}`;
    const known = kept.get(key) ?? placesOf(accountType, entryType, knowledge);
    kept.set(key, known);
    return known;
  }
  return (reading, accountType, entryType) => {
    const { hints } = reading;
    const names = CATEGORY_SETS[accountType][entryType];
    const places = keptPlaces(accountType, entryType);
    const byWords = ZEROS.slice(0, names.length);
    const sounds = soundOf(wordsOf(reading, knowledge), entryType === "outgoing");
    for (let at = 0; at < places.length; at++) {
      const place = places[at] ?? -1;
      if (place >= 0) byWords[place] = (byWords[place] ?? 0) + (sounds[at] ?? 0);
    }
    for (let at = 0; at < byWords.length; at++) {
      const share = byWords[at] ?? 0;
      byWords[at] = share < WORDS_MIN ? WORDS_FLOOR_LOG : Math.log(share + WORDS_FLOOR);
    }
    const byAmount = ZEROS.slice(0, names.length);
    // Only consumers' amounts were counted.
    if (accountType === "consumer" && !Number.isNaN(hints.size))
      for (let at = 0; at < places.length; at++) {
        const place = places[at] ?? -1;
        if (place >= 0)
          byAmount[place] = clamp(likelihoodOf(hints.size, at, knowledge), AMOUNT_MIN, AMOUNT_MAX);
      }
    const { sources, trade } = sourcesOf(reading, accountType, knowledge);
    return {
      accountType,
      entryType,
      place: placeTrait(reading),
      party: partyTrait(reading, knowledge),
      sources,
      trades: accountType === "business" ? tradesOf(trade, sounds, knowledge) : [],
      confidence: reading.confidence,
      byWords,
      byAmount,
    };
  };
}
