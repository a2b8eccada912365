// Numbers and leader dots of which text recognition lost something.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

it("a number that lost its mark keeps the plus behind it", () => {
  const text = `Account number 40001234
Beginning balance                              1,000.00
Date        Description            Amount       Balance
01/03/2025  Shop                   50.50-        949.50
02/03/2025  Lunch share            32 50+        982.00
03/03/2025  Salary              4,215 80+      5,197.80
04/03/2025  Rent                  197.80-      5,000.00
Ending balance                                 5,000.00
`;
  const words = wordsOfText(text).map((word) => ({ ...word, source: "ocr" as const }));
  const [account] = understandStatement(words).accounts;
  expect(account?.verdict).toBe("reconciled");
  expect(account?.transactions.map(({ amount, direction }) => [amount, direction])).toEqual([
    ["50.50", "debit"],
    ["32.50", "credit"],
    ["4215.80", "credit"],
    ["197.80", "debit"],
  ]);
});

it("below the text of a row, the number of that text next to an amount begins a row, with lost leader dots too", () => {
  const text = `Account number 40001234
Date        Particulars                        Debits      Credits      Balance
1 Mar 2025  Balance forward                                          1,627.33 Cr
3 Mar 2025  Internet Transfer Rent share       240.00
            V7714 28/02 Woolworths Geelong
            74940525059                         83.19
            V7714 01/03 Bp Corio
            74363965060                         71.44                1,232.70 Cr
5 Mar 2025  Linked Acc Trns                    500.00                  732.70 Cr
            Closing balance                                            732.70 Cr
`;
  const words = wordsOfText(text).map((word) => ({ ...word, source: "ocr" as const }));
  const [account] = understandStatement(words).accounts;
  expect(account?.verdict).toBe("reconciled");
  expect(account?.transactions.map(({ amount }) => amount)).toEqual([
    "240.00",
    "83.19",
    "71.44",
    "500.00",
  ]);
});

it("the letter of an overdrawn balance right behind its number is not a digit", () => {
  const text = `Account number 40001234
Opening balance 100.00
Date        Description               Amount       Balance
01/03/2025  Shop                      150.50      50.50 OD
02/03/2025  Rent                      197.80      248.300D
03/03/2025  Water                      20.00      268.30OD
`;
  const words = wordsOfText(text).map((word) => ({ ...word, source: "ocr" as const }));
  const [account] = understandStatement(words).accounts;
  expect(account?.verdict).toBe("reconciled");
  expect(account?.transactions.map(({ balance }) => balance)).toEqual([
    "-50.50",
    "-248.30",
    "-268.30",
  ]);
});
