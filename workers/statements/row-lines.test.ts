import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { readLines } from "./layout.ts";
import { toLines } from "./lines.ts";
import { isUndatedRow } from "./row-lines.ts";

const HEADER = [
  { role: "debit", left: 200, right: 240 },
  { role: "credit", left: 260, right: 300 },
] as const;

/** Whether the line may be a row if its last two numbers stand in columns of amounts. */
function mayBeRow(text: string): boolean {
  const [line] = readLines(toLines(wordsOfText(text)), "day first", {
    ...{ decimalMark: ",", scale: 2, isWhole: false },
  });
  if (line === undefined) throw new Error("There is a line.");
  const cells = new Map(line.money.slice(-2).map((money, at) => [at, money] as const));
  expect(cells.size).toBe(2);
  return isUndatedRow(line, cells, HEADER);
}

it("two numbers without decimals below headings are a row, unless they are groups of an IBAN", () => {
  expect(mayBeRow("Shop at the corner 1155 2218")).toBe(true);
  expect(mayBeRow("Girokonto       IBAN DE62 2004 1155 0447 2218 00")).toBe(false);
});
