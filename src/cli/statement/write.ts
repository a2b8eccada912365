// Transactions of bank statements as CSV, lines of JSON and OFX 1.0.2.
import { createHash } from "node:crypto";
import type { StatementAccount, StatementTransaction } from "../../model/bank-statement.ts";

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

const OFX_HEADER = [
  "OFXHEADER:100",
  "DATA:OFXSGML",
  "VERSION:102",
  "SECURITY:NONE",
  "ENCODING:UTF-8",
  "CHARSET:NONE",
  "COMPRESSION:NONE",
  "OLDFILEUID:NONE",
  "NEWFILEUID:NONE",
  "",
];
const NAME_LENGTH_MAX = 32;
const ID_LENGTH = 24;

/** Transactions without a date are left out, because OFX needs one. */
export const writeOfx = (accounts: readonly FileAccount[]): string =>
  [
    ...OFX_HEADER,
    "<OFX><BANKMSGSRSV1>",
    ...accounts.map(({ account }, index) => ofxAccount(account, index + 1)),
    "</BANKMSGSRSV1></OFX>",
    "",
  ].join("\n");

function ofxAccount(account: StatementAccount, index: number): string {
  const dated = account.transactions.filter(({ date }) => date !== null);
  const dates = dated.map(({ date }) => date ?? "").sort();
  const start = account.period?.start ?? dates[0] ?? "";
  const end = account.period?.end ?? dates.at(-1) ?? "";
  const key = JSON.stringify([account.number, start, index]);
  const balance =
    account.closing === null
      ? ""
      : `<LEDGERBAL><BALAMT>${account.closing}<DTASOF>${ofxDate(end)}</LEDGERBAL>`;
  return [
    `<STMTTRNRS><TRNUID>${String(index)}<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS>`,
    `<CURDEF>${account.currency ?? "XXX"}<BANKACCTFROM><BANKID>0<ACCTID>${ofxText(account.number ?? "unknown")}<ACCTTYPE>CHECKING</BANKACCTFROM>`,
    `<BANKTRANLIST><DTSTART>${ofxDate(start)}<DTEND>${ofxDate(end)}`,
    ...dated.map((transaction) => ofxTransaction(transaction, key)),
    `</BANKTRANLIST>${balance}</STMTRS></STMTTRNRS>`,
  ].join("\n");
}

/** The id is the same whenever the same statement is read. */
function ofxTransaction(transaction: StatementTransaction, account: string): string {
  const { date, description, amount, direction, row } = transaction;
  const id = createHash("sha256")
    .update(JSON.stringify([account, row, date, amount, direction]))
    .digest("hex")
    .slice(0, ID_LENGTH);
  const name = Array.from(description).slice(0, NAME_LENGTH_MAX).join("");
  return `<STMTTRN><TRNTYPE>${direction.toUpperCase()}<DTPOSTED>${ofxDate(date ?? "")}<TRNAMT>${direction === "debit" ? "-" : ""}${amount}<FITID>${id}<NAME>${ofxText(name)}<MEMO>${ofxText(description)}</STMTTRN>`;
}

const ofxDate = (date: string): string => date.replaceAll("-", "");

const ofxText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
