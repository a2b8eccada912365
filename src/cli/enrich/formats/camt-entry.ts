// One <Ntry> of a camt message: the entry, or one for each transaction of a batch booking.
import { printable } from "../values/printable.ts";
import { addDecimals, isZero, negate, parseDecimal } from "./decimal.ts";
import { childrenOf, type Element, elementAt, textAt } from "./elements.ts";
import {
  statementDate,
  type StatementEntry,
  type EntryReading,
  type EntryStatus,
  joinedTexts,
} from "./statement.ts";

interface EntryReadings {
  readonly entries: readonly EntryReading[];
  /** True when the transactions of a batch booking could not be separated. */
  readonly isBatch: boolean;
}

type Common = Omit<
  StatementEntry,
  "amount" | "description" | "counterparty" | "reference" | "bankType" | "bankCategory"
>;

const STATUSES: Readonly<Record<string, EntryStatus>> = {
  BOOK: "booked",
  PDNG: "pending",
  FUTR: "pending",
  INFO: "information",
};

export function readCamtEntry(
  element: Element,
  account: string | null,
  accountCurrency: string | null,
): EntryReadings {
  const { line } = element;
  const bad = (reason: string): EntryReadings => ({
    entries: [{ ok: false, line, reason }],
    isBatch: false,
  });
  const amount = signedAmount(element, null);
  if (amount === null)
    return bad(`<Amt> '${printable(textAt(element, "Amt") ?? "")}' is not an amount`);
  const direction = textAt(element, "CdtDbtInd");
  if (direction !== "DBIT" && direction !== "CRDT")
    return bad(`<CdtDbtInd> '${printable(direction ?? "")}' is neither DBIT nor CRDT`);
  const valueDate = dateAt(element, "ValDt");
  const date = dateAt(element, "BookgDt") ?? valueDate;
  if (date === null) return bad("it has neither <BookgDt> nor <ValDt>");
  const status = camtStatusOf(element);
  const currency = elementAt(element, "Amt")?.attributes["Ccy"] ?? accountCurrency;
  return splitEntry(element, { line, date, valueDate, currency, account, status }, amount);
}

function camtStatusOf(element: Element): EntryStatus {
  const code = textAt(element, "Sts", "Cd") ?? textAt(element, "Sts");
  return STATUSES[code ?? "BOOK"] ?? "booked";
}

/** A batch booking becomes its transactions where their amounts add up to the one of the entry. */
function splitEntry(element: Element, common: Common, amount: string): EntryReadings {
  const parts = childrenOf(element, "NtryDtls").flatMap((details) => childrenOf(details, "TxDtls"));
  const direction = textAt(element, "CdtDbtInd");
  const amounts = parts.flatMap((part) => signedAmount(part, direction, common.currency) ?? []);
  const isWhole =
    amounts.length === parts.length && isZero(addDecimals([negate(amount), ...amounts]));
  if (parts.length < 2 || !isWhole) {
    const only = parts.length === 1 ? (parts[0] ?? null) : null;
    const entry = toEntry(common, amount, element, only);
    return { entries: [{ ok: true, entry }], isBatch: parts.length > 1 };
  }
  const entries = parts.map((part, at): EntryReading => {
    const entry = toEntry(common, amounts[at] ?? "0", element, part, at + 1);
    return { ok: true, entry: { ...entry, line: part.line } };
  });
  return { entries, isBatch: false };
}

/** `direction` counts where the element has none of its own. Null when there is no amount in this currency. */
function signedAmount(
  element: Element,
  direction: string | null,
  currency: string | null = null,
): string | null {
  const found = elementAt(element, "Amt") ?? elementAt(element, "AmtDtls", "TxAmt", "Amt");
  if (currency !== null && found?.attributes["Ccy"] !== currency) return null;
  const amount = parseDecimal(found?.text ?? "");
  if (amount === null) return null;
  return (textAt(element, "CdtDbtInd") ?? direction) === "DBIT" ? negate(amount) : amount;
}

