// Lists of checks print their numbers alone: what they are stands in the heading.
import type { TextLine } from "./lines.ts";

/** As they are described, by the words of a heading without accents. */
const WORDS: readonly (readonly [heading: RegExp, word: string])[] = [
  [/^\W*(?:checks?|chk)\W*$/u, "Check"],
  [/^\W*cheques?\W*$/u, "Cheque"],
  [/^\W*schecks?\W*$/u, "Scheck"],
];

/** The word for what a heading of a list or of a column names; null: it names no checks. */
export const checkWordOf = (line: TextLine | undefined): string | null =>
  WORDS.find(([heading]) => line?.plain.some((word) => heading.test(word)))?.[1] ?? null;

/** "Check 1203" for the number of a check alone; other descriptions as they are. */
export const describedCheck = (description: string, word: string | null): string =>
  word !== null && /\d/u.test(description) && !/\p{L}/u.test(description)
    ? `${word} ${description}`
    : description;
