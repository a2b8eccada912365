// What a balance of a checking or savings account is: never what is owed.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const read = (title: string) => {
  const text = `
Example Bank
${title}
Account number 40001234
Opening balance 1000.00
Date        Description          Amount    Balance
2026-03-01  Salary              -500.00    1500.00
2026-03-02  Rent                 125.00    1375.00
2026-03-03  Shop                  10.00    1365.00
Closing balance 1365.00
`;
  const [account] = understandStatement(wordsOfText(text)).accounts;
  return {
    verdict: account?.verdict,
    directions: account?.transactions.map(({ direction }) => direction),
  };
};

it.each(["Everyday Checking", "Premier Savings"])(
  "credits with a minus and debits without a sign are those of %s",
  (title) => {
    expect(read(title)).toEqual({
      ...{ verdict: "reconciled", directions: ["credit", "debit", "debit"] },
    });
  },
);

it("in a loan, a minus may be a charge that raises what is owed", () => {
  expect(read("Home Loan").directions).toEqual(["debit", "credit", "credit"]);
});
