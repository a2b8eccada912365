// The period of a statement that does not print two days next to each other: of a month, by its length, or in two lines.
import { type DayOrder, findDates, type PrintedDate, toIsoDate } from "./dates.ts";
import { monthOfName, STATEMENT_TITLE } from "./lexicon.ts";
import { makeLine, type TextLine } from "./lines.ts";
import type { Period } from "./period.ts";
import { type TextSegment, toSegments } from "./segments.ts";

type Day = Pick<PrintedDate, "year" | "month">;

/**
 * The first that is found; null: there is none.
 * @param days of all rows
 */
export function impliedPeriod(
  lines: readonly TextLine[],
  days: readonly Day[],
  order: DayOrder,
): Period | null {
  const segments = toSegments(lines);
  return (
    periodInTwoLines(segments, order) ??
    periodOfCycle(segments, order) ??
    periodOfTitle(segments, days)
  );
}

const BEGINNING = /^(?:beginning|starting|from)$/u;
const ENDING = /^(?:through|thru|to|ending)$/u;
/** In heights of a line. */
const LINE_GAP_MAX = 3;

/** "Beginning April 17, 2026" above "through May 16, 2026". */
function periodInTwoLines(segments: readonly TextSegment[], order: DayOrder): Period | null {
  for (const first of segments) {
    const start = dayBehind(first, BEGINNING, order);
    if (start === null) continue;
    const reach = (first.bottom - first.top) * LINE_GAP_MAX;
    const end = segments
      .filter(
        ({ left, top }) =>
          Math.abs(left - first.left) < reach && top > first.top && top - first.bottom < reach,
      )
      .map((below) => dayBehind(below, ENDING, order))
      .find((day) => day !== null);
    if (end !== undefined && start <= end) return { start, end };
  }
  return null;
}

/** The day with a year that is all of a piece behind such a word; null: it is another piece. */
function dayBehind({ words, plain }: TextSegment, word: RegExp, order: DayOrder): string | null {
  if (!word.test(plain[0] ?? "")) return null;
  const [date] = findDates(makeLine(words), order);
  if (date?.from !== 1 || date.to !== words.length || date.year === null) return null;
  return toIsoDate(date.year, date.month, date.day);
}

const CLOSING_DAY = /^(?:statement )?(?:closing|end) date\b|^closing date\b/u;
const DAYS_IN_CYCLE = /^(?:number of )?days in (?:this )?(?:billing|statement) (?:cycle|period)\b/u;
/** Statements of a month or, of some cards, of half a year are not longer. */
const CYCLE_DAYS_MAX = 186;
const MS_PER_DAY = 86_400_000;

/** "Statement closing date 05/17/2026" and "Days in billing cycle 30": that day is the last one. */
function periodOfCycle(segments: readonly TextSegment[], order: DayOrder): Period | null {
  const end = valueOf(segments, CLOSING_DAY, ({ words }) => {
    const date = findDates(makeLine(words), order).at(-1);
    return date?.year == null ? null : toIsoDate(date.year, date.month, date.day);
  });
  const days = valueOf(segments, DAYS_IN_CYCLE, ({ plain }) => {
    const last = plain.at(-1) ?? "";
    return /^\d{1,3}$/u.test(last) ? Number(last) : null;
  });
  if (end === null || days === null || days < 1 || days > CYCLE_DAYS_MAX) return null;
  const start = new Date(Date.parse(end) - (days - 1) * MS_PER_DAY);
  return { start: start.toISOString().slice(0, 10), end };
}

/** In the piece with the label, or the one behind it in its line. */
function valueOf<Value>(
  segments: readonly TextSegment[],
  label: RegExp,
  valueIn: (segment: TextSegment) => Value | null,
): Value | null {
  for (const [at, segment] of segments.entries()) {
    if (!label.test(segment.plain.join(" "))) continue;
    const next = segments[at + 1];
    const value =
      valueIn(segment) ??
      (next?.line === segment.line && next.plain.length > 0 ? valueIn(next) : null);
    if (value !== null) return value;
  }
  return null;
}

const TITLE_WORDS_MAX = 7;
const TITLE_FILLER = /^(?:for|of|the|month|monat|fur|vom|de|del|du|mois|mese|mes|di|[-–—·|:])$/u;

/**
 * All days of the month of a title such as "October 2026 statement" or "Kontoauszug Juni 2026", where those of all rows are of that month:
 * a title may also name the month in which the period ends.
 */
function periodOfTitle(segments: readonly TextSegment[], days: readonly Day[]): Period | null {
  if (days.length === 0) return null;
  for (const { plain } of segments) {
    const title = monthOfTitle(plain);
    const isOfAll = days.every(
      ({ month, year }) => month === title?.month && (year ?? title.year) === title.year,
    );
    if (title !== null && isOfAll) return wholeMonth(title);
  }
  return null;
}

interface YearAndMonth {
  readonly year: number;
  readonly month: number;
}

function monthOfTitle(plain: readonly string[]): YearAndMonth | null {
  const at = plain.findIndex((word) => monthOfName(word) !== null);
  const month = monthOfName(plain[at] ?? "");
  const [year = ""] = plain.slice(at + 1);
  if (month === null || !/^20\d\d$/u.test(year) || plain.length > TITLE_WORDS_MAX) return null;
  const others = [...plain.slice(0, at), ...plain.slice(at + 2)].filter(
    (word) => !TITLE_FILLER.test(word),
  );
  const isTitle = others.length > 0 && others.every((word) => STATEMENT_TITLE.has(word));
  return isTitle ? { year: Number(year), month } : null;
}

const wholeMonth = ({ year, month }: YearAndMonth): Period => ({
  start: toIsoDate(year, month, 1),
  end: toIsoDate(year, month, new Date(Date.UTC(year, month, 0)).getUTCDate()),
});
