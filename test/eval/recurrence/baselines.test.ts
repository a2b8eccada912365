import { describe, expect, it } from "vitest";
import {
  detectByAutocorrelation,
  detectByFixedInterval,
} from "../../../bench/recurrence/baselines.ts";
import { formatDay, parseDay } from "../../../workers/recurrence/calendar/days.ts";
import type { Detector, LedgerTransactionSample } from "../../../bench/recurrence/samples.ts";
import { createRandom } from "../../support/random.ts";

const rows = (name: string, dates: readonly string[], amounts: readonly number[]) =>
  dates.map(
    (date, index): LedgerTransactionSample => ({
      ...{ id: `${name}-${String(index)}`, date, amount: amounts[index % amounts.length] ?? 0 },
      ...{ entryType: "outgoing", currency: "USD", description: `${name} ${String(index)}` },
      counterparty: { id: null, name, website: null, type: "organization" },
      ...{ category: null, intermediary: null },
    }),
  );

const MONTHLY = ["2025-01-05", "2025-02-05", "2025-03-05", "2025-04-05", "2025-05-05"];
const BOTH: readonly (readonly [string, Detector])[] = [
  ["fixed interval", detectByFixedInterval],
  ["autocorrelation", detectByAutocorrelation],
];

describe.each(BOTH)("%s", (_, detect) => {
  it("finds a monthly subscription with its next payment", () => {
    const found = detect(rows("Netflix", MONTHLY, [15.49]), "2025-05-20");
    expect(found).toMatchObject([
      { periodicity: "monthly", nextDate: "2025-06-05", nextAmount: 15.49, isActive: true },
    ]);
    expect(found[0]?.transactionIds).toHaveLength(5);
  });

  it("finds it without a counterparty, by the words of the line", () => {
    const plain = rows("Netflix", MONTHLY, [15.49]).map((row) => ({ ...row, counterparty: null }));
    expect(detect(plain, "2025-05-20")).toHaveLength(1);
  });

  it("reports a subscription that stopped as ended", () => {
    const found = detect(rows("Netflix", MONTHLY, [15.49]), "2025-09-20");
    expect(found).toMatchObject([{ isActive: false, nextDate: null, nextAmount: null }]);
  });

  it.each([
    ["weekly", 7],
    ["bi-weekly", 14],
  ])("finds a %s series", (periodicity, gap) => {
    const first = parseDay("2025-01-03");
    const dates = Array.from({ length: 12 }, (__, index) => formatDay(first + gap * index));
    expect(detect(rows("Pay", dates, [500]), dates.at(-1) ?? "")).toMatchObject([{ periodicity }]);
  });

  it("tells pay on the 15th and the last from bi-weekly pay", () => {
    const dates = ["01-15", "01-31", "02-15", "02-28", "03-15", "03-31", "04-15", "04-30"];
    const pay = rows(
      "Pay",
      dates.map((day) => `2025-${day}`),
      [500],
    );
    expect(detect(pay, "2025-05-02")).toMatchObject([{ periodicity: "semi-monthly" }]);
  });

  it("reports nothing of two payments, and nothing of payments by chance", () => {
    expect(detect(rows("Netflix", MONTHLY.slice(0, 2), [15.49]), "2025-02-20")).toEqual([]);
    const random = createRandom(3);
    let day = parseDay("2025-01-01");
    const dates = Array.from({ length: 8 }, () => formatDay((day += random.integer(17, 90))));
    expect(detect(rows("Shop", dates, [12, 80, 33, 51]), dates.at(-1) ?? "")).toEqual([]);
  });
});

it("amounts decide for the fixed interval, and not for the autocorrelation", () => {
  const bill = rows("Card", MONTHLY, [100, 350, 60, 900, 200]);
  expect(detectByFixedInterval(bill, "2025-05-20")).toEqual([]);
  expect(detectByAutocorrelation(bill, "2025-05-20")).toMatchObject([
    { periodicity: "monthly", nextAmount: 200 },
  ]);
});
