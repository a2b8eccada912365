// Invoices and confirmations of trades list dated amounts as statements do. They are not bank statements: nothing of them may become
// transactions.
import type { StatementAccount } from "../../src/model/bank-statement.ts";
import type { PageLine } from "./layout.ts";
import {
  CARD_WORDS,
  INVOICE_DETAIL,
  INVOICE_TITLE,
  STATEMENT_TITLE,
  TRADE_DETAIL,
  TRADE_TITLE,
} from "./lexicon.ts";
import { isDated } from "./rows.ts";

/**
 * Whether a document is an invoice or the confirmation of a trade: no balance is printed, and its head has a number or date of an invoice,
 * other words of one follow, and none of them is of a statement or a card, whose "due date" and "amount due" are alike; or it has the
 * title of a confirmation, and a quantity.
 */
export function isInvoice(
  lines: readonly PageLine[],
  accounts: readonly StatementAccount[],
): boolean {
  if (accounts.some(hasBalance)) return false;
  const texts = lines.filter((line) => !isDated(line));
  const first = lines.findIndex(isDated);
  const head = first < 0 ? lines : lines.slice(0, first);
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
