// Which columns of amounts a recognised table has.
import { expect, it } from "vitest";
import type { WordSource } from "../../src/model/bank-statement.ts";
import { amountColumns } from "./columns.ts";
import type { PageLine } from "./layout.ts";
import { makeLine } from "./lines.ts";
import { findMoney } from "./money.ts";
import type { HeaderCell } from "./header-cell.ts";
import type { PageWord } from "./words.ts";

const HEADER: readonly HeaderCell[] = [
  { role: "date", left: 70, right: 90 },
  { role: "description", left: 130, right: 180 },
  { role: "balance", left: 520, right: 560 },
];

type Printed = readonly [text: string, right: number];

function lineOf(printed: readonly Printed[], top: number, source: WordSource): PageLine {
  const words = printed.map(
    ([text, right]): PageWord => ({
      ...{ page: 1, text, left: right - text.length * 5, right, top, bottom: top + 8 },
      ...{ confidence: 0.95, source },
    }),
  );
  const line = makeLine(words);
  const money = findMoney(line, { decimalMark: ".", scale: 2 });
  return { ...line, money, dates: [], header: null, facts: [], heading: null, day: null };
}

/** The right edges of the columns of ten rows, some with a number under the heading of the texts. */
const edgesWith = (numbers: number, source: WordSource = "ocr"): number[] => {
  const lines = Array.from({ length: 10 }, (_, row) =>
    lineOf(
      [...(row < numbers ? [["874465.51", 190] as const] : []), ["12.50", 480], ["1,250.00", 560]],
      row * 16,
      source,
    ),
  );
  return amountColumns(lines, HEADER).map(({ right }) => right);
};

it("a number that was read among the texts of a few rows makes no column", () => {
  expect(edgesWith(0)).toEqual([480, 560]);
  expect(edgesWith(1)).toEqual([480, 560]);
});

it("a column of numbers under the heading of the texts is one, as is what a text layer has there", () => {
  expect(edgesWith(3)).toEqual([190, 480, 560]);
  expect(edgesWith(1, "text")).toEqual([190, 480, 560]);
});

it("days without a heading left of amounts with the other decimal mark make no column", () => {
  const edges = (days: readonly string[], source: WordSource): number[] =>
    amountColumns(
      days.map((day, row) =>
        lineOf(
          [
            [day, 360],
            ["182,13-", 480],
            ["1.250,00", 560],
          ] as const,
          row * 16,
          source,
        ),
      ),
      HEADER,
    ).map(({ right }) => right);
  const days = ["13.03", "18.03", "21.03", "23.03"];
  expect(edges(days, "ocr")).toEqual([480, 560]);
  // One of them with the mark of the amounts: they may be amounts, of which marks were misread.
  expect(edges([...days, "23,03"], "ocr")).toEqual([360, 480, 560]);
});

it("the number of an account below the heading of the amounts makes no column wider", () => {
  const amounts = [480, 560].map((right) => ["12.50", right] as const);
  const rows = Array.from({ length: 4 }, (_, row) => lineOf(amounts, row * 16, "ocr"));
  const number = lineOf([["359681047722", 550]], 80, "ocr");
  expect(amountColumns([...rows, number], HEADER)).toEqual(amountColumns(rows, HEADER));
});
