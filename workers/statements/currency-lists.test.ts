// One customer may have a list of transactions for each currency: amounts of two currencies never make one sum.
import { expect, it } from "vitest";
import { readTextAccounts } from "../../test/support/read-statement-text.ts";

const statement = (second: string): string => `Example Pay      Statement for March 2026
1 March 2026 to 31 March 2026
Available beginning   Available ending
USD       100.00            145.00
EUR         0.00              2.51
Transaction History - USD
DATE          DESCRIPTION                     CURRENCY      AMOUNT
03/01/2026    Payment: Ada                    USD            55.00
03/03/2026    Payment: Shop                   USD           -10.00
${second}
DATE          DESCRIPTION                     CURRENCY      AMOUNT
03/05/2026    Currency Conversion             EUR            20.00
03/06/2026    Payment: Shop                   EUR           -17.49
`;

it("each list below a heading with another currency is an account with the balances of that currency", () => {
  expect(readTextAccounts(statement("Transaction History - EUR"))).toEqual([
    { ends: "100.00 145.00 reconciled", rows: ["2026-03-01 55.00", "2026-03-03 -10.00"] },
    { ends: "0.00 2.51 reconciled", rows: ["2026-03-05 20.00", "2026-03-06 -17.49"] },
  ]);
});

it("a heading that repeats the currency goes on with the same account", () => {
  const [account, ...others] = readTextAccounts(statement("Transaction History - USD"));
  expect(others).toEqual([]);
  expect(account?.rows).toHaveLength(4);
});

it("texts of rows that end with such a code are not headings", () => {
  const accounts =
    readTextAccounts(`Example Bank     Account 40001234     1 March 2026 to 31 March 2026
DATE          DESCRIPTION                     AMOUNT     BALANCE
03/01/2026    FASTER PAYMENT                  -55.00      945.00
              PAYMENT TO BOB
03/03/2026    FASTER PAYMENT                  -10.00      935.00
              PAYMENT TO RON
03/05/2026    FASTER PAYMENT                  -35.00      900.00
`);
  expect(accounts.map(({ rows }) => rows.length)).toEqual([3]);
});
