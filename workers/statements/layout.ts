// Lines with what stands in them: dates, amounts, the header of a table, facts such as an opening balance, headings.
import {
  type PrintedDate,
  type DayOrder,
  findDates,
  monthAndDayAt,
  printedDateAt,
} from "./dates.ts";
import { headingBeforeNote } from "./heading-notes.ts";
import {
  DATED_BALANCE,
  FACT_PHRASES,
  type FactKind,
  type PhraseAt,
  ROLE_PHRASES,
} from "./lexicon.ts";
import type { TextLine } from "./lines.ts";
import { findMoney, type Money, type NumberFormat } from "./money.ts";
import { isPendingHeading, type SectionHeading, sectionHeadingOf } from "./section-heading.ts";
import { type HeaderCell, tableHeaderOf } from "./table-header.ts";
import type { PageWord } from "./words.ts";

export interface Fact {
  readonly kind: FactKind;
  /** null: a label without a value. */
  readonly money: Money | null;
  /** Of a balance with a day behind its label: opening or closing, as day and place say. Left out: it has none. */
  readonly date?: PrintedDate;
}

export interface PageLine extends TextLine {
  /** Dates at the start of the line, of which there may be two. */
  readonly dates: readonly PrintedDate[];
  readonly money: readonly Money[];
  /** null: the line is not the header of a table. */
  readonly header: readonly HeaderCell[] | null;
  readonly facts: readonly Fact[];
  readonly heading: SectionHeading | null;
  /** Of a line such as "Booking date: 03.09.2026" that is the heading of the rows of a day; null: it is another line. */
  readonly day: PrintedDate | null;
}

const DATES_AT_START_MAX = 2;
const LABEL_START_MAX = 2;
/** A number of the row, a mark, or a day of the week. */
const ROW_MARK =
  /\d|^.{1,2}$|^(?:mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|sun|mon-?tag|lun|mar|mer|jeu|ven|sam|dim|mie|jue|vie|dom|gio|sab)[.,]?$|day,?$/u;

/** @param order of day and month in the document */
export function readLines(
  lines: readonly TextLine[],
  order: DayOrder,
  format: NumberFormat,
): PageLine[] {
  const moneyOf = lines.map((line) => withoutYears(line, findMoney(line, format), order));
  let dateColumn: HeaderCell | null = null;
  let valueColumn: HeaderCell | null = null;
  let headerAbove: HeaderCell[] | null = null;
  const read = lines.map((line, index): PageLine => {
    const dates = datesOf(line, { dateColumn, valueColumn }, order);
    const isDateWord = (at: number): boolean => dates.some(({ from, to }) => at >= from && at < to);
    const money = (moneyOf[index] ?? []).filter(({ from }) => !isDateWord(from));
    const day = dayHeadingOf(line, dates, order);
    const header = isOther(line, dates, day)
      ? null
      : tableHeaderOf(line, lines[index - 1], money, headerAbove);
    headerAbove = header;
    dateColumn = header === null ? dateColumn : dateColumnOf(header, line);
    valueColumn = header === null ? valueColumn : (header.find(isValueDate) ?? null);
    const below = lines[index + 1];
    const lower =
      below?.page === line.page ? { words: below.words, money: moneyOf[index + 1] ?? [] } : null;
    const dated = header === null && dates.length === 0 ? datedBalance(line, money, order) : null;
    const values =
      dated !== null ? [dated] : header === null ? factsOf(line, dates, money, lower, order) : [];
    const facts = values.map((fact) => withDebitSign(line, fact));
    const heading = header === null ? headingOf(line, money, dates) : null;
    return { ...line, dates, money, header, facts, heading, day };
  });
  return withoutHeadingsInRows(read);
}

/** Where the column of dates stands right of the texts. */
export const beginsWithText = ({ plain, dates }: PageLine): boolean =>
  (dates[0]?.from ?? 0) > 0 && /^\p{L}{2}/u.test(plain[0] ?? "");

/** "Credits" below a text that begins its row is the kind of that row, and no heading of those below. */
function withoutHeadingsInRows(lines: readonly PageLine[]): PageLine[] {
  let row: PageLine | null = null;
  return lines.map((line) => {
    const isInRow = row !== null && continuesText(line, row);
    const isRow = line.money.length > 0 && beginsWithText(line);
    row = isRow || isInRow ? line : null;
    return isInRow ? { ...line, heading: null } : line;
  });
}

const continuesText = (line: PageLine, above: PageLine): boolean =>
  line.page === above.page &&
  line.header === null &&
  line.dates.length === 0 &&
  !line.money.some(({ isCertain }) => isCertain) &&
  line.top - above.bottom < line.bottom - line.top &&
  Math.abs((line.words[0]?.left ?? 0) - (above.words[0]?.left ?? 0)) < line.bottom - line.top;

