// A heading may be set in the middle of the column whose texts begin at its left edge.
import { describe, expect, it } from "vitest";
import { readDescribedAccounts } from "../../test/support/read-statement-text.ts";

const rowsOf = (text: string): readonly string[] =>
  readDescribedAccounts(text).flatMap(({ rows }) => rows);

describe("texts begin where most rows have them, left of their heading", () => {
  it("and go on below the year of the day", () => {
    const text = `Example Bank     Account: 10271-17621     1 January 2026 to 31 January 2026
Date               Description               Debit     Credit     Balance
5 Jan     TRANSFER SHOP                      10.00                 990.00
2026      AT THE CORNER
6 Jan     TRANSFER BAKERY                    20.00                 970.00
2026      IN TOWN
7 Jan     SALARY OFFICE                                 30.00     1000.00
2026      OF MARCH
`;
    expect(rowsOf(text)).toEqual([
      "2026-01-05 -10.00 TRANSFER SHOP AT THE CORNER",
      "2026-01-06 -20.00 TRANSFER BAKERY IN TOWN",
      "2026-01-07 30.00 SALARY OFFICE OF MARCH",
    ]);
  });

  it("unless another column stands between", () => {
    const text = `Example Bank     Account: 10271-17621
Date        Type       Description             Debit     Credit     Balance
2026-01-05  TRF        Shop                    10.00                 990.00
2026-01-06  TRF        Bakery                  20.00                 970.00
2026-01-07  SAL        Office                            30.00     1000.00
`;
    expect(rowsOf(text)).toEqual([
      "2026-01-05 -10.00 Shop",
      "2026-01-06 -20.00 Bakery",
      "2026-01-07 30.00 Office",
    ]);
  });
});
