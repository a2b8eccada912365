// How near an entry of a set is to each of our categories.
import { contraryWords, genericWords, moneyWords, qualifierWords } from "./entry-words.ts";
import type { Hit, PhraseIndex } from "./phrases.ts";
import { type EntryParts, headOf, wordsKeyOf, readCategoryEntry, type Words } from "./text.ts";

/** The meaning of an entry. */
export interface Meaning {
  /** By our own category: 0..1, higher is nearer. */
  readonly scores: ReadonlyMap<string, number>;
  /** Categories of which it names a part. */
  readonly parts: ReadonlySet<string>;
  /** Nothing of it is known. */
  readonly isUnknown: boolean;
  /** Words of the entry. */
  readonly length: number;
}

/** Narrower words are preferred: the score is multiplied by this for each wider tier. */
const TIER_SHARE = 0.9;
// Weights of readings of an entry, compared with all its words unchanged.
const STRIPPED = 0.98;
const SEGMENT = 0.95;
const LEAF = 0.93;
const REMARK = 0.88;
const HEAD = 0.8;
const INSIDE = 0.78;
const SIMILAR = 0.72;
/** A half of an entry that matches as a whole counts alone only as a synonym. */
const HALF_TIER_MAX = 0;
/** The words before `de` or `for` count alone only as a synonym: `frais de voyage` are not fees. */
const HEAD_TIER_MAX = 0;

// Compared without endings, see keyOf.
const qualifiers = stemmed(qualifierWords);
const generic = stemmed(genericWords);
const money = {
  outgoing: stemmed(moneyWords.outgoing),
  incoming: stemmed(moneyWords.incoming),
} as const;
const contrary = {
  outgoing: stemmed(contraryWords.outgoing),
  incoming: stemmed(contraryWords.incoming),
} as const;

function stemmed(words: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...words].map((word) => wordsKeyOf([word])));
}

export type Scorer = (entry: string) => Meaning;

/** @param other the phrases of the other direction: what only they know is not read as anything else here */
export function createScorer(
  index: PhraseIndex,
  other: PhraseIndex,
  direction: keyof typeof money,
): Scorer {
  const isQualifier = (word: string): boolean => qualifiers.has(wordsKeyOf([word]));
  const isNoise = (word: string): boolean =>
    isQualifier(word) || money[direction].has(wordsKeyOf([word]));
  const isContrary = (word: string): boolean => contrary[direction].has(wordsKeyOf([word]));
  const isForeign = (words: Words): boolean => words.some(isContrary) || other.find(words) !== null;

  /** What the words say, if need be without those that say little. */
  function findTelling(words: Words): readonly Hit[] | null {
    const without = [isQualifier, isNoise].map((isLittle) =>
      words.filter((word) => !isLittle(word)),
    );
    const telling = without.filter(({ length }) => length > 0 && length < words.length);
    for (const fewer of telling) {
      const found = index.find(fewer);
      if (found !== null) return found;
    }
    return null;
  }

  return (entry) => {
    const read = readCategoryEntry(entry);
    const scores = new Map<string, number>();
    const parts = new Set<string>();
    const take = (hits: readonly Hit[], worth: number, tierMax = Infinity): void => {
      for (const { category, tier } of hits) {
        if (tier === null) parts.add(category);
        else if (tier <= tierMax) {
          const score = worth * TIER_SHARE ** tier;
          if (score > (scores.get(category) ?? 0)) scores.set(category, score);
        }
      }
    };

    const whole = findPath(read.parent, read.all, index) ?? findPath(read.parent, read.main, index);
    if (whole !== null) take(whole, 1);
    const isOfOther = whole === null && isForeign(read.all);
    if (!isOfOther && (whole === null || read.segments.length > 1)) {
      const isKnownList = whole?.some(({ isList }) => isList) ?? false;
      const tierMax = isKnownList ? HALF_TIER_MAX : Infinity;
      for (const reading of readingsOf(read, index)) takeReading(reading, tierMax);
    }
    const isUnknown = scores.size === 0 && parts.size === 0 && !isOfOther;
    return { scores, parts, isUnknown, length: read.main.length };

    function takeReading({ words, worth, hits }: WordsReading, tierMax: number): void {
      const asIs = hits ?? index.find(words);
      if (asIs === null && isForeign(words)) return;
      const exact = asIs ?? findTelling(words);
      if (exact !== null) {
        const isAll = read.main.length === words.length;
        const fitting = exact.filter(({ isWhole }) => !isWhole || isAll);
        take(fitting, asIs === null ? worth * STRIPPED : worth, tierMax);
        return;
      }
      const telling = words.filter((word) => !isNoise(word));
      const head = headOf(words)?.filter((word) => !isNoise(word)) ?? [];
      const ofHead = head.length > 0 ? index.find(head) : null;
      if (ofHead !== null) take(ofHead, worth * HEAD, Math.min(tierMax, HEAD_TIER_MAX));
      else take(index.findInside(telling), worth * INSIDE, tierMax);
      take(index.findSimilar(words), worth * SIMILAR, tierMax);
    }
  };
}

interface WordsReading {
  readonly words: Words;
  readonly worth: number;
  /** What is known about the words already. */
  readonly hits?: readonly Hit[];
}

/** `Travel - Lodging` is not `travel and lodging`. */
function findPath(parent: Words, path: Words, index: PhraseIndex): readonly Hit[] | null {
  const found = index.find(path);
  if (found === null || parent.length === 0) return found;
  const exact = found.filter(({ isList }) => !isList);
  return exact.length === 0 ? null : exact;
}

/** The parts of an entry that may say what it is. */
function readingsOf({ parent, segments, remarks }: EntryParts, index: PhraseIndex): WordsReading[] {
  const ofRemarks = remarks.map((words) => ({ words, worth: REMARK }));
  if (parent.length === 0) {
    const worth = segments.length > 1 ? SEGMENT : 1;
    const named = withSharedNoun(segments, index).map((words) => ({ words, worth }));
    return [...named, ...ofRemarks];
  }
  if (segments.flat().every((word) => generic.has(wordsKeyOf([word])))) {
    return [{ words: parent, worth: LEAF }, ...ofRemarks];
  }
  const leaves = segments.map((words): WordsReading => {
    const hits = findPath(parent, [...parent, ...words], index);
    return hits === null ? { words, worth: LEAF } : { words, worth: SEGMENT, hits };
  });
  return [...leaves, ...ofRemarks];
}

/** `Car & Home Insurance` speaks of car insurance, not of cars. */
function withSharedNoun(segments: readonly Words[], index: PhraseIndex): readonly Words[] {
  const last = segments.at(-1) ?? [];
  const noun = last.at(-1);
  if (segments.length < 2 || last.length < 2 || noun === undefined) return segments;
  return segments.map((words, at) => {
    if (at === segments.length - 1) return words;
    const full = [...words, noun];
    return index.find(full) === null ? words : full;
  });
}