/** "Upcoming payments" below a header is not its second line, and neither is the heading of a day. */
const isOther = (line: TextLine, dates: readonly PrintedDate[], day: PrintedDate | null): boolean =>
  dates.length > 0 || day !== null || isPendingHeading(sectionHeadingOf(line.plain));

const PAGE_WORD = /^(?:page|pages|pg|seite|pagina|pag\.?|blad|sheet|side|hoja|folha)\.?$/u;
/** "Page 1 of 3", "Seite: 1 / 3". */
const PAGE_WORDS_MAX = 4;

/** "on August 2, 2018", "Page 1 of 3": a number without decimals inside a date, or behind such a word, is not money. */
function withoutYears(line: TextLine, money: readonly Money[], order: DayOrder): readonly Money[] {
  if (money.every(({ isCertain }) => isCertain)) return money;
  const dates = findDates(line, order).filter(({ year }) => year !== null);
  const page = line.plain.findIndex((word) => PAGE_WORD.test(word));
  return money.filter(
    ({ isCertain, from }) =>
      isCertain ||
      (!dates.some((date) => from >= date.from && from < date.to) &&
        (page < 0 || from < page || from > page + PAGE_WORDS_MAX)),
  );
}

interface DateColumns {
  readonly dateColumn: HeaderCell | null;
  readonly valueColumn: HeaderCell | null;
}

function datesOf(
  line: TextLine,
  { dateColumn, valueColumn }: DateColumns,
  order: DayOrder,
): readonly PrintedDate[] {
  const atStart = datesAtStart(line, order);
  if (isBalanceLabelled(line)) return withValueDate(line, atStart, valueColumn, order);
  const start = line.words[atStart[0]?.from ?? -1];
  // "2 Oct 05": the number of the row stands left of the dates, and is not the day.
  const isInColumn = dateColumn === null || (start !== undefined && isUnder(start, dateColumn));
  const under = isInColumn ? [] : datesUnder(line, dateColumn, order);
  const isNumbered = atStart.length === 0 || under[0]?.from === 1;
  return isNumbered && under.length > 0 ? under : withValueDate(line, atStart, valueColumn, order);
}

/** "Ending balance on 9/30": below a column of dates too, the day is of the balance. */
const isBalanceLabelled = ({ plain }: TextLine): boolean =>
  FACT_PHRASES.some(
    ([kind, phrases]) =>
      (kind === "opening" || kind === "closing") && phrases.find(plain)?.from === 0,
  );

