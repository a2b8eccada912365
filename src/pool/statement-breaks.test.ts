// Where numbers are looked for again: those around a break, and the one that was not found between its rows.
import { expect, it } from "vitest";
import type { PrintedValue, StatementAccount, StatementResult } from "../model/bank-statement.ts";
import { processorMs } from "../../test/support/processor-time.ts";
import { amountsInNoSum, isBetter, lostNumbers, numbersToReread } from "./statement-breaks.ts";

const value = (left: number, top: number, source: "ocr" | "text"): PrintedValue => ({
  ...{ page: 1, box: [left, top, 300, top + 8], text: "1.00", confidence: 0.9, source },
});

/** Rows at these heights, the last of which breaks. */
const statement = (tops: readonly number[], source: "ocr" | "text" = "ocr") =>
  ({
    accounts: [
      {
        firstBreak: { page: 1, row: tops.length, difference: "-5.00" },
        transactions: tops.map((top, at) => ({
          ...{ page: 1, row: at + 1 },
          evidence: { amount: value(280 - at, top, source), balance: null },
        })),
      },
    ],
  }) as unknown as StatementResult;

it("a number that was not found is looked for half-way between the rows of a break", () => {
  expect(lostNumbers(statement([100, 117, 151]))).toEqual([{ page: 1, box: [278, 134, 300, 142] }]);
});

it.each([
  ["rows that stand close together", statement([100, 112])],
  ["the first row", statement([100])],
  ["a text layer, which loses nothing", statement([100, 134], "text")],
])("nothing is looked for before %s", (_, result) => {
  expect(lostNumbers(result)).toEqual([]);
});

interface Numbers {
  readonly amount: string;
  readonly balance: string | null;
}

/** Rows 17 apart. The first break is that of the row with this number. */
const withBalances = (rows: readonly Numbers[], firstBreak: number) =>
  ({
    accounts: [
      {
        verdict: "not_reconciled",
        firstBreak: { page: 1, row: firstBreak, difference: "-5.00" },
        transactions: rows.map(({ amount, balance }, at) => ({
          ...{ page: 1, row: at + 1, amount, balance },
          evidence: {
            amount: value(280, 100 + at * 17, "ocr"),
            balance:
              balance === null
                ? null
                : { ...value(0, 0, "ocr"), box: [350, 100 + at * 17, 390, 108 + at * 17] },
          },
        })),
      },
    ],
  }) as unknown as StatementResult;

const ROWS: readonly Numbers[] = [
  { amount: "10.00", balance: "990.00" },
  { amount: "20.00", balance: "970.00" },
  { amount: "30.00", balance: "40.00" },
  { amount: "10.00", balance: "930.00" },
  { amount: "10.00", balance: "920.00" },
  { amount: "10.00", balance: "910.00" },
  { amount: "10.00", balance: "60.00" },
];

it("numbers around all balances that do not follow are read again, not of the first break alone", () => {
  const tops = numbersToReread(withBalances(ROWS, 3)).map(({ box }) => (box[1] - 100) / 17 + 1);
  expect([...new Set(tops)].sort()).toEqual([2, 3, 4, 5, 6, 7]);
  const newest = numbersToReread(withBalances(ROWS.toReversed(), 1)).map(({ box }) => box[1]);
  expect(Math.min(...newest)).toBe(100);
});

it.each([
  ["on one day", "2026-05-04", "2026-05-04"],
  ["with dates that are misread", "2026-05-04", "2026-05-01"],
])(
  "the amount before the first balance is that of the oldest row, which the balances show: %s",
  (_, first, last) => {
    const placesOf = (rows: readonly Numbers[]): readonly number[] => {
      const read = withBalances(rows, 1) as unknown as { accounts: StatementAccount[] };
      return read.accounts.flatMap((account) => {
        const dated = account.transactions.map((row, at) => ({
          ...row,
          date: at === 0 ? first : last,
        }));
        const proven = { verdict: "reconciled", unproven: ["opening_balance"] } as const;
        return amountsInNoSum({ ...account, ...proven, transactions: dated }).map(
          ({ box }) => box[1],
        );
      });
    };
    const oldestFirst = ROWS.slice(0, 2).concat({ amount: "35.00", balance: "935.00" });
    expect(placesOf(oldestFirst)).toEqual([100]);
    expect(placesOf(oldestFirst.toReversed())).toEqual([134]);
    const fitsBoth = ROWS.slice(3, 6);
    expect(placesOf(fitsBoth)).toEqual(first === last ? [100, 134] : [134]);
  },
);

