// Totals that no label names are not transactions, whatever they add up.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const rowsWith = (line: string): readonly string[] => {
  const text = `
Statement period 01 January 2025 to 31 January 2025
Date        Description                          Paid out      Paid in
13/01/2025  Card purchase                        145.50
14/01/2025  Salary                                             900.00
            Coffee shop downtown                 4.50
${line}
`;
  const { accounts } = understandStatement(wordsOfText(text));
  return accounts.flatMap(({ transactions }) => transactions.map(({ amount }) => amount));
};
const ROWS = ["145.50", "900.00", "4.50"];

it.each([
  ["of all rows", "            This month in all TOTAL              150.00        900.00"],
  ["in German", "            Umsatzsumme Soll / Haben                170.00        950.00"],
  ["of other rows too", "            This month in all TOTAL              170.00        950.00"],
])("without balances, a line of both columns with such a word is a total %s", (_of, line) => {
  expect(rowsWith(line)).toEqual(ROWS);
});

it("a line of one column with such a word is a row, unless its amount is a sum", () => {
  const shop = "            Station of TOTAL downtown            60.00";
  expect(rowsWith(shop)).toEqual([...ROWS, "60.00"]);
  const total = "            This month in all TOTAL              150.00";
  expect(rowsWith(total)).toEqual(ROWS);
});

it("a total of one column below a repeated header is that of the rows on both pages", () => {
  const rowsBelow = (line: string): readonly string[] =>
    rowsWith(`\f
Date        Description                          Paid out      Paid in
20/01/2025  Book shop                            8.00
${line}`);
  const total = "            Card of a member #8802: TOTAL        158.00";
  expect(rowsBelow(total)).toEqual([...ROWS, "8.00"]);
  const shop = "            Station of TOTAL downtown            60.00";
  expect(rowsBelow(shop)).toEqual([...ROWS, "8.00", "60.00"]);
});

it("without balances, a shop whose name begins with such a word is a row between rows", () => {
  const shop = "            TOTAL FUEL STATION                   60.00";
  const last = "            Book shop                            8.00";
  expect(rowsWith(`${shop}\n${last}`)).toEqual([...ROWS, "60.00", "8.00"]);
  expect(rowsWith(shop)).toEqual(ROWS);
  const sum = "            TOTAL FOR THIS MONTH                 150.00";
  expect(rowsWith(`${sum}\n${last}`)).not.toContain("150.00");
});

const withTotal = (total: string): ReturnType<typeof understandStatement>["accounts"][number] => {
  const { accounts } = understandStatement(
    wordsOfText(`
Harbour Bank     Account 441-882-071-8     Period: 01 Mar 2026 to 31 Mar 2026
Date      Description             Withdrawals      Deposits       Balance
01 Mar    BALANCE B/F                                            3,300.88
04 Mar    Transfer                                   129.59      3,430.47
09 Mar    Grocer                        54.83                    3,375.64
${total}
`),
  );
  return accounts[0] ?? expect.fail("No account was read.");
};

it("the balance next to totals of the rows is the closing one, which the rows lead to or not", () => {
  const right = withTotal(
    "          Total                         54.83        129.59      3,375.64",
  );
  expect([right.closing, right.verdict]).toEqual(["3375.64", "reconciled"]);
  const wrong = withTotal(
    "          Total                         54.83        129.59      3,555.64",
  );
  expect([wrong.closing, wrong.verdict]).toEqual(["3555.64", "not_reconciled"]);
  expect(wrong.firstBreak?.difference).toBe("180.00");
  const otherTotal = withTotal(
    "          Total                         54.83        309.59      3,555.64",
  );
  expect(otherTotal.verdict).toBe("not_reconciled");
});

it("what stands next to totals is not a balance where it is their difference, or no total is of the rows", () => {
  const net = withTotal(
    "          Total                         54.83        129.59         74.76",
  );
  expect([net.closing, net.verdict]).toEqual(["3375.64", "reconciled"]);
  const others = withTotal(
    "          Total of the year           254.83      1,129.59      9,375.64",
  );
  expect([others.closing, others.verdict]).toEqual(["3375.64", "reconciled"]);
});

const verdictWith = (summary: string, rows: string): string | undefined => {
  const text = `
Example Bank
Account number 40001234
${summary}
Date        Description          Amount
2026-03-01  Salary               500.00
2026-03-02  Rent                -125.00
2026-03-03  Shop                 -10.00
${rows}
`;
  return understandStatement(wordsOfText(text)).accounts[0]?.verdict;
};
const TOTALS = `Total deposits                                 500.00
Total withdrawals                              135.00`;
const APART = `2026-03-30  Interest               1.25
2026-03-31  Fee                   -3.00`;

it("totals that count interest and fees apart do not contradict rows without balances", () => {
  expect(verdictWith(TOTALS, APART)).toBe("not_checkable");
  expect(verdictWith(TOTALS.replace("135.00", "170.00"), "")).toBe("not_checkable");
});

it("totals that lead from the opening to the current balance contradict rows that do not", () => {
  const opening = "Opening balance                               1000.00";
  const ends = (current: string): string => `${opening}\n${TOTALS}\nCurrent balance   ${current}`;
  expect(verdictWith(ends("1365.00"), APART)).toBe("not_reconciled");
  expect(verdictWith(ends("1400.00"), APART)).toBe("not_checkable");
});

const ofTwo = (above: string, below = "", more = ""): readonly unknown[] => {
  const text = `
Example Bank
${above}
Account number 40001234
Opening balance                1000.00
Closing balance                1365.00
${below}
Date        Description            Debit    Credit
2026-03-01  Shop                   10.00
2026-03-02  Rent                  125.00
2026-03-03  Salary                          500.00
${more}
Account number 50009999
Opening balance                 100.00
Closing balance                 100.00
Date        Description            Debit    Credit
2026-03-05  To savings            100.00
2026-03-06  From current                    100.00
`;
  return understandStatement(wordsOfText(text)).accounts.map(({ verdict }) => verdict);
};
const OF_BOTH = `Total credits                   600.00
Total debits                    235.00`;

