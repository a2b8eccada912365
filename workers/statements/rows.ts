// Rows of a table: a line with a date and an amount, and the lines of text that belong to it.
import { checkWordOf, describedCheck } from "./check-words.ts";
import { type Column, columnOf, amountColumns } from "./columns.ts";
import {
  amountsByColumn,
  describedBy,
  haveLetters,
  isAmountColumn,
  isBehindAmounts,
  printedDirection,
  textUnder,
} from "./row-cells.ts";
import {
  areDaysBelow,
  hasDateColumn,
  isCandidate,
  isCertain,
  isRowOfTotal,
  isUndatedRow,
  nextAmount,
  openingDayOf,
} from "./row-lines.ts";
import { textsByRow } from "./row-texts.ts";
import { dateOfRow } from "./date-column.ts";
import type { PrintedDate } from "./dates.ts";
import {
  areRowsBelowDays,
  dayAbove,
  dayOfLine,
  isDateLine,
  isDayLine,
  unprinted,
} from "./day-headings.ts";
import type { PageLine } from "./layout.ts";
import type { Money } from "./money.ts";
import {
  endsWithBalance,
  isNothing,
  isBehindNumber,
  isOfRates,
  isOtherCurrency,
} from "./other-amounts.ts";
import { isPendingHeading, isPendingRow, type SectionHeading } from "./section-heading.ts";
import { areFeesAlone, type HeaderCell, isMoneyRole } from "./header-cell.ts";
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
  /** The word for the checks that its heading or header names; null: it names none. */
  readonly checks: string | null;
  readonly lines: readonly PageLine[];
}

