// Boxes next to the table of transactions.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const readAccount = (text: string) => {
  const [account] = understandStatement(wordsOfText(text)).accounts;
  return {
    ends: [account?.opening, account?.closing],
    verdict: account?.verdict,
    rows: account?.transactions.map(({ date, amount, description }) =>
      [date, amount, description].join(" "),
    ),
  };
};

it("reads the rows next to a box without its words, and its balances as those of the account", () => {
  expect(
    readAccount(`
Harbour Visa     STATEMENT FROM DEC 11, 2025 TO JAN 12, 2026     Account number 4510 7718
TRANSACTION   POSTING   ACTIVITY
DATE          DATE      DESCRIPTION                        AMOUNT ($)           Minimum payment               $10.00
DEC 12        DEC 13    LIQUOR TORONTO ON                      $46.43           Payment due date        FEB 02, 2026
DEC 16        DEC 17    RIDES TORONTO ON                       $22.40           CALCULATING YOUR BALANCE
DEC 18        DEC 19    GROCER TORONTO ON                      $32.54           Previous Account Balance     $204.40
DEC 30        DEC 31    PAYMENT - THANK YOU                  -$204.40           Interest
JAN 02        JAN 03    GROCER TORONTO ON                      $10.00           NEW BALANCE                  $111.37
`),
  ).toEqual({
    ends: ["204.40", "111.37"],
    verdict: "reconciled",
    rows: [
      "2025-12-12 46.43 LIQUOR TORONTO ON",
      "2025-12-16 22.40 RIDES TORONTO ON",
      "2025-12-18 32.54 GROCER TORONTO ON",
      "2025-12-30 204.40 PAYMENT - THANK YOU",
      "2026-01-02 10.00 GROCER TORONTO ON",
    ],
  });
});

it("takes amounts behind most rows for their balances, though other words than a heading are printed above them", () => {
  const { rows } = readAccount(`
Harbour Checking     March 1, 2026 to March 31, 2026     Account number 4510 7718
Date          Description              Debit          Credit           Brought over          200.00
03/04         GROCER                   50.00                                                 150.00
03/09         RENT                     40.00                                                 110.00
`);
  expect(rows).toEqual(["2026-03-04 50.00 GROCER", "2026-03-09 40.00 RENT"]);
});
