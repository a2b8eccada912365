// Lines with what stands in them: dates, amounts, the header of a table, facts such as an opening balance, headings.
import { type DayOrder, findDates, type PrintedDate } from "./dates.ts";
import { headingBeforeNote } from "./heading-notes.ts";
import {
  dateColumnsOf,
  datesBehindCode,
  datesOfLine,
  dayHeadingOf,
  isBalanceLabelled,
  NO_DATE_COLUMNS,
} from "./line-dates.ts";
import { type Fact, factsOfLine, isPointsHeading, type LowerLine } from "./line-facts.ts";
import type { TextLine } from "./lines.ts";
import { findMoney, type Money, type NumberFormat } from "./money.ts";
import {
  isPendingHeading,
  type SectionHeading,
  sectionHeadingOf,
  sectionOfHeader,
} from "./section-heading.ts";
import type { HeaderCell } from "./header-cell.ts";
import { withPostingDates } from "./posting-dates.ts";
import { tableHeaderOf } from "./table-header.ts";

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

/** @param order of day and month in the document */
export function readLines(
  lines: readonly TextLine[],
  order: DayOrder,
  format: NumberFormat,
): PageLine[] {
  const moneyOf = lines.map((line) =>
    withoutYears(
      line,
      withoutTimes(line, withoutRates(line, findMoney(line, format)), format),
      order,
    ),
  );
  let columns = NO_DATE_COLUMNS;
  let headerAbove: HeaderCell[] | null = null;
  /** The last line with its date behind a code. */
  let coded: TextLine | null = null;
  const read = lines.map((line, index): PageLine => {
    const found = datesOfLine(line, columns, order);
    const dates = found.length > 0 ? found : datesBehindCode(line, coded, order);
    if (dates[0]?.from === 1) coded = line;
    const isDateWord = (at: number): boolean => dates.some(({ from, to }) => at >= from && at < to);
    const money = (moneyOf[index] ?? []).filter(({ from }) => !isDateWord(from));
    const day = dayHeadingOf(line, dates, order);
    const above = lines[index - 1];
    const cells = isOther(line, dates, day) ? null : tableHeaderOf(line, above, money, headerAbove);
    const header = cells === null ? null : withPostingDates(cells, line, above);
    headerAbove = header;
    columns = header === null ? columns : dateColumnsOf(header, line);
    const below = lowerLine(lines, moneyOf, index);
    const isOfPoints =
      above?.page === line.page && isPointsHeading(above, line) && isBalanceLabelled(line);
    const facts =
      header === null && !isOfPoints ? factsOfLine(line, { dates, money, below }, order) : [];
    const heading = header === null ? headingOf(line, money, dates) : sectionOfHeader(line, header);
    return { ...line, dates, money, header, facts, heading, day };
  });
  return withoutHeadingsInRows(read.map((line, at) => withHeadingOfSum(line, read[at + 1])));
}

/** "Deposits and Other Additions  $4,297.07." right above a header: the sum of the rows stands next to their heading. */
function withHeadingOfSum(line: PageLine, below: PageLine | undefined): PageLine {
  const certain = line.money.filter(({ isCertain }) => isCertain);
  const [sum] = certain;
  const isAlone = certain.length === 1 && sum?.to === line.words.length;
  const isAbove = below?.page === line.page && below.header !== null;
  if (!isAlone || !isAbove || line.heading !== null || line.dates.length > 0) return line;
  return { ...line, heading: sectionHeadingOf(line.plain.slice(0, sum.from)) };
}

const LETTERS = /\p{L}{4}/u;

/** A year alone is the second line of a day; "Debits" alone, of a label. */
const NOTE_WORDS_MIN = 3;

/** What stands below a line: values, which notes such as "11/01/26   44 items" may separate from their labels. */
function lowerLine(
  lines: readonly TextLine[],
  moneyOf: readonly (readonly Money[])[],
  index: number,
): LowerLine | null {
  const isValues = (at: number): boolean =>
    (moneyOf[at] ?? []).filter(({ isCertain }) => isCertain).length > 1 &&
    lines[at]?.plain.every((word) => !LETTERS.test(word)) === true;
  const note = lines[index + 1]?.words ?? [];
  const isText = note.length >= NOTE_WORDS_MIN || note.every(({ text }) => !/\d/u.test(text));
  const isNote = isText && (moneyOf[index + 1] ?? []).every(({ isCertain }) => !isCertain);
  const at = isNote && isValues(index + 2) ? index + 2 : index + 1;
  const below = lines[at];
  return below?.page === lines[index]?.page
    ? { words: below?.words ?? [], money: moneyOf[at] ?? [] }
    : null;
}

