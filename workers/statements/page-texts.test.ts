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
