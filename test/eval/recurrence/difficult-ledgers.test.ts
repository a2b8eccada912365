import { expect, it } from "vitest";
import { readDifficultLedgers } from "../../../bench/recurrence/difficult-ledgers.ts";
import { DIFFICULT_SERIES } from "../../../bench/recurrence/difficult-series.ts";

const ledgers = readDifficultLedgers();

it("at least 40 series are labelled by hand, a third of them not recurring", () => {
  expect(ledgers.length).toBeGreaterThanOrEqual(40);
  const negatives = ledgers.filter(({ series }) => series.length === 0).length;
  expect(negatives / ledgers.length).toBeGreaterThanOrEqual(1 / 3);
});

it("every series has a name of its own, a reason, and can be required", () => {
  expect(new Set(DIFFICULT_SERIES.map(({ name }) => name)).size).toBe(DIFFICULT_SERIES.length);
  for (const { why, name } of DIFFICULT_SERIES) expect(why.length, name).toBeGreaterThan(30);
  for (const { series, id } of ledgers)
    expect(
      series.filter((one) => !one.isRequired),
      id,
    ).toEqual([]);
});

it("every letter of the truth is in the rows, and dates are in order", () => {
  ledgers.forEach(({ entries, series, asOf, id }, index) => {
    expect(series.map((one) => one.id).sort(), id).toEqual(
      Object.keys(DIFFICULT_SERIES[index]?.truth ?? {}).sort(),
    );
    const dates = entries.map(({ date }) => date);
    expect(dates, id).toEqual(dates.toSorted());
    for (const date of dates) expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
    expect(dates.at(-1)?.localeCompare(asOf), id).toBeLessThanOrEqual(0);
    for (const { next } of series) if (next !== null) expect(next.date > asOf, id).toBe(true);
  });
});

it("a row is read with its direction, series and other payee", () => {
  const renamed = ledgers.find(({ id }) => id === "HBO Max became Max");
  expect(renamed?.series[0]?.transactionIds).toHaveLength(7);
  expect(renamed?.entries[0]?.counterparty).toEqual({
    ...{ id: "entity:HBO Max", name: "HBO Max", website: "hbomax.com", type: "organization" },
  });
  expect(renamed?.entries[4]?.counterparty?.name).toBe("Max");
  const pay = ledgers.find(({ id }) => id === "weekly pay by hours");
  expect(pay?.entries[0]).toMatchObject({ entryType: "incoming", amount: 402.18 });
  expect(pay?.series[0]).toMatchObject({ incomeType: "salary", isActive: true });
});
