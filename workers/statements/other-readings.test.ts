// Where the balances do not follow from a page as it is read first, another reading is taken only if the printed balances prove it.
import { describe, expect, it } from "vitest";
import { readTextAccounts as read } from "../../test/support/read-statement-text.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import type { AccountReading } from "./account-reading.ts";
import { readDocumentLines } from "./document.ts";
import { readOtherwise } from "./other-readings.ts";
import { readAccountPart } from "./part-reading.ts";
import { readRowsOfTables } from "./rows-of-tables.ts";

const HEAD = `Example Bank
Account number 40001234
1 March 2026 to 31 March 2026
`;
const ENDS = `Opening balance                100.00
Closing balance                 85.00
`;
const TABLE = `Date        Details                    Amount
2026-03-02  SHOP                       -20.00
2026-03-05  REFUND                       9.00
2026-03-09  SHOP TWO                    -4.00
`;
const ROWS = ["2026-03-02 -20.00", "2026-03-05 9.00", "2026-03-09 -4.00"];
const RIGHT = [{ ends: "100.00 85.00 reconciled", rows: ROWS }];

describe("what is not a transaction is left out where the rest leads from balance to balance:", () => {
  const SENTENCE = "Overdrawn amounts above            12.50   are charged\n";
  const FEE = "Items unpaid, each                  5.50\n";

  it("a line without a date below the rows", () => {
    expect(read(HEAD + ENDS + TABLE + FEE)).toEqual(RIGHT);
  });

  it("several of them", () => {
    expect(read(HEAD + ENDS + TABLE + FEE + SENTENCE)).toEqual(RIGHT);
  });

  it("but no row that prints its date", () => {
    const dated = `2026-03-11  Items unpaid, each           5.50\n`;
    const [account] = read(HEAD + ENDS + TABLE + dated);
    expect(account?.ends).toBe("100.00 85.00 not_reconciled");
    expect(account?.rows).toHaveLength(4);
  });

  it("and nothing without a printed closing balance", () => {
    const [account] = read(`${HEAD}Opening balance    100.00\n${TABLE}${FEE}`);
    expect(account?.ends).toMatch(/not_checkable$/u);
  });

  it("a table of its own behind the last balance, whose rows are of something else", () => {
    const withBalances = `Date        Details                    Amount    Balance
2026-03-02  SHOP                       -20.00      80.00
2026-03-05  REFUND                       9.00      89.00
2026-03-09  SHOP TWO                    -4.00      85.00
`;
    const deposits = `Date        Deposit No.                Amount
2026-06-02  T01-000417               5,000.00
`;
    expect(read(HEAD + ENDS + withBalances + deposits)).toEqual(RIGHT);
  });
});

describe("labels, headings and balances are read otherwise:", () => {
  it("lines of a box between the rows of a day", () => {
    const box = `Date        Details                    Amount   Balance
2 Mar       SHOP                       -20.00
            IN EXAMPLE TOWN
Closing balance    85.00
            REFUND                       9.00     89.00
9 Mar       SHOP TWO                    -4.00     85.00
`;
    const [account] = read(`${HEAD}Opening balance   100.00\n${box}`);
    expect(account).toEqual({
      ends: "100.00 85.00 reconciled",
      rows: ["2026-03-02 -20.00", "2026-03-02 9.00", "2026-03-09 -4.00"],
    });
  });

  it("headings of columns over amounts that are others", () => {
    const table = `Date        Details                    Cheque     Amount
2026-03-02  SHOP                       -20.00      80.00
2026-03-05  REFUND                       9.00      89.00
2026-03-09  SHOP TWO                    -4.00      85.00
`;
    expect(read(HEAD + ENDS + table)).toEqual(RIGHT);
  });

  it("first and last rows that are balances of an unknown name", () => {
    const rows = TABLE.replace(
      "2026-03-02",
      "2026-03-01  Eingangssaldo              100.00\n2026-03-02",
    );
    const last = "2026-03-31  Schlusssaldo                85.00\n";
    expect(read(HEAD + rows + last)).toEqual(RIGHT);
  });

  it("numbers in texts that had begun other accounts", () => {
    const numbered = TABLE.replace("2026-03-05", "Account number 55512345\n2026-03-05");
    const text = `${HEAD}Opening balance   100.00\n${numbered}Closing balance    85.00\n`;
    expect(read(text)).toEqual(RIGHT);
  });
});

it("a part of an account that is exact on its own does not hide that the other part is not", () => {
  const text = `${HEAD}Opening balance   100.00
Date        Details                    Amount    Balance
2026-03-02  SHOP                       -20.00      80.00
2026-03-05  REFUND                       9.00
Account number 55512345
Opening balance    89.00
Date        Details                    Amount    Balance
2026-03-09  SHOP TWO                    -4.00      85.00
Closing balance    85.00
`;
  expect(read(text)).toEqual(RIGHT);
});

