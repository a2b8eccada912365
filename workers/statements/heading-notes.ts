// Headings of sections with a note next to them: a sentence, the count of the rows and their sum, or the number of the account.
import { ACCOUNT_LABEL } from "./lexicon.ts";
import type { TextLine } from "./lines.ts";
import { type SectionHeading, sectionHeadingOf } from "./section-heading.ts";

const NOTE_WORDS_MIN = 6;
/** In heights of a line. */
const NOTE_GAP_MIN = 1.2;
/** "4 items totaling $250.00": a count, words and an amount. */
const COUNT_OF_ROWS = /^\d+(?: \p{L}+){2,} \S*\d[.,]\d\d$/u;

/** "Checks Paid   No. Checks: 9   * Break in sequence": the count of the rows, and other notes. */
const COUNT_BEHIND = /^(?:no\.?|number)(?: of)? \p{L}+ \d{1,4}(?: |$)/u;

/**
 * "Checks written (they are among the rows above too)": a note in brackets is behind the heading.
 * "Checks in number order   * indicates a gap in the sequence": so is what a star means.
 * "Deposits    There were 4 deposits totaling $250.00.": a sentence, a count with its sum, or the number of the account is set apart from
 * the heading.
 */
export function headingBeforeNote({ words, plain, top, bottom }: TextLine): SectionHeading | null {
  const gaps = words.flatMap((word, at) => {
    const isWide = word.left - (words[at - 1]?.right ?? word.left) > (bottom - top) * NOTE_GAP_MIN;
    return isWide ? [at] : [];
  });
  const [at = words.length] = gaps;
  const note = plain.slice(at);
  const isSentence = note.length >= NOTE_WORDS_MIN && /^\p{L}/u.test(note[0] ?? "");
  const isAccount =
    ACCOUNT_LABEL.find([note[0]?.split(":")[0] ?? "", ...note.slice(1)])?.from === 0;
  const isNote = isSentence || isAccount || COUNT_OF_ROWS.test(note.join(" "));
  if (gaps.length === 1 && isNote) return sectionHeadingOf(plain.slice(0, at));
  const mark = markedNote(words);
  if (mark > 0) return sectionHeadingOf(plain.slice(0, mark));
  const isIgnored = sectionHeadingOf(plain.slice(0, dashBeforeNote(words))) === "ignored";
  if (isIgnored) return "ignored";
  const count = plain.findIndex((_, from) => COUNT_BEHIND.test(plain.slice(from).join(" ")));
  return count > 0 ? sectionHeadingOf(plain.slice(0, count)) : null;
}

/** "Conto scalare - elementi per il conteggio delle competenze al 30/06": where the dash before a sentence stands; 0: there is none. */
function dashBeforeNote(words: TextLine["words"]): number {
  const dash = words.findIndex(({ text }) => /^[-–—]$/u.test(text));
  return dash > 0 && words.length - dash > NOTE_WORDS_MIN ? dash : 0;
}

/** The first word of a sentence in brackets at the end of a line, or the star before a note; 0 or less: it has none. */
function markedNote(words: TextLine["words"]): number {
  const star = words.findIndex(({ text }) => text === "*");
  if (star > 0 && words.length - star >= NOTE_WORDS_MIN) return star;
  const from = words.findIndex(({ text }) => text.startsWith("("));
  const isWhole = words.length - from >= NOTE_WORDS_MIN && words.at(-1)?.text.endsWith(")");
  return isWhole === true ? from : -1;
}
