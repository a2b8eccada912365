// Transactions of bank statements as CSV and lines of JSON; OFX is in ofx.ts.
import type { StatementAccount } from "../../model/bank-statement.ts";

export const TRANSACTION_FORMATS = ["csv", "jsonl", "ofx"] as const;
export type TransactionFormat = (typeof TRANSACTION_FORMATS)[number];

/** An account and the file that it was read from. */
export interface FileAccount {
  readonly file: string;
  readonly account: StatementAccount;
}

const CSV_HEADER = "file,account,currency,date,description,amount,direction,balance,page,row";

/** With a header; amounts without a sign. */
export function writeCsv(accounts: readonly FileAccount[]): string {
  const rows = accounts.flatMap(({ file, account }) =>
    account.transactions.map(({ date, description, amount, direction, balance, page, row }) =>
      [
        file,
        account.number,
        account.currency,
        date,
        description,
        amount,
        direction,
        balance,
        page,
        row,
      ]
        .map(csvCell)
        .join(","),
    ),
  );
  return [CSV_HEADER, ...rows, ""].join("\n");
}

/** A text that a spreadsheet would take for a formula gets an apostrophe. */
function csvCell(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  const isFormula = /^[=+@\t\r-]/u.test(text) && !/^-?\d+(?:\.\d+)?$/u.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\n\r]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One account a line. */
export const writeJsonLines = (accounts: readonly FileAccount[]): string =>
  accounts.map(({ file, account }) => `${JSON.stringify({ file, ...account })}\n`).join("");
