// Below the heading of another section, amounts may stand elsewhere than above it, under a header in words that are not known.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { dayAndAmount } from "../../test/support/read-statement-text.ts";
import { understandStatement } from "./understand.ts";

const TEXT = `Example Bank        Checking 359681047722
Beginning balance 7-31-25      1,000.00
Ending balance 8-29-25           747.00
Additions
Deposits  Serial #  Source
8-5       Direct deposit                               500.00
8-11      Mobile deposit                               100.00
Subtractions
Check     Date      Amount       Check     Date      Amount
2214      8-4       $300.00      2217      8-15      100.00
2215      8-12       $50.00      2218      8-27       40.00

              359681047722 - 04213
\fExample Bank
Checking 359681047722 (con't)
Subtractions (con't)
Withdrawals  Serial #  Location
8-1       Giant Eagle                                                  210.00
8-4       Netflix.Com                                                  100.00
8-20      Home Depot                                                    50.00
Fees and charges
Date      Item                      Quantity    Unit Charge      Amount
8-29      Paper Statement Fee              1           3.00      -$3.00

Interest earned $0.06.    Interest paid $0.51.
`;
const ROWS = [
  ...["2025-08-05 500.00", "2025-08-11 100.00", "2025-08-04 -300.00", "2025-08-12 -50.00"],
  ...["2025-08-15 -100.00", "2025-08-27 -40.00"],
  ...["2025-08-01 -210.00", "2025-08-04 -100.00", "2025-08-20 -50.00", "2025-08-29 -3.00"],
].sort();

describe("rows in columns of their own below the heading of a section", () => {
  it.each(["text", "ocr"] as const)("are rows like those above it (%s)", (source) => {
    const words = wordsOfText(TEXT).map((word) => ({ ...word, source }));
    const [account] = understandStatement(words).accounts;
    expect(account?.verdict).toBe("reconciled");
    expect(account?.transactions.map(dayAndAmount).sort()).toEqual(ROWS);
  });
});
