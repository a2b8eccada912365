import { PERIODICITIES } from "../../../src/model/recurrence.ts";
import { describe, expect, it } from "vitest";
import { createBankCalendar } from "../../../workers/recurrence/calendar/bank-days.ts";
import { parseDay } from "../../../workers/recurrence/calendar/days.ts";
import {
  DEVELOPMENT_SEEDS,
  generateLedger,
  generateLedgers,
  HELD_OUT_SEEDS,
} from "../../../bench/recurrence/ledgers.ts";
import { isShown, type LabelledLedger, NOISE_LEVELS } from "../../../bench/recurrence/samples.ts";

const SAMPLE = { first: DEVELOPMENT_SEEDS.first, count: 80 };
const clean = generateLedgers(SAMPLE, "clean");
const hard = generateLedgers({ ...SAMPLE, count: 20 }, "hard");

const entryById = ({ entries }: LabelledLedger) => new Map(entries.map((one) => [one.id, one]));

describe("generated ledgers", () => {
  it("the same seed and level give the same ledger, another seed another one", () => {
    expect(generateLedger(7, "hard")).toEqual(generateLedger(7, "hard"));
    expect(generateLedger(7, "hard").entries).not.toEqual(generateLedger(8, "hard").entries);
  });

  it("seeds for development and held-out seeds do not meet", () => {
    const { first, count } = DEVELOPMENT_SEEDS;
    expect(first + count).toBeLessThan(HELD_OUT_SEEDS.first);
  });

  it("levels of one seed have the same series", () => {
    const levels = NOISE_LEVELS.map((level) => generateLedger(1_003, level));
    const shapes = levels.map(({ series }) => series.map((one) => [one.case, one.periodicity]));
    expect(shapes[1]).toEqual(shapes[0]);
    expect(shapes[2]).toEqual(shapes[0]);
  });

  it("rows are in order, within the ledger, with amounts of two decimals", () => {
    for (const { entries, asOf } of [...clean, ...hard]) {
      const dates = entries.map(({ date }) => date);
      expect(dates).toEqual(dates.toSorted());
      expect(dates.at(-1)?.localeCompare(asOf)).toBeLessThanOrEqual(0);
      for (const { amount } of entries) {
        expect(amount).toBeGreaterThanOrEqual(0);
        expect(amount).toBe(Number(amount.toFixed(2)));
      }
    }
  });

  it("a row is in one series at most, and repeated rows are in none", () => {
    for (const { series, ignored, cases, entries } of [...clean, ...hard]) {
      const members = series.flatMap(({ transactionIds }) => transactionIds);
      expect(new Set(members).size).toBe(members.length);
      expect(members.filter((id) => ignored.has(id))).toEqual([]);
      expect(cases.size).toBe(entries.length);
    }
  });

  it("members of a series have one direction, and the next payment is after the ledger", () => {
    for (const ledger of [...clean, ...hard]) {
      const entries = entryById(ledger);
      for (const { transactionIds, next, isActive, runs } of ledger.series) {
        const directions = transactionIds.map((id) => entries.get(id)?.entryType);
        expect(new Set(directions).size).toBe(1);
        if (next !== null) expect(next.date.localeCompare(ledger.asOf)).toBe(1);
        if (isActive === false) expect(next).toBeNull();
        if (runs.length > 0) expect(runs.flat()).toEqual(transactionIds);
      }
    }
  });

  it("every periodicity, active and ended, is among the series to find", () => {
    const series = clean.flatMap((one) => one.series).filter((one) => one.isRequired);
    expect(new Set(series.map(({ periodicity }) => periodicity))).toEqual(new Set(PERIODICITIES));
    expect(new Set(series.map(({ isActive }) => isActive))).toEqual(new Set([true, false, null]));
  });

  it.each([
    ["two subscriptions, one merchant", 10],
    ["price change", 5],
    ["plan change", 5],
    ["plan change to yearly", 5],
    ["moved billing day", 5],
    ["skipped month", 5],
    ["doubled month", 5],
    ["ended and started again", 5],
    ["end of month", 5],
    ["every four weeks", 5],
    ["every two months", 5],
    ["quarterly", 5],
    ["half-yearly", 5],
    ["yearly subscription", 5],
    ["metered utility", 5],
    ["card bill", 5],
    ["subscription among purchases", 5],
    ["renamed payee", 5],
    ["foreign currency", 5],
    ["ten months of the year", 5],
    ["pass bought when the last one ended", 5],
    ["pass of the calendar month", 5],
    ["pass by direct debit", 5],
    ["car wash membership", 5],
  ])("there are series of the case '%s'", (name, least) => {
    const found = clean.flatMap(({ series }) => series.filter((one) => one.case === name));
    expect(found.length).toBeGreaterThanOrEqual(least);
  });

  it("direct debits and wages of a clean ledger are posted on bank days", () => {
    let checked = 0;
    const regionOf = { USD: "us", GBP: "uk", EUR: "eu" } as const;
    const cases = new Set(["debit moved to a bank day", "loan", "pay on a day of the month"]);
    for (const ledger of clean) {
      const entries = entryById(ledger);
      for (const one of ledger.series.filter((series) => cases.has(series.case)))
        for (const id of one.transactionIds) {
          const { date = "", currency = "" } = entries.get(id) ?? {};
          const calendar = createBankCalendar(regionOf[currency as keyof typeof regionOf]);
          expect(calendar.isBankDay(parseDay(date)), `${one.case} ${date}`).toBe(true);
          checked += 1;
        }
    }
    expect(checked).toBeGreaterThan(200);
  });

  it("noise takes away counterparties and categories, and repeats rows", () => {
    const rows = hard.flatMap(({ entries }) => entries);
    const share = (test: (row: (typeof rows)[number]) => boolean): number =>
      rows.filter(test).length / rows.length;
    expect(share(({ counterparty }) => counterparty === null)).toBeCloseTo(0.18, 1);
    expect(share(({ category }) => category === null)).toBeCloseTo(0.35, 1);
    expect(hard.some(({ ignored }) => ignored.size > 0)).toBe(true);
    expect(clean.every(({ ignored }) => ignored.size === 0)).toBe(true);
    expect(clean.every(({ entries }) => entries.every((row) => row.counterparty !== null))).toBe(
      true,
    );
  });

  it("three payments are required, two of a yearly subscription", () => {
    expect(isShown("monthly", 3, false)).toBe(true);
    expect(isShown("monthly", 2, true)).toBe(false);
    expect(isShown("yearly", 2, true)).toBe(true);
    expect(isShown("yearly", 2, false)).toBe(false);
  });
});
