import { expect, it } from "vitest";
import { makePdf } from "../../test/support/pdf.ts";
import { rowsPartsOf, withoutRows, withRowsAgain } from "./answer-parts.ts";
import { openStatementPool } from "./statements.ts";

const ROWS = 540;
const ROWS_OF_PAGE = 45;

/** A statement with a row more than two parts hold. */
function longStatement(): Uint8Array {
  const row = (at: number): readonly string[] => {
    const day = String(1 + Math.floor(at / 20)).padStart(2, "0");
    return [`2026-01-${day}`, `SHOP ${String(at)}`, "-1.00", `${String(999 - at)}.00`];
  };
  const head = ["Account number 40001234", "Opening balance 1000.00"];
  const pages = Array.from({ length: ROWS / ROWS_OF_PAGE }, (_, page) => {
    const lines = [
      ...(page === 0 ? head.map((text) => [text]) : []),
      ["Date", "Description", "Amount", "Balance"],
      ...Array.from({ length: ROWS_OF_PAGE }, (__, at) => row(page * ROWS_OF_PAGE + at)),
    ];
    return lines.flatMap((cells, line) =>
      cells.map((text, column) => ({ text, x: 40 + column * 130, y: 800 - line * 16 })),
    );
  });
  return makePdf(pages);
}

it("thousands of rows cross in parts and are in their order again, with all else", async () => {
  const pool = openStatementPool(1);
  const answer = await pool.read(longStatement(), "");
  await pool.close();
  if ("fault" in answer) throw new Error(answer.fault);
  const [account] = answer.accounts;
  expect(account).toMatchObject({ number: "40001234", verdict: "reconciled" });
  expect(account?.transactions.map(({ description }) => description)).toEqual(
    Array.from({ length: ROWS }, (_, at) => `SHOP ${String(at)}`),
  );
  const two = { ...answer, accounts: [...answer.accounts, ...answer.accounts] };
  const parts = rowsPartsOf(7, two);
  expect(parts.map(({ id, account: place, rows }) => [id, place, rows.length])).toEqual([
    ...[250, 250, 40].map((rows) => [7, 0, rows]),
    ...[250, 250, 40].map((rows) => [7, 1, rows]),
  ]);
  expect(withRowsAgain(withoutRows(two), parts)).toEqual(two);
});

it("what has no rows crosses as it is", () => {
  const header = { institution: null, holder: null, period: null, accounts: [] };
  for (const answer of [header, { fault: "damaged" } as const]) {
    expect(rowsPartsOf(1, answer)).toEqual([]);
    expect(withRowsAgain(withoutRows(answer), [])).toBe(answer);
  }
});
