// What the words of a name sound like, in the set of the account. The same names come again and again: what was worked out for one
// is kept.
import type { AccountType, EntryType } from "../../../src/model/transaction.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { hashSeed, hashText } from "../text/hash.ts";
import { createMetAgain } from "../met-again.ts";
import { zerosOf } from "../zeros.ts";
import { CATEGORY_SETS } from "./categoriser.ts";
import { createWordModel } from "./word-model.ts";

/** Names that came again and are kept by each thread; a power of two. Some 1.5 kB each. */
const NAMES_KEPT = 2048;
/** Hashes of names that were met once; a power of two. */
const NAMES_MET = 8192;

/** Added to probabilities, so that none is nothing. */
const WORDS_FLOOR = 0.003;
const WORDS_FLOOR_LOG = Math.log(WORDS_FLOOR);
/** Less than this is negligible in the sum. */
const WORDS_MIN = 1e-7;

/** What the words of a name sound like. */
interface NameSound {
  /** Probability of each category of the lexicon. */
  readonly shares: readonly number[];
  /** Logarithm of the probability of each category of the account's set. */
  readonly byWords: readonly number[];
  /** Place in the account's set of each category of the lexicon, -1 = it has none there. */
  readonly places: Int16Array;
}

interface KeptSound {
  readonly words: readonly string[];
  readonly places: Int16Array;
  readonly sound: NameSound;
}

/** Shares of these words, by identity: no list of words is changed. */
interface LastShares {
  readonly words: readonly string[];
  readonly isOutgoing: boolean;
  readonly shares: readonly number[];
}

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

/** @param byWords zeros, one for each category of the account's set: filled in and returned */
function logarithmsOf(shares: readonly number[], places: Int16Array, byWords: number[]): number[] {
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? -1;
    if (place >= 0) byWords[place] = (byWords[place] ?? 0) + (shares[at] ?? 0);
  }
  for (let at = 0; at < byWords.length; at++) {
    const share = byWords[at] ?? 0;
    byWords[at] = share < WORDS_MIN ? WORDS_FLOOR_LOG : Math.log(share + WORDS_FLOOR);
  }
  return byWords;
}

function hashOf(words: readonly string[]): number {
  let hash: number = hashSeed;
  for (const word of words) hash = hashText(hash, word);
  return hash;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** @param words folded words, see `tokenise` */
export type NameSounds = (
  words: readonly string[],
  accountType: AccountType,
  entryType: EntryType,
) => NameSound;

/** One for each thread: it keeps names. The function returned is deterministic. */
export function createNameSounds(knowledge: Knowledge): NameSounds {
  const soundOf = createWordModel(knowledge);
  const kept = new Array<KeptSound | null>(NAMES_KEPT).fill(null);
  const isMetAgain = createMetAgain(NAMES_MET);
  // A line of a company's card is asked about in two sets: the same name has another slot in each.
  const setOf = (accountType: AccountType, entryType: EntryType, salt: number) => ({
    places: placesOf(accountType, entryType, knowledge),
    zeros: zerosOf(CATEGORY_SETS[accountType][entryType].length),
    salt,
  });
  const sets = {
    consumer: {
      outgoing: setOf("consumer", "outgoing", 0),
      incoming: setOf("consumer", "incoming", 1),
    },
    business: {
      outgoing: setOf("business", "outgoing", 2),
      incoming: setOf("business", "incoming", 3),
    },
  };
  /** The last words, whose shares are the same in the set of either account. */
  let last: LastShares = { words: [], isOutgoing: true, shares: [] };
  const sharesOf = (words: readonly string[], isOutgoing: boolean): readonly number[] => {
    if (last.words !== words || last.isOutgoing !== isOutgoing)
      last = { words, isOutgoing, shares: soundOf(words, isOutgoing) };
    return last.shares;
  };
  return (words, accountType, entryType) => {
    const { places, zeros, salt } = sets[accountType][entryType];
    const hash = hashOf(words) ^ salt;
    const slot = (hash ^ (hash >>> 16)) & (NAMES_KEPT - 1);
    const known = kept[slot];
    if (known != null && known.places === places && isSame(known.words, words)) return known.sound;
    const shares = sharesOf(words, entryType === "outgoing");
    const sound = { shares, byWords: logarithmsOf(shares, places, zeros()), places };
    if (isMetAgain(hash)) kept[slot] = { words, places, sound };
    return sound;
  };
}