it("a statement that breaks in each of thousands of rows costs less than seconds", () => {
  const rows = Array.from({ length: 12_000 }, (_, at): Numbers => {
    return { amount: "1.00", balance: at % 4 === 0 ? null : `${String((at * 7) % 1_000)}.00` };
  });
  const result = withBalances(rows, 1);
  const before = processorMs();
  expect([numbersToReread(result).length, lostNumbers(result).length]).toEqual([96, 96]);
  expect(processorMs() - before).toBeLessThan(1_000);
});

it("a torn number is read again as wide as its column", () => {
  const result = withBalances(ROWS, 3);
  if ("fault" in result) throw new Error(result.fault);
  const torn = result.accounts[0]?.transactions[2]?.evidence as { balance: PrintedValue };
  torn.balance = { ...torn.balance, box: [384, 134, 390, 142] };
  expect(numbersToReread(result)).toContainEqual({ page: 1, box: [350, 134, 390, 142] });
});

it("a balance that was not found is looked for in its column, unless few rows have one", () => {
  const [first, ...others] = ROWS;
  if (first === undefined) throw new Error("There are rows.");
  const lost = [first, { amount: "1.00", balance: null }, ...others];
  expect(lostNumbers(withBalances(lost, 3))).toContainEqual({ page: 1, box: [350, 117, 390, 125] });
  const few = lost.map((row, at) => (at % 3 === 0 ? row : { ...row, balance: null }));
  expect(lostNumbers(withBalances(few, 3)).filter(({ box }) => box[0] === 350)).toEqual([]);
});

it("of two readings that break, the one with more balances that follow is better", () => {
  const repaired = ROWS.map((row, at) => (at === 6 ? { ...row, balance: "900.00" } : row));
  const [before, after] = [ROWS, repaired].map((rows) => withBalances(rows, 3));
  if (before === undefined || after === undefined) throw new Error("There are two.");
  expect(isBetter(after, before)).toBe(true);
  expect(isBetter(before, after)).toBe(false);
});

it("a reading that lost an account is never better, though all that is left adds up", () => {
  const [right, broken] = ["reconciled", "not_reconciled"].map((verdict) => {
    const result = withBalances(ROWS.slice(0, 2), 2);
    if ("fault" in result) throw new Error(result.fault);
    return result.accounts.map((account) => ({ ...account, verdict }));
  });
  const of = (...accounts: readonly unknown[][]) =>
    ({ accounts: accounts.flat() }) as unknown as StatementResult;
  if (right === undefined || broken === undefined) throw new Error("There are two.");
  expect(isBetter(of(right), of(right, broken))).toBe(false);
  expect(isBetter(of(right, right), of(right, broken))).toBe(true);
  expect(isBetter(of(right, right), of(broken))).toBe(true);
});

it("of one account that had been divided, a reading that has all rows together is better where it adds up", () => {
  const whole = withBalances(ROWS, 0);
  if ("fault" in whole) throw new Error(whole.fault);
  const parts = (...verdicts: readonly string[]) =>
    whole.accounts.flatMap((account) =>
      verdicts.map((verdict, at) => ({
        ...{ ...account, verdict },
        transactions: account.transactions.filter((_, row) => row % verdicts.length === at),
      })),
    );
  const of = (accounts: readonly unknown[]) => ({ accounts }) as unknown as StatementResult;
  const divided = of(parts("not_reconciled", "reconciled"));
  expect(isBetter(of(parts("reconciled")), divided)).toBe(true);
  expect(isBetter(of(parts("reconciled", "reconciled").slice(0, 1)), divided)).toBe(false);
  expect(isBetter(of(parts("not_reconciled")), divided)).toBe(false);
});

it("all amounts of the equation of a break are read again: rows without balances are in one", () => {
  const rows = [
    { amount: "10.00", balance: "90.00" },
    { amount: "1.00", balance: null },
    { amount: "2.00", balance: null },
    { amount: "3.00", balance: null },
    { amount: "4.00", balance: "79.00" },
    { amount: "5.00", balance: "74.00" },
    { amount: "6.00", balance: "68.00" },
  ];
  const tops = numbersToReread(withBalances(rows, 5))
    .filter(({ box }) => box[0] === 280)
    .map(({ box }) => box[1]);
  expect(tops).toEqual([117, 134, 151, 168, 185]);
});
