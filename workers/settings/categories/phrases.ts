// Index of the phrases of one direction. It finds the words of an entry as a whole, joined or separated, as a part of the
// entry, or with a typo.
import { joinedKeyOf, wordsKeyOf, readCategoryEntry, stemsOf, type Words } from "./text.ts";
import { type CategoryWords, openCategoryWords } from "./words.ts";

/** One of our categories that a phrase names, or of which it names a part. */
export interface Hit {
  readonly category: string;
  /** Null: a part. */
  readonly tier: number | null;
  /** Counts only where the phrase is the whole entry. */
  readonly isWhole: boolean;
  /** Names several things: `travel and lodging`. */
  readonly isList: boolean;
}

export interface PhraseIndex {
  /** The categories of the words together; null when no phrase matches. */
  find(words: Words): readonly Hit[] | null;
  /** The same for a phrase inside the words: the longest one of two and more words, or the last word. */
  findInside(words: Words): readonly Hit[];
  /** The same for a phrase that is hardly written otherwise. */
  findSimilar(words: Words): readonly Hit[];
}

/** Wrong letters that are forgiven, by the length of what is written. */
const editsMax = (length: number): number => {
  if (length < 7) return 0;
  return length < 10 ? 1 : 2;
};
/** Longer texts are not compared by edit distance. */
const SIMILAR_LENGTH_MAX = 40;
/** In an entry with more words no phrase is searched. */
const INSIDE_WORDS_MAX = 6;
/** A phrase inside an entry matches narrow tiers only, a single last word only the first: a `steak house` is not a house. */
const INSIDE_TIER_MAX = 2;

/** A phrase that slips are looked for in. */
interface Spelling {
  readonly text: string;
  readonly letters: number;
}

export function createPhraseIndex(words: CategoryWords): PhraseIndex {
  const hits = new Map<string, Hit[]>();
  const spellings = new Map<string, Spelling[]>();
  const keysOf = createPhraseKeys();

  function add(text: string, hit: Omit<Hit, "isList">): void {
    const { keys, isList } = keysOf(text);
    for (const key of keys) {
      const there = hits.get(key);
      if (there === undefined) addSpelling(key);
      // The nearest meaning stands first in the lists: wider ones add nothing.
      const isKnown = there?.some(({ category }) => category === hit.category) ?? false;
      if (!isKnown) hits.set(key, [...(there ?? []), { ...hit, isList }]);
    }
  }

  function addSpelling(key: string): void {
    const size = phraseSizeOf(key, key.length);
    const there = spellings.get(size) ?? [];
    there.push({ text: key, letters: lettersOf(key) });
    spellings.set(size, there);
  }

  for (const [category, phrases] of words) {
    for (const { text, tier, isWhole } of phrases) add(text, { category, tier, isWhole });
  }
  for (const { category, text } of openCategoryWords().narrower) {
    add(text, { category, tier: null, isWhole: false });
  }

  const find: PhraseIndex["find"] = (all) =>
    hits.get(wordsKeyOf(all)) ?? hits.get(joinedKeyOf(all)) ?? null;

  return {
    find,
    findInside: (all) => findInside(all, find),
    findSimilar: (all) => {
      const nearest = nearestSpelling(joinedKeyOf(all), editsMax(all.join("").length), spellings);
      return (hits.get(nearest ?? "") ?? []).filter(({ isWhole }) => !isWhole);
    },
  };
}

/** The same phrase stands for many categories, and is read once. */
function createPhraseKeys(): (text: string) => { keys: readonly string[]; isList: boolean } {
  const known = new Map<string, { keys: readonly string[]; isList: boolean }>();
  return (text) => {
    const there = known.get(text);
    if (there !== undefined) return there;
    const { all, segments } = readCategoryEntry(text);
    const keys = [...new Set([wordsKeyOf(all), joinedKeyOf(all)])];
    const made = { keys, isList: segments.length > 1 };
    known.set(text, made);
    return made;
  };
}

function nearestSpelling(
  text: string,
  editsMost: number,
  spellings: ReadonlyMap<string, readonly Spelling[]>,
): string | null {
  if (editsMost === 0 || text.length > SIMILAR_LENGTH_MAX) return null;
  let fewest = editsMost;
  const letters = lettersOf(text);
  let best: string | null = null;
  const [shortest, longest] = [text.length - fewest, text.length + fewest];
  for (let length = shortest; length <= longest; length++) {
    for (const spelling of spellings.get(phraseSizeOf(text, length)) ?? []) {
      // An edit adds a letter, takes one away, or does both: most phrases have too many others.
      if (bitsOf(letters ^ spelling.letters) > 2 * fewest) continue;
      const edits = editsBetween(text, spelling.text, fewest);
      if (edits > fewest || (best !== null && edits === fewest)) continue;
      best = spelling.text;
      fewest = edits;
    }
  }
  return best;
}

/** Typos seldom change the first letter. */
const phraseSizeOf = (text: string, length: number): string => `${text.charAt(0)}${String(length)}`;

/** A bit for each letter that is in the text. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters;
}

function bitsOf(letters: number): number {
  let count = 0;
  for (let left = letters; left !== 0; left &= left - 1) count++;
  return count;
}

const upTo = (hits: readonly Hit[], tierMax: number): readonly Hit[] =>
  hits.filter(({ isWhole, tier }) => !isWhole && (tier === null || tier <= tierMax));

function findInside(all: Words, find: PhraseIndex["find"]): readonly Hit[] {
  if (all.length < 2 || all.length > INSIDE_WORDS_MAX) return [];
  for (let length = all.length - 1; length >= 2; length--) {
    // English puts the noun last: of equals the last one counts.
    for (let from = all.length - length; from >= 0; from--) {
      const part = all.slice(from, from + length);
      if (stemsOf(part).length < 2) continue;
      const found = find(part);
      if (found !== null) return upTo(found, INSIDE_TIER_MAX);
    }
  }
  // `Weekly groceries` are groceries and `salary Ann` is a salary, but `pet insurance` is more than any insurance: another
  // word that means something.
  const known = all.flatMap((word) => find([word]) ?? []);
  const ends = [all.slice(-1), all.slice(0, 1)].map((word) => find(word));
  const end = ends.find((found) => found !== null) ?? [];
  return end.length === known.length ? upTo(end, 0) : [];
}

const VOWELS = "aeiouy";

function costOfChange(from: string, to: string): number {
  if (from === to) return 0;
  return VOWELS.includes(from) && VOWELS.includes(to) ? 1 : 2;
}

/**
 * Letters to add, leave out, or swap with their neighbour, and vowels to change; `most + 1` for anything beyond `most`. Who
 * writes another consonant means another word: `painting` is not `printing`.
 */
function editsBetween(a: string, b: string, most: number): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const change = costOfChange(a.charAt(i - 1), b.charAt(j - 1));
      let edits = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + change,
      );
      const isSwapped =
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwapped) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      row.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    before = above;
    above = row;
  }
  return above[b.length] ?? most + 1;
}
