// Invoices, bills of suppliers, repayment plans, payrolls and confirmations of trades list dated amounts as statements do. They are not bank
// statements: nothing of them may become transactions.
import type { StatementAccount } from "../../src/model/bank-statement.ts";
import type { PageLine } from "./layout.ts";
import {
  CARD_WORDS,
  INVOICE_DETAIL,
  INVOICE_TITLE,
  METERED_SUPPLY,
  OTHER_DOCUMENT_TITLE,
  STATEMENT_TITLE,
  TRADE_DETAIL,
  TRADE_TITLE,
} from "./lexicon.ts";
import { isDated } from "./rows.ts";

/** Whether a document with dated amounts is something else than a statement of an account. */
export const isOtherDocument = (
  lines: readonly PageLine[],
  accounts: readonly StatementAccount[],
): boolean => isInvoice(lines, accounts) || isBillOrPlan(lines, accounts);

/** Of different words of a supply: the text of a payment has one or two. */
const SUPPLY_WORDS_MIN = 3;

/**
 * Whether a document that proves no rows is the bill of a metered supply, which has a balance too, or the plan of the repayments of a
 * loan. A statement of a loan has a title of one; a bill has words of a supply that no statement has together.
 */
function isBillOrPlan(lines: readonly PageLine[], accounts: readonly StatementAccount[]): boolean {
  if (accounts.some(({ verdict }) => verdict.startsWith("reconciled"))) return false;
  const texts = lines.filter((line) => !isDated(line));
  const head = linesAboveRows(lines);
  if (texts.some(({ plain }) => CARD_WORDS.find(plain) !== null)) return false;
  if (head.some(({ plain }) => OTHER_DOCUMENT_TITLE.find(plain) !== null))
    return !head.some(({ plain }) => STATEMENT_TITLE.find(plain) !== null);
  if (accounts.some(({ verdict }) => verdict !== "not_checkable")) return false;
  const words = texts.flatMap(({ plain }) => {
    const found = METERED_SUPPLY.find(plain);
    return found === null ? [] : [plain.slice(found.from, found.to).join(" ")];
  });
  return new Set(words).size >= SUPPLY_WORDS_MIN;
}

/** Above the first row. */
function linesAboveRows(lines: readonly PageLine[]): readonly PageLine[] {
  const first = lines.findIndex(isDated);
  return first < 0 ? lines : lines.slice(0, first);
}

/**
 * Whether a document is an invoice or the confirmation of a trade: no balance is printed, and its head has a number or date of an invoice,
 * other words of one follow, and none of them is of a statement or a card, whose "due date" and "amount due" are alike; or it has the
 * title of a confirmation, and a quantity.
 */
function isInvoice(lines: readonly PageLine[], accounts: readonly StatementAccount[]): boolean {
  if (accounts.some(hasBalance)) return false;
  const texts = lines.filter((line) => !isDated(line));
  const head = linesAboveRows(lines);
  if (head.some(({ plain }) => TRADE_TITLE.find(plain) !== null))
    return texts.some(({ plain }) => TRADE_DETAIL.find(plain) !== null);
  if (texts.some(({ plain }) => CARD_WORDS.find(plain) !== null)) return false;
  if (head.some(({ plain }) => STATEMENT_TITLE.find(plain) !== null)) return false;
  return (
    head.some(({ plain }) => INVOICE_TITLE.find(plain) !== null || isNumberedInvoice(plain)) &&
    texts.some(({ plain }) => INVOICE_DETAIL.find(plain) !== null)
  );
}

const INVOICE = /^(?:invoice|rechnung|facture|factura|fattura|factuur|fatura|faktura)$/u;

/** "Invoice INV-2024-0081", or the word alone. */
const isNumberedInvoice = ([first = "", second = ""]: readonly string[]): boolean =>
  INVOICE.test(first) && (second === "" || /\d/u.test(second));

/** A balance that was calculated is one of a printed balance. */
const hasBalance = ({ opening, closing, verdict, transactions }: StatementAccount): boolean =>
  opening !== null ||
  closing !== null ||
  verdict !== "not_checkable" ||
  transactions.some(({ balance }) => balance !== null);
