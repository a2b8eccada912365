import type { Buffer } from "node:buffer";
import { InputError } from "../input-error.ts";
import { printable } from "../values/printable.ts";
import { decodeBytes } from "./decode-text.ts";
import { createElementTree, type Element, type ElementTree, textAt } from "./elements.ts";
import { scanTags } from "./markup-tags.ts";
import { parseDecimal } from "./decimal.ts";
import {
  statementDate,
  checkEntryCount,
  countOf,
  type EntryReading,
  fail,
  joinedTexts,
  type StatementFile,
  type StatementOptions,
} from "./statement.ts";

/** Values of a transaction: they never hold elements, so the next tag ends one whose closing tag is missing. */
const VALUES = new Set(
  (
    "TRNTYPE DTPOSTED DTUSER DTAVAIL DTTRAN DTEXPIRE TRNAMT FITID CORRECTFITID CORRECTACTION SRVRTID CHECKNUM REFNUM SIC " +
    "PAYEEID NAME EXTDNAME MEMO MEMO2 INV401KSOURCE CURRATE CURSYM CURDEF BANKID BRANCHID ACCTID ACCTTYPE ACCTKEY BALAMT " +
    "DTASOF DTSTART DTEND ADDR1 ADDR2 ADDR3 CITY STATE POSTALCODE COUNTRY PHONE CODE SEVERITY MESSAGE TRNUID MKTGINFO"
  ).split(" "),
);
const TRANSACTIONS = new Set(["STMTTRN", "STMTTRNP"]);
const STATEMENTS = new Set(["STMTRS", "CCSTMTRS", "INVSTMTRS"]);
const KEPT = new Set([...TRANSACTIONS, "BANKACCTFROM", "CCACCTFROM", "LEDGERBAL"]);
const OUTGOING_TYPES = new Set(["DEBIT", "FEE", "SRVCHG", "ATM", "POS", "CHECK", "PAYMENT"]);

/** What was read so far. */
interface OfxReading {
  readonly file: string;
  readonly entries: EntryReading[];
  readonly notes: string[];
  statements: number;
  investments: number;
  currency: string | null;
  account: string | null;
  /** Entries of a type that leaves the account with an amount that arrives. */
  turned: number;
}

/**
 * Reads OFX 1 (SGML) and OFX 2 (XML), QFX included: bank and card statements, pending transactions too.
 *
 * By the OFX Banking Specification 2.3, sections 3.2 (types), 11.4.3 (STMTTRN), 11.4.4 (STMTRS) and 2.2 (headers of OFX 1).
 * The packages on npm were not good enough: ofx-js 1.1.1 takes exponential time on a long tag, ofx-data-extractor 1.5.0
 * fails on values without a closing tag, and the others are no longer kept up.
 * @throws InputError, with the line, for a damaged file and one without a bank statement
 */
export function readOfx(file: string, bytes: Buffer, options: StatementOptions): StatementFile {
  const head = bytes.toString("latin1", 0, 2048);
  const { text, encoding } = decodeBytes(bytes, declaredEncoding(head), options.encoding);
  const start = text.search(/<OFX>/iu);
  if (start < 0)
    throw new InputError(`${file} has no <OFX> element: it is incomplete. Download it again.`);
  const reading: OfxReading = {
    ...{ file, entries: [], notes: [], statements: 0, investments: 0, turned: 0 },
    ...{ currency: null, account: null },
  };
  readElements(file, text, start, reading);
  checkFound(reading);
  return {
    format: "OFX",
    entries: reading.entries,
    notes: [
      `${countOf(reading.statements, "statement")} (${/^\s*<\?/u.test(text) ? "OFX 2" : "OFX 1"}, ${encoding})`,
      ...reading.notes,
      ...turnedNote(reading.turned),
    ],
  };
}

