// Reads an entry of a customer's set: `6100 · Meals & Entertainment`, `Travel: Airfare`, `EATING_OUT`, `Achats d'été`.
import { conjunctions, numberNames, prepositions, stopWords } from "./entry-words.ts";

/** Words in the order in which they stand, folded: lower case, no accents. */
export type Words = readonly string[];

/** How an entry is put together. */
export interface EntryParts {
  /** All words. */
  readonly all: Words;
  /** Those outside remarks. */
  readonly main: Words;
  /** `Travel` of `Travel: Air & Sea`; empty without such a part. */
  readonly parent: Words;
  /** `Air`, `Sea`; the entry's own segments where it has no parent. */
  readonly segments: readonly Words[];
  /** `Legal`, `Tax` of `Fees (Legal/Tax)`. */
  readonly remarks: readonly Words[];
}

/** Separate a wider word from a narrower one behind it. */
const HIERARCHY = /\s+[-–—|]+\s+|[:>›»·→]+/u;
const LIST = /[&+,;/\\]+/u;
const REMARK = /[([{]([^)\]}]*)[)\]}]?/gu;
/** French and Italian: `d'intérêts`, `l'eau`. */
const ELISION = /(?<![\p{L}\d])(?:[cdjlmnst]|qu|dell|all)['’](?=\p{L})/giu;
const CAMEL = /(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu;

/** An entry is at most this long, so that reading one is cheap whatever is in it. */
const LENGTH_MAX = 512;
/** Further parts of an entry are ignored. */
const SEGMENTS_MAX = 8;

export function readCategoryEntry(entry: string): EntryParts {
  const text = entry.slice(0, LENGTH_MAX).replace(CAMEL, " ").replace(ELISION, " ");
  const remarks = [...text.matchAll(REMARK)].flatMap((found) => segmentsOf(found[1] ?? ""));
  const levels = text
    .replace(REMARK, " ")
    .split(HIERARCHY)
    .filter((level) => wordsOfText(level).length > 0);
  const parent = levels
    .slice(0, -1)
    .flatMap(wordsOfText)
    .filter((word) => !conjunctions.has(word));
  const segments = segmentsOf(levels.at(-1) ?? "");
  const main = [...parent, ...segments.flat()];
  return { all: [...main, ...remarks.flat()], main, parent, segments, remarks };
}

function segmentsOf(text: string): Words[] {
  const segments: string[][] = [];
  for (const part of text.split(LIST, SEGMENTS_MAX)) {
    let segment: string[] = [];
    for (const word of wordsOfText(part)) {
      if (!conjunctions.has(word)) segment.push(word);
      else if (segment.length > 0) {
        segments.push(segment);
        segment = [];
      }
    }
    if (segment.length > 0) segments.push(segment);
  }
  return segments.slice(0, SEGMENTS_MAX);
}

/** Folded words without the numbers of accounts. */
function wordsOfText(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "" && (!/^\d+$/.test(word) || numberNames.has(word)));
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("œ", "oe")
    .replaceAll("æ", "ae")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replace(/['’`]/gu, "");
}

/** The word without the ending of its plural: not always a word, but the same text for both numbers. */
function stem(word: string): string {
  // `Gebuehren` is `Gebühren`, which was folded to `gebuhren`.
  const plain = word.length >= 6 ? word.replace(/([aou])e(?=[^aeiou])/gu, "$1") : word;
  if (plain.length <= 3) return plain;
  if (plain.endsWith("ies") && plain.length > 4) return `${plain.slice(0, -3)}y`;
  if (/(?:ss|us|is|as)$/u.test(plain)) return plain;
  if (/(?:sh|ch|x|ss|z)es$/u.test(plain)) return plain.slice(0, -2);
  return plain.endsWith("s") ? plain.slice(0, -1) : plain;
}

/** The meaningful words, each once, without its ending, sorted. Empty without such a word. */
export function wordsKeyOf(words: Words): string {
  return [...new Set(stemsOf(words))].sort().join(" ");
}

/** Written together: `take away` is `takeaway`. */
export const joinedKeyOf = (words: Words): string => stemsOf(words).join("");

export function stemsOf(words: Words): string[] {
  const telling = words.filter((word) => !stopWords.has(word));
  // `Y` can be the whole name of a category.
  return (telling.length > 0 ? telling : words).map(stem);
}

/** What stands before the first preposition; null where there is none, or nothing before it. */
export function headOf(words: Words): Words | null {
  const at = words.findIndex((word) => prepositions.has(word));
  return at > 0 ? words.slice(0, at) : null;
}