/** Where the column of dates stands right of the texts. */
export const beginsWithText = ({ plain, dates }: PageLine): boolean =>
  (dates[0]?.from ?? 0) > 0 && /^\p{L}{2}/u.test(plain[0] ?? "");

/**
 * "Credits" below a text that begins its row is the kind of that row, and no heading of those below; so is one right of that text, in a
 * column behind it.
 */
function withoutHeadingsInRows(lines: readonly PageLine[]): PageLine[] {
  let row: PageLine | null = null;
  return lines.map((line) => {
    const isInRow = row !== null && (continuesText(line, row) || continuesColumn(line, row));
    const isRow = line.money.length > 0 && (beginsWithText(line) || line.dates[0]?.from === 0);
    row = isRow || isInRow ? line : null;
    return isInRow ? { ...line, heading: null } : line;
  });
}

const isRightBelow = (line: PageLine, above: PageLine): boolean =>
  line.page === above.page &&
  line.header === null &&
  line.dates.length === 0 &&
  !line.money.some(({ isCertain }) => isCertain) &&
  line.top - above.bottom < line.bottom - line.top;

const continuesText = (line: PageLine, above: PageLine): boolean =>
  beginsWithText(above) &&
  isRightBelow(line, above) &&
  Math.abs((line.words[0]?.left ?? 0) - (above.words[0]?.left ?? 0)) < line.bottom - line.top;

/** Where a column behind the text has something right above it: a word in the text would be there by chance. */
function continuesColumn(line: PageLine, above: PageLine): boolean {
  const [first] = line.words;
  const text = above.words[above.dates.at(-1)?.to ?? above.words.length];
  if (first === undefined || text === undefined || !isRightBelow(line, above)) return false;
  const height = line.bottom - line.top;
  return (
    first.left > text.right + height &&
    above.words.some(
      ({ left }, at) =>
        Math.abs(left - first.left) < height / 2 &&
        left - (above.words[at - 1]?.right ?? left) > height,
    )
  );
}

/** "Upcoming payments" below a header is not its second line, and neither is the heading of a day. */
const isOther = (line: TextLine, dates: readonly PrintedDate[], day: PrintedDate | null): boolean =>
  dates.length > 0 || day !== null || isPendingHeading(sectionHeadingOf(line.plain));

const CURRENCY_WORD = /^\p{L}{2,5}$/u;

/** "120.00 EURO @ 1.1402": what was paid in another currency, and the rate, are in a text, without a gap between them. */
function withoutRates({ words, top, bottom }: TextLine, money: readonly Money[]): readonly Money[] {
  const isNext = (at: number): boolean =>
    (words[at]?.left ?? 0) - (words[at - 1]?.right ?? 0) < bottom - top;
  const isRate = (at: number): boolean => words[at]?.text === "@";
  return money.filter(({ from, to }) => {
    const isBehind = isRate(from - 1) && isNext(from);
    const isBefore = isRate(to) && isNext(to);
    const hasCurrency = CURRENCY_WORD.test(words[to]?.text ?? "") && isNext(to);
    return !isBehind && !isBefore && !(hasCurrency && isRate(to + 1) && isNext(to + 1));
  });
}

const TIME = /^\d{1,2}\.\d{2}$/u;

/** "01/01/2025 05.28" where amounts have commas: the time of a payment stands behind its day. */
function withoutTimes(
  { words }: TextLine,
  money: readonly Money[],
  { decimalMark }: NumberFormat,
): readonly Money[] {
  if (decimalMark === ".") return money;
  return money.filter(
    ({ text, from }) => !TIME.test(text) || !WHOLE_DATE.test(words[from - 1]?.text ?? ""),
  );
}

const WHOLE_DATE = /^\d{1,2}[-/.]\d{1,2}[-/.](?:\d{2}|\d{4})$/u;

const PAGE_WORD = /^(?:page|pages|pg|seite|pagina|pag\.?|blad|sheet|side|hoja|folha)\.?$/u;
/** "Page 1 of 3", "Seite: 1 / 3". */
const PAGE_WORDS_MAX = 4;

/** "on August 2, 2018", "Starting balance - Mar 1", "Page 1 of 3": a number without decimals inside a date, or behind such a word, is not money. */
function withoutYears(line: TextLine, money: readonly Money[], order: DayOrder): readonly Money[] {
  if (money.every(({ isCertain }) => isCertain)) return money;
  const dates = findDates(line, order).filter(
    ({ year, words }) => year !== null || words.some(({ text }) => /\p{L}/u.test(text)),
  );
  const page = line.plain.findIndex((word) => PAGE_WORD.test(word));
  return money.filter(
    ({ isCertain, from }) =>
      isCertain ||
      (!dates.some((date) => from >= date.from && from < date.to) &&
        (page < 0 || from < page || from > page + PAGE_WORDS_MAX)),
  );
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