it("totals of two accounts together are not compared with the first one", () => {
  expect(ofTwo(OF_BOTH)).toEqual(["reconciled", "reconciled"]);
});

it("totals next to an account that are those of all prove nothing", () => {
  expect(ofTwo("", OF_BOTH)).toEqual(["not_checkable", "reconciled"]);
  const summary = `Start balance                  1000.00
In                              600.00
Out                             235.00
Closing balance                1365.00`;
  expect(ofTwo("", summary)).toEqual(["not_checkable", "reconciled"]);
});

it("totals that are neither of one account nor of all are a break with the missing amount", () => {
  const other = OF_BOTH.replace("600", "530").replace("235", "165");
  expect(ofTwo(other)).toEqual(["not_reconciled", "reconciled"]);
  const text = `
Account number 40001234
Opening balance                1000.00
Total credits                   530.00
Total debits                    165.00
Closing balance                1365.00
Date        Description            Debit    Credit
2026-03-01  Shop                  135.00
2026-03-03  Salary                          500.00
`;
  const [account] = understandStatement(wordsOfText(text)).accounts;
  expect(account).toMatchObject({
    ...{ verdict: "not_reconciled", firstBreak: { page: 1, row: null, difference: "30.00" } },
  });
});

const rowsOf = (text: string): readonly string[] =>
  understandStatement(wordsOfText(text)).accounts.flatMap(({ transactions }) =>
    transactions.map(({ amount }) => amount),
  );

it("a subtotal of rows that begin on the page before is a total", () => {
  const rows = rowsOf(`
Statement period 01 October 2026 to 31 October 2026
Date        Description                          Amount
13/10/2026  Card purchase                        145.50-
14/10/2026  Card purchase                         90.00-
            Card 4410 Withdrawals Subtotal       666.80-
`);
  expect(rows).toEqual(["145.50", "90.00"]);
});

it.each([
  ["all rows", "735.50", ["145.50", "90.00", "500.00"]],
  ["no rows", "735.51", ["145.50", "90.00", "500.00", "735.51"]],
])("below rows with a date each, a line without one is a total of %s", (_of, amount, expected) => {
  const rows = rowsOf(`
Statement period 01 October 2026 to 31 October 2026
Date        Description                          Amount
13/10/2026  Cheque 2031                          145.50-
14/10/2026  Cheque 2032                           90.00-
15/10/2026  Cheque 2033                          500.00-
            Conventional cheques (3)             ${amount}-
`);
  expect(rows).toEqual(expected);
});

it("a line with a date, amounts of both directions and such a word is a total", () => {
  const rows = rowsOf(`
Statement period 01 October 2026 to 31 October 2026
Date        Description           Paid out      Paid in      Balance
01/10/2026  Opening balance                                   100.00
13/10/2026  Card purchase         145.50                      -45.50
14/10/2026  Salary                              900.00        854.50
14/10/2026  Closing totals        145.50        900.00
`);
  expect(rows).toEqual(["145.50", "900.00"]);
});

it("so is one with two amounts where no row has two, below headings that are not known", () => {
  const rows = rowsOf(`
Statement period 01 October 2026 to 31 October 2026
Date        Description           from here    to there     Balance
01/10/2026  Opening balance                                   300.00
13/10/2026  Card purchase         145.50                      154.50
14/10/2026  Salary                              900.00       1054.50
15/10/2026  Card purchase          50.00                     1004.50
15/10/2026  Closing totals        195.50        900.00
`);
  expect(rows).toEqual(["145.50", "900.00", "50.00"]);
});

describe("a line without a date and without such a word, with amounts of both directions", () => {
  it("is a total where each is the sum of the rows", () => {
    expect(
      rowsWith("            Volume in March                      150.00        900.00"),
    ).toEqual(ROWS);
  });

  it("is a total below a page without a credit, whose sum stands near the balances", () => {
    const text = `
Statement period 01 January 2025 to 31 January 2025
Date        Description                 Paid out      Paid in      Balance
            Opening balance                                         100.00
13/01/2025  Card purchase                 145.50
14/01/2025  Salary                                     900.00       854.50
\f
Date        Description                 Paid out      Paid in      Balance
20/01/2025  Book shop                       8.00
21/01/2025  Bakery                          6.50                    840.00
            Volume                        160.00       900.00
`;
    const [account] = understandStatement(wordsOfText(text)).accounts;
    expect(account?.transactions.map(({ amount }) => amount)).toEqual([
      "145.50",
      "900.00",
      "8.00",
      "6.50",
    ]);
    expect(account?.closing).toBe("840.00");
  });

  it("is a row where only the amount of the row before and the sum of all credits are the same by chance", () => {
    const text = `
Statement period 01 January 2025 to 31 January 2025
Date        Description                 Paid out      Paid in      Balance
            Opening balance                                         100.00
13/01/2025  Salary                                     900.00     1,000.00
14/01/2025  Card purchase                  20.00                    980.00
\f
Date        Description                 Paid out      Paid in      Balance
20/01/2025  Book shop                      40.00                    940.00
            Rent                           40.00                    900.00
`;
    const [account] = understandStatement(wordsOfText(text)).accounts;
    expect(account?.transactions.map(({ amount }) => amount)).toEqual([
      "900.00",
      "20.00",
      "40.00",
      "40.00",
    ]);
    expect(account?.closing).toBe("900.00");
  });
});
