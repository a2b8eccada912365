// Calendar arithmetic on day numbers. A day is a whole number: days since 1970-01-01, without time zones.

const DAY_MS = 86_400_000;

export interface CalendarDate {
  readonly year: number;
  /** 1..12. */
  readonly month: number;
  /** 1..31. */
  readonly day: number;
}

export const SUNDAY = 0;
export const MONDAY = 1;
export const FRIDAY = 5;
export const SATURDAY = 6;

const DAYS_OF_ERA = 146_097;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_DAYS = 719_468;

/**
 * Months outside 1..12 run on into the years before and after. Years begin in March here, so that leap days are their last
 * (Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013: days_from_civil).
 */
export function dayNumber(year: number, month: number, day: number): number {
  const months = year * 12 + month - 3;
  const marchYear = Math.floor(months / 12);
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (months - marchYear * 12) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_OF_ERA + dayOfEra - EPOCH_DAYS;
}

/** @param text YYYY-MM-DD */
export function parseDay(text: string): number {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  return dayNumber(year, month, day);
}

export const formatDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** civil_from_days of the same source. */
export function toCalendarDate(day: number): CalendarDate {
  const shifted = day + EPOCH_DAYS;
  const era = Math.floor(shifted / DAYS_OF_ERA);
  const dayOfEra = shifted - era * DAYS_OF_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** 0 is Sunday. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => day + 4 - 7 * Math.floor((day + 4) / 7);

export function isWeekend(day: number): boolean {
  const weekday = weekdayOf(day);
  return weekday === SUNDAY || weekday === SATURDAY;
}

/** The day of the month, or its last day where the month is shorter. */
export const dayInMonth = (year: number, month: number, day: number): number =>
  Math.min(dayNumber(year, month, day), dayNumber(year, month + 1, 0));

/** The n-th weekday of a month, from 1; n = -1 is the last. */
export function nthWeekday(year: number, month: number, weekday: number, n: number): number {
  if (n < 0) {
    const last = dayNumber(year, month + 1, 0);
    return last - ((weekdayOf(last) - weekday + 7) % 7);
  }
  const first = dayNumber(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (n - 1);
}

/** Gregorian Easter Sunday (Meeus, Astronomical Algorithms 1991, chapter 8: Butcher's algorithm). */
export function easterSunday(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return dayNumber(year, Math.floor(sum / 31), (sum % 31) + 1);
}

const EPOCH_YEAR = 1970;
/** Months that the table of their first days holds, counted from January 1970: 1960 to 2110. */
const TABLE_FROM = -120;
const TABLE_LENGTH = 1_800;
const monthStarts = Int32Array.from({ length: TABLE_LENGTH }, (_, index) =>
  dayNumber(EPOCH_YEAR, 1 + TABLE_FROM + index, 1),
);
const MEAN_MONTH_DAYS = 30.436_875;

/** The first day of a month; months are counted from January 1970, which is 0. */
export const monthStart = (month: number): number =>
  monthStarts[month - TABLE_FROM] ?? dayNumber(EPOCH_YEAR, 1 + month, 1);

/** The month that a day is in, counted from January 1970. */
export function monthOf(day: number): number {
  let month = Math.floor(day / MEAN_MONTH_DAYS);
  while (monthStart(month) > day) month -= 1;
  while (monthStart(month + 1) <= day) month += 1;
  return month;
}

/** A date of a month, or its last day where it is shorter. */
export const dateInMonth = (month: number, date: number): number =>
  Math.min(monthStart(month) + date, monthStart(month + 1)) - 1;
