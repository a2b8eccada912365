// What stands on the pages of a statement next to its rows takes no part in them: sentences, rates, page numbers, branch numbers,
// boxes of other values; and what is printed in an unusual place is found.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

interface ReadText {
  readonly rows: readonly string[];
  readonly ends: readonly (string | null)[];
  readonly verdicts: readonly string[];
}

function read(text: string): ReadText {
  const { accounts } = understandStatement(wordsOfText(text));
  return {
    rows: accounts.flatMap(({ transactions }) =>
      transactions.map(({ date, direction, amount }) =>
        [date, `${direction === "debit" ? "-" : ""}${amount}`].join(" "),
      ),
    ),
    ends: accounts.flatMap(({ opening, closing }) => [opening, closing]),
    verdicts: accounts.map(({ verdict }) => verdict),
  };
}

it("takes years from dates, not from the number of a branch", () => {
  const { rows } = read(`
Harbour Building Society      Sort code 07-02-46     Account no 31233210
Statement date: 03 November 2026
Start balance                            440.90
End balance                              388.88

Date      Description                          Out        In    Balance
04 Oct    Direct debit water                 21.00                419.90
05 Oct    Card payment                       31.02                388.88
`);
  expect(rows).toEqual(["2026-10-04 -21.00", "2026-10-05 -31.02"]);
});

it("takes no rows from sentences on later pages, though two of their amounts cancel each other out", () => {
  const { rows, verdicts } = read(`
Harbour Bank      Statement 1 October 2026 to 31 October 2026     Account number 31233210

Date      Description                                                             Out        In    Balance
01 Oct    Opening balance                                                                           440.90
04 Oct    Direct debit water                                                    21.00                419.90
05 Oct    Card payment                                                          31.02                388.88
31 Oct    Closing balance                                                                           388.88
\f
Important information about the account and about each unrecognised transaction or credit
Sending money abroad costs, whatever the country and the sum may be, a charge of 20.00 which is taken
at once. A cap on the charges of a month applies to all of them, and it is at 20.00 for each account.
`);
  expect(rows).toEqual(["2026-10-04 -21.00", "2026-10-05 -31.02"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes no rows from page numbers that end where the amounts and balances do", () => {
  const { rows, verdicts } = read(`
Harbour Bank      Statement 1 October 2026 to 31 October 2026     Account number 31233210
Ending balance   1,400.00
DATE         TYPE          DESCRIPTION                         AMOUNT     BALANCE
Oct 1, 2026  Deposit       Salary                              500.00    1,500.00
Oct 4, 2026  Card          Grocer                              -20.00    1,480.00
Oct 6, 2026  Card          Tailor                              -80.00    1,400.00

                                                         Page       1  of       3
`);
  expect(rows).toEqual(["2026-10-01 500.00", "2026-10-04 -20.00", "2026-10-06 -80.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes no rows from tiers of interest rates", () => {
  const { rows, verdicts } = read(`
Harbour Bank      Statement 1 October 2026 to 31 October 2026     Account number 31233210
Date      Transaction                               Debit      Credit       Balance
01 Oct    Opening balance                                                 $1,000.00
04 Oct    Grocer                                    20.00                   $980.00
31 Oct    Closing balance                                                   $980.00
Credit interest rate summary
31 Oct    Less than $10,000.00  0.00%         $10,000.00 and over  0.05%
31 Oct    Up to                              $10,000.00                       0.00%
`);
  expect(rows).toEqual(["2026-10-04 -20.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("reads directions of a card from its signs where the heading above them is that of other rows", () => {
  const { rows, verdicts } = read(`
Harbour Card Statement   Account number 4147 2000 0000 8812    Payment due date 11/11/26
Opening/Closing Date 09/15/26 - 10/14/26
Previous Balance           $100.00
New Balance                $130.00

Date       Description                                    Amount
PAYMENTS AND OTHER CREDITS
09/20      Payment thank you                             -100.00
SPENDING OF THE MONTH
09/21      GROCER                                          30.00
09/25      TAILOR                                         100.00
`);
  expect(rows).toEqual(["2026-09-20 100.00", "2026-09-21 -30.00", "2026-09-25 -100.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});
