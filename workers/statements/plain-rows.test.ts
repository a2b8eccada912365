// Statements whose rows are plain text: nothing but one space is between the date, the text and the amounts.
import { describe, expect, it } from "vitest";
import { readStatementText } from "../../test/support/read-statement-text.ts";

const head = `
Heritage Bank plc Current Account Statement
Account number 20411844120987
Period: 01 Jul 2026 to 31 Jul 2026
Opening balance 1,420.00`;
const end = `
Closing balance 5,877.74`;
const signed = `
02 Jul 2026 Rent 14 Elm Street -266.69 1,153.31
04 Jul 2026 Mobile top up -21.62 1,131.69
05 Jul 2026 Transfer from J Doe 1,352.74 2,484.43
05 Jul 2026 Refund 3,393.90 5,878.33
06 Jul 2026 Fee -0.59 5,877.74`;
const rows = [
  "2026-07-02 -266.69",
  "2026-07-04 -21.62",
  "2026-07-05 1352.74",
  "2026-07-05 3393.90",
  "2026-07-06 -0.59",
];

describe("reads rows of plain text", () => {
  it.each([
    ["with signs", "Date Description Amount Balance", signed],
    ["without signs", "Date Description Amount Balance", signed.replaceAll(" -", " ")],
    [
      "below two columns of amounts",
      "Date Description Money out Money in Balance",
      signed.replaceAll(" -", " "),
    ],
    ["without a header", "", signed],
    [
      "with CR behind the balances",
      "Date Description Amount Balance",
      signed.replaceAll(/$/gmu, " CR").replace(/^ CR/u, ""),
    ],
  ])("%s", (_, header, text) => {
    const read = readStatementText(`${head}\n${header}${text}${end}`);
    expect(read.rows).toEqual(rows);
    expect(read.verdicts).toEqual(["reconciled"]);
  });

  it("which do not reconcile where an amount is another one", () => {
    const changed = signed.replace("-21.62", "-31.62");
    const read = readStatementText(`${head}\nDate Description Amount Balance${changed}${end}`);
    expect(read.rows).toEqual(rows.with(1, "2026-07-04 -31.62"));
    expect(read.verdicts).toEqual(["not_reconciled"]);
  });
});
