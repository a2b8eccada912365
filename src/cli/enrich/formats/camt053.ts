import type { Buffer } from "node:buffer";
import sax from "sax";
import { InputError } from "../input-error.ts";
import { printable } from "../values/printable.ts";
import { type Balance, checkBalances } from "./balances.ts";
import { readCamtEntry } from "./camt-entry.ts";
import { decodeBytes } from "./decode-text.ts";
import { negate, parseDecimal } from "./decimal.ts";
import { createElementTree, type Element, type ElementTree, textAt } from "./elements.ts";
import {
  checkEntryCount,
  countOf,
  type EntryReading,
  fail,
  type StatementFile,
  type StatementOptions,
} from "./statement.ts";

/** Statement (camt.053), account report (camt.052), debit and credit notification (camt.054). */
const STATEMENTS = new Set(["Stmt", "Rpt", "Ntfctn"]);
const KEPT = new Set(["Ntry", "Bal", "Acct"]);
const OPENING = new Set(["OPBD", "PRCD"]);
const CLOSING = new Set(["CLBD"]);

interface CamtReading {
  readonly file: string;
  readonly entries: EntryReading[];
  readonly notes: string[];
  statements: number;
  checked: number;
  /** Batch bookings that were taken as one entry, because their parts have no amounts of their own. */
  batches: number;
  /** Of the statement that is open. */
  own: EntryReading[];
  id: string | null;
  account: string | null;
  currency: string | null;
  opening: Balance | null;
  closing: Balance | null;
}

/**
 * Reads ISO 20022 bank-to-customer messages: camt.053, and the entries of camt.052 and camt.054, versions 02 to 13.
 *
 * By the message definition reports of ISO 20022 "Bank-to-Customer Cash Management". The XML is read by `sax`, strictly and
 * in one pass; a document type definition is refused, so no entity of the file is ever expanded.
 * @throws InputError, with the line, for XML that is damaged and for messages of another kind
 */
export function readCamt(file: string, bytes: Buffer, options: StatementOptions): StatementFile {
  const declared = /<\?xml[^>]{0,80}encoding=["']([\w-]{1,20})/iu.exec(
    bytes.toString("latin1", 0, 200),
  );
  const { text, encoding } = decodeBytes(bytes, declared?.[1] ?? null, options.encoding);
  const reading: CamtReading = {
    ...{ file, entries: [], notes: [], statements: 0, checked: 0, batches: 0 },
    ...{ own: [], id: null, account: null, currency: null, opening: null, closing: null },
  };
  const root = readXml(file, text, reading);
  if (reading.statements === 0)
    throw new InputError(
      `${file} is XML, but not a bank statement: <${printable(root)}> has no <Stmt>, <Rpt> or <Ntfctn>. Export camt.053 or CSV.`,
    );
  const { entries, notes, statements, checked, batches } = reading;
  const head = `${countOf(statements, "statement")} (${encoding}), ${String(checked)} of them with balances that the entries explain`;
  const batchNote = `${countOf(batches, "batch booking")} taken as one entry: the file has no amounts of the parts.`;
  return {
    format: "CAMT.053",
    entries,
    notes: [head, ...(batches > 0 ? [batchNote] : []), ...notes],
  };
}

/** Returns the name of the outermost element below <Document>. */
function readXml(file: string, text: string, reading: CamtReading): string {
  const xml = sax.parser(true, { position: true });
  const tree: ElementTree = createElementTree({
    name: file,
    kept: KEPT,
    onElement: (element) => {
      onElement(reading, element);
    },
  });
  let root = "";
  // Lines of `sax` count from 0.
  const line = (): number => xml.line + 1;
  xml.onerror = (error) => {
    const [problem = "damaged"] = error.message.split("\n");
    fail(file, line(), `the XML is damaged (${printable(problem, 80)}). Download the file again.`);
  };
  xml.ondoctype = () =>
    fail(
      file,
      line(),
      "a document type definition is not allowed. Remove <!DOCTYPE …> and try again.",
    );
  xml.onopentag = ({ name, attributes }) => {
    const local = localName(name);
    if (root === "" || root === "Document") root = local;
    if (STATEMENTS.has(local)) begin(reading);
    tree.open(local, line(), attributes as Record<string, string>);
  };
  xml.ontext = (part) => {
    tree.text(part);
  };
  xml.oncdata = (part) => {
    tree.text(part);
  };
  xml.onclosetag = () => {
    tree.close();
  };
  xml.write(text).close();
  return root;
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

function begin(reading: CamtReading): void {
  reading.statements += 1;
  Object.assign(reading, {
    own: [],
    id: null,
    account: null,
    currency: null,
    opening: null,
    closing: null,
  });
}

function onElement(reading: CamtReading, element: Element): void {
  switch (element.name) {
    case "Id":
      reading.id ??= element.text.trim() || null;
      break;
    case "Acct":
      reading.account = textAt(element, "Id", "IBAN") ?? textAt(element, "Id", "Othr", "Id");
      reading.currency = textAt(element, "Ccy");
      break;
    case "Bal":
      takeBalance(reading, element);
      break;
    case "Ntry": {
      const { entries, isBatch } = readCamtEntry(element, reading.account, reading.currency);
      for (const entry of entries) reading.own.push(entry);
      if (isBatch) reading.batches += 1;
      checkEntryCount(reading.file, reading.entries.length + reading.own.length);
      break;
    }
    default:
      if (STATEMENTS.has(element.name)) end(reading, element);
  }
}

function takeBalance(reading: CamtReading, element: Element): void {
  const code = textAt(element, "Tp", "CdOrPrtry", "Cd") ?? "";
  if (!OPENING.has(code) && !CLOSING.has(code)) return;
  const amount = parseDecimal(textAt(element, "Amt") ?? "");
  if (amount === null)
    fail(
      reading.file,
      element.line,
      `<Bal> ${code}: '${printable(textAt(element, "Amt") ?? "")}' is not an amount.`,
    );
  const currency = element.children.find(({ name }) => name === "Amt")?.attributes["Ccy"] ?? null;
  const balance = {
    amount: textAt(element, "CdtDbtInd") === "DBIT" ? negate(amount) : amount,
    currency,
  };
  if (CLOSING.has(code)) reading.closing = balance;
  // A booked opening balance is the same as the closing one of the day before.
  else if (code === "OPBD" || reading.opening === null) reading.opening = balance;
}

function end(reading: CamtReading, element: Element): void {
  const { own, opening, closing, account, id } = reading;
  for (const entry of own) reading.entries.push(entry);
  // Intraday reports and notifications are incomplete lists.
  if (element.name !== "Stmt") return;
  const title = `Statement ${printable(id ?? `at line ${String(element.line)}`)} of account ${printable(account ?? "unknown")}`;
  const entries = own.flatMap((reading) => (reading.ok ? [reading.entry] : []));
  const { isRight, note } = checkBalances(title, opening, closing, entries);
  if (isRight === true) reading.checked += 1;
  if (note !== null) reading.notes.push(note);
}
