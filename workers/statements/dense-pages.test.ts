// A page of 150 rows with 28 columns is understood within a bounded time, whether its columns hold words or numbers.
import { expect, it } from "vitest";
import { processorMs } from "../../test/support/processor-time.ts";
import { toDecimal } from "./money.ts";
import { understandStatement } from "./understand.ts";
import type { PageWord } from "./words.ts";

const ROWS = 150;
const COLUMNS = 28;
/** Many times what it takes (docs/reference/limits.md): what grows with the square of the words takes longer. */
const WORK_MAX_MS = 6_000;

function makePage(cell: (column: number, row: number) => string): PageWord[] {
  const word = (text: string, column: number, row: number): PageWord => ({
    ...{ page: 1, text, left: 20 + column * 20, right: 38 + column * 20 },
    ...{ top: 40 + row * 5, bottom: 44.5 + row * 5, confidence: 0.95, source: "ocr" },
  });
  const header = ["Date", "Description"].map((text, column) => word(text, column, 0));
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const row = at + 1;
    const amount = toDecimal(100 + row * 7, 2);
    const balance = toDecimal(100_000 + 100 * row + (7 * row * (row + 1)) / 2, 2);
    const cells = Array.from({ length: COLUMNS - 4 }, (_cell, column) => cell(column, row));
    return ["01/03/2026", "Shop", ...cells, amount, balance].map((text, column) =>
      word(text, column, row),
    );
  });
  const ends = ["Amount", "Balance"].map((text, at) => word(text, COLUMNS - 2 + at, 0));
  return [...header, ...ends, ...rows.flat()];
}

it.each([
  ["words", (column: number) => `word${String(column)}`],
  ["numbers", (column: number, row: number) => toDecimal(1_000 + column * 31 + row * 17, 2)],
])("of %s", (_, cell) => {
  const words = makePage(cell);
  expect(words).toHaveLength(ROWS * COLUMNS + 4);
  const before = processorMs();
  const { accounts } = understandStatement(words);
  expect(processorMs() - before).toBeLessThan(WORK_MAX_MS);
  expect(accounts.map(({ transactions }) => transactions.length)).toEqual([ROWS]);
});
