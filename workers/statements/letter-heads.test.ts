// What stands around the tables of a statement: the head of a letter, boxes next to the rows, brackets around a period.
import { describe, expect, it } from "vitest";
import { readDescribedAccounts, readTextAccounts } from "../../test/support/read-statement-text.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { withoutSideNotes } from "./side-notes.ts";

it("notes right of a table are found below the head of a letter that reaches over them", () => {
  const words = wordsOfText(`
EXAMPLE BANK                                 Sort Code 20-49-76 Account-60318845
                                                        SWIFTBIC EXBKGB22EXAMPLE
                                                 IBAN GB29 EXBK 2049766031884500
                                                       Issued on 6 February-2026
                                                         Statement 20260206-0001
                                                                    At a glance
Date    Description              Money out   Money in   Balance
6 Jan   Start balance                                   1,831.14    Your overdraft
8 Jan   Tesco Stores                 43.87
        TfL Travel                    8.40                          End balance 2,408.65
        Thames Water                 41.25              1,737.62    Your deposits
9 Jan   Pret A Manger                 7.35              1,730.27    are protected
`);
  const left = withoutSideNotes(words)?.map(({ text }) => text) ?? [];
  expect(left).toEqual(expect.arrayContaining(["Account-60318845", "20260206-0001", "1,730.27"]));
  expect(left).not.toEqual(expect.arrayContaining(["glance"]));
  expect(left).not.toEqual(expect.arrayContaining(["protected"]));
});

describe("two statements of one account in a file are two by their periods", () => {
  it("in brackets behind the month", () => {
    const month = (name: string, number: string, days: string, opening: number) => `
Account number xxxxxx3356
Statement period ${name} 2025 (${name} 01, 2025 - ${name} ${days}, 2025)
Beginning balance on ${name} 1, 2025      $${String(opening)}.00
Ending balance on ${name} ${days}, 2025   $${String(opening - 10)}.00
TRANSACTION DESCRIPTION          TYPE           AMOUNT       NET AMOUNT  SETTLEMENT
DATE                                                                     DATE
${number}/3/2025   TACO BELL              Purchase       -$25.00      -$25.00     ${number}/4/2025
${number}/6/2025   Transfer               Transfer        $15.00       $15.00     ${number}/6/2025
`;
    const text = `Example Checking Statement${month("November", "11", "30", 100)}\f${month("December", "12", "31", 90)}`;
    expect(readDescribedAccounts(text)).toEqual([
      {
        ends: "100.00 90.00 reconciled",
        rows: ["2025-11-03 -25.00 TACO BELL", "2025-11-06 15.00 Transfer"],
      },
      {
        ends: "90.00 80.00 reconciled",
        rows: ["2025-12-03 -25.00 TACO BELL", "2025-12-06 15.00 Transfer"],
      },
    ]);
  });
});

it("the first rows of an account may be of the day of its opening balance, which they do not repeat", () => {
  const [, current] = readTextAccounts(`
Example Bank      14 March 2026
Savings 833-417733-833
Date     Details              Deposit    Withdrawal     Balance
15 Feb   B/F balance                                   1,000.00
16 Feb   Transfer                            100.00      900.00

Current 833-417733-001
Date     Details              Deposit    Withdrawal     Balance
15 Feb   B/F balance                                   6,417.75
         Cheque 417001                     3,200.00    3,217.75
21 Feb   Cheque 417002                     1,500.00    1,717.75
`);
  expect(current).toEqual({
    ends: "6417.75 1717.75 reconciled",
    rows: ["2026-02-15 -3200.00", "2026-02-21 -1500.00"],
  });
});
