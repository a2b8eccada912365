// Where numbers are looked for again: those around a break, and the one that was not found between its rows.
import { expect, it } from "vitest";
import type { PrintedValue, StatementResult } from "../model/bank-statement.ts";
import { lostNumbers, numbersToReread } from "./statement-breaks.ts";

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

it("the numbers of the row of a break and of the one before it are read again", () => {
  expect(numbersToReread(statement([100, 117, 134])).map(({ box }) => box[1])).toEqual([117, 134]);
});
