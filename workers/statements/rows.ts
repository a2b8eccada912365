// Rows of a table: a line with a date and an amount, and the lines of text that belong to it.
import { type Column, columnOf, amountColumns } from "./columns.ts";
import { dateOfRow } from "./date-column.ts";
import type { PrintedDate } from "./dates.ts";
import { areRowsBelowDays, dayAbove, dayOfLine, isDateLine, unprinted } from "./day-headings.ts";
import type { PageLine } from "./layout.ts";
import { CREDIT_WORD, DEBIT_WORD } from "./lexicon.ts";
import type { Money } from "./money.ts";
import {
  endsWithBalance,
  isNothing,
  isBehindNumber,
  isOfRates,
  isOfSentence,
  isOtherCurrency,
} from "./other-amounts.ts";
import { isPendingHeading, isPendingRow, type SectionHeading } from "./section-heading.ts";
import { type HeaderCell, isMoneyRole } from "./header-cell.ts";
import { isTotal } from "./total-lines.ts";
import type { PageWord } from "./words.ts";

export interface TableRow {
  readonly page: number;
  readonly date: PrintedDate | null;
  readonly description: string;
  /** A line of the description each. */
  readonly descriptionLines: readonly (readonly PageWord[])[];
  /** By the index of the column. */
  readonly cells: ReadonlyMap<number, Money>;
  readonly columns: readonly Column[];
  /** From a column such as "Debit/Credit": 1 for credit, 0: there is none. */
  readonly direction: -1 | 0 | 1;
  /** From the heading above: 1 for credit, 0: there is none. */
  readonly section: -1 | 0 | 1;
  /** Whether the heading above is that of transactions that are not booked yet. */
  readonly isPending: boolean;
  /** The same for all rows between two headings or headers. */
  readonly list: object;
}

export interface StatementTable {
  /** Empty: none. */
  readonly header: readonly HeaderCell[];
  /** Whether the header stands above these lines; else it is that of the account before. */
  readonly isHeaderPrinted: boolean;
  /** The heading above the header; null: none. */
  readonly heading: SectionHeading | null;
  /** Whether it stands right above the header. */
  readonly isHeadingAbove: boolean;
  readonly lines: readonly PageLine[];
}

interface OpenRow {
  readonly page: number;
  date: PrintedDate | null;
  readonly text: (readonly PageWord[])[];
  readonly cells: Map<number, Money>;
  readonly direction: -1 | 0 | 1;
  readonly section: -1 | 0 | 1;
  readonly isPending: boolean;
  readonly list: object;
  bottom: number;
  /** Whether its date is that of the heading of a day. */
  readonly hasDayAbove: boolean;
  /** Whether its last line is a text below its amount, which may begin the next row. */
  endsWithText: boolean;
}

/** A gap to the next line of a row, in heights of a line. */
const LINE_GAP_MAX = 1.6;
const ROW_GAP_MAX = 3.5;
const SIGN = { credit: 1, debit: -1, ignored: 0, pending: 0, scheduled: -1, booked: 0 } as const;

const isCertain = (money: Money): boolean => money.isCertain;

/** Lines that begin with a date and have an amount: what columns are found from. */
export const isDated = (line: PageLine): boolean =>
  line.dates.length > 0 && line.header === null && line.money.some(isCertain);

/** The rows of a table in the order of the page; a total may be that of earlier rows too. */
export function readRows(table: StatementTable, earlier: readonly TableRow[]): TableRow[] {
  const { columns, hasDays, isBelow } = arrangementOf(table);
  const rows: OpenRow[] = [];
  let section: -1 | 0 | 1 = table.heading === null ? 0 : SIGN[table.heading];
  // A list of balances by day has no descriptions; a table of transactions under such a heading has.
  let isPending = isPendingHeading(table.heading);
  let list = {};
  let isIgnored = table.heading === "ignored" && !table.header.some(isDescription);
  let day: PrintedDate | null = null;
  for (const [at, line] of table.lines.entries()) {
    if (line.heading !== null) {
      isIgnored = line.heading === "ignored";
      isPending = isPendingHeading(line.heading);
      list = {};
      section = SIGN[line.heading];
      close(rows);
      continue;
    }
    const ownDay = hasDays ? dayOfLine(line) : dayAbove(line, table.header);
    if (ownDay !== null) {
      day = ownDay;
      continue;
    }
    if (isIgnored || isOfRates(line)) continue;
    if (
      line.header !== null ||
      (line.facts.length > 0 && !isRowOfTotal(line, columns, nextAmount(table.lines, at)))
    ) {
      close(rows);
      continue;
    }
    addLine(rows, line, { table, earlier, columns, section, isPending, list, isBelow, day });
  }
  return (
    rows
      .filter(({ cells }) => [...cells.keys()].some((at) => isAmountColumn(columns[at])))
      .filter(({ cells }) => !isNothing(cells, columns))
      // A list of balances by day has dates and numbers only. So may rows below a heading of credits or debits.
      .filter(
        ({ text, section: own }) =>
          (own !== 0 && table.isHeadingAbove) || !isBare(table.header) || text.some(hasLetters),
      )
      .map((row) => toTableRow(row, columns))
  );
}

