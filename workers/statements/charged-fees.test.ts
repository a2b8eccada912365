// A fee that stands next to its amount is a transaction only where the balances have it too.
import { describe, expect, it } from "vitest";
import { readDescribedAccounts } from "../../test/support/read-statement-text.ts";

const statement = (balances: readonly string[], closing: string): string => `Example Bank
Account number 1441882207        1 March 2026 to 31 March 2026
Opening balance   1,000.00
Closing balance   ${closing}
Date        Description              Money In   Money Out      Fee      Balance
2026-03-01  Salary                     500.00                          ${balances[0] ?? ""}
2026-03-02  Prepaid purchase                       -40.00    -0.50     ${balances[1] ?? ""}
2026-03-03  Groceries                             -100.00              ${balances[2] ?? ""}
2026-03-04  Cash withdrawal                       -200.00   -10.00     ${balances[3] ?? ""}
`;

describe("fees in a column of their own", () => {
  it("are transactions behind their rows, where the balances follow then", () => {
    const text = statement(["1,500.00", "1,459.50", "1,359.50", "1,149.50"], "1,149.50");
    expect(readDescribedAccounts(text)).toEqual([
      {
        ends: "1000.00 1149.50 reconciled",
        rows: [
          "2026-03-01 500.00 Salary",
          "2026-03-02 -40.00 Prepaid purchase",
          "2026-03-02 -0.50 Prepaid purchase Fee",
          "2026-03-03 -100.00 Groceries",
          "2026-03-04 -200.00 Cash withdrawal",
          "2026-03-04 -10.00 Cash withdrawal Fee",
        ],
      },
    ]);
  });

  it("are notes, where the balances follow without them", () => {
    const text = statement(["1,500.00", "1,460.00", "1,360.00", "1,160.00"], "1,160.00");
    expect(readDescribedAccounts(text)).toEqual([
      {
        ends: "1000.00 1160.00 reconciled",
        rows: [
          "2026-03-01 500.00 Salary",
          "2026-03-02 -40.00 Prepaid purchase",
          "2026-03-03 -100.00 Groceries",
          "2026-03-04 -200.00 Cash withdrawal",
        ],
      },
    ]);
  });
});
