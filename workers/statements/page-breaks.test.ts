// A row may begin at the end of one page and go on at the top of the next: without its second line, the merchant is lost.
import { describe, expect, it } from "vitest";
import { readDescribedAccounts } from "../../test/support/read-statement-text.ts";

const rowsOf = (text: string): readonly string[] =>
  readDescribedAccounts(text).flatMap(({ rows }) => rows);

const HEAD = "Example Bank     Account: 10271-17621\n";
const HEADER = "Date        Description                      Amount     Balance\n";
const FIRST = `
2026-01-05  CARD PURCHASE                    -15.00      985.00
            BAKERY FRESNO
2026-01-06  CARD PURCHASE                    -20.00      965.00`;
const NEXT = `2026-01-07  CARD PURCHASE                    -10.00      955.00
            CHEVRON CLOVIS
`;
const ROWS = [
  "2026-01-05 -15.00 CARD PURCHASE BAKERY FRESNO",
  "2026-01-06 -20.00 CARD PURCHASE SQUARE NURSERY",
  "2026-01-07 -10.00 CARD PURCHASE CHEVRON CLOVIS",
];
const FOOT = "\n\n\n\nThis bank is a member of a guarantee fund.\n";
const TOP = "\fExample Bank\n\n\n\n";

describe("the text of the last row of a page goes on at the top of the next page", () => {
  it("below the repeated header", () => {
    const text = `${HEAD}${HEADER}${FIRST}${FOOT}${TOP}${HEADER}            SQUARE NURSERY\n${NEXT}`;
    expect(rowsOf(text)).toEqual(ROWS);
  });

  it("below the second line of the header", () => {
    const header = `${HEADER}booked                                        (EUR)       (EUR)\n`;
    const text = `${HEAD}${header}${FIRST}${FOOT}${TOP}${header}            SQUARE NURSERY\n${NEXT}`;
    expect(rowsOf(text)).toEqual(ROWS);
  });

  it("right above the next row, where the header is not repeated", () => {
    const text = `${HEAD}${HEADER}${FIRST}${FOOT}${TOP}            SQUARE NURSERY\n${NEXT}`;
    expect(rowsOf(text)).toEqual(ROWS);
  });

  it("below a header that no other row follows", () => {
    const text = `${HEAD}${HEADER}${FIRST}${FOOT}${TOP}${HEADER}            SQUARE NURSERY\n\n\n\nThank you for banking with us.\n`;
    expect(rowsOf(text)).toEqual(ROWS.slice(0, 2));
  });
});

describe("no other line at the top of a page is a part of a row:", () => {
  const last = "2026-01-06 -20.00 CARD PURCHASE";

  it("the head of the page, which begins where days do", () => {
    const text = `${HEAD}${HEADER}${FIRST}\n\fSQUARE NURSERY\n${NEXT}`;
    expect(rowsOf(text)[1]).toBe(last);
  });

  it("a text behind the total of a list", () => {
    const total = "\n            Total of the month                -35.00\n";
    const text = `${HEAD}${HEADER}${FIRST}${total}${TOP}${HEADER}            SQUARE NURSERY\n${NEXT}`;
    expect(rowsOf(text)[1]).toBe(last);
  });

  it("a text in a table whose texts stand above their amounts", () => {
    const table = `
            BAKERY FRESNO
2026-01-05  CARD PURCHASE                    -15.00      985.00

            SALARY OFFICE
2026-01-06  CARD PURCHASE                    -20.00      965.00
`;
    const text = `${HEAD}${HEADER}${table}${TOP}${HEADER}            SQUARE NURSERY\n2026-01-07  CARD PURCHASE                    -10.00      955.00\n`;
    expect(rowsOf(text)[1]).not.toContain("NURSERY");
  });
});