interface Arrangement {
  readonly columns: readonly Column[];
  /** Whether the rows stand below the headings of their days, without a header. */
  readonly hasDays: boolean;
  readonly isBelow: boolean;
}

function arrangementOf({ header, lines }: StatementTable): Arrangement {
  const dated = lines.filter(isDated);
  const hasHeader = header.length > 0;
  const hasDays = !hasHeader && areRowsBelowDays(lines);
  const isBelow = !hasHeader && !hasDays && dated.length === 0 && lines.some(isDateLine);
  const base = hasHeader || isBelow || hasDays ? lines.filter(isCandidate) : dated;
  return { columns: amountColumns(base, header), hasDays, isBelow };
}

const toTableRow = (
  { page, date, text, cells, direction, section, isPending, list }: OpenRow,
  columns: readonly Column[],
): TableRow => ({
  ...{ page, date, cells, columns, direction, section, isPending, list },
  description: text.filter(hasWords).map(joinWords).join(" "),
  descriptionLines: text.filter(hasWords),
});

const hasWords = (words: readonly PageWord[]): boolean => words.length > 0;
const joinWords = (words: readonly PageWord[]): string => words.map(({ text }) => text).join(" ");
const hasLetters = (words: readonly PageWord[]): boolean =>
  words.some(({ text }) => /\p{L}/u.test(text));

const TOTAL_WORDS_MIN = 3;

/**
 * A shop may be named "Total ...": a row without a date has more words than a label, and an amount with a balance or, where no
 * balances are printed, an amount of one direction between other rows. Sums of rows are found behind this.
 */
function isRowOfTotal(
  line: PageLine,
  columns: readonly Column[],
  next: PageLine | undefined,
): boolean {
  if (line.dates.length > 0 || line.facts.some(({ kind }) => kind !== "other fact")) return false;
  const words = line.plain.filter((word) => /^\p{L}{2,}/u.test(word));
  if (words.length < TOTAL_WORDS_MIN) return false;
  const roles = [...cellsOf(line, columns).keys()].map((at) => columns[at]?.role);
  if (roles.length === 2) return roles.includes("balance");
  const all = new Set(columns.map(({ role }) => role));
  const hasDirections = all.has("debit") && all.has("credit") && !all.has("balance");
  return roles.length === 1 && hasDirections && next !== undefined && isPlainRow(next);
}

/** The next line with an amount, or a header. */
const nextAmount = (lines: readonly PageLine[], after: number): PageLine | undefined =>
  lines.slice(after + 1).find((line) => line.header !== null || line.money.some(isCertain));

const isPlainRow = (line: PageLine): boolean =>
  line.header === null && line.facts.length === 0 && line.money.some(isCertain);

/** Rows under a header need no date: many statements print each date once. */
const isCandidate = (line: PageLine): boolean =>
  line.facts.every(({ kind }) => kind === "other fact") &&
  line.header === null &&
  line.money.length > 0;

const isDescription = ({ role }: HeaderCell): boolean => role === "description";

/** Whether the header has dates and amounts only. */
const isBare = (header: readonly HeaderCell[]): boolean =>
  header.length > 0 && header.every(({ role }) => role === "date" || isMoneyRole(role));

const isAmountColumn = (column: Column | undefined): boolean =>
  column !== undefined &&
  (column.role === null || column.role === "fee" || isMoneyRole(column.role));

