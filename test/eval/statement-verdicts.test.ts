// What counts as a wrong verdict of a document with several accounts: each is judged, also one that was not read.
import { describe, expect, it } from "vitest";
import { isAnyWronglyReconciled } from "../../bench/statement-arithmetic.ts";
import type { TrueAccount } from "../../bench/statement-truth.ts";
import type { StatementAccount } from "../../src/model/bank-statement.ts";
import { wrongVerdicts } from "../support/statement-verdicts.ts";

const HUNDRED = 100;
const decimal = (units: number): string => (units / HUNDRED).toFixed(2);

const trueAccount = (opening: number, units: number): TrueAccount => ({
  ...{ opening, closing: opening + units, verdict: null },
  rows: [{ date: "2025-07-01", units, balance: opening + units, description: null }],
});

/** As it would be read; with another amount, it does not add up. */
const readAs = (
  { opening, closing, rows }: TrueAccount,
  verdict: StatementAccount["verdict"],
  amount?: number,
) =>
  ({
    ...{ verdict, unproven: [], repairs: [] },
    opening: decimal(opening ?? 0),
    closing: decimal(closing ?? 0),
    transactions: rows.map(({ date, units, balance }) => ({
      ...{ date, amount: decimal(Math.abs(amount ?? units)), balance: decimal(balance ?? 0) },
      direction: units < 0 ? "debit" : "credit",
    })),
  }) as unknown as StatementAccount;

const [current, savings] = [trueAccount(10_000, -2_500), trueAccount(70_000, 1_000)];
const TRUTH = [current, savings];

describe("an account that was not read at all", () => {
  it("is a wrong verdict where all others are called reconciled", () => {
    expect(wrongVerdicts(TRUTH, [readAs(current, "reconciled")])).toEqual([
      "lost account with 1 rows",
    ]);
    expect(wrongVerdicts(TRUTH, [readAs(savings, "reconciled_with_repairs")])).toHaveLength(1);
    expect(isAnyWronglyReconciled(TRUTH, [readAs(savings, "reconciled")])).toBe(true);
  });

  it("is not counted where another verdict or no account at all shows that the document was not read well", () => {
    expect(wrongVerdicts(TRUTH, [readAs(current, "not_reconciled")])).toEqual([]);
    expect(wrongVerdicts(TRUTH, [])).toEqual([]);
  });

  it("is not missing where it was read, in whatever order, or where another is the same", () => {
    const read = TRUTH.map((account) => readAs(account, "reconciled"));
    expect(wrongVerdicts(TRUTH, read)).toEqual([]);
    expect(wrongVerdicts(TRUTH, read.toReversed())).toEqual([]);
    const same = [current, { ...current }];
    expect(wrongVerdicts(same, [...read.slice(0, 1), ...read.slice(0, 1)])).toEqual([]);
  });
});

describe("a generated statement with one wrong account of two", () => {
  it.each(["not_reconciled", "not_checkable", "reconciled"] as const)(
    "is wrongly reconciled, though the verdict of the right one is %s",
    (verdict) => {
      const read = [readAs(current, verdict), readAs(savings, "reconciled", 1_100)];
      expect(isAnyWronglyReconciled(TRUTH, read)).toBe(true);
    },
  );

  it("is not wrongly reconciled where the wrong one is not called reconciled", () => {
    const read = [readAs(current, "reconciled"), readAs(savings, "not_reconciled", 1_100)];
    expect(isAnyWronglyReconciled(TRUTH, read)).toBe(false);
  });
});
