// Days on which banks settle payments in the United States, the United Kingdom and the euro area.
import {
  toCalendarDate,
  dayNumber,
  easterSunday,
  isWeekend,
  MONDAY,
  nthWeekday,
  SATURDAY,
  SUNDAY,
  weekdayOf,
} from "./days.ts";

export const REGIONS = ["us", "uk", "eu"] as const;
export type BankRegion = (typeof REGIONS)[number];

export interface BankCalendar {
  isBankDay(day: number): boolean;
  /** The day itself, or the next day on which banks settle. */
  following(day: number): number;
  /** The day itself, or the last day before it on which banks settle. */
  preceding(day: number): number;
  /** The bank day that is `count` bank days after the day. */
  add(day: number, count: number): number;
  firstOfMonth(year: number, month: number): number;
  lastOfMonth(year: number, month: number): number;
}

const THURSDAY = 4;
const JUNETEENTH_FROM = 2021;

/**
 * Holidays of the Federal Reserve Banks, on which ACH does not settle (Federal Reserve Financial Services, Holiday Schedules;
 * days of 5 U.S.C. 6103). One on a Sunday is kept on Monday; of one on a Saturday the banks are open on Friday.
 */
function usHolidays(year: number): readonly number[] {
  const fixed = [
    dayNumber(year, 1, 1),
    ...(year >= JUNETEENTH_FROM ? [dayNumber(year, 6, 19)] : []),
    dayNumber(year, 7, 4),
    dayNumber(year, 11, 11),
    dayNumber(year, 12, 25),
  ];
  return [
    ...fixed.map((day) => (weekdayOf(day) === SUNDAY ? day + 1 : day)),
    nthWeekday(year, 1, MONDAY, 3),
    nthWeekday(year, 2, MONDAY, 3),
    nthWeekday(year, 5, MONDAY, -1),
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 10, MONDAY, 2),
    nthWeekday(year, 11, THURSDAY, 4),
  ];
}

/** Days by royal proclamation under the Banking and Financial Dealings Act 1971 (gov.uk/bank-holidays). */
const UK_EXTRA = [
  dayNumber(2020, 5, 8),
  dayNumber(2022, 6, 2),
  dayNumber(2022, 6, 3),
  dayNumber(2022, 9, 19),
  dayNumber(2023, 5, 8),
];
/** Moved by the proclamations above. */
const UK_MOVED = [nthWeekday(2020, 5, MONDAY, 1), nthWeekday(2022, 5, MONDAY, -1)];

/** Bank holidays of England and Wales, with substitute days, on which Bacs does not settle (gov.uk/bank-holidays). */
function ukHolidays(year: number): readonly number[] {
  const newYear = dayNumber(year, 1, 1);
  const christmas = dayNumber(year, 12, 25);
  const easter = easterSunday(year);
  const christmasDays = [christmas, christmas + 1];
  for (const day of [christmas, christmas + 1]) {
    if (!isWeekend(day)) continue;
    let substitute = christmas + 2;
    while (isWeekend(substitute) || christmasDays.includes(substitute)) substitute += 1;
    christmasDays.push(substitute);
  }
  return [
    newYear,
    ...(isWeekend(newYear) ? [newYear + (weekdayOf(newYear) === SATURDAY ? 2 : 1)] : []),
    easter - 2,
    easter + 1,
    nthWeekday(year, 5, MONDAY, 1),
    nthWeekday(year, 5, MONDAY, -1),
    nthWeekday(year, 8, MONDAY, -1),
    ...christmasDays,
    ...UK_EXTRA,
  ].filter((day) => !UK_MOVED.includes(day));
}

/** Closing days of T2, on which SEPA direct debits do not settle (ECB, "Long-term calendar for TARGET closing days", 2000). */
function euHolidays(year: number): readonly number[] {
  const easter = easterSunday(year);
  return [
    dayNumber(year, 1, 1),
    easter - 2,
    easter + 1,
    dayNumber(year, 5, 1),
    dayNumber(year, 12, 25),
    dayNumber(year, 12, 26),
  ];
}

const HOLIDAYS = { us: usHolidays, uk: ukHolidays, eu: euHolidays } as const;

/** Days that a table holds the next and the last bank day of: 1969-01-01 to 2100-12-31. Others are worked out each time. */
const TABLE_FROM = dayNumber(1969, 1, 1);
const TABLE_UNTIL = dayNumber(2101, 1, 1);

interface Moves {
  /** Days to the next bank day, 0 for one. */
  readonly ahead: Uint8Array;
  readonly back: Uint8Array;
}

function readMoves(isBankDay: (day: number) => boolean): Moves {
  const length = TABLE_UNTIL - TABLE_FROM;
  const ahead = new Uint8Array(length);
  const back = new Uint8Array(length);
  const distance = (from: number, step: 1 | -1): number => {
    let days = 0;
    while (!isBankDay(from + step * days)) days += 1;
    return days;
  };
  for (let at = 0; at < length; at++) {
    const isOpen = isBankDay(TABLE_FROM + at);
    if (isOpen) continue;
    ahead[at] = distance(TABLE_FROM + at, 1);
    back[at] = distance(TABLE_FROM + at, -1);
  }
  return { ahead, back };
}

function createCalendar(region: BankRegion): BankCalendar {
  const years = new Map<number, ReadonlySet<number>>();
  const holidaysOf = (year: number): ReadonlySet<number> => {
    let days = years.get(year);
    if (days === undefined) {
      days = new Set(HOLIDAYS[region](year));
      years.set(year, days);
    }
    return days;
  };
  const isOpen = (day: number): boolean =>
    !isWeekend(day) && !holidaysOf(toCalendarDate(day).year).has(day);
  const { ahead, back } = readMoves(isOpen);
  const move = (moves: Uint8Array, step: 1 | -1, day: number): number => {
    const days = moves[day - TABLE_FROM];
    if (days !== undefined) return day + step * days;
    let moved = day;
    while (!isOpen(moved)) moved += step;
    return moved;
  };
  const following = (day: number): number => move(ahead, 1, day);
  const preceding = (day: number): number => move(back, -1, day);
  return {
    isBankDay: (day) => following(day) === day,
    following,
    preceding,
    add: (day, count) => {
      let moved = following(day);
      for (let left = count; left > 0; left--) moved = following(moved + 1);
      return moved;
    },
    firstOfMonth: (year, month) => following(dayNumber(year, month, 1)),
    lastOfMonth: (year, month) => preceding(dayNumber(year, month + 1, 0)),
  };
}

const calendars = new Map<BankRegion, BankCalendar>();

/** One for each region, made at its first use: its tables take 100 KB and a few milliseconds. */
export function createBankCalendar(region: BankRegion): BankCalendar {
  const calendar = calendars.get(region) ?? createCalendar(region);
  calendars.set(region, calendar);
  return calendar;
}
