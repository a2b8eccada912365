// What a statement that is drawn with the letters of a text is read as.
import { understandStatement } from "../../workers/statements/understand.ts";
import { wordsOfText } from "./statement-texts.ts";

interface ReadText {
  /** Date and signed amount, of all accounts. */
  readonly rows: readonly string[];
  /** Opening and closing balance of each account. */
  readonly ends: readonly (string | null)[];
  readonly verdicts: readonly string[];
}

export function readStatementText(text: string): ReadText {
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
