// A list that repeats rows of the statement is counted once, and only where the printed balances prove it.
import { describe, expect, it } from "vitest";
import type { StatementAccount } from "../../src/model/bank-statement.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const OPENING = "Opening balance                1000.00\n";
const CLOSING = "Closing balance                 890.00\n";
const HEAD = `
Example Bank
Account number 40001234
Statement period 1 March 2026 to 31 March 2026
`;
const BY_DATE = `Transactions by date
Date        Description            Amount    Balance
2026-03-01  Shop                   -10.00     990.00
2026-03-02  Rent                  -125.00     865.00
2026-03-03  Refund                  25.00     890.00
`;
const WITHOUT_BALANCES = BY_DATE.replaceAll(/ {4} (?:990|865|890)\.00$/gmu, "");
const COLUMNS = "Date        Description            Amount\n";
const BY_TYPE = `Deposits and other credits
${COLUMNS}2026-03-03  Refund                  25.00
Withdrawals and other debits
${COLUMNS}2026-03-01  Shop                   -10.00
2026-03-02  Rent                  -125.00
`;
const LARGEST = `Largest transactions of this month
${COLUMNS}2026-03-02  Rent                  -125.00
2026-03-03  Refund                  25.00
`;

const accountOf = (text: string): StatementAccount | undefined =>
  understandStatement(wordsOfText(HEAD + text)).accounts[0];
const readOf = (text: string): readonly string[] => {
  const account = accountOf(text);
  return [
    account?.verdict ?? "",
    ...(account?.transactions ?? []).map(({ direction, amount }) => `${direction} ${amount}`),
  ];
};
const RIGHT = ["reconciled_with_repairs", "debit 10.00", "debit 125.00", "credit 25.00"];

describe("rows that are printed again are counted once", () => {
  it.each([
    ["by type behind the rows by date", OPENING + CLOSING + BY_DATE + BY_TYPE],
    ["by type, without balances in rows", OPENING + CLOSING + WITHOUT_BALANCES + BY_TYPE],
    ["as the largest ones behind all", OPENING + CLOSING + BY_DATE + LARGEST],
    ["as the largest ones before all", LARGEST + OPENING + BY_DATE + CLOSING],
    ["on the next page", `${OPENING}${CLOSING}${BY_DATE}\f${BY_TYPE}`],
  ])("%s", (_, text) => {
    expect(readOf(text)).toEqual(RIGHT);
  });

  it("where a row of the first list was lost, those of the second, which has all", () => {
    const lost = WITHOUT_BALANCES.replace(/^.*Shop.*\n/mu, "");
    const [verdict, ...rows] = readOf(OPENING + CLOSING + lost + BY_TYPE);
    expect([verdict, ...rows].sort()).toEqual(RIGHT.toSorted());
  });

  it("and each is named with its page, the row that it repeats, and its amount", () => {
    const account = accountOf(`${OPENING}${CLOSING}${BY_DATE}\f${BY_TYPE}`);
    expect(account?.repairs).toEqual(
      [10, 125, 25].map((amount, at) => ({
        ...{
          page: 2,
          row: at + 1,
          field: "repeated_row",
          from: `${String(amount)}.00`,
          to: "0.00",
        },
      })),
    );
    expect(account).toMatchObject({ sum: "-110.00", totalIncoming: "25.00" });
  });

  it("also where the rows together change nothing, so that both lists would add up", () => {
    const even = (text: string): string => text.replaceAll("125.00", " 15.00");
    const rows = even(BY_DATE).replace(" 865.00", " 975.00").replace(" 890.00", "1000.00");
    const text = OPENING + CLOSING.replace(" 890", "1000") + rows + even(BY_TYPE);
    expect(readOf(text)).toEqual(RIGHT.map((row) => row.replace("125.00", "15.00")));
  });
});

describe("nothing is left out", () => {
  it.each([
    ["without a closing balance", OPENING + WITHOUT_BALANCES + BY_TYPE],
    ["without an opening balance", BY_DATE + BY_TYPE + CLOSING],
    [
      "where a row of both lists was lost",
      OPENING + CLOSING + (WITHOUT_BALANCES + BY_TYPE).replaceAll(/^.*Shop.*\n/gmu, ""),
    ],
    [
      "where one amount of the second list differs",
      OPENING + CLOSING + BY_DATE + BY_TYPE.replace("-10.00", "-11.00"),
    ],
    [
      "where the second list has the other direction",
      OPENING +
        CLOSING +
        BY_DATE +
        LARGEST.replace("-125.00", " 125.00").replace(" 25.00", "-25.00"),
    ],
    [
      "of one row, which may be a second purchase",
      OPENING + CLOSING + BY_DATE + LARGEST.replace(/^.*Rent.*\n/mu, ""),
    ],
  ])("%s", (_, text) => {
    const account = accountOf(text);
    expect(account?.verdict).not.toMatch(/^reconciled/u);
    expect(account?.repairs.filter(({ field }) => field === "repeated_row")).toEqual([]);
  });

  it("of equal rows in two sections that add up", () => {
    const twice = LARGEST.replace("Largest transactions of this month", "Card purchases");
    const closing = CLOSING.replace(" 890", " 790");
    const account = accountOf(OPENING + closing + WITHOUT_BALANCES + twice);
    expect(account?.transactions).toHaveLength(5);
    expect(account?.repairs).toEqual([]);
    expect(account?.verdict).toBe("reconciled");
  });
});
