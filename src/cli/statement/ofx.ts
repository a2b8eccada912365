// Accounts of bank statements as OFX 1.0.2 (SGML): the aggregates, their order and their lengths are those of the OFX
// specification, because strict readers refuse a file without a sign-on, and one with an empty element.
import { createHash } from "node:crypto";
import type { StatementAccount, StatementTransaction } from "../../model/bank-statement.ts";
import type { FileAccount } from "./write.ts";

const HEADER = [
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
const STATUS = "<STATUS><CODE>0<SEVERITY>INFO</STATUS>";
/** Characters of the types. */
const NAME_LENGTH_MAX = 32;
const MEMO_LENGTH_MAX = 255;
const NUMBER_LENGTH_MAX = 22;
const ID_LENGTH = 24;
const CARD = "credit card";
const LOAN = "loan";
/** OFX has no type for an account whose type is not known. */
const ACCOUNT_TYPE = new Map([
  ["checking", "CHECKING"],
  ["savings", "SAVINGS"],
  [LOAN, "CREDITLINE"],
]);

/** A message set: the names of its aggregates, and how it identifies an account. */
interface MessageSet {
  readonly name: string;
  readonly response: string;
  readonly statement: string;
  from(account: StatementAccount): string;
}

const BANK: MessageSet = {
  name: "BANKMSGSRSV1",
  response: "STMTTRNRS",
  statement: "STMTRS",
  from: ({ number, type }) =>
    `<BANKACCTFROM><BANKID>0<ACCTID>${accountId(number)}<ACCTTYPE>${ACCOUNT_TYPE.get(type ?? "") ?? "CHECKING"}</BANKACCTFROM>`,
};
const CARDS: MessageSet = {
  name: "CREDITCARDMSGSRSV1",
  response: "CCSTMTTRNRS",
  statement: "CCSTMTRS",
  from: ({ number }) => `<CCACCTFROM><ACCTID>${accountId(number)}</CCACCTFROM>`,
};

/**
 * Transactions without a date are left out, because OFX needs one.
 * @param nowMs the day of reading stands for the days of an account that has neither a period nor a dated row
 */
export function writeOfx(accounts: readonly FileAccount[], nowMs: number): string {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const keys = accountKeys(accounts);
  const written = accounts.map(({ account }, at) => {
    const set = account.type === CARD ? CARDS : BANK;
    return { set, text: writeAccount(account, set, { at, key: keys[at] ?? "", today }) };
  });
  const sets = [BANK, CARDS].flatMap((set) => {
    const texts = written.filter((one) => one.set === set).map(({ text }) => text);
    return texts.length === 0 ? [] : [`<${set.name}>`, ...texts, `</${set.name}>`];
  });
  const signOn = `<SIGNONMSGSRSV1><SONRS>${STATUS}<DTSERVER>${ofxDate(today)}<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>`;
  return [...HEADER, "<OFX>", signOn, ...sets, "</OFX>", ""].join("\n");
}

/** The key of an account depends on its own file alone: other files of the same command do not change its ids. */
function accountKeys(accounts: readonly FileAccount[]): string[] {
  const seen = new Map<string, number>();
  return accounts.map(({ file, account }) => {
    const name = JSON.stringify([account.number, account.currency, daysOf(account)?.start ?? null]);
    const place = JSON.stringify([file, name]);
    const count = seen.get(place) ?? 0;
    seen.set(place, count + 1);
    return JSON.stringify([name, count]);
  });
}

/** null: the account has neither a period nor a dated row. */
function daysOf({ period, transactions }: StatementAccount): StatementAccount["period"] {
  if (period !== null) return period;
  const days = transactions.flatMap(({ date }) => (date === null ? [] : [date])).sort();
  const [start] = days;
  return start === undefined ? null : { start, end: days.at(-1) ?? start };
}

function writeAccount(
  account: StatementAccount,
  set: MessageSet,
  { at, key, today }: { readonly at: number; readonly key: string; readonly today: string },
): string {
  const { start, end } = daysOf(account) ?? { start: today, end: today };
  const balance = ledgerBalance(account);
  return [
    `<${set.response}><TRNUID>${String(at + 1)}${STATUS}<${set.statement}>`,
    `<CURDEF>${account.currency ?? "XXX"}${set.from(account)}`,
    `<BANKTRANLIST><DTSTART>${ofxDate(start)}<DTEND>${ofxDate(end)}`,
    ...account.transactions.flatMap((transaction) => writeTransaction(transaction, key)),
    "</BANKTRANLIST>",
    ...(balance === null
      ? []
      : [`<LEDGERBAL><BALAMT>${balance}<DTASOF>${ofxDate(end)}</LEDGERBAL>`]),
    `</${set.statement}></${set.response}>`,
  ].join("\n");
}

/** In OFX, money that is owed is below zero; statements of cards and loans mostly print it without a minus. */
function ledgerBalance(account: StatementAccount): string | null {
  const { closing } = account;
  if (closing === null || !isOwed(account) || /^-?[0.]+$/u.test(closing)) return closing;
  return closing.startsWith("-") ? closing.slice(1) : `-${closing}`;
}

/** Whether the printed balance is what is owed: debits raise it. Where the numbers decide nothing, the type does. */
function isOwed({ type, opening, closing, sum }: StatementAccount): boolean {
  if (opening !== null && closing !== null) {
    const [from, to, change] = [minorUnitsOf(opening), minorUnitsOf(closing), minorUnitsOf(sum)];
    const isRaised = from + change === to;
    const isLowered = from - change === to;
    if (isRaised !== isLowered) return isLowered;
  }
  return type === CARD || type === LOAN;
}

/** Decimal texts of one account have the same number of decimals. */
const minorUnitsOf = (decimal: string): bigint => BigInt(decimal.replace(".", ""));

/** The id is the same whenever the same statement is read. Empty: the row has no date. */
function writeTransaction(
  { date, description, amount, direction, row }: StatementTransaction,
  account: string,
): string[] {
  if (date === null) return [];
  const id = createHash("sha256")
    .update(JSON.stringify([account, row, date, amount, direction]))
    .digest("hex")
    .slice(0, ID_LENGTH);
  const [name, memo] = nameAndMemo(description);
  return [
    `<STMTTRN><TRNTYPE>${direction.toUpperCase()}<DTPOSTED>${ofxDate(date)}` +
      `<TRNAMT>${direction === "debit" ? "-" : ""}${amount}<FITID>${id}` +
      `${elementUnlessEmpty("NAME", name)}${elementUnlessEmpty("MEMO", memo)}</STMTTRN>`,
  ];
}

/** What the name has no space for is the memo, from a whole word on where there is one. */
function nameAndMemo(description: string): readonly [string, string] {
  const characters = Array.from(singleLine(description));
  if (characters.length <= NAME_LENGTH_MAX) return [characters.join(""), ""];
  const space = characters.lastIndexOf(" ", NAME_LENGTH_MAX);
  const end = space > 0 ? space : NAME_LENGTH_MAX;
  const rest = characters.slice(end).join("").trimStart();
  return [
    characters.slice(0, end).join(""),
    Array.from(rest).slice(0, MEMO_LENGTH_MAX).join("").trimEnd(),
  ];
}

const elementUnlessEmpty = (name: string, text: string): string =>
  text === "" ? "" : `<${name}>${escapeText(text)}`;

/** Of a long number such as an IBAN, the end: it differs between the accounts of one bank. */
function accountId(number: string | null): string {
  const plain = singleLine(number ?? "").replaceAll(" ", "");
  return plain === "" ? "unknown" : escapeText(plain.slice(-NUMBER_LENGTH_MAX));
}

const ofxDate = (date: string): string => date.replaceAll("-", "");

/** In SGML, a value without a closing tag may end at a line break. */
const singleLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
