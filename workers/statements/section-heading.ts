// Headings of sections, whose rows are all credits, all debits, not booked yet, or no transactions.
import type { HeaderCell } from "./header-cell.ts";
import {
  BOOKED_SECTION,
  CJK,
  CREDIT_SECTION,
  DEBIT_SECTION,
  IGNORED_SECTION,
  PENDING_SECTION,
} from "./lexicon.ts";
import { linePieces } from "./line-pieces.ts";
import type { TextLine } from "./lines.ts";

/** `scheduled`: of debits that may be booked or not, such as "Scheduled payments". */
export type SectionHeading = "credit" | "debit" | "ignored" | "pending" | "scheduled" | "booked";

/** Whether the rows below it may not be booked yet. */
export const isPendingHeading = (heading: SectionHeading | null): boolean =>
  heading === "pending" || heading === "scheduled";

/**
 * "Pending  SHOP  -13.42": in the place of the date; "Oct 1, 2026  PENDING - SHOP": behind it, before a dash; and below the heading of
 * the types.
 */
export function isPendingRow(
  { plain, words, dates }: TextLine & { readonly dates: readonly { readonly to: number }[] },
  header: readonly HeaderCell[],
): boolean {
  const from = dates.at(-1)?.to ?? 0;
  const types = header.filter(({ role }) => role === "type");
  return plain.some((word, at) => {
    if (!PENDING_SECTION.has(word)) return false;
    const { left = 0, right = 0 } = words[at] ?? {};
    const isType = types.some((cell) => left < cell.right && right > cell.left);
    return isType || (at === from && (from === 0 || /^[-–—:]$/u.test(plain[at + 1] ?? "")));
  });
}

const HEADING_WORDS_MAX = 8;
/** "Electronic withdrawals and other debits": all parts are headings of the same kind. */
const JOINING_WORDS = /(?: (?:and|or|&|\/|und|et|y|e|en) |[,/] ?)/u;
const OTHER_WORD = /^(?:all )?(?:other|sonstige|autres|otros|altri|overige) /u;

/** "- - - CHECKS PAID - - -": marks that a heading stands between. */
const RULE_MARK = /^[-–—=*_.~#+]+$/u;
/** "Other Debits (-)": what the amounts do to the balance. */
const SIGN_UNIT = /^\([-–—+]\)$/u;

/** "12 Deposits/Credits": how many rows there are, as in "Pending transactions (2)"; "B Deposits": the letter of a note. */
const COUNT = /^(?:[1-9]\d{0,2}|\(?[a-z]\)?[.:]?)$/u;

/** The words without the marks around them, and without the number of rows. */
function withoutRules(plain: readonly string[]): readonly string[] {
  const isWord = (word: string): boolean => !RULE_MARK.test(word) && !SIGN_UNIT.test(word);
  const words = plain.slice(plain.findIndex(isWord), plain.findLastIndex(isWord) + 1);
  const from = words.length > 1 && COUNT.test(words[0] ?? "") ? 1 : 0;
  const isCounted = words.length - from > 1 && /^\(\d{1,3}\)$/u.test(words.at(-1) ?? "");
  return words.slice(from, isCounted ? -1 : undefined);
}

/** What the rows below a line are; null: its words make no heading of a section. */
export function sectionHeadingOf(printed: readonly string[]): SectionHeading | null {
  const plain = withoutRules(printed);
  const named = plain.filter(
    (word) => !/^\(?(?:continued|con[t'’]+d|con['’]t|cont\.?)\)?$/u.test(word),
  );
  const isContinued = named.length < plain.length;
  const words = isContinued ? named.filter((word) => !/^[-–—]$/u.test(word)) : named;
  if (words.length > HEADING_WORDS_MAX) return null;
  const text = words
    .join(" ")
    .replace(OF_ACCOUNT, "")
    .replace(/^(?:your|my) /u, "");
  const pending = pendingHeadingOf(words);
  if (pending !== null) return pending;
  if (IGNORED_SECTION.find(words)?.from === 0) return "ignored";
  if (CREDIT_SECTION.has(text)) return "credit";
  if (DEBIT_SECTION.has(text)) return "debit";
  const parts = text.split(JOINING_WORDS).map((part) => part.replace(OTHER_WORD, ""));
  if (parts.length < 2) return null;
  if (parts.every((part) => CREDIT_SECTION.has(part))) return "credit";
  return parts.every((part) => DEBIT_SECTION.has(part)) ? "debit" : null;
}

/** "Deposits to your account", "Checks paid this statement period" */
const OF_ACCOUNT =
  / (?:(?:to|from|on|into|out of) (?:your|my|the|this) account|(?:(?:for|in|during) )?this (?:statement )?period)$/u;
const OWNER_WORD = /^(?:your|my|all|other|recent|ihre|vos|sus|tus) /u;
/** "Pending from 1 March to 31 March", "Upcoming payments as of 31/03/2026", "Posted transactions since your last statement" */
const DAYS =
  / since (?:(?:my|the|your) )?(?:last|previous) statement$| (?:from|as of|as at|on|at|since|until|up to|after|vom|am|zum|per|au|du|al|del|dal|em|op) .*\d.*$/u;

/** The whole line: in a description such words are those of a transaction, and so is one of them alone. */
function pendingHeadingOf(words: readonly string[]): SectionHeading | null {
  if (words.length < 2 && !CJK.test(words[0] ?? "")) return null;
  const text = words.join(" ").replace(OWNER_WORD, "").replace(DAYS, "");
  if (PENDING_SECTION.has(text)) return DEBIT_SECTION.has(text) ? "scheduled" : "pending";
  return BOOKED_SECTION.has(text) ? "booked" : null;
}

/** Of all transactions: it names none of the sections. */
const ANY_TRANSACTION = /^(?:trans|activ|movim|mouvem|opera|umsatz|umsaetz|buchung)/u;

/** "DATE  PURCHASES  AMOUNT": the heading of the texts may be that of their section; null: it is not. */
export function sectionOfHeader(
  line: TextLine,
  header: readonly HeaderCell[],
): SectionHeading | null {
  const text = header.find(({ role }) => role === "description");
  const isNamed = header.some(({ role }) => role === "debit" || role === "credit");
  const piece = linePieces(line).find(
    ({ left, right }) => left === text?.left && right === text.right,
  );
  if (piece === undefined || isNamed) return null;
  const plain = line.plain.filter((_, at) => piece.words.some((word) => word === line.words[at]));
  const section = plain.some((word) => ANY_TRANSACTION.test(word)) ? null : sectionHeadingOf(plain);
  return section === "debit" || section === "credit" ? section : null;
}
