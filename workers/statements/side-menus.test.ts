// Pages of a bank's website: a menu left of the table, the kind of each row in a column.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const page = (rows: string): string => `
                        Account number 40001234
Home
Tasks                   Starting balance - Mar 1   Money in     Money out     Ending balance - Mar 31
                        $1,000.00                  $541.27      -$135.00      $1,406.27
Transactions
Payments
Cards                   Mar 1- Mar 31,2025
Accounts
Statements              Date        To / From            Type           Amount        Balance
${rows}`;
const BOOKED = `                        Mar 31      Interest             Interest       $41.27      $1,406.27
                        Mar 26      Figma                Card         -$135.00      $1,365.00
                        Mar 24      Stripe               ACH in        $500.00      $1,500.00
`;
const read = (text: string) => {
  const [account] = understandStatement(wordsOfText(text)).accounts;
  return {
    ends: [account?.opening, account?.closing, account?.verdict].join(" "),
    rows: account?.transactions.map(({ date, amount, direction }) =>
      [date, amount, direction].join(" "),
    ),
  };
};
const RIGHT = {
  ends: "1000.00 1406.27 reconciled",
  rows: ["2025-03-31 41.27 credit", "2025-03-26 135.00 debit", "2025-03-24 500.00 credit"],
};

describe("on a page of a website", () => {
  it("a menu left of the table names no section of it, and a day next to a label is not a balance", () => {
    expect(read(page(BOOKED))).toEqual(RIGHT);
  });

  it("rows whose type is pending are not booked", () => {
    const pending = `                        Mar 31      Google Ads           Pending      -$412.06              -
`;
    expect(read(page(pending + BOOKED))).toEqual(RIGHT);
  });

  it("what has digits left of the table stays", () => {
    const withCode = BOOKED.replace(
      "                        Mar 26",
      "Cards     4471          Mar 26",
    );
    expect(withCode).not.toBe(BOOKED);
    const words = understandStatement(wordsOfText(page(withCode))).accounts.flatMap(
      ({ transactions }) => transactions.map(({ description }) => description),
    );
    expect(words.join(" ")).toContain("4471");
  });
});
