import { expect, test } from "vitest";
import { createBankCalendar } from "./calendar/bank-days.ts";
import {
  CYCLES,
  cycleRules,
  MONTH_CYCLES,
  monthRules,
  type RulePlaces,
  semiMonthlyRules,
} from "./due-rules.ts";
import { createRunDays, topKeys } from "./month-days.ts";
import { statutoryRules, yearRules } from "./year-rules.ts";

/** Days of payments without a rule, before 1970 too. */
function someDays(seed: number): readonly number[] {
  let state = seed;
  return Array.from({ length: 40 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * 2_000) - 500;
  }).sort((a, b) => a - b);
}

/** Rounding gives either zero. */
const withoutSignOfZero = (value: number): number => value + 0;

test.each([1, 2, 3, 4])("a rule places days %# as it does one at a time", (seed) => {
  const days = someDays(seed);
  const run = createRunDays(days, createBankCalendar("uk"));
  const candidates = [
    ...MONTH_CYCLES.flatMap((cycle) => monthRules(run, cycle, 1)),
    ...CYCLES.flatMap((cycle) => cycleRules(run, cycle)),
    ...semiMonthlyRules(run),
    ...yearRules(run),
    ...statutoryRules(run, "council tax"),
  ];
  expect(candidates.length).toBeGreaterThan(50);
  for (const candidate of candidates) {
    const places: RulePlaces = { periods: [], dueDays: [] };
    candidate.place(places);
    const rule = candidate.rule();
    const periods = days.map((day) => rule.periodOf(day));
    expect(places.periods.map(withoutSignOfZero)).toEqual(periods.map(withoutSignOfZero));
    expect(places.dueDays).toEqual(periods.map((period) => rule.dueDay(period)));
  }
});

test("a rule by months that cannot have enough payments is not tried", () => {
  const run = createRunDays([0, 31, 59, 90], createBankCalendar("us"));
  const quarterly = MONTH_CYCLES.filter(({ periodicity }) => periodicity === "quarterly");
  const countOf = (least: number): number =>
    quarterly.flatMap((cycle) => monthRules(run, cycle, least)).length;
  expect(countOf(1)).toBeGreaterThan(0);
  expect(countOf(3)).toBe(0);
});

test.each([
  [[0, 3, 5, 3, 1], 3, [2, 1, 3]],
  [[0, 3, 5, 3, 1], 1, [2]],
  [[2, 2, 2], 2, [0, 1]],
  [[0, 0], 3, []],
])("of %j the %i largest are %j, of equals the first", (counts, most, expected) => {
  expect(topKeys(counts, most)).toEqual(expected);
});
