// Headings of sections, whose rows are all credits, all debits, or no transactions.
import { CREDIT_SECTION, DEBIT_SECTION, IGNORED_SECTION } from "./lexicon.ts";

export type SectionHeading = "credit" | "debit" | "ignored";

const HEADING_WORDS_MAX = 8;
/** "Electronic withdrawals and other debits": all parts are headings of the same kind. */
const JOINING_WORDS = /(?: (?:and|or|&|\/|und|et|y|e|en) |[,/] ?)/u;
const OTHER_WORD = /^(?:all )?(?:other|sonstige|autres|otros|altri|overige) /u;

/** What the rows below a line are; null: its words make no heading of a section. */
export function sectionHeadingOf(plain: readonly string[]): SectionHeading | null {
  const words = plain.filter((word) => !/^\(?(?:continued|cont'?d|cont\.)\)?$/u.test(word));
  if (words.length > HEADING_WORDS_MAX) return null;
  const text = words.join(" ");
  if (IGNORED_SECTION.find(words)?.from === 0) return "ignored";
  if (CREDIT_SECTION.has(text)) return "credit";
  if (DEBIT_SECTION.has(text)) return "debit";
  const parts = text.split(JOINING_WORDS).map((part) => part.replace(OTHER_WORD, ""));
  if (parts.length < 2) return null;
  if (parts.every((part) => CREDIT_SECTION.has(part))) return "credit";
  return parts.every((part) => DEBIT_SECTION.has(part)) ? "debit" : null;
}
