import { describe, expect, it } from "vitest";
import { createBankCalendar } from "../../../workers/recurrence/calendar/bank-days.ts";
import { postedOn } from "../../../bench/recurrence/context.ts";
import {
  easterSunday,
  formatDay,
  nthWeekday,
  parseDay,
  weekdayOf,
} from "../../../workers/recurrence/calendar/days.ts";
import {
  everyDays,
  everyMonths,
  firstBankDays,
  lastBankDays,
  meterCycle,
  monthlyOn,
  nthWeekdayMonthly,
  type Schedule,
  twiceMonthly,
  yearlyDays,
} from "../../../bench/recurrence/schedules.ts";
import { createRandom } from "../../support/random.ts";

const [us, uk, eu] = [createBankCalendar("us"), createBankCalendar("uk"), createBankCalendar("eu")];

const daysOf = (schedule: Schedule, from: string, until: string): readonly string[] =>
  schedule({ from: parseDay(from), until: parseDay(until) }).map(formatDay);

describe("days", () => {
  it("Easter and weekdays are those of the calendar", () => {
    expect([2024, 2025, 2026].map(easterSunday).map(formatDay)).toEqual([
      "2024-03-31",
      "2025-04-20",
      "2026-04-05",
    ]);
    expect(
      ["1970-01-01", "2025-06-15", "1969-12-31"].map((day) => weekdayOf(parseDay(day))),
    ).toEqual([4, 0, 3]);
    expect(formatDay(nthWeekday(2025, 5, 1, -1))).toBe("2025-05-26");
  });
});

describe("bank days", () => {
  it("the Federal Reserve keeps a Sunday's holiday on Monday, and is open before a Saturday's", () => {
    expect(us.isBankDay(parseDay("2021-07-05"))).toBe(false);
    expect(us.isBankDay(parseDay("2026-07-03"))).toBe(true);
    expect(us.isBankDay(parseDay("2024-11-28"))).toBe(false);
    expect(us.isBankDay(parseDay("2020-06-19"))).toBe(true);
    expect(us.isBankDay(parseDay("2025-06-19"))).toBe(false);
  });

  it("the United Kingdom has substitute days, and days by proclamation", () => {
    const closed = ["2021-12-27", "2021-12-28", "2022-12-27", "2022-01-03", "2022-09-19"];
    for (const day of [...closed, "2020-05-08", "2025-04-18", "2025-08-25"])
      expect(uk.isBankDay(parseDay(day)), day).toBe(false);
    for (const day of ["2020-05-04", "2022-05-30", "2021-12-29", "2022-01-04"])
      expect(uk.isBankDay(parseDay(day)), day).toBe(true);
  });

  it("the euro area closes on six days only", () => {
    expect(eu.isBankDay(parseDay("2025-05-01"))).toBe(false);
    expect(eu.isBankDay(parseDay("2025-12-26"))).toBe(false);
    expect(eu.isBankDay(parseDay("2025-10-03"))).toBe(true);
  });

  it("debits move to the next bank day, pay to the one before", () => {
    const due = parseDay("2025-06-01");
    expect(formatDay(postedOn(uk, "following", due))).toBe("2025-06-02");
    expect(formatDay(postedOn(uk, "preceding", due))).toBe("2025-05-30");
    expect(formatDay(postedOn(uk, "any", due))).toBe("2025-06-01");
    expect(formatDay(uk.add(parseDay("2025-04-16"), 3))).toBe("2025-04-23");
  });
});

describe("schedules", () => {
  it("the 31st is the last day of shorter months, and comes back", () => {
    expect(daysOf(monthlyOn(31), "2024-01-01", "2024-05-31")).toEqual([
      "2024-01-31",
      "2024-02-29",
      "2024-03-31",
      "2024-04-30",
      "2024-05-31",
    ]);
  });

  it("months without a payment are left out", () => {
    const taxes = monthlyOn(1, [4, 5, 6, 7, 8, 9, 10, 11, 12, 1]);
    expect(daysOf(taxes, "2024-12-01", "2025-04-30")).toEqual([
      "2024-12-01",
      "2025-01-01",
      "2025-04-01",
    ]);
  });

  it("every four weeks is 13 times a year, the same weekday", () => {
    const days = everyDays(
      28,
      parseDay("2025-01-06"),
    )({
      from: parseDay("2025-01-06"),
      until: parseDay("2026-01-04"),
    });
    expect(days).toHaveLength(13);
    expect(new Set(days.map(weekdayOf))).toEqual(new Set([1]));
  });

  it("an anchor after the range counts backwards", () => {
    expect(daysOf(everyDays(7, parseDay("2025-02-05")), "2025-01-10", "2025-01-24")).toEqual([
      "2025-01-15",
      "2025-01-22",
    ]);
    expect(daysOf(everyMonths(3, parseDay("2025-03-15")), "2024-01-01", "2024-07-01")).toEqual([
      "2024-03-15",
      "2024-06-15",
    ]);
  });

  it("other calendars have the days of their rule", () => {
    expect(daysOf(twiceMonthly(15, 31), "2025-02-01", "2025-03-31")).toEqual([
      "2025-02-15",
      "2025-02-28",
      "2025-03-15",
      "2025-03-31",
    ]);
    expect(daysOf(nthWeekdayMonthly(3, 2), "2025-01-01", "2025-02-28")).toEqual([
      "2025-01-08",
      "2025-02-12",
    ]);
    expect(daysOf(firstBankDays(us), "2025-01-01", "2025-03-31")).toEqual([
      "2025-01-02",
      "2025-02-03",
      "2025-03-03",
    ]);
    expect(daysOf(lastBankDays(uk), "2025-05-01", "2025-06-30")).toEqual([
      "2025-05-30",
      "2025-06-30",
    ]);
    expect(
      daysOf(
        yearlyDays([
          [9, 29],
          [3, 25],
        ]),
        "2024-01-01",
        "2024-12-31",
      ),
    ).toEqual(["2024-03-25", "2024-09-29"]);
  });

  it("bills of a meter are 24 to 38 days apart and do not drift from the month", () => {
    const range = { from: parseDay("2022-01-01"), until: parseDay("2024-12-31") };
    const days = meterCycle(createRandom(5), us, range)(range);
    const gaps = days.slice(1).map((day, index) => day - (days[index] ?? day));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(24);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(38);
    expect(new Set(gaps).size).toBeGreaterThan(2);
    expect(days.length).toBeGreaterThanOrEqual(35);
    expect(days.length).toBeLessThanOrEqual(37);
  });
});
