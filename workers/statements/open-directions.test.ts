// Rows that add up in both directions: what is printed decides, and nothing is claimed where nothing does.
import { expect, it } from "vitest";
import { readDescribedAccounts } from "../../test/support/read-statement-text.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

interface Printed {
  readonly head: readonly string[];
  readonly start: number;
  /** Of each row; the first one is a purchase, the last one a payment. */
  readonly amounts: readonly number[];
  /** By how much a plus raises the balance: 1 or -1. */
  readonly raises: -1 | 1;
  readonly payment?: string;
  readonly foot?: string;
}

/** The verdict, and the direction of the first row. */
function read({ head, start, amounts, raises, payment = "Transfer", foot = "" }: Printed): unknown {
  let balance = start;
  const rows = amounts.map((amount, at) => {
    balance += raises * amount;
    const text = at === amounts.length - 1 ? payment : "Grocer";
    return `2026-03-0${String(at + 1)}  ${text.padEnd(22)}${amount.toFixed(2).padStart(10)}${balance.toFixed(2).padStart(12)}`;
  });
  const text = `
Example Bank
${head.join("\n")}
Account number 40001234
Opening balance ${start.toFixed(2)}
Date        Description               Amount     Balance
${rows.join("\n")}
Closing balance ${balance.toFixed(2)}
${foot}
`;
  const [account] = understandStatement(wordsOfText(text)).accounts;
  return [account?.verdict, account?.transactions[0]?.direction];
}

const CARD = ["Platinum Credit Card", "Minimum payment 25.00"];
const INVERTED = [-500, -10, 125];
const THANKED = "Payment - thank you";

it("a minus that raises the balance of an account of unknown kind decides nothing", () => {
  const account = { head: [], start: 1000, amounts: INVERTED, raises: -1 } as const;
  expect(read(account)).toEqual(["not_checkable", "debit"]);
  expect(read({ ...account, raises: 1 })).toEqual(["reconciled", "debit"]);
});

it("printed totals of credits and debits decide", () => {
  const account = { head: [], start: 1000, amounts: INVERTED, raises: -1 } as const;
  expect(read({ ...account, foot: "Total debits 510.00\nTotal credits 125.00" })).toEqual([
    ...["reconciled", "debit"],
  ]);
  expect(read({ ...account, foot: "Total debits 125.00\nTotal credits 510.00" })).toEqual([
    ...["reconciled", "credit"],
  ]);
});

it("charges of a card without a sign are debits, also where what is owed has a minus", () => {
  const card = { head: CARD, amounts: [500, 10, -125] } as const;
  expect(read({ ...card, start: 1000, raises: 1 })).toEqual(["reconciled", "debit"]);
  expect(read({ ...card, start: -1000, raises: -1 })).toEqual(["reconciled", "debit"]);
});

it("a card below zero whose amounts are mostly payments is decided by words of thanks alone", () => {
  const card = { head: CARD, start: -1000, amounts: [-10, 125, 500], raises: 1 } as const;
  expect(read(card)).toEqual(["not_checkable", "debit"]);
  expect(read({ ...card, payment: THANKED })).toEqual(["reconciled", "debit"]);
});

it("payments of a card that contradict its balances are not reconciled with them", () => {
  const card = { head: CARD, start: 1000, amounts: [-10, -20, 125], raises: 1 } as const;
  expect(read({ ...card, payment: THANKED })).toEqual(["not_checkable", "credit"]);
});

it("the name of a loan or a card decides without other words of a card", () => {
  const account = { amounts: [500, 10, -125], raises: 1 } as const;
  const [card] = CARD;
  expect(read({ ...account, head: [card ?? ""], start: 1000 })).toEqual(["reconciled", "debit"]);
  const loan = { ...account, head: ["Home Loan Account"] };
  expect(read({ ...loan, start: 250_000 })).toEqual(["reconciled", "debit"]);
  expect(read({ ...loan, start: -250_000 })).toEqual(["reconciled", "credit"]);
  expect(read({ ...loan, head: ["Home Loan"], start: 250_000 })).toEqual([
    ...["not_checkable", "credit"],
  ]);
});

it.each(["PAYMENT THANK YOU", "PAYMENT THANK YOU/PAIEMENT MERCI"])(
  "'Payments' above rows of a card such as '%s' is not a heading of debits, though all directions turned would add up",
  (text) => {
    const [account] = readDescribedAccounts(`
Example Visa Card
December 14, 2026 to January 13, 2027
Account number 4500 XXXX XXXX 3318     Minimum payment $10.00
Previous balance   $1,122.38
Total balance        $277.38
Your payments
Trans    Post
date     date       Description                         Amount($)
Dec 23   Dec 24     ${text.padEnd(35)} 600.00
Jan 06   Jan 07     ${text.padEnd(35)} 350.00
Total payments                                            $950.00
Your new charges and credits
Trans    Post
date     date       Description                         Amount($)
Dec 25   Dec 26     COFFEE                                   5.00
Jan 05   Jan 07     GARDEN                                 100.00
`);
    expect(account).toEqual({
      ends: "1122.38 277.38 reconciled",
      rows: [
        `2026-12-23 600.00 ${text}`,
        `2027-01-06 350.00 ${text}`,
        "2026-12-25 -5.00 COFFEE",
        "2027-01-05 -100.00 GARDEN",
      ],
    });
  },
);
