// The period of a statement as a line prints it: two dates, or the days of a month.
import { type DayOrder, findDates, type PrintedDate, toIsoDate } from "./dates.ts";
import { FROM_TO, monthOfName, PERIOD_LABEL } from "./lexicon.ts";
import { makeLine, type TextLine } from "./lines.ts";
import { toSegments } from "./segments.ts";
import { joinYear } from "./short-years.ts";

export interface Period {
  readonly start: string;
  readonly end: string;
}

const PERIOD_WORDS_MAX = 16;
const DAYS_OF_MONTH =
  /(\p{L}{3,10})\.?\s+(\d{1,2})\s*[-\u2013\u2014]\s*(\d{1,2}),?\s+(\d{4})(?!\d)/u;

/** Whether it is one of the days of a period, of any year where none is printed. */
export function isDayOfPeriod({ year, month, day }: PrintedDate, { start, end }: Period): boolean {
  const years = year === null ? [start, end].map((date) => Number(date.slice(0, 4))) : [year];
  const dates = years.map((one) => toIsoDate(one, month, day));
  return dates.some((date) => date >= start && date <= end);
}

/** In one of the pieces of the line, or over several; null: the line has none. */
export function printedPeriod(line: TextLine, order: DayOrder): Period | null {
  for (const { words } of toSegments([line])) {
    if (words.length === line.words.length || words.length > PERIOD_WORDS_MAX) continue;
    const piece = makeLine(words);
    const period = daysOfMonth(piece) ?? fromTo(piece, order);
    if (period !== null) return period;
  }
  const own = line.words.length > PERIOD_WORDS_MAX ? fromLabel(line) : line;
  return own === null ? null : (daysOfMonth(own) ?? fromTo(own, order));
}

/** "Statement of transactions in account number ... for the period 1 March 2026 to 31 March 2026": from the label on; null: it has none. */
function fromLabel({ words, plain }: TextLine): TextLine | null {
  const label = PERIOD_LABEL.find(plain);
  const rest = words.slice(label?.from ?? words.length);
  return rest.length === 0 || rest.length > PERIOD_WORDS_MAX ? null : makeLine(rest);
}

/** "January 1-31, 2026" */
function daysOfMonth(line: TextLine): Period | null {
  const days = DAYS_OF_MONTH.exec(line.words.map((word) => word.text).join(" "));
  const month = monthOfName(days?.[1] ?? "");
  if (days === null || month === null) return null;
  const [, , first, last, year] = days.map(Number);
  return {
    start: toIsoDate(year ?? 0, month, first ?? 1),
    end: toIsoDate(year ?? 0, month, last ?? 1),
  };
}

const JOINED_DATES = /^(\d{1,4}[./]\d{1,2}[./]\d{2,4})([-–])(\d{1,4}[./]\d{1,2}[./]\d{2,4})$/u;
const JOINED_WORDS = /^(\d{4})([-–])(\p{L}{3,10}\.?)$/u;
const JOINED_DASH = /^(\d{1,4})([-–])$/u;
const joinedParts = (text: string): string[] =>
  (JOINED_DATES.exec(text) ?? JOINED_WORDS.exec(text) ?? JOINED_DASH.exec(text) ?? []).slice(1);

/** "01/15/25-02/13/25", "Aug 09 2026-Sep 08 2026" and "Mar 1- Mar 31, 2025" into their dates. */
function withoutJoined(line: TextLine): TextLine {
  if (line.words.every(({ text }) => joinedParts(text).length === 0)) return line;
  return makeLine(
    line.words.flatMap((word) => {
      const texts = joinedParts(word.text);
      const step = (word.right - word.left) / Math.max(texts.length, 1);
      return texts.length === 0
        ? [word]
        : texts.map((text, at) => ({ ...word, text, left: word.left + at * step }));
    }),
  );
}

const BRACKET = /^[([]|[)\]]$/gu;

/** "November 2022 (November 1, 2022 - November 30, 2022)": the days without the brackets around them. */
const withoutBrackets = (line: TextLine): TextLine =>
  line.words.some(({ text }) => text.search(BRACKET) >= 0)
    ? makeLine(line.words.map((word) => ({ ...word, text: word.text.replaceAll(BRACKET, "") })))
    : line;

/** "14 Dec 25 to 13 Jan 26": two digits behind both dates are their years. */
function joinYearsOfPeriod(line: TextLine, order: DayOrder): TextLine {
  const dates = findDates(line, order);
  const isShort = (date: PrintedDate): boolean =>
    date.year === null && /^\d{2}$/u.test(line.words[date.to]?.text ?? "");
  return dates.length === 2 && dates.every(isShort)
    ? dates.reduceRight((joined, { from }) => joinYear(joined, from), line)
    : line;
}

function fromTo(printed: TextLine, order: DayOrder): Period | null {
  const line = joinYearsOfPeriod(withoutJoined(withoutBrackets(printed)), order);
  const [start, end, ...more] = findDates(line, order);
  if (start === undefined || end === undefined || end.year === null) return null;
  const between = line.plain.slice(start.to, end.from).map((word) => word.replace(/[–—]/u, "-"));
  const isJoined = between.length === 1 && FROM_TO.has(between[0] ?? "");
  const isLabelled = PERIOD_LABEL.find(line.plain.slice(0, start.from)) !== null;
  if (!isJoined && !isLabelled) return null;
  // "Period: 2025/01/01 to 2025/01/31  Printed on: 2025/02/01"
  if (more.length > 0 && !(isJoined && isLabelled)) return null;
  const year = start.year ?? (start.month > end.month ? end.year - 1 : end.year);
  const period = {
    start: toIsoDate(year, start.month, start.day),
    end: toIsoDate(end.year, end.month, end.day),
  };
  return period.start <= period.end ? period : null;
}
