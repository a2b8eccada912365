// Lists of checks print their numbers alone: what they are stands in the heading.
import type { PageLine } from "./layout.ts";
import type { TextLine } from "./lines.ts";
import type { SectionHeading } from "./section-heading.ts";

/** As they are described, by the words of a heading without accents. */
const WORDS: readonly (readonly [heading: RegExp, word: string])[] = [
  [/^\W*(?:checks?|chk)\W*$/u, "Check"],
  [/^\W*cheques?\W*$/u, "Cheque"],
  [/^\W*schecks?\W*$/u, "Scheck"],
];

/** The word for what a heading of a list or of a column names; null: it names no checks. */
export const checkWordOf = (line: TextLine | undefined): string | null =>
  WORDS.find(([heading]) => line?.plain.some((word) => heading.test(word)))?.[1] ?? null;

/**
 * The word for what the list below these lines has: from the upper line of its header, or from the heading of its section; null: they name
 * no checks.
 * @param heading of the section; null: of no section
 */
export function checkWordAbove(
  lines: readonly PageLine[],
  heading: SectionHeading | null,
): string | null {
  const last = lines.at(-1);
  const ofHeader = last?.header == null ? null : checkWordOf(last);
  if (ofHeader !== null || heading === null) return ofHeader;
  return checkWordOf(lines.findLast((line) => line.heading !== null));
}

/** "Check 1203" for the number of a check alone, without the star behind a gap in the numbers; other descriptions as they are. */
export const describedCheck = (description: string, word: string | null): string =>
  word !== null && /\d/u.test(description) && !/\p{L}/u.test(description)
    ? `${word} ${description.replaceAll(GAP_MARK, "")}`
    : description;

const GAP_MARK = /^\* ?| ?\*$/gu;
