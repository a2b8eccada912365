// Rows whose text has two lines, with the amounts at the height between them, as tables of web pages have them.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

/** The lines of amounts alone are moved up, to between the lines of text that are next to each other then. */
function centred(text: string): ReturnType<typeof wordsOfText> {
  const words = wordsOfText(text);
  const isText = ({ text: word }: { text: string }): boolean => !/\.\d\d$/u.test(word);
  const tops = [...new Set(words.map(({ top }) => top))];
  const alone = new Set(
    tops.filter((top) => !words.some((word) => word.top === top && isText(word))),
  );
  return words.map((word) => {
    const above = tops.filter((top) => alone.has(top) && top < word.top).length;
    const up = above * 13 + (alone.has(word.top) ? 6.5 : 0);
    return { ...word, top: word.top - up, bottom: word.bottom - up };
  });
}

const TEXT = `
Example Wallet      Account number 40001234
Description                                 Incoming     Outgoing        Amount
Salary March
                                              900.00                   1,000.00
31 March 2026  Transaction: TRANSFER-1
Grocer
                                                           -50.00        100.00
30 March 2026  Transaction: CARD-2
Kiosk
                                                            -5.00        150.00
29 March 2026  Transaction: CARD-3
`;

it("are read with both lines, and the date in the lower one", () => {
  const { accounts } = understandStatement(centred(TEXT));
  expect(accounts).toMatchObject([
    {
      verdict: "reconciled",
      transactions: [
        { date: "2026-03-31", direction: "credit", amount: "900.00", balance: "1000.00" },
        { date: "2026-03-30", direction: "debit", amount: "50.00", balance: "100.00" },
        { date: "2026-03-29", direction: "debit", amount: "5.00", balance: "150.00" },
      ],
    },
  ]);
});
