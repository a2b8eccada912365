// What counts as the right text of a transaction: its own words, none of which is missing or of another row.
import { expect, it } from "vitest";
import { scoreDescriptions, sharedWords } from "../../bench/statement-descriptions.ts";
import type { StatementTransaction } from "../../src/model/bank-statement.ts";

it.each([
  ["SHOP 1203, Austin", "shop 1203 austin", 1],
  ["THECHEESE SHOP", "The Cheese Shop", 1],
  ["SHOP AUSTIN", "SHOP", 2 / 3],
  ["SHOP", "SHOP RENT AUSTIN", 1 / 2],
  ["SHOP", "", 0],
])("%j read as %j", (expected, given, share) => {
  expect(sharedWords(expected, given)).toBeCloseTo(share);
});

it("rows of one day and amount are compared in their order, and those that were not read are left out", () => {
  const row = (description: string) => ({ date: "2026-01-05", units: -1_000, description });
  const truth = [row("ONE"), row("TWO"), { ...row("THREE"), units: -2_000 }].map((one) => ({
    ...one,
    balance: null,
  }));
  const read = ["ONE", "TEN"].map((description) => ({
    ...{ date: "2026-01-05", amount: "10.00", direction: "debit", description },
  })) as unknown as StatementTransaction[];
  expect(scoreDescriptions(truth, read)).toEqual({ rows: 2, right: 1 });
});
