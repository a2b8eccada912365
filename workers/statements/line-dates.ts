// The dates of a line of a table: those at its start, or those below the heading of the dates.
import {
  type DayOrder,
  monthAndDayAt,
  type PrintedDate,
  printedDateAt,
  unmarkedDayAt,
} from "./dates.ts";
import { FACT_PHRASES, FROM_TO, ROLE_PHRASES } from "./lexicon.ts";
import type { TextLine } from "./lines.ts";
import type { HeaderCell } from "./header-cell.ts";
import type { PageWord } from "./words.ts";

const DATES_AT_START_MAX = 2;
/** A number of the row, a mark, or a day of the week. */
const ROW_MARK =
  /\d|^.{1,2}$|^(?:mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|sun|mon-?tag|lun|mar|mer|jeu|ven|sam|dim|mie|jue|vie|dom|gio|sab)[.,]?$|day,?$/u;

/** Where the header of a table has its dates and texts. null: nowhere. */
export interface DateColumns {
  /** Only where it does not begin the lines. */
  readonly dateColumn: HeaderCell | null;
  readonly valueColumn: HeaderCell | null;
  /** Where it begins the lines, with the column of texts right of it. */
  readonly first: { readonly date: HeaderCell; readonly text: HeaderCell } | null;
}

export const NO_DATE_COLUMNS: DateColumns = { dateColumn: null, valueColumn: null, first: null };

/** @param header of the table, which is `line` */
export const dateColumnsOf = (header: readonly HeaderCell[], line: TextLine): DateColumns => ({
  dateColumn: dateColumnOf(header, line),
  valueColumn: header.find(isValueDate) ?? null,
  first: firstColumnsOf(header),
});

function firstColumnsOf(header: readonly HeaderCell[]): DateColumns["first"] {
  const [date] = header;
  const text = header.find(({ role }) => role === "description");
  return date?.role === "date" && text !== undefined ? { date, text } : null;
}

/** The dates at the start of a row, of which there may be two, or below the headings of dates. */
export function datesOfLine(
  line: TextLine,
  columns: DateColumns,
  order: DayOrder,
): readonly PrintedDate[] {
  const { dateColumn, valueColumn, first } = columns;
  const atStart = first === null ? datesAtStart(line, order) : datesInFirst(line, first, order);
  if (isBalanceLabelled(line)) return withValueDate(line, atStart, valueColumn, order);
  const start = line.words[atStart[0]?.from ?? -1];
  // "2 Oct 05": the number of the row stands left of the dates, and is not the day.
  const isInColumn = dateColumn === null || (start !== undefined && isUnder(start, dateColumn));
  const under = isInColumn ? [] : datesUnder(line, dateColumn, order);
  const isSecond = atStart.some(({ from }) => from === under[0]?.from);
  const isNumbered = atStart.length === 0 || (under[0]?.from === 1 && !isSecond);
  return isNumbered && under.length > 0 ? under : withValueDate(line, atStart, valueColumn, order);
}

/**
 * "10FEB24" where a text begins, below the heading of texts, is a part of that text; "02 28" below the heading of dates is a month and
 * a day.
 */
function datesInFirst(
  line: TextLine,
  { date, text }: NonNullable<DateColumns["first"]>,
  order: DayOrder,
): readonly PrintedDate[] {
  const dates = datesAtStart(line, order);
  const start = line.words[dates[0]?.from ?? 0];
  if (start === undefined) return dates;
  if (dates.length > 0) return isUnder(start, date) || start.left < text.left ? dates : [];
  const monthAndDay = isUnder(start, date)
    ? (monthAndDayAt(line, 0) ?? unmarkedDayAt(line, 0, order))
    : null;
  return monthAndDay === null ? dates : datesFrom(line, monthAndDay, order);
}

/** In points. */
const EDGE_TOLERANCE = 3;

/** The date behind a code without digits, where a line above has its date in the same place, behind its code. */
export function datesBehindCode(
  line: TextLine,
  above: TextLine | null,
  order: DayOrder,
): readonly PrintedDate[] {
  const isBelow = [0, 1].every((at) => {
    const [word, other] = [line.words[at], above?.words[at]];
    return word !== undefined && Math.abs(word.left - (other?.left ?? -1)) < EDGE_TOLERANCE;
  });
  const date = isBelow ? printedDateAt(line, 1, order) : null;
  return date === null ? [] : datesFrom(line, date, order);
}

