// A table of accounts lists those that stand in no other place, and is believed only where it has the sums of those that were read.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const ROWS = `
Everyday Checking
Date        Description            Amount    Balance
2026-03-01  Beginning Balance                1000.00
2026-03-02  Pay                     250.00   1250.00
2026-03-03  Rent                   -125.00   1125.00
2026-03-31  Ending Balance                   1125.00
`;

/** Each with its name, number, previous balance, credits, debits, ending balance and dividends. */
const tableOf = (...rows: readonly string[]): string => `
Example Credit Union
Summary of your deposit accounts
                Previous      Deposits    Withdrawals     Ending       Dividends
${rows.join("\n")}
`;
const CHECKING = "Everyday Checking\n7048812360   1000.00   250.00   125.00   1125.00   0.06";
const SAVINGS = "Membership Savings\n3061177042   5.00     0.00     0.00     5.00      0.00";

const accountsOf = (text: string): readonly string[] =>
  understandStatement(wordsOfText(text)).accounts.map(
    ({ number, type, opening, closing, verdict, transactions }) =>
      [number ?? "-", type ?? "-", opening, closing, verdict, transactions.length].join(" "),
  );

const READ = "1000.00 1125.00 reconciled 2";
const IDLE = "3061177042 savings 5.00 5.00 reconciled 0";

describe("an account without transactions that stands only in a table of accounts", () => {
  it("is listed in its place, and the account above the rows has the number of its row", () => {
    expect(accountsOf(tableOf(CHECKING, SAVINGS) + ROWS)).toEqual([
      `7048812360 checking ${READ}`,
      IDLE,
    ]);
    expect(accountsOf(tableOf(SAVINGS, CHECKING) + ROWS)).toEqual([
      IDLE,
      `7048812360 checking ${READ}`,
    ]);
  });

  it("without a product in its row leaves the one that is printed above the rows", () => {
    const rows = [
      "7048812360   1000.00   250.00   125.00   1125.00",
      "3061177042   5.00     0.00     0.00     5.00",
    ];
    expect(accountsOf(tableOf(...rows) + ROWS)[0]).toBe(`7048812360 checking ${READ}`);
  });

  it("is listed with the number in front of the name or behind it", () => {
    const rows = [
      "7048812360   Everyday Checking    1000.00   250.00   125.00   1125.00   0.06",
      "Membership Savings   3061177042   5.00      0.00     0.00     5.00      0.00",
    ];
    expect(accountsOf(tableOf(...rows) + ROWS)).toEqual([`7048812360 checking ${READ}`, IDLE]);
  });

  it("is not listed where the table lacks a sum of the rows that were read", () => {
    const other = CHECKING.replace("250.00", "251.00");
    expect(accountsOf(tableOf(other, SAVINGS) + ROWS)).toEqual([expect.stringContaining(READ)]);
  });

  it("is not listed where something entered and left it", () => {
    const moved = SAVINGS.replace("0.00     0.00", "7.00     7.00");
    expect(accountsOf(tableOf(CHECKING, moved) + ROWS)).toEqual([`7048812360 checking ${READ}`]);
  });

  it("is not listed twice where its balances stand in another place too", () => {
    const again = `
Membership Savings
Account number 3061177042
Opening balance                5.00
Closing balance                5.00
`;
    const found = accountsOf(tableOf(CHECKING, SAVINGS) + ROWS + again);
    expect(found.filter((account) => account.startsWith("3061177042"))).toHaveLength(1);
  });
});

it("finds the number of a savings account of France behind the name of the product", () => {
  const text = `
Compte de Dépôt n° 04417188201
Date        Libellé                Débit      Crédit
            Ancien solde au 30.09.2025        412,08
01.10.2025  Prlv Edf               118,40
02.10.2025  Virement                          780,00
            Nouveau solde au 31.10.2025     1 073,68
Livret A n° 04417188233
Date        Libellé                Débit      Crédit
            Ancien solde au 30.09.2025      4 812,66
            Nouveau solde au 31.10.2025     4 812,66
`;
  const { accounts } = understandStatement(wordsOfText(text));
  expect(accounts.map(({ number, closing }) => [number, closing])).toEqual([
    ["04417188201", "1073.68"],
    ["04417188233", "4812.66"],
  ]);
});
