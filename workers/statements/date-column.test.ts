// Of two dates in front of a row, the one below the heading of the dates is its date.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const datesWith = (heading: string): unknown => {
  const text = `Example Bank
Account number 40001234
Opening balance 100.00
${heading}
2026-02-03    2026-02-01    Shop                  -12.00      88.00
2026-02-05    2026-02-04    Rent                  -50.00      38.00
`;
  const [account] = understandStatement(wordsOfText(text)).accounts;
  return account?.transactions.map(({ date }) => date);
};

it("is the second one below 'Transaction date', whatever the first one is called", () => {
  expect(
    datesWith(`Received      Transaction
By us         Date          Details              Amount     Balance`),
  ).toEqual(["2026-02-01", "2026-02-04"]);
});

it("is the first one where both are named, or none is", () => {
  const first = ["2026-02-03", "2026-02-05"];
  expect(datesWith("Date          Value date    Details              Amount     Balance")).toEqual(
    first,
  );
  expect(datesWith("")).toEqual(first);
});