/** Nothing continues behind a heading or a total. */
function close(rows: OpenRow[]): void {
  const last = rows.at(-1);
  if (last !== undefined) last.bottom = Number.NEGATIVE_INFINITY;
}

interface Place {
  readonly table: StatementTable;
  /** Of the tables before. */
  readonly earlier: readonly TableRow[];
  readonly columns: readonly Column[];
  readonly section: -1 | 0 | 1;
  readonly isPending: boolean;
  readonly list: object;
  /** Whether the amounts stand in lines below the dates, without a header. */
  readonly isBelow: boolean;
  /** From the heading of a day above; null: there is none. */
  readonly day: PrintedDate | null;
}

function addLine(rows: OpenRow[], line: PageLine, place: Place): void {
  const cells = cellsOf(line, place.columns);
  const isOpen = place.isBelow ? isDateLine(line) : hasDateColumn(line, place.table);
  if (line.dates.length > 0 && (cells.size > 0 || isOpen)) {
    if (isTotal(line, cells, { ...place, own: rows })) {
      close(rows);
      return;
    }
    rows.push(newRow(line, cells, place, dateOfRow(line, place.table.header)));
  } else addUndated(rows, line, cells, place);
}

function addUndated(
  rows: OpenRow[],
  line: PageLine,
  cells: Map<number, Money>,
  place: Place,
): void {
  const last = rows.at(-1);
  const { day } = place;
  const { header } = place.table;
  // Without a header, an amount and a balance make a row of the same day, and so does an amount below its heading.
  const isRow =
    (header.length > 0 || cells.size > 1 || day !== null) &&
    (isUndatedRow(line, cells, header) ||
      (last?.endsWithText === true && isBehindNumber(line, cells)));
  const isNewDay = header.length === 0 && day !== null && last?.date !== day;
  const isFirst = last === undefined && place.table.isHeaderPrinted;
  if (isRow && (isNewDay || isFirst)) rows.push(newRow(line, cells, place, null));
  else if (last !== undefined) addToTable(rows, last, { line, cells, isRow, place });
}

interface Undated {
  readonly line: PageLine;
  readonly cells: Map<number, Money>;
  /** Whether it may be a row. */
  readonly isRow: boolean;
  readonly place: Place;
}

/** A line without a date continues the row before it, or is another one of the same day. */
function addToTable(rows: OpenRow[], last: OpenRow, { line, cells, isRow, place }: Undated): void {
  const height = line.bottom - line.top;
  const gap = last.page === line.page ? line.top - last.bottom : Number.POSITIVE_INFINITY;
  if (isOtherCurrency(last.cells, cells)) extend(last, line, new Map(), place.table.header);
  else if (gap <= height * LINE_GAP_MAX && endsWithBalance(last.cells, cells, place.columns))
    extend(last, line, cells, place.table.header);
  else if (cells.size === 0 || last.cells.size === 0) {
    if (gap <= height * LINE_GAP_MAX && isPartOfRow(line, cells, place))
      extend(last, line, cells, place.table.header);
  } else if (isRow && isTotal(line, cells, { ...place, own: rows })) close(rows);
  else if (isRow && (gap <= height * ROW_GAP_MAX || isOnNextPage(last, line, place)))
    rows.push(newRow(line, cells, place, unprinted(last.date)));
}

/** The rows of a day go on at the top of the next page. */
const isOnNextPage = (last: OpenRow, line: PageLine, { table, columns, day }: Place): boolean =>
  (table.header.length > 0 || day !== null) &&
  line.page === last.page + 1 &&
  line.money.every((money) => columnOf(money, columns) >= 0 || !money.isCertain);

const isPartOfRow = (line: PageLine, cells: ReadonlyMap<number, Money>, place: Place): boolean =>
  cells.size > 0 || isUnderText(line, place);

function extend(
  row: OpenRow,
  line: PageLine,
  cells: ReadonlyMap<number, Money>,
  header: readonly HeaderCell[],
): void {
  for (const [at, money] of cells) row.cells.set(at, money);
  // Without a column of dates, the date of each row may begin the line below its amount.
  const hasDates = header.some(({ role }) => role === "date");
  const isDateBelow = header.length > 0 && !hasDates && !row.hasDayAbove;
  const [date] = line.dates;
  if (isDateBelow && date?.from === 0 && (row.date?.words ?? []).length === 0) row.date = date;
  const text = describedBy(line, cells, header);
  row.endsWithText = cells.size === 0 && row.cells.size > 0 && hasLetters(text);
  row.text.push(text);
  row.bottom = line.bottom;
}