/** @param transaction null when the entry has none, or several that cannot be separated; `part`: its position in a batch */
function toEntry(
  common: Common,
  amount: string,
  entry: Element,
  transaction: Element | null,
  part = 0,
): StatementEntry {
  const counterparty = transaction === null ? null : nameOf(entry, transaction);
  const remittance = elementAt(transaction, "RmtInf");
  const texts = [
    ...childrenOf(remittance, "Ustrd").map(({ text }) => text),
    ...childrenOf(remittance, "Strd").flatMap((strd) => [
      textAt(strd, "CdtrRefInf", "Ref"),
      ...childrenOf(strd, "AddtlRmtInf").map(({ text }) => text),
    ]),
  ];
  const fallback = [textAt(transaction, "AddtlTxInf"), textAt(entry, "AddtlNtryInf")];
  const described = joinedTexts([counterparty, ...texts.slice(0, TEXTS_MAX)]);
  const bankType = typeOf(transaction) ?? typeOf(entry);
  return {
    ...common,
    amount,
    counterparty,
    description: described || joinedTexts(fallback) || bankType || "(no text)",
    bankType,
    bankCategory: null,
    reference: referenceOf(entry, transaction, part),
  };
}

/** The standard has at most a few lines; banks write up to 30. */
const TEXTS_MAX = 100;

/** The other side: who was paid of a debit, who paid of a credit; turned where the entry takes one back. */
function nameOf(entry: Element, transaction: Element): string | null {
  const parties = elementAt(transaction, "RltdPties");
  const direction = textAt(transaction, "CdtDbtInd") ?? textAt(entry, "CdtDbtInd");
  const isReversal = textAt(entry, "RvslInd") === "true";
  const paid = (direction === "DBIT") !== isReversal;
  const name = (role: string): string | null =>
    textAt(parties, role, "Nm") ??
    textAt(parties, role, "Pty", "Nm") ??
    textAt(parties, role, "Agt", "FinInstnId", "Nm");
  return paid ? (name("UltmtCdtr") ?? name("Cdtr")) : (name("UltmtDbtr") ?? name("Dbtr"));
}

/** `PMNT-RCDT-ESCT`, else the bank's own code. */
function typeOf(element: Element | null): string | null {
  const code = elementAt(element, "BkTxCd");
  const family = elementAt(code, "Domn", "Fmly");
  const codes = [
    textAt(code, "Domn", "Cd"),
    textAt(family, "Cd"),
    textAt(family, "SubFmlyCd"),
  ].filter((one) => one !== null);
  return codes.length > 0 ? codes.join("-") : textAt(code, "Prtry", "Cd");
}

function referenceOf(entry: Element, transaction: Element | null, part: number): string | null {
  const refs = elementAt(transaction, "Refs");
  const own = [textAt(refs, "AcctSvcrRef"), textAt(refs, "TxId"), textAt(refs, "EndToEndId")].map(
    given,
  );
  const ofEntry = given(textAt(entry, "AcctSvcrRef")) ?? given(textAt(entry, "NtryRef"));
  if (part === 0) return ofEntry ?? own.find((one) => one !== null) ?? null;
  // Parts of a batch may share the reference of the entry.
  return ofEntry === null
    ? (own.find((one) => one !== null) ?? null)
    : `${ofEntry}/${String(part)}`;
}

function given(reference: string | null): string | null {
  return reference === null || /^(?:NOTPROVIDED|NONREF)$/iu.test(reference) ? null : reference;
}

/** <Dt> or the day of <DtTm>, in the zone of the bank. */
function dateAt(element: Element, name: string): string | null {
  const text =
    textAt(element, name, "Dt") ?? textAt(element, name, "DtTm") ?? textAt(element, name) ?? "";
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})/u.exec(text) ?? [];
  return statementDate(year, month, day);
}
