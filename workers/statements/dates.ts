// Dates among the words of a line, in the order of day and month that the document uses.
import { monthOfName } from "./lexicon.ts";
import type { TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

export interface PrintedDate {
  /** null: not printed. */
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
  readonly words: readonly PageWord[];
  /** Words of the line: from is the first, to the one behind the last. */
  readonly from: number;
  readonly to: number;
}

export type DayOrder = "day first" | "month first";

/** With the time of day in the same word too, which may be read with other digits: "2026-01-05T09:33:11Z". */
const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T\d[\d:.]{3,14}(?:Z|[+-]\d{2}:?\d{2})?)?$/u;
const NUMERIC = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/u;
const SHORT = /^(\d{1,2})([-/.])(\d{1,2})(\.?)$/u;
const HAN = /^(\d{4})年(\d{1,2})月(\d{1,2})日$/u;
const DAY_MONTH =
  /^(\d{1,2})(?:st|nd|rd|th|er|\.|º)?[ \-/.]*(\p{L}{3,10}\.?)(?:[ \-/.,']*(\d{4})|[\-/']+(\d{2})|(?<=\p{L})(\d{2}))?$/iu;
const MONTH_DAY =
  /^(\p{L}{3,10})\.?[ \-]*(\d{1,2})(?:st|nd|rd|th)?(?:,? *(\d{4})|[/'’](\d{2}))?$/iu;
const WORDS_MAX = 5;
/** "31 de mayo de 2026" */
const OF = /(?<=[\p{L}\d]) de (?=\p{L}|\d{4}$)/giu;
const CENTURY = 2_000;
const MONTHS = 12;

/**
 * The date whose words begin at `from`: the longest one.
 * @param isInColumn whether it stands where dates do: "12.50" is an amount elsewhere
 */
export function printedDateAt(
  line: TextLine,
  from: number,
  order: DayOrder,
  isInColumn = from === 0,
): PrintedDate | null {
  if (!mayBegin(line.words[from]?.text ?? "")) return null;
  let best: PrintedDate | null = null;
  let text = "";
  for (let to = from + 1; to <= Math.min(line.words.length, from + WORDS_MAX); to += 1) {
    const raw = line.words[to - 1]?.text ?? "";
    text = `${text} ${raw}`.trim();
    const whole = tornDate(line.words.slice(from, to)) ?? text;
    const parsed = parsePrintedDate(
      whole.replace(/[,;:*†‡]+$/u, "").replace(OF, " "),
      order,
      isInColumn,
    );
    if (parsed !== null) best = { ...parsed, words: line.words.slice(from, to), from, to };
  }
  return best;
}

const DIGIT = /\d/u;
/** "Jan." and "Jan-" */
const MONTH_END = /[.-]+$/u;

/** Whether a date may begin with the word: most words are quickly passed over. */
const mayBegin = (word: string): boolean =>
  DIGIT.test(word) || monthOfName(word.replace(MONTH_END, "")) !== null;

const TORN_PART = /^[\d\-/.]+$/u;

/** "12-1 1-2024": recognised words that only together are one date in numbers, with its year; null: they are not. */
function tornDate(words: readonly PageWord[]): string | null {
  const whole = words.map(({ text }) => text).join("");
  const isTorn =
    words.length > 1 && words.every(({ source, text }) => source === "ocr" && TORN_PART.test(text));
  return isTorn && /\d{4}/u.test(whole) && (ISO.test(whole) || NUMERIC.test(whole)) ? whole : null;
}

/** "02 28" in a column of dates: the month and the day. */
export function monthAndDayAt(line: TextLine, from: number): PrintedDate | null {
  const words = line.words.slice(from, from + 2);
  if (words.length < 2 || !words.every(({ text }) => /^\d{2}$/u.test(text))) return null;
  const [month, day] = words.map(({ text }) => Number(text));
  const date = valid(null, month ?? 0, day ?? 0);
  return date === null ? null : { ...date, words, from, to: from + 2 };
}

/** "0714" in a column of dates: text recognition lost the mark between month and day. */
export function unmarkedDayAt(line: TextLine, from: number, order: DayOrder): PrintedDate | null {
  const word = line.words[from];
  if (word?.source !== "ocr" || !/^\d{4}$/u.test(word.text)) return null;
  const [first, second] = [Number(word.text.slice(0, 2)), Number(word.text.slice(2))];
  const date = order === "month first" ? valid(null, first, second) : valid(null, second, first);
  return date === null ? null : { ...date, words: [word], from, to: from + 1 };
}

/** All dates of a line, from left to right. */
export function findDates(line: TextLine, order: DayOrder): PrintedDate[] {
  const dates: PrintedDate[] = [];
  let from = 0;
  while (from < line.words.length) {
    const date = printedDateAt(line, from, order);
    if (date !== null) dates.push(date);
    from = date?.to ?? from + 1;
  }
  return dates;
}

type ParsedDate = Pick<PrintedDate, "year" | "month" | "day">;

function parsePrintedDate(text: string, order: DayOrder, isFirst: boolean): ParsedDate | null {
  const whole = ISO.exec(text) ?? HAN.exec(text);
  if (whole !== null) return valid(Number(whole[1]), Number(whole[2]), Number(whole[3]));
  const numeric = NUMERIC.exec(text);
  if (numeric !== null) return ordered(numeric[1], numeric[3], fullYear(numeric[4]), order);
  const short = SHORT.exec(text);
  if (short !== null) {
    // "12.50" is rather an amount.
    if (short[2] === "." && short[4] === "" && !isFirst) return null;
    return ordered(short[1], short[3], null, order);
  }
  return named(text);
}

function named(text: string): ParsedDate | null {
  const dayFirst = DAY_MONTH.exec(text);
  if (dayFirst !== null) {
    const [, day, name = "", year, short, glued] = dayFirst;
    const month = monthOfName(name);
    return month === null ? null : valid(fullYear(year ?? short ?? glued), month, Number(day));
  }
  const monthFirst = MONTH_DAY.exec(text);
  const month = monthOfName(monthFirst?.[1] ?? "");
  if (monthFirst === null || month === null) return null;
  return valid(fullYear(monthFirst[3] ?? monthFirst[4]), month, Number(monthFirst[2]));
}

const fullYear = (text: string | undefined): number | null =>
  text === undefined ? null : Number(text) < 100 ? CENTURY + Number(text) : Number(text);

function ordered(
  first: string | undefined,
  second: string | undefined,
  year: number | null,
  order: DayOrder,
): ParsedDate | null {
  const a = Number(first);
  const b = Number(second);
  const isDayFirst = b > MONTHS || a > MONTHS ? a > MONTHS : order === "day first";
  return isDayFirst ? valid(year, b, a) : valid(year, a, b);
}

function valid(year: number | null, month: number, day: number): ParsedDate | null {
  if (month < 1 || month > MONTHS || day < 1) return null;
  // Without a year, 29 February may exist.
  const days = new Date(Date.UTC(year ?? CENTURY, month, 0)).getUTCDate();
  if (day > days || (year !== null && (year < 1970 || year > 2100))) return null;
  return { year, month, day };
}

/** YYYY-MM-DD. */
export const toIsoDate = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** Whether a day as YYYY-MM-DD exists. */
export function isCalendarDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** Any first number above 12 means day first, any second one month first; null: none shows it. */
export function printedDayOrder(lines: readonly TextLine[]): DayOrder | null {
  let dayFirst = 0;
  let monthFirst = 0;
  for (const { words } of lines) {
    for (const { text } of words) {
      const match = NUMERIC.exec(text) ?? SHORT.exec(text);
      if (match === null || (match[2] === "." && match[4] === "")) continue;
      if (Number(match[1]) > MONTHS && Number(match[3]) <= MONTHS) dayFirst += 1;
      if (Number(match[3]) > MONTHS && Number(match[1]) <= MONTHS) monthFirst += 1;
    }
  }
  if (dayFirst === monthFirst) return null;
  return dayFirst > monthFirst ? "day first" : "month first";
}