/**
 * An amount with words, under a header. A statement that leaves out zeros ("4", "8012.5") has rows without any number that is
 * certainly money; two that end where those of their columns do are an amount and a balance.
 */
const isUndatedRow = (
  line: PageLine,
  cells: ReadonlyMap<number, Money>,
  header: readonly HeaderCell[],
): boolean =>
  ([...cells.values()].some(isCertain) || (header.length > 0 && cells.size > 1)) &&
  hasLetters(describedBy(line, cells, header)) &&
  !isOfSentence(line);

const newRow = (
  line: PageLine,
  cells: Map<number, Money>,
  { table, section, isPending, list, day }: Place,
  date: PrintedDate | null,
): OpenRow => ({
  page: line.page,
  date: day ?? date,
  hasDayAbove: day !== null,
  text: [describedBy(line, cells, table.header)],
  cells,
  direction: printedDirection(line, table.header),
  section,
  isPending: isPending || isPendingRow(line, table.header),
  list,
  bottom: line.bottom,
  endsWithText: false,
});

/** A date without an amount begins a row only under the header of the dates, or where one in words that are not known may begin. */
function hasDateColumn(line: PageLine, { header }: StatementTable): boolean {
  const from = line.dates[0]?.from ?? 0;
  const left = line.words[from]?.left ?? 0;
  const cell = header.find(({ role }) => role === "date");
  const height = line.bottom - line.top;
  if (cell !== undefined) return Math.abs(left - cell.left) < height * 2;
  const [first] = header;
  return from === 0 && first?.role === "description" && left < first.left - height;
}

/** Text that continues a row is in the column of descriptions, left of the amounts. */
function isUnderText(line: PageLine, { table, columns }: Place): boolean {
  const amounts = Math.min(...columns.filter(isAmountColumn).map(({ left }) => left));
  const first = line.words[0]?.left ?? 0;
  const cell = table.header.find(({ role }) => role === "description");
  const date = table.header.find(({ role }) => role === "date");
  const height = line.bottom - line.top;
  if (first >= amounts) return false;
  if (cell === undefined || date === undefined || date.left > cell.left) return true;
  return first > date.left + height;
}

function cellsOf(line: PageLine, columns: readonly Column[]): Map<number, Money> {
  const cells = new Map<number, Money>();
  for (const money of line.money) {
    const at = columnOf(money, columns);
    const column = columns[at];
    if (column === undefined || !isAmountColumn(column)) continue;
    // A number without decimals is an amount only where the amounts of the column end.
    const isAligned = Math.abs(money.right - column.right) < (line.bottom - line.top) / 2;
    if (!money.isCertain && !isAligned) continue;
    if (money.isCertain || cells.get(at)?.isCertain !== true) cells.set(at, money);
  }
  return cells;
}

function describedBy(
  line: PageLine,
  cells: ReadonlyMap<number, Money>,
  header: readonly HeaderCell[],
): readonly PageWord[] {
  const used = [...line.dates, ...cells.values()];
  const others = header.filter(({ role }) => role === "type" || role === "reference");
  const free = line.words.filter((_, at) => !used.some(({ from, to }) => at >= from && at < to));
  const described = free.filter(
    (word) => !others.some(({ left, right }) => word.left < right && word.right > left),
  );
  // Of a check, the number is all that there is next to its type.
  return hasLetters(described) ? described : free;
}

function printedDirection(line: PageLine, header: readonly HeaderCell[]): -1 | 0 | 1 {
  // A column of codes may stand next to that of directions.
  const types = header.filter(({ role }) => role === "type");
  const words = line.plain.filter((_, at) => {
    const word = line.words[at];
    return types.some(
      ({ left, right }) => word !== undefined && word.left < right && word.right > left,
    );
  });
  if (words.some((word) => CREDIT_WORD.has(word))) return 1;
  return words.some((word) => DEBIT_WORD.has(word)) ? -1 : 0;
}
