// Layouts of many banks: every row with date, amount and direction, and the right verdict.
import { expect, it } from "vitest";
import { STATEMENT_TEXTS, wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

it.each(STATEMENT_TEXTS)("reads all rows and judges rightly: $name", ({ text, rows, verdict }) => {
  const { accounts } = understandStatement(wordsOfText(text));
  const read = accounts.flatMap(({ transactions }) =>
    transactions.map(({ date, direction, amount }) =>
      [date, `${direction === "debit" ? "-" : ""}${amount}`].join(" "),
    ),
  );
  expect([...read].sort()).toEqual([...rows].sort());
  expect([...new Set(accounts.map((account) => account.verdict))]).toEqual([verdict]);
});
