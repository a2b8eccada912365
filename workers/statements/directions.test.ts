// Directions of amounts below headings: a stray mark in one amount never turns all of them.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";
import type { PageWord } from "./words.ts";

const text = (header: string, title = "") => `
Example Bank ${title}
Account number 40001234
Opening balance 1000.00
${header}
2026-03-01  Shop           10.00               990.00
2026-03-02  Salary                   125.00   1115.00
2026-03-03  Rent          500.00               615.00
2026-03-04  Refund                    25.00    640.00
Closing balance 640.00
`;
const HEADER = "Date        Description     Debit     Credit  Balance";

const read = (printed: string, source: PageWord["source"] = "ocr") => {
  const words = wordsOfText(printed).map((word) => ({ ...word, confidence: 0.95, source }));
  const [account] = understandStatement(words).accounts;
  return {
    verdict: account?.verdict,
    directions: account?.transactions.map(({ direction }) => direction),
    repairs: account?.repairs.map(({ row, field }) => `${String(row)} ${field}`),
  };
};
const RIGHT = ["debit", "credit", "debit", "credit"];

it.each([
  ["with headings", HEADER],
  ["whose headings were lost", "Date        Description                       Balance"],
])("a speck read as a minus turns no amount of columns %s", (_, header) => {
  const stained = text(header).replace("  125.00", " -125.00");
  expect(read(text(header))).toMatchObject({ verdict: "reconciled", directions: RIGHT });
  expect(read(stained)).toEqual({
    ...{ verdict: "reconciled_with_repairs", directions: RIGHT },
    repairs: ["2 direction"],
  });
});

it("debits of a loan, whose balance is owed, raise it and are still debits", () => {
  const loan = text("Date        Description    Credit      Debit  Balance");
  expect(read(loan, "text")).toEqual({
    ...{ verdict: "reconciled", repairs: [] },
    directions: ["credit", "debit", "credit", "debit"],
  });
});
