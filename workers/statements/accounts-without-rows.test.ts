// An account that prints its number and balances and has no transactions is not lost, and a document that only looks like a
// statement does not become one.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandDocument } from "./worker.ts";
import { understandStatement } from "./understand.ts";

const ACTIVE = `
Example Bank
Account number 40001234
Opening balance                1000.00
Date        Description            Amount    Balance
2026-03-01  Shop                   -10.00     990.00
2026-03-02  Rent                  -125.00     865.00
Closing balance                865.00
`;

const accountsOf = (text: string): readonly string[] =>
  understandStatement(wordsOfText(text)).accounts.map(({ number, verdict, transactions }) =>
    [number ?? "-", verdict, transactions.length].join(" "),
  );

describe("next to an account with transactions", () => {
  it("equal balances are reconciled", () => {
    const inactive = `Savings account
Account number 50009999
Opening balance                5000.00
Closing balance                5000.00
`;
    expect(accountsOf(ACTIVE + inactive)).toEqual([
      "40001234 reconciled 2",
      "50009999 reconciled 0",
    ]);
  });

  it("an opening balance alone below a header of its own is an account, of which nothing is proven", () => {
    const text = (numbers: string, opening: string, next: string): string => `
Example Bank
Statement period 1 March 2026 to 31 March 2026
${numbers}
Savings  40001234
Date     Details               Deposit    Withdrawal    Balance
1 Mar    Opening balance                               1,000.00
5 Mar    Salary                 500.00                 1,500.00
9 Mar    Cash machine                       100.00     1,400.00
Current  50009999
Date     Details               Deposit    Withdrawal    Balance
1 Mar    Opening balance                               ${opening}
${next}`;
    const list = `Your accounts
Savings  40001234    1,400.00
Current  50009999      250.00
`;
    expect(accountsOf(text(list, "  250.00", ""))).toEqual([
      "40001234 reconciled 2",
      "50009999 not_checkable 0",
    ]);
    const [, current] = understandStatement(wordsOfText(text(list, "  250.00", ""))).accounts;
    expect(current).toMatchObject({ opening: "250.00", unproven: ["closing_balance"] });
    // The same balance is that of the same account, which has a second number.
    expect(accountsOf(text(list, "1,000.00", ""))).toEqual(["40001234 reconciled 2"]);
    // Another amount is that of a row.
    const row = "Fee of the quarter      5.00     245.00";
    expect(accountsOf(text(list, "  250.00", row))).not.toContain("50009999 reconciled 0");
  });

  it("different balances are not reconciled, with the difference and the page", () => {
    const unread = `\fSavings account
Account number 50009999
Opening balance                5000.00
Transfer to current account
2000
Closing balance                3000.00
`;
    const [, account] = understandStatement(wordsOfText(ACTIVE + unread)).accounts;
    expect(account).toMatchObject({
      ...{ number: "50009999", opening: "5000.00", closing: "3000.00", sum: "0.00" },
      ...{ verdict: "not_reconciled", transactions: [] },
      firstBreak: { page: 2, row: null, difference: "-2000.00" },
    });
  });

  it("balances of rows whose amounts were lost are those of an account that cannot be checked", () => {
    const unread = `\fSavings account
Account number 50009999
Date        Description            Amount    Balance
2026-03-01  Shop                              990.00
2026-03-02  Rent                              865.00
2026-03-03  Pay                               900.00
`;
    expect(accountsOf(ACTIVE + unread)).toEqual([
      "40001234 reconciled 2",
      "50009999 not_checkable 0",
    ]);
  });

  it("different balances below a heading without a number that is read are not reconciled either", () => {
    const unread = `\f12 Month Certificate - 31
Date        Description            Amount    Balance
2026-03-01  Beginning Balance                10000.00
2026-03-31  Ending Balance                   10033.70
`;
    expect(accountsOf(ACTIVE + unread)).toEqual(["40001234 reconciled 2", "- not_reconciled 0"]);
    // Equal ones may be those of a summary.
    expect(accountsOf(ACTIVE + unread.replace("10033.70", "10000.00"))).toHaveLength(1);
  });

  it.each([
    ["amounts", "Received                         70.00\nSent                             70.00"],
    ["totals", "Total deposits                   70.00\nTotal withdrawals                70.00"],
    ["a total", "Total deposits                   70.00"],
    ["dated amounts", "Date        Balance\n2026-03-04   70.00"],
  ])("equal balances next to %s that were not read are not reconciled", (_, lines) => {
    const unread = `Account number 50009999
Opening balance                5000.00
${lines}
Closing balance                5000.00
`;
    expect(accountsOf(ACTIVE + unread).at(-1)).toMatch(
      /^50009999 not_(?:checkable|reconciled) 0$/u,
    );
  });

  it("one between two others keeps its place and number", () => {
    const inactive = `Account number 50009999
Opening balance                5000.00
Closing balance                5000.00
`;
    const last = ACTIVE.replaceAll("40001234", "60005555").replaceAll("-10.00 ", "-20.00 ");
    const exact = last.replace("990.00", "980.00").replaceAll("865.00", "855.00");
    expect(accountsOf(ACTIVE + inactive + exact)).toEqual([
      "40001234 reconciled 2",
      "50009999 reconciled 0",
      "60005555 reconciled 2",
    ]);
    expect(accountsOf(inactive + exact)).toEqual([
      "50009999 reconciled 0",
      "60005555 reconciled 2",
    ]);
  });

  it("the second number of an account is not another account", () => {
    const number = `Card number 5555 6666 7777 8888
Opening balance                1000.00
Closing balance                 865.00
`;
    expect(accountsOf(ACTIVE + number)).toEqual(["40001234 reconciled 2"]);
    const above = `Account number 40001234
Opening balance                1000.00
Closing balance                 865.00
`;
    const named = ACTIVE.replace("Account number 40001234", "IBAN DE02120300000000202051");
    expect(accountsOf(above + named)).toEqual(["40001234 reconciled 2"]);
  });

  it("a summary of the accounts in front of their tables adds none", () => {
    const summary = `Account number 40001234
Opening balance                1000.00
Closing balance                 865.00
Account number 50009999
Opening balance                5000.00
Closing balance                4990.00
`;
    const second = `
Account number 50009999
Date        Description            Amount    Balance
2026-03-01  Transfer               -10.00    4990.00
`;
    expect(accountsOf(summary + ACTIVE + second)).toEqual([
      "40001234 reconciled 2",
      "50009999 reconciled 1",
    ]);
  });
});