/** The first date is in the first or second place: a number of the row may precede it. */
export function datesAtStart(line: TextLine, order: DayOrder): PrintedDate[] {
  const isNumbered = ROW_MARK.test(line.plain[0] ?? "");
  const whole = printedDateAt(line, 0, order);
  const second = isNumbered ? printedDateAt(line, 1, order) : null;
  // "2 Oct 05, 2026"
  const isNumber = whole?.year === null && whole.to > 1 && second !== null && second.year !== null;
  const first = isNumber ? second : (whole ?? second);
  return first === null ? [] : datesFrom(line, first, order);
}

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
function dayHeadingOf(
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

/** Words between the label and the day, such as "on" and "as of". */
const FILLERS_MAX = 3;

/** "Balance on 31 March 2025  1,250.00" */
function datedBalance(line: TextLine, money: readonly Money[], order: DayOrder): Fact | null {
  const label = DATED_BALANCE.find(line.plain);
  const [value, ...more] = money.filter(({ isCertain }) => isCertain);
  if (label?.from !== 0 || value === undefined || more.length > 0) return null;
  const [date] = findDates(line, order);
  if (date === undefined || date.from < label.to || date.from - label.to > FILLERS_MAX) return null;
  if (value.from < date.to) return null;
  const named = FACT_PHRASES.find(
    ([kind, phrases]) =>
      (kind === "opening" || kind === "closing") && phrases.find(line.plain)?.from === 0,
  );
  return named === undefined
    ? { kind: "closing", money: value, date }
    : { kind: named[0], money: value };
}

interface FactLabel extends PhraseAt {
  readonly kind: FactKind;
}

function factsOf(
  line: TextLine,
  dates: readonly PrintedDate[],
  money: readonly Money[],
  below: LowerLine | null,
  order: DayOrder,
): Fact[] {
  const start = labelStart(line, dates);
  const labels = labelsOf(line, start);
  if (dates.length > 0) {
    const balance = balanceOfDay(line, start, dates, money);
    if (balance !== null) return [balance];
    const [label] = labels;
    if (label?.from !== start || !["opening", "closing", "weak closing"].includes(label.kind))
      return [];
  }
  return labels.map((label, index) => {
    const end = labels[index + 1]?.from ?? line.words.length;
    const values = money.filter(({ from }) => from >= label.to && from < end);
    const certain = values.filter(({ isCertain }) => isCertain);
    const inLine = ownValue(line, label, certain) ?? values.at(-1);
    const value =
      inLine ??
      (below === null
        ? null
        : valueBelow(line, { ...label, to: dayEnd(line, label.to, order) }, below));
    return { kind: label.kind, money: value };
  });
}

/** Behind the dates, and codes of the kind of a row: "30/06/2026  0000  00000  000  Saldo anterior". */
function labelStart({ plain }: TextLine, dates: readonly PrintedDate[]): number {
  const start = dates.at(-1)?.to ?? 0;
  if (dates.length === 0) return start;
  const text = plain.findIndex((word, at) => at >= start && !/^\d+$/u.test(word));
  return Math.max(text, start);
}

/** "31/07/2026  S A L D O  7.207,64  7.207,64": nothing but such a word, and the balance below the heading of the amounts too. */
function balanceOfDay(
  { plain }: TextLine,
  start: number,
  [date]: readonly PrintedDate[],
  money: readonly Money[],
): Fact | null {
  const [amount, balance, ...more] = money.filter(
    ({ isCertain, from }) => isCertain && from >= start,
  );
  if (date === undefined || amount === undefined || balance === undefined || more.length > 0)
    return null;
  if (amount.units !== balance.units || amount.sign !== balance.sign) return null;
  const words = plain.slice(start, amount.from);
  const text = words.join(words.every((word) => word.length === 1) ? "" : " ");
  return DATED_BALANCE.has(text) ? { kind: "closing", money: balance, date } : null;
}

/** In heights of a line: what stands behind it is not of the same box. */
const BOX_GAP_MIN = 2;

/**
 * The last one, unless a text stands before it that is set apart, or behind a value that follows the label: "New balance 1,250.00
 * Points available 45,331".
 */
function ownValue(line: TextLine, label: PhraseAt, values: readonly Money[]): Money | undefined {
  const gap = (line.bottom - line.top) * BOX_GAP_MIN;
  return (
    values.slice(0, -1).find(({ from, to, right }) => {
      const next = line.words[to];
      const isOwn = from === label.to || (next?.left ?? 0) - right > gap;
      return isOwn && WORD.test(next?.text ?? "");
    }) ?? values.at(-1)
  );
}

/** Behind "Alter Saldo per 30.09.2026": the day is of the label. */
function dayEnd(line: TextLine, from: number, order: DayOrder): number {
  const date = findDates(line, order).find((one) => one.from >= from);
  return date === undefined || date.from - from > FILLERS_MAX ? from : date.to;
}

/** "Ancien solde débiteur": a balance below zero that no sign marks. */
const OVERDRAWN = /^(?:debiteur|deudor|debitore|devedor|overdrawn)$/u;

function withDebitSign({ plain }: TextLine, fact: Fact): Fact {
  const { money, kind } = fact;
  if (money?.sign !== 0 || !(kind === "opening" || kind === "closing")) return fact;
  const isOverdrawn = plain.slice(0, money.from).some((word) => OVERDRAWN.test(word));
  return isOverdrawn ? { ...fact, money: { ...money, sign: -1 } } : fact;
}

function labelsOf(line: TextLine, start: number): FactLabel[] {
  const labels: FactLabel[] = [];
  let at = start;
  while (at < line.plain.length) {
    const found = FACT_PHRASES.flatMap(([kind, phrases]) => {
      const phrase = phrases.find(line.plain, at);
      return phrase === null ? [] : [{ ...phrase, kind }];
    })
      .filter(({ kind, from }) => kind !== "other fact" || from - start < LABEL_START_MAX)
      .sort((a, b) => a.from - b.from || b.to - a.to)[0];
    if (found === undefined) break;
    labels.push(found);
    at = found.to;
  }
  return labels;
}

/** Not a currency. */
const WORD = /\p{L}{4}/u;

interface LowerLine {
  readonly words: readonly PageWord[];
  readonly money: readonly Money[];
}

/**
 * In the next line, between the label and the next word behind it. Where other words stand under the label, the value is
 * theirs: "New balance", whose own value was not read, above "Credit limit 5,000.00".
 */
function valueBelow(line: TextLine, label: FactLabel, { words, money }: LowerLine): Money | null {
  const left = (line.words[label.from]?.left ?? 0) - (line.bottom - line.top);
  const right = line.words[label.to]?.left ?? Number.POSITIVE_INFINITY;
  const value = money.find((one) => one.isCertain && one.left >= left && one.left < right);
  if (value === undefined) return null;
  const labelRight = line.words[label.to - 1]?.right ?? left;
  const isOfOther = words
    .slice(0, value.from)
    .some((word) => word.right > left && word.left < labelRight && WORD.test(word.text));
  return isOfOther ? null : value;
}

function headingOf(
  line: TextLine,
  money: readonly Money[],
  dates: readonly PrintedDate[],
): SectionHeading | null {
  if (dates.length > 0) return null;
  const whole = money.some(({ isCertain }) => isCertain) ? null : sectionHeadingOf(line.plain);
  return whole ?? headingBeforeNote(line);
}
