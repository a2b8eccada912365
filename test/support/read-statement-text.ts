// What a statement that is drawn with the letters of a text is read as.
import type { StatementTransaction } from "../../src/model/bank-statement.ts";
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

interface ReadTextAccount {
  /** Opening and closing balance, "-" without one, and the verdict. */
  readonly ends: string;
  readonly rows: readonly string[];
}

/** Day and amount, with a minus for a debit. */
export const dayAndAmount = ({ date, amount, direction }: StatementTransaction): string =>
  [date, direction === "debit" ? `-${amount}` : amount].join(" ");

/** Each account of its own. */
export const readTextAccounts = (
  text: string,
  show: (row: StatementTransaction) => string = dayAndAmount,
): readonly ReadTextAccount[] =>
  understandStatement(wordsOfText(text)).accounts.map((account) => ({
    ends: `${account.opening ?? "-"} ${account.closing ?? "-"} ${account.verdict}`,
    rows: account.transactions.map(show),
  }));

/** Each account of its own, with the texts of its rows behind day and amount. */
export const readDescribedAccounts = (text: string): readonly ReadTextAccount[] =>
  readTextAccounts(text, (row) => `${dayAndAmount(row)} ${row.description}`);
