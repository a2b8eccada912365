// Transactions that are not booked yet are not part of a statement, and no row is lost because of such a word.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const HEAD = `
Example Bank
Account number 40001234
Opening balance                1000.00
`;
const COLUMNS = "Date        Description            Amount    Balance\n";
const BOOKED = `${COLUMNS}2026-03-01  Shop                   -10.00     990.00
2026-03-02  Rent                  -125.00     865.00
`;
const CLOSING = "Closing balance                                865.00\n";
const pendingBelow = (heading: string): string => `${heading}
Date        Description            Amount
2026-03-30  Hotel                  -80.00
2026-03-31  Refund                  20.00
`;

const readOf = (text: string): readonly string[] =>
  understandStatement(wordsOfText(text)).accounts.flatMap(({ verdict, transactions }) => [
    verdict,
    ...transactions.map(({ amount }) => amount),
  ]);
const RIGHT = ["reconciled", "10.00", "125.00"];

describe("transactions that are not booked yet are left out", () => {
  it.each([
    "Pending transactions",
    "Pending transactions (continued)",
    "Your upcoming payments",
    "Pending from 30/03/2026 to 31/03/2026",
    "Card authorisations",
    "Scheduled payments",
    "Vorgemerkte Umsätze",
    "Opérations à venir",
    "Movimientos pendientes",
    "Operazioni in sospeso",
    "Lançamentos futuros",
    "Geplande betalingen",
    "待入账交易",
  ])("behind and before the booked ones, below %s", (heading) => {
    expect(readOf(HEAD + BOOKED + CLOSING + pendingBelow(heading))).toEqual(RIGHT);
    expect(readOf(HEAD + pendingBelow(heading) + BOOKED + CLOSING)).toEqual(RIGHT);
  });

  it("in the same table, up to the heading of the booked ones", () => {
    const pending = "2026-03-31  Hotel                  -80.00\n";
    const [columns, ...rows] = BOOKED.split("\n");
    const inTable = `${columns ?? ""}\nUpcoming payments\n${pending}Posted transactions\n${rows.join("\n")}`;
    expect(readOf(HEAD + inTable + CLOSING)).toEqual(RIGHT);
    expect(readOf(`${HEAD}${BOOKED}Upcoming payments\n${pending}`)).toEqual(RIGHT);
  });

  it("where no balance decides, and those of a section of debits stay", () => {
    const head = HEAD.replace(/^Opening.*$/mu, "");
    const rows = pendingBelow("").replaceAll("30  Hotel", "01  Shop ");
    const without = readOf(head + rows + pendingBelow("Pending transactions"));
    expect(without).toEqual(["not_checkable", "80.00", "20.00"]);
    const scheduled = readOf(head + rows + pendingBelow("Scheduled payments"));
    expect(scheduled).toEqual(["not_checkable", "80.00", "20.00", "80.00", "20.00"]);
  });

  it("where nothing is booked", () => {
    const inactive = HEAD + pendingBelow("Pending transactions") + CLOSING.replace("865", "1000");
    const period = "Statement period 1 March 2026 to 31 March 2026\n";
    expect(readOf(inactive + period)).toEqual(["reconciled"]);
  });
});

describe("rows stay", () => {
  it("where the balances contain them, whatever the heading above them", () => {
    const paid = `Pending transactions
${COLUMNS}2026-03-30  Hotel                  -80.00     785.00
`;
    const closing = CLOSING.replace("865", "785");
    expect(readOf(HEAD + BOOKED + paid + closing)).toEqual([...RIGHT, "80.00"]);
    const withoutBalances = pendingBelow("Upcoming payments");
    expect(readOf(HEAD + BOOKED + withoutBalances + CLOSING.replace("865", "805"))).toEqual([
      ...RIGHT,
      ...["80.00", "20.00"],
    ]);
  });

  it("of a booked table that goes on behind the others without a heading", () => {
    const more = `${COLUMNS}2026-03-05  Books                  -15.00     850.00\n`;
    const closing = CLOSING.replace("865", "850");
    expect(readOf(HEAD + BOOKED + pendingBelow("Pending activity") + more + closing)).toEqual([
      ...RIGHT,
      "15.00",
    ]);
  });

  it.each(["Pending payments fee", "Upcoming payments", "Pending"])(
    "with such words in the description (%s)",
    (words) => {
      const named = BOOKED.replace("Shop                ", words.padEnd(20, " "));
      expect(readOf(HEAD + named + CLOSING)).toEqual(RIGHT);
      const below = BOOKED.replace("990.00\n", `990.00\n            ${words}\n`);
      expect(readOf(HEAD + below + CLOSING)).toEqual(RIGHT);
    },
  );
});

it("a row whose text begins with the word and a dash is not booked yet, though the available balance counts it", () => {
  const text = `Harbour Credit Union    Account 0417-44-70
Available balance     420.00
Current balance       500.00
Date         Description                    Amount    Balance
Oct 1, 2026  PENDING - GROCER               -80.00         --
Sep 30, 2026 Dividend                        10.00     500.00
Sep 29, 2026 Fee                             -5.00     490.00
`;
  expect(readOf(text)).toEqual(["reconciled", "10.00", "5.00"]);
});