interface OpenRow {
  readonly page: number;
  date: PrintedDate | null;
  text: (readonly PageWord[])[];
  /** The first line with an amount; null: none yet. */
  amountLine: PageLine | null;
  readonly cells: Map<number, Money>;
  readonly direction: -1 | 0 | 1;
  readonly section: -1 | 0 | 1;
  readonly isPending: boolean;
  readonly list: object;
  readonly checks: string | null;
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

/** Lines that begin with a date and have an amount: what columns are found from. */
export const isDated = (line: PageLine): boolean =>
  line.dates.length > 0 && line.header === null && line.money.some(isCertain);

/** The rows of a table in the order of the page; a total may be that of earlier rows too. */
export function readRows(table: StatementTable, earlier: readonly TableRow[]): TableRow[] {
  const { columns, hasDays, isBelow, hasDaysBelow } = arrangementOf(table);
  const rows: OpenRow[] = [];
  let section: -1 | 0 | 1 = table.heading === null ? 0 : SIGN[table.heading];
  // A list of balances by day has no descriptions; a table of transactions under such a heading has.
  let isPending = isPendingHeading(table.heading);
  let list = {};
  let isIgnored = table.heading === "ignored" && !isOfTransactions(table);
  let day: PrintedDate | null = null;
  let checks = table.checks;
  let openingDay: PrintedDate | null = null;
  for (const [at, line] of table.lines.entries()) {
    if (line.heading !== null) {
      isIgnored = line.heading === "ignored";
      isPending = isPendingHeading(line.heading);
      list = {};
      section = SIGN[line.heading];
      checks = checkWordOf(line);
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
      openingDay = openingDayOf(line);
      close(rows);
      continue;
    }
    addLine(rows, line, {
      table,
      earlier,
      columns,
      section,
      isPending,
      list,
      isBelow,
      day,
      hasDaysBelow,
      checks,
      openingDay,
    });
  }
  arrangeTexts(rows, { table, columns, hasDays, hasDaysBelow });
  return (
    rows
      .filter(({ cells }) => [...cells.keys()].some((at) => isAmountColumn(columns[at])))
      .filter(({ cells }) => !isNothing(cells, columns))
      // A list of balances by day has dates and numbers only. So may rows below a heading of credits or debits.
      .filter(
        ({ text, section: own }) =>
          (own !== 0 && table.isHeadingAbove) || !isBare(table.header) || text.some(haveLetters),
      )
      .map((row) => toTableRow(row, columns))
  );
}

/** Gives rows the texts that stand above their amounts, where the paper between the rows shows which are theirs. */
function arrangeTexts(
  rows: readonly OpenRow[],
  { table, columns, hasDays, hasDaysBelow }: Omit<Arrangement, "isBelow"> & Pick<Place, "table">,
): void {
  const amounts = new Map(
    rows.flatMap(({ amountLine }, at) => (amountLine === null ? [] : [[amountLine, at] as const])),
  );
  const isEnd = (line: PageLine): boolean =>
    line.heading !== null ||
    line.header !== null ||
    line.facts.length > 0 ||
    (hasDays ? dayOfLine(line) : dayAbove(line, table.header)) !== null;
  const texts = textsByRow(table.lines, {
    isAmount: (line) => amounts.has(line),
    isEnd,
    isDay: (line) => !hasDaysBelow && line.dates.length > 0 && hasDateColumn(line, table.header),
  });
  for (const [line, own] of texts) {
    const row = rows[amounts.get(line) ?? -1];
    if (row === undefined) continue;
    row.text = own.map((text) => {
      const cells = cellsIn(text, row.cells);
      return text === line || cells.size > 0 || text.dates.length > 0
        ? describedBy(text, cells, table.header)
        : (textUnder(text, table.header, columns) ?? []);
    });
  }
}

/** Those of a row that stand in one of its lines: a balance may stand below its amount. */
const cellsIn = (line: PageLine, cells: ReadonlyMap<number, Money>): ReadonlyMap<number, Money> =>
  new Map([...cells].filter(([, { words }]) => words.every((word) => line.words.includes(word))));

interface Arrangement {
  readonly columns: readonly Column[];
  /** Whether the rows stand below the headings of their days, without a header. */
  readonly hasDays: boolean;
  readonly isBelow: boolean;
  readonly hasDaysBelow: boolean;
}

function arrangementOf({ header, lines }: StatementTable): Arrangement {
  const dated = lines.filter(isDated);
  const hasHeader = header.length > 0;
  const hasDays = !hasHeader && areRowsBelowDays(lines);
  const isBelow = !hasHeader && !hasDays && dated.length === 0 && lines.some(isDateLine);
  // Above the first day, values stand next to each other.
  const listed = hasDays ? lines.slice(lines.findIndex(isDayLine)) : lines;
  const base = hasHeader || isBelow || hasDays ? listed.filter(isCandidate) : dated;
  const text = header.find(isDescription);
  const isText = ({ role, left }: Column): boolean =>
    role === null && text !== undefined && left > text.left && isBehindAmounts(text, header);
  const columns = amountColumns(base, header).filter((column) => !isText(column));
  return { columns, hasDays, isBelow, hasDaysBelow: hasHeader && areDaysBelow(lines, columns) };
}

const toTableRow = (
  { page, date, text, cells, direction, section, isPending, list, checks }: OpenRow,
  columns: readonly Column[],
): TableRow => ({
  ...{ page, date, cells, columns, direction, section, isPending, list },
  description: describedCheck(text.filter(hasWords).map(joinWords).join(" "), checks),
  descriptionLines: text.filter(hasWords),
});

const hasWords = (words: readonly PageWord[]): boolean => words.length > 0;
const joinWords = (words: readonly PageWord[]): string => words.map(({ text }) => text).join(" ");
const isDescription = ({ role }: HeaderCell): boolean => role === "description";
const isOfTransactions = ({ header }: StatementTable): boolean =>
  header.some(isDescription) && !areFeesAlone(header);

/** Whether the header has dates and amounts only. */
const isBare = (header: readonly HeaderCell[]): boolean =>
  header.length > 0 && header.every(({ role }) => role === "date" || isMoneyRole(role));

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
  /** Whether another day stands below that of a row: the one of its value. */
  readonly hasDaysBelow: boolean;
  /** See `StatementTable`. */
  readonly checks: string | null;
  /** Of the opening balance above: rows of that day may have none. null: none is printed. */
  readonly openingDay: PrintedDate | null;
}