const faultOf = (text: string): unknown => {
  const words = wordsOfText(text);
  const read = [{ page: 1, words, toSeen: [1, 0, 0, 1, 0, 0] as const }];
  const result = understandDocument({ scope: "all", pages: 1, read, facts: null, submittedAt: 0 });
  if ("fault" in result) return result.fault;
  return "signals" in result ? result.accounts.map(({ verdict }) => verdict) : null;
};

const INACTIVE = `
Example Bank
Account statement
Account number 40001234
Statement period 1 March 2026 to 31 March 2026
Opening balance                1000.00
No transactions in this period
Overdraft limit                 500.00
Closing balance                1000.00
`;

describe("without any transaction", () => {
  it("a statement with number, period and equal balances is reconciled", () => {
    expect(faultOf(INACTIVE)).toEqual(["reconciled"]);
    expect(faultOf(INACTIVE.replace(/^No trans.*$/mu, ""))).toEqual(["reconciled"]);
    expect(accountsOf(INACTIVE)).toEqual(["40001234 reconciled 0"]);
  });

  it.each([
    ["without a number", INACTIVE.replace("Account number 40001234", "")],
    ["without a period", INACTIVE.replace(/^Statement period.*$/mu, "")],
    ["without a closing balance", INACTIVE.replace(/^Closing.*$/mu, "")],
    ["without values", INACTIVE.replaceAll("1000.00", "")],
    ["whose balances differ", INACTIVE.replace(/^Closing.*$/mu, "Closing balance  900.00")],
    ["with other amounts", INACTIVE.replace(/^No trans.*$/mu, "Shop  10.00\nRefund  10.00")],
  ])("a document %s is not a statement", (_, text) => {
    expect(faultOf(text)).toBe("no_transactions");
  });

  it("recognised words prove it only where the statement itself does", () => {
    const recognised = (text: string): readonly unknown[] =>
      understandStatement(
        wordsOfText(text).map((word) => ({ ...word, confidence: 0.95, source: "ocr" as const })),
      ).accounts;
    expect(recognised(INACTIVE)).toMatchObject([{ verdict: "reconciled", transactions: [] }]);
    expect(recognised(INACTIVE.replace(/^No trans.*$/mu, ""))).toEqual([]);
  });
});