describe("a reading that turns directions", () => {
  const [part] = readDocumentLines(wordsOfText(HEAD + ENDS + TABLE.replace("9.00", "8.00"))).parts;
  if (part === undefined) throw new Error("The text has an account.");
  const first = readAccountPart(part, [part]);
  if (first === null) throw new Error("The account has rows.");
  const turned = (count: number): AccountReading => ({
    ...first,
    ...{ givenOpening: 10_000, givenClosings: { closings: [8_500] } },
    chain: {
      ...first.chain,
      ...{ breaks: [], links: 1, isComplete: true, opening: 10_000, closing: 8_500 },
      signs: first.chain.signs.map((sign, at) => (at < count ? (sign === 1 ? -1 : 1) : sign)),
    },
  });
  const reading = { part, tables: readRowsOfTables(part.tables), first };

  it.each([1, 2])("of %i rows is not taken: a wrong digit may make up for that", (count) => {
    expect(readOtherwise(reading, () => turned(count))).toBeNull();
  });

  it("of most rows is, because their heading was another one", () => {
    expect(readOtherwise(reading, () => turned(3))).toEqual(turned(3));
  });
});

describe("nothing is proven", () => {
  it("by the few rows that kept their amounts", () => {
    const lost = Array.from({ length: 8 }, (_, day) => `2026-03-1${String(day)}  SHOP\n`).join("");
    const [account] = read(
      `${HEAD}${ENDS}${TABLE}${lost}Items unpaid, each                  5.50\n`,
    );
    expect(account?.ends).toBe("100.00 85.00 not_reconciled");
  });

  it("by the totals of both directions, which differ by the sum of the rows", () => {
    const [account] = read(`${HEAD.replace("Bank", "Bank   SAVINGS ACCOUNT")}
Date        Details               Withdrawals      Deposits
2026-03-02  SHOP                        20.00
2026-03-05  REFUND                                     9.00
2026-03-09  SHOP TWO                     4.00
Schlusssaldo wird vorgetragen
Zahl 1: 9.00     Zahl 2: 24.00
`);
    expect(account?.ends).toMatch(/ not_checkable$/u);
  });

  it("by a balance transfer that opens an account", () => {
    const [account] = read(`${HEAD}Closing balance                 85.00
${TABLE.replace("SHOP            ", "BALANCE TRANSFER").replace("-20.00", " 80.00")}`);
    expect(account?.ends).toMatch(/ not_checkable$/u);
    expect(account?.rows).toHaveLength(3);
  });

  it("where another closing balance shows that a table is of another account", () => {
    const other = `Solde final                        45.00
Date        Details                    Amount
2026-03-06  VIREMENT                     5.00
`;
    const own = `Date        Details                    Amount    Balance
2026-03-02  SHOP                       -20.00      80.00
2026-03-05  REFUND                       9.00      89.00
2026-03-09  SHOP TWO                    -4.00      85.00
`;
    const accounts = read(HEAD + ENDS + own + other);
    expect(accounts.map(({ ends }) => ends)).not.toContain("100.00 85.00 reconciled");
  });

  it("where two readings that differ are both exact", () => {
    const fees = ["5.50", "1.00", "5.50"].map(
      (fee) => `Items unpaid, each                  ${fee}\n`,
    );
    const ends = ENDS.replace(" 85.00", " 91.50");
    const [account] = read(HEAD + ends + TABLE + fees.join(""));
    expect(account?.ends).toBe("100.00 91.50 not_reconciled");
  });
});

it("interest that a card charges next to no day is a debit of the last day of the period, where the balances need it", () => {
  const card = (interest: string): string => `Example Card
Account ending in 7193
Feb 15, 2025 - Mar 14, 2025
Previous Balance                                       $1,183.52
New Balance                                              $797.98
Payments, Credits and Adjustments
Trans Date   Post Date   Description                      Amount
Feb 20       Feb 20      MOBILE PYMT                   - $450.00
Transactions
Trans Date   Post Date   Description                      Amount
Feb 15       Feb 17      GROCER                           $46.00
Interest Charged
Interest Charge on Purchases                              ${interest}
Interest Charge on Cash Advances                           $0.00
Total Interest for This Period                            ${interest}
`;
  const [account] = read(card("$18.46"));
  expect(account).toEqual({
    ends: "1183.52 797.98 reconciled",
    rows: ["2025-02-20 450.00", "2025-02-15 -46.00", "2025-03-14 -18.46"],
  });
  // Another amount does not lead to the new balance.
  expect(read(card("$19.46"))[0]?.rows).toHaveLength(2);
});