/** A line with a day and no amount, right below the amount of a row. */
const isDayBelow = (last: OpenRow, line: PageLine, cells: ReadonlyMap<number, Money>): boolean =>
  line.dates.length > 0 &&
  cells.size === 0 &&
  last.page === line.page &&
  line.top - last.bottom <= (line.bottom - line.top) * LINE_GAP_MAX;

function addLine(rows: OpenRow[], line: PageLine, place: Place): void {
  const cells = amountsByColumn(line, place.columns);
  const isOpen = place.isBelow ? isDateLine(line) : hasDateColumn(line, place.table.header);
  const last = rows.at(-1);
  if (last !== undefined && place.hasDaysBelow && isDayBelow(last, line, cells)) {
    extend(last, line, cells, place.table.header);
  } else if (line.dates.length > 0 && (cells.size > 0 || isOpen)) {
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
  const isFirst = last === undefined && isBelowHead(place);
  if (isRow && (isNewDay || isFirst)) rows.push(newRow(line, cells, place, place.openingDay));
  else if (last !== undefined) addToTable(rows, last, { line, cells, isRow, place });
}

/** Below a header, or the opening balance: there, the first row may have no day. */
const isBelowHead = ({ table, openingDay }: Place): boolean =>
  table.isHeaderPrinted || openingDay !== null;

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
    const text = textOf(line, cells, place);
    if (gap <= height * LINE_GAP_MAX && text !== null)
      extend(last, line, cells, place.table.header, text);
  } else if (isRow && isTotal(line, cells, { ...place, own: rows })) close(rows);
  else if (isRow && (gap <= height * ROW_GAP_MAX || isOnNextPage(last, line, place)))
    rows.push(newRow(line, cells, place, unprinted(last.date)));
}

/** The rows of a day go on at the top of the next page. */
const isOnNextPage = (last: OpenRow, line: PageLine, { table, columns, day }: Place): boolean =>
  (table.header.length > 0 || day !== null) &&
  line.page === last.page + 1 &&
  line.money.every((money) => columnOf(money, columns) >= 0 || !money.isCertain);

const textOf = (
  line: PageLine,
  cells: ReadonlyMap<number, Money>,
  { table, columns }: Place,
): readonly PageWord[] | null =>
  cells.size > 0 ? describedBy(line, cells, table.header) : textUnder(line, table.header, columns);

function extend(
  row: OpenRow,
  line: PageLine,
  cells: ReadonlyMap<number, Money>,
  header: readonly HeaderCell[],
  text = describedBy(line, cells, header),
): void {
  for (const [at, money] of cells) row.cells.set(at, money);
  if (cells.size > 0) row.amountLine ??= line;
  // Without a column of dates, the date of each row may begin the line below its amount.
  const hasDates = header.some(({ role }) => role === "date");
  const isDateBelow = header.length > 0 && !hasDates && !row.hasDayAbove;
  const [date] = line.dates;
  if (isDateBelow && date?.from === 0 && (row.date?.words ?? []).length === 0) row.date = date;
  row.endsWithText = cells.size === 0 && row.cells.size > 0 && haveLetters(text);
  row.text.push(text);
  row.bottom = line.bottom;
}

const newRow = (
  line: PageLine,
  cells: Map<number, Money>,
  { table, section, isPending, list, day, checks }: Place,
  date: PrintedDate | null,
): OpenRow => ({
  page: line.page,
  date: day ?? date,
  hasDayAbove: day !== null,
  text: [describedBy(line, cells, table.header)],
  cells,
  amountLine: cells.size > 0 ? line : null,
  direction: printedDirection(line, table.header),
  section,
  isPending: isPending || isPendingRow(line, table.header),
  list,
  checks,
  bottom: line.bottom,
  endsWithText: false,
});
