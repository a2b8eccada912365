// What a balance of a checking or savings account is: never what is owed.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const read = (title: string) => {
  const text = `
Example Bank
${title}
Account number 40001234
Opening balance 1000.00
Date        Description          Amount    Balance
2026-03-01  Salary              -500.00    1500.00
2026-03-02  Rent                 125.00    1375.00
2026-03-03  Shop                  10.00    1365.00
Closing balance 1365.00
`;
  const [account] = understandStatement(wordsOfText(text)).accounts;
  return {
    verdict: account?.verdict,
    directions: account?.transactions.map(({ direction }) => direction),
  };
};

it.each(["Everyday Checking", "Premier Savings"])(
  "credits with a minus and debits without a sign are those of %s",
  (title) => {
    expect(read(title)).toEqual({
      ...{ verdict: "reconciled", directions: ["credit", "debit", "debit"] },
    });
  },
);

it("in a loan, a minus may be a charge that raises what is owed", () => {
  expect(read("Home Loan").directions).toEqual(["debit", "credit", "credit"]);
});

it("both headings of a recognised loan name their columns, also above amounts below other words", () => {
  const text = `Example Home Loans
Loan account 8044177         1 March 2026 to 30 April 2026
Date        Transaction                       Debit       Credit    Balance owing
2026/03/01  Opening balance                                              1,000.00
2026/03/01  INSTALMENT DEBIT ORDER                        100.00           900.00
2026/03/31  INTEREST 31 DAYS @ 10.75%         10.00                        910.00
2026/04/01  INSTALMENT DEBIT ORDER                        100.00           810.00
2026/04/30  INTEREST 30 DAYS @ 10.75%          9.00                        819.00
2026/04/30  Closing balance                                                819.00
Interest R19.00    Insurance R36.74    Fees R4.14     To withdraw R210.00
`;
  const words = wordsOfText(text).map((word) => ({ ...word, source: "ocr" as const }));
  const [account] = understandStatement(words).accounts;
  expect(account?.verdict).toBe("reconciled");
  expect(account?.transactions.map(({ direction }) => direction)).toEqual([
    ...["credit", "debit", "credit", "debit"],
  ]);
});

it("of the payments on a loan below the shares of a member, what they repay is the amount", () => {
  const text = `Example Federal Credit Union
Member number 204418       Statement period 03/01/2026 thru 03/31/2026
SHARE SUFFIX 0070 FREE DRAFT CHECKING
Post   Eff  Transaction Description                 Amount      Balance
Mar01       Previous Balance                                   1,000.00
Mar10       Withdrawal Transfer To Loan 0101       -412.18       587.82
Mar12       Deposit                                 100.00       687.82
Mar31       Ending Balance                                       687.82
LOAN SUFFIX 0101 USED AUTO
Post   Eff  Transaction Description      Payment   Interest Charge    Fees   Principal      Balance
Mar01       Previous Loan Balance                                                         14,208.90
Mar10       Payment Transfer From Share   412.18             75.79    0.00     -336.39    13,872.51
Mar21       Payment By Cash               150.00             27.13    0.00     -122.87    13,749.64
Mar31       New Loan Balance                                                              13,749.64
`;
  const { accounts } = understandStatement(wordsOfText(text));
  const rows = accounts.map(({ verdict, transactions }) => [
    verdict,
    ...transactions.map(({ direction, amount }) => `${direction} ${amount}`),
  ]);
  expect(rows).toEqual([
    ["reconciled", "debit 412.18", "credit 100.00"],
    ["reconciled", "credit 336.39", "credit 122.87"],
  ]);
});

const loan = (title: string, header: string, rows: string): unknown => {
  const text = `Example Credit Union     03/01/2026 to 03/31/2026
SHARE 0075 - SIMPLY CHECKING
Date    Transaction Description        Amount     Balance
03/01   Beginning Balance                          402.71
03/10   Withdrawal Transfer To Loan   -284.19      118.52
03/31   Ending Balance                             118.52
${title}
${header}
${rows}`;
  const account = understandStatement(wordsOfText(text)).accounts.at(-1);
  return {
    name: account?.name,
    verdict: account?.verdict,
    rows: account?.transactions.map(({ direction, amount }) => `${direction} ${amount}`),
  };
};

it("the name behind the number of a loan decides that payments lower what is owed", () => {
  const rows = `03/01   Previous Balance                        12,447.18
03/10   Interest Charge                 62.79   12,509.97
03/10   Payment Transfer From Share   -284.19   12,225.78
03/31   New Balance                             12,225.78
`;
  const header = "Date    Transaction Description        Amount     Balance";
  expect(loan("LOAN 0101 - USED AUTO LOAN", header, rows)).toEqual({
    name: "USED AUTO LOAN",
    verdict: "reconciled",
    rows: ["debit 62.79", "credit 284.19"],
  });
});

it("so does the name in front of its number, whatever stands above the rows", () => {
  const header = `Previous Balance $14,822.66          New Balance $14,297.00
Transactions
Date         Description            Amount   Interest   Principal     Balance`;
  const rows = `03/05/2026   Payment - Transfer     388.20      62.54      325.66   14,497.00
03/19/2026   Principal Payment      200.00       0.00      200.00   14,297.00
`;
  expect(loan("New Auto Loan - 3590127769", header, rows)).toEqual({
    name: "New Auto Loan",
    verdict: "reconciled",
    rows: ["credit 325.66", "credit 200.00"],
  });
});

it("what a customer would save is not the kind of an account", () => {
  const text = `Example Card ending in 7305     12/16/2025 to 01/15/2026
Previous Balance                $100.00
New Balance                     $150.00
Minimum payment due             $35.00
3 years                         $1,769 (Savings = $349)
Date      Description            Amount
12/28     Payment               -$100.00
01/03     Shop at the corner     $150.00
`;
  const [account] = understandStatement(wordsOfText(text)).accounts;
  expect([account?.name, account?.type]).toEqual([null, null]);
  expect(account?.transactions.map(({ direction }) => direction)).toEqual(["credit", "debit"]);
});
