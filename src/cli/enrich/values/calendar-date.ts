// Dates as banks print them. Whether 04/05 is April or May is a property of the column, decided over a sample.
import { readWordTable } from "../../../shared/word-table.ts";

/** `YMD` matters only where the year has two digits: 24/05/17. */
export type DayMonthOrder = "DMY" | "MDY" | "YMD";

interface DateParts {
  readonly year: number;
  /** First and second number as written; `fixed`: they are certainly month and day. */
  readonly first: number;
  readonly second: number;
  readonly fixed: boolean;
}

/** Longer cells are prose, and the bound keeps the patterns below cheap. */
const DATE_CHARACTERS_MAX = 48;
const TIME = String.raw`(?:[T\s,-]+\d{1,2}[:.h]\d{2}[\d:.]*\s*(?:[ap]\.?m\.?)?\s*(?:z|utc|gmt|[+-]\d{2}:?\d{2}|\s)*)?$`;
const WEEKDAY = String.raw`^(?:\p{L}{2,10}\.?,?\s+)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.\s])(\d{1,2})\2(\d{1,2})${TIME}`, "iu");
const COMPACT = new RegExp(String.raw`^(\d{8})(?:\d{6})?${TIME}`, "iu");
const YEAR_LAST = new RegExp(
  String.raw`^(\d{1,2})([-/.\s])\s?(\d{1,2})\2\s?(\d{4}|\d{2})${TIME}`,
  "iu",
);
const SHORT_YEAR_FIRST = new RegExp(String.raw`^(\d{2})([-/.\s])(\d{1,2})\2(\d{1,2})${TIME}`, "iu");
const DAY_NAME = new RegExp(
  String.raw`${WEEKDAY}(\d{1,2})(?:st|nd|rd|th|er|[ºª.])?[-/\s]*(?:de\s+)?(\p{L}{3,10})\.?,?[-/\s]*(?:de\s+)?(\d{4}|\d{2})${TIME}`,
  "iu",
);
const NAME_DAY = new RegExp(
  String.raw`${WEEKDAY}(\p{L}{3,10})\.?[-\s]+(\d{1,2})(?:st|nd|rd|th)?,?[-\s]+(\d{4})${TIME}`,
  "iu",
);
const MONTHS = readWordTable(new URL("month-names.txt", import.meta.url));

/** YYYY-MM-DD, or null when the cell is not a calendar date in this order. Total: never throws. */
export function parseDate(text: string, order: DayMonthOrder): string | null {
  const short = order === "YMD" ? SHORT_YEAR_FIRST.exec(text.trim()) : null;
  if (short !== null) {
    const { year, first, second } = fixedParts(short[1], short[3], short[4]);
    return isoDate(year, first, second);
  }
  const parts = readParts(text);
  if (parts === null) return null;
  const { year, first, second, fixed } = parts;
  return fixed || order === "MDY" ? isoDate(year, first, second) : isoDate(year, second, first);
}

/**
 * The order of day and month that one cell shows: "either" when both readings are dates, null when the
 * cell is not a date or shows itself which number is which (year first, month by name, dots).
 */
export function dayMonthEvidence(text: string): DayMonthOrder | "either" | null {
  const parts = readParts(text);
  if (parts === null || parts.fixed) return null;
  const dayFirst = isoDate(parts.year, parts.second, parts.first) !== null;
  const monthFirst = isoDate(parts.year, parts.first, parts.second) !== null;
  if (dayFirst && monthFirst) return "either";
  return dayFirst ? "DMY" : monthFirst ? "MDY" : null;
}

/** True when the cell is a date in some order. */
export function isDate(text: string): boolean {
  return parseDate(text, "DMY") !== null || parseDate(text, "MDY") !== null;
}

function readParts(text: string): DateParts | null {
  if (text.length < 6 || text.length > DATE_CHARACTERS_MAX || !/\d/u.test(text)) return null;
  const trimmed = text.trim();
  return readNumeric(trimmed) ?? readNamed(trimmed);
}

function readNumeric(text: string): DateParts | null {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return fixedParts(yearFirst[1], yearFirst[3], yearFirst[4]);
  const compact = COMPACT.exec(text)?.[1];
  if (compact !== undefined) return readCompact(compact);
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast === null) return null;
  const [, first, separator, second, year] = yearLast;
  // Dots are German, Swiss, Russian … style; month.day.year is not used.
  if (separator === ".") return fixedParts(year, second, first);
  return { ...fixedParts(year, first, second), fixed: false };
}

/** 20240517, or 17052024 when the first reading is not a plausible date. */
function readCompact(digits: string): DateParts | null {
  const yearFirst = fixedParts(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8));
  if (isPlausibleDate(yearFirst)) return yearFirst;
  const dayFirst = fixedParts(digits.slice(4, 8), digits.slice(2, 4), digits.slice(0, 2));
  return isPlausibleDate(dayFirst) ? dayFirst : null;
}

function isPlausibleDate({ year, first, second }: DateParts): boolean {
  return year >= 1970 && year < 2100 && isoDate(year, first, second) !== null;
}

function readNamed(text: string): DateParts | null {
  const [, day, name, year] = DAY_NAME.exec(text) ?? [];
  const month = monthNumber(name);
  if (month !== null) return fixedParts(year, String(month), day);
  const [, otherName, otherDay, otherYear] = NAME_DAY.exec(text) ?? [];
  const otherMonth = monthNumber(otherName);
  return otherMonth === null ? null : fixedParts(otherYear, String(otherMonth), otherDay);
}

function monthNumber(name: string | undefined): number | null {
  if (name === undefined) return null;
  const plain = name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const month = [...MONTHS].find(([, stems]) => stems.some((stem) => plain.startsWith(stem)));
  return month === undefined ? null : Number(month[0]);
}

function fixedParts(year = "", month = "", day = ""): DateParts {
  const short = Number(year);
  // The usual pivot: 69 and below belong to this century.
  const full = year.length > 2 ? short : short < 70 ? 2000 + short : 1900 + short;
  return { year: full, first: Number(month), second: Number(day), fixed: true };
}

function isoDate(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month) || year < 1900)
    return null;
  return `${String(year)}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
