// A number in the title of a table, behind a name that has no word such as "account".
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const statementWith = (...listed: readonly string[]): string => `
Example Credit Union
Statement period 1 November 2025 to 30 November 2025
Your accounts at a glance
Product                  Number           Balance
${listed.join("\n")}

Independent Chequing 0018
Date         Description              Withdrawals    Deposits     Balance
01 Nov 2025  Opening balance                                     1,044.12
03 Nov 2025  Power company                   94.18                 949.94
07 Nov 2025  Payroll                                 1,983.40    2,933.34
30 Nov 2025  Closing balance                                     2,933.34

Membership Shares 0001
Date         Description              Withdrawals    Deposits     Balance
01 Nov 2025  Opening balance                                       123.77
30 Nov 2025  Closing balance                                       123.77
`;
const LISTED = [
  "Independent Chequing     0018           $2,933.34",
  "Membership Shares        0001             $123.77",
];

const accountsOf = (text: string): readonly string[] =>
  understandStatement(wordsOfText(text)).accounts.map(
    ({ number, opening, closing, transactions }) =>
      [number, opening, closing, transactions.length].join(" "),
  );

describe("the number in the title of a table", () => {
  it("is that of an account, also of one without transactions, if the list of accounts has name and number", () => {
    expect(accountsOf(statementWith(...LISTED))).toEqual([
      "0018 1044.12 2933.34 2",
      "0001 123.77 123.77 0",
    ]);
  });

  it("is also where the two are spaced differently", () => {
    const spaced = LISTED.map((row) => row.replace("Chequing", "Chequ ing"));
    expect(accountsOf(statementWith(...spaced))[0]).toBe("0018 1044.12 2933.34 2");
  });

  it("proves nothing alone, nor with the name or the number of another", () => {
    const others = [
      [],
      LISTED.map((row) => row.replaceAll("00", "70")),
      LISTED.map((row) => row.replace(/^\w+/u, "Other")),
    ];
    for (const listed of others)
      expect(accountsOf(statementWith(...listed))[0]).toBe(" 1044.12 2933.34 2");
    const ofYear = statementWith(...LISTED).replaceAll("0018", "2025");
    expect(accountsOf(ofYear)).toEqual([" 1044.12 2933.34 2", "0001 123.77 123.77 0"]);
  });

  it("is that of the account above it where it is repeated on the next page", () => {
    const text = `
Example Credit Union
Statement period 1 November 2025 to 30 November 2025
Account                  Number       Beginning Balance     Ending Balance
SHARE ACCOUNT            4473012-01              123.77             133.77
CHECKING ACCOUNT         4473012-05            1,044.12           2,933.34

SHARE ACCOUNT 4473012-01
DATE         TRANSACTION DESCRIPTION       AMOUNT       BALANCE
11-01        BEGINNING BALANCE                           123.77
11-02        DIVIDEND                       10.00        133.77
11-30        ENDING BALANCE                              133.77

CHECKING ACCOUNT 4473012-05
DATE         TRANSACTION DESCRIPTION       AMOUNT       BALANCE
11-01        BEGINNING BALANCE                         1,044.12
11-03        POWER COMPANY                  94.18-       949.94
\f
CHECKING ACCOUNT 4473012-05
DATE         TRANSACTION DESCRIPTION       AMOUNT       BALANCE
11-07        PAYROLL                     1,983.40      2,933.34
11-30        ENDING BALANCE                            2,933.34
`;
    const [share, checking, ...more] = accountsOf(text);
    expect(share).toMatch(/ 123.77 133.77 1$/u);
    expect(checking).toBe("4473012-05 1044.12 2933.34 2");
    expect(more).toEqual([]);
  });
});