/** `CHARSET:1252` in OFX 1 (`NONE` for ASCII), the XML declaration in OFX 2. */
function declaredEncoding(head: string): string | null {
  const found =
    /^CHARSET:\s*([\w-]{1,20})/imu.exec(head) ??
    /<\?xml[^>]{0,80}encoding=["']([\w-]{1,20})/iu.exec(head);
  return found?.[1] ?? null;
}

function readElements(file: string, text: string, start: number, reading: OfxReading): void {
  const tree = createElementTree({
    name: file,
    kept: KEPT,
    onElement: (element, path) => {
      onElement(reading, element, path);
    },
  });
  let line = 1;
  for (const tag of scanTags(file, text, start)) {
    line = tag.line;
    if (tag.isClosing) {
      closeTo(tree, tag.name);
      if (tree.top() === null) return;
      continue;
    }
    closeValue(tree);
    // A transaction never holds another: the closing tag of the one before is missing.
    if (TRANSACTIONS.has(tag.name)) closeTo(tree, tag.name);
    if (STATEMENTS.has(tag.name)) beginStatement(reading, tag.name);
    tree.open(tag.name, tag.line);
    if (tag.isEmpty) tree.close();
    else tree.text(tag.text);
  }
  const open = tree.path().findLast((name) => !VALUES.has(name)) ?? "OFX";
  fail(file, line, `the file ends inside <${open}>: it is incomplete. Download it again.`);
}

function closeValue(tree: ElementTree): void {
  const top = tree.top();
  if (top !== null && (VALUES.has(top.name) || top.text.trim() !== "")) tree.close();
}

/** Closes the innermost element of this name with all inside it; nothing when it is not open. */
function closeTo(tree: ElementTree, name: string): void {
  const depth = tree.path().lastIndexOf(name);
  if (depth < 0) return;
  while (tree.path().length > depth) tree.close();
}

function beginStatement(reading: OfxReading, name: string): void {
  if (name === "INVSTMTRS") reading.investments += 1;
  else reading.statements += 1;
  reading.currency = null;
  reading.account = null;
}

function onElement(reading: OfxReading, element: Element, path: readonly string[]): void {
  if (path.includes("INVSTMTRS")) return;
  switch (element.name) {
    case "CURDEF":
      reading.currency = currencyOf(element.text);
      break;
    case "BANKACCTFROM":
    case "CCACCTFROM":
      reading.account = textAt(element, "ACCTID");
      break;
    case "STMTTRN":
    case "STMTTRNP":
      reading.entries.push(readTransaction(reading, element));
      checkEntryCount(reading.file, reading.entries.length);
      break;
  }
}

function currencyOf(text: string | null): string | null {
  const code = text?.trim().toUpperCase() ?? "";
  return /^[A-Z]{3}$/u.test(code) ? code : null;
}

function readTransaction(reading: OfxReading, element: Element): EntryReading {
  const { line } = element;
  const value = (...names: string[]): string | null => textAt(element, ...names);
  const bad = (name: string, what: string): EntryReading => {
    const text = printable(value(name) ?? "");
    return { ok: false, line, reason: `<${name}> '${text}' is not ${what}` };
  };
  const posted =
    ["DTPOSTED", "DTTRAN", "DTUSER"].find((name) => value(name) !== null) ?? "DTPOSTED";
  const date = dateOf(value(posted));
  if (date === null) return bad(posted, "a date");
  const amount = parseDecimal(value("TRNAMT") ?? "");
  if (amount === null) return bad("TRNAMT", "an amount");
  const bankType = value("TRNTYPE");
  const counterparty = value("PAYEE", "NAME") ?? value("NAME");
  const texts = [counterparty, value("EXTDNAME"), value("MEMO"), value("MEMO2")];
  const description = joinedTexts(texts) || bankType;
  if (description === null)
    return { ok: false, line, reason: "it has no <NAME>, <MEMO> or <TRNTYPE>" };
  if (OUTGOING_TYPES.has(bankType ?? "") && !amount.startsWith("-")) reading.turned += 1;
  return {
    ok: true,
    entry: {
      ...{ line, date, amount, counterparty, description, bankType, bankCategory: null },
      valueDate: dateOf(value("DTAVAIL")),
      // CURRENCY: the amount is in it. ORIGCURRENCY: the amount was converted already.
      currency: currencyOf(value("CURRENCY", "CURSYM")) ?? reading.currency,
      reference: value("FITID") ?? value("REFNUM"),
      status: element.name === "STMTTRNP" ? "pending" : "booked",
      account: reading.account,
    },
  };
}

/** `20240517120000.000[-5:EST]`: the day in the zone of the bank. */
function dateOf(text: string | null): string | null {
  const [, year = "", month = "", day = ""] = /^(\d{4})(\d{2})(\d{2})/u.exec(text ?? "") ?? [];
  return statementDate(year, month, day);
}

function checkFound({ file, statements, investments, notes }: OfxReading): void {
  if (statements > 0) {
    if (investments > 0)
      notes.push(
        `${countOf(investments, "investment statement")} left out: only bank and card statements are read.`,
      );
    return;
  }
  if (investments > 0)
    throw new InputError(
      `${file} holds an investment statement. Only bank and card statements are read; export the cash account instead.`,
    );
  throw new InputError(`${file} holds no bank or card statement. Export the transactions again.`);
}

function turnedNote(turned: number): string[] {
  if (turned === 0) return [];
  const verb = turned === 1 ? "has" : "have";
  return [
    `${countOf(turned, "entry", "entries")} of a type such as DEBIT or FEE ${verb} a positive amount; the sign of <TRNAMT> is used.`,
  ];
}