/** "Ending balance on 9/30": below a column of dates too, the day is of the balance. */
export const isBalanceLabelled = ({ plain }: TextLine): boolean =>
  FACT_PHRASES.some(
    ([kind, phrases]) =>
      (kind === "opening" || kind === "closing") && phrases.find(plain)?.from === 0,
  );

/** The first date is in the first or second place: a number of the row may precede it. */
export function datesAtStart(line: TextLine, order: DayOrder): PrintedDate[] {
  const isNumbered = ROW_MARK.test(line.plain[0] ?? "");
  const whole = printedDateAt(line, 0, order);
  const second = isNumbered ? printedDateAt(line, 1, order) : null;
  const isJoined = whole !== null && whole.to > 1 && second !== null;
  // "2 Oct 05, 2026", and "3" far left of "Mar 11": a number or a speck.
  const isNumber =
    isJoined && ((whole.year === null && second.year !== null) || isFarFromNext(line));
  const first = isNumber ? second : (whole ?? second);
  return first === null || isPeriod(line, first, order) ? [] : datesFrom(line, first, order);
}

/** In heights of a line: the words of one date stand nearer to each other. */
const DATE_GAP_MAX = 3;

const isFarFromNext = ({ words: [first, second], top, bottom }: TextLine): boolean =>
  (second?.left ?? 0) - (first?.right ?? 0) > (bottom - top) * DATE_GAP_MAX;

/** "1 September to 30 September 2025" is not the day of a row; of days with a dash between them, a stay in a hotel may be. */
const isPeriod = (line: TextLine, { to }: PrintedDate, order: DayOrder): boolean =>
  FROM_TO.has(line.plain[to] ?? "") &&
  /^\p{L}{2}/u.test(line.plain[to] ?? "") &&
  printedDateAt(line, to + 1, order) !== null;

/** A date and those right behind it. */
function datesFrom(line: TextLine, first: PrintedDate, order: DayOrder): PrintedDate[] {
  const dates = [first];
  while (dates.length < DATES_AT_START_MAX) {
    const next = printedDateAt(line, dates.at(-1)?.to ?? 0, order);
    if (next === null) break;
    dates.push(next);
  }
  return dates;
}

/** Only a column of dates that does not begin the line needs its place. Without one, value dates are the dates of the rows. */
function dateColumnOf(header: readonly HeaderCell[], { words }: TextLine): HeaderCell | null {
  const booked = header.find(({ role }) => role === "date");
  const column = booked ?? header.find(isValueDate);
  if (column === undefined) return null;
  // Left of it, columns that are not known may stand too, such as "# Txn ID"; left of the days of the values, it may be that of the days.
  const isBehind = booked !== undefined && words.some(({ left }) => left < column.left);
  return isBehind || header[0] !== column ? column : null;
}

const isValueDate = ({ role }: HeaderCell): boolean => role === "value date";

const DATE_LABEL = ROLE_PHRASES.find(([role]) => role === "date")?.[1];

/** The whole line is the label of a date and the date. */
export function dayHeadingOf(
  line: TextLine,
  dates: readonly PrintedDate[],
  order: DayOrder,
): PrintedDate | null {
  const label = DATE_LABEL?.find(line.plain);
  if (label?.from !== 0 || dates.length > 0) return null;
  const date = printedDateAt(line, label.to, order);
  return date?.to === line.words.length ? date : null;
}

/** "19.01" is an amount in most places, and a date behind another one, under the heading of the second dates. */
function withValueDate(
  line: TextLine,
  dates: readonly PrintedDate[],
  column: HeaderCell | null,
  order: DayOrder,
): readonly PrintedDate[] {
  const [first, ...more] = dates;
  const word = line.words[first?.to ?? 0];
  if (first === undefined || more.length > 0 || column === null || word === undefined) return dates;
  if (word.left >= column.right || word.right <= column.left) return dates;
  const second = printedDateAt(line, first.to, order, true);
  return second === null ? dates : [first, second];
}

/** In points: dates may be a little wider than their header. */
const DATE_COLUMN_MARGIN = 12;

const isUnder = ({ left, right }: PageWord, column: HeaderCell): boolean =>
  right > column.left - DATE_COLUMN_MARGIN && left < column.right + DATE_COLUMN_MARGIN;

function datesUnder(line: TextLine, column: HeaderCell, order: DayOrder): PrintedDate[] {
  for (const [at, word] of line.words.entries()) {
    if (!isUnder(word, column)) continue;
    const date =
      printedDateAt(line, at, order, at === 0 || isValueDate(column)) ?? monthAndDayAt(line, at);
    if (date !== null) return datesFrom(line, date, order);
  }
  return [];
}
