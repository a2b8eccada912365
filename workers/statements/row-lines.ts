// Which lines of a table are rows, or begin one.
import { ibanOf } from "./account-number.ts";
import type { Column } from "./columns.ts";
import type { PrintedDate } from "./dates.ts";
import { unprinted } from "./day-headings.ts";
import type { HeaderCell } from "./header-cell.ts";
import type { PageLine } from "./layout.ts";
import type { Money } from "./money.ts";
import { isOfSentence } from "./other-amounts.ts";
import { amountsByColumn, describedBy, haveLetters } from "./row-cells.ts";

export const isCertain = (money: Money): boolean => money.isCertain;

const TOTAL_WORDS_MIN = 3;

/**
 * A shop may be named "Total ...": a row without a date has more words than a label, and an amount with a balance or, where no
 * balances are printed, an amount of one direction between other rows. Sums of rows are found behind this.
 */
export function isRowOfTotal(
  line: PageLine,
  columns: readonly Column[],
  next: PageLine | undefined,
): boolean {
  if (line.dates.length > 0 || line.facts.some(({ kind }) => kind !== "other fact")) return false;
  const words = line.plain.filter((word) => /^\p{L}{2,}/u.test(word));
  if (words.length < TOTAL_WORDS_MIN) return false;
  const roles = [...amountsByColumn(line, columns).keys()].map((at) => columns[at]?.role);
  if (roles.length === 2) return roles.includes("balance");
  const all = new Set(columns.map(({ role }) => role));
  const hasDirections = all.has("debit") && all.has("credit") && !all.has("balance");
  return roles.length === 1 && hasDirections && next !== undefined && isPlainRow(next);
}

/** The next line with an amount, or a header. */
export const nextAmount = (lines: readonly PageLine[], after: number): PageLine | undefined =>
  lines.slice(after + 1).find((line) => line.header !== null || line.money.some(isCertain));

const isPlainRow = (line: PageLine): boolean =>
  line.header === null && line.facts.length === 0 && line.money.some(isCertain);

/** Rows under a header need no date: many statements print each date once. */
export const isCandidate = (line: PageLine): boolean =>
  line.facts.every(({ kind }) => kind === "other fact") &&
  line.header === null &&
  line.money.length > 0;

/**
 * An amount with words, under a header. A statement that leaves out zeros ("4", "8012.5") has rows without any number that is
 * certainly money; two that end where those of their columns do are an amount and a balance, unless they are groups of an IBAN.
 */
export const isUndatedRow = (
  line: PageLine,
  cells: ReadonlyMap<number, Money>,
  header: readonly HeaderCell[],
): boolean =>
  ([...cells.values()].some(isCertain) ||
    (header.length > 0 && cells.size > 1 && ibanOf(line) === null)) &&
  haveLetters(describedBy(line, cells, header)) &&
  !isOfSentence(line);

/** A date without an amount begins a row only under the header of the dates, or where one in words that are not known may begin. */
export function hasDateColumn(line: PageLine, header: readonly HeaderCell[]): boolean {
  const from = line.dates[0]?.from ?? 0;
  const left = line.words[from]?.left ?? 0;
  const cell = header.find(({ role }) => role === "date");
  const height = line.bottom - line.top;
  if (cell !== undefined) return Math.abs(left - cell.left) < height * 2;
  const [first] = header;
  return from === 0 && first?.role === "description" && left < first.left - height;
}

/** The day of an opening balance, which has no place in the rows below. */
export const openingDayOf = ({ facts, dates }: PageLine): PrintedDate | null =>
  facts.some(({ kind }) => kind === "opening") ? unprinted(dates[0] ?? null) : null;

/** Of rows with a day in the line below theirs, where it is that of their value; one such row alone has lost its amount. */
const DAYS_BELOW_MIN = 3;

/** Whether at least half of the rows have a line with a day alone below their own, and the next amount has its own day. */
export function areDaysBelow(lines: readonly PageLine[], columns: readonly Column[]): boolean {
  const hasAmount = (line: PageLine): boolean => amountsByColumn(line, columns).size > 0;
  const rows = lines.flatMap((line, at) => (line.dates.length > 0 && hasAmount(line) ? [at] : []));
  const below = rows.filter((at) => {
    const line = lines[at + 1];
    const next = lines.slice(at + 1).find(hasAmount);
    const isDay = line !== undefined && line.dates.length > 0 && !hasAmount(line);
    return isDay && line.facts.length === 0 && next?.dates.length !== 0;
  });
  return below.length >= DAYS_BELOW_MIN && below.length * 2 >= rows.length;
}

/** With an amount or without: where those of most rows are missing, the balances prove no reading of the others. */
export const isDatedRow = ({ dates, facts, header }: PageLine): boolean =>
  dates.length > 0 && facts.length === 0 && header === null;
