// Invoices, bills and accounts of suppliers, repayment plans, payrolls and confirmations of trades list dated amounts as statements
// do. They are not bank statements: nothing of them may become transactions.
import type { StatementAccount } from "../../src/model/bank-statement.ts";
import type { PageLine } from "./layout.ts";
import {
  ACCOUNT_LABEL,
  CARD_WORDS,
  INVOICE_DETAIL,
  INVOICE_TITLE,
  METERED_SUPPLY,
  OTHER_DOCUMENT_TITLE,
  PAYROLL_DETAIL,
  type Phrases,
  STATEMENT_TITLE,
  TRADE_DETAIL,
  TRADE_TITLE,
} from "./lexicon.ts";
import { isDated } from "./rows.ts";

/** Whether a document with dated amounts is something else than a statement of an account. */
export const isOtherDocument = (
  lines: readonly PageLine[],
  accounts: readonly StatementAccount[],
): boolean => isInvoice(lines, accounts) || isBillOrPlan(lines, accounts) || hasAges(lines);

/** What is owed is divided by these ages, and what is not yet due. */
const AGES: readonly string[] = ["30", "60", "90"];

/**
 * "Current  1-30 days  31-60 days  61-90 days  Over 90 days" above as many amounts, or in a document with other words of an invoice: what a
 * customer owes a supplier, by its age. Its rows follow from each other as those of a bank do. The card of a company has such a table too.
 */
const hasAges = (lines: readonly PageLine[]): boolean =>
  lines.every(({ plain }) => CARD_WORDS.find(plain) === null) &&
  lines.some(
    ({ plain }, at) =>
      AGES.every((age) => plain.some((word, next) => isAge(word, plain[next + 1], age))) &&
      ((lines[at + 1]?.money.length ?? 0) > AGES.length ||
        lines.some((line) => !isDated(line) && INVOICE_DETAIL.find(line.plain) !== null)),
  );

/** "31-60 days", "60+ days" or "60 days". */
const isAge = (word: string, next: string | undefined, age: string): boolean =>
  /^days?$/u.test(next ?? "") && word.replace(/^\d+\D/u, "").replace(/\+$/u, "") === age;

/** Of different words of a supply or a payroll: the text of a payment has one or two. */
const DETAIL_WORDS_MIN = 3;

/**
 * Whether a document is a repayment plan, a letter or another one by its title, or, where it proves no rows, a payslip, or the bill of a
 * metered supply, which has a balance too. A statement of a loan has a title of one; a bill has words of a supply that no statement has
 * together.
 */
function isBillOrPlan(lines: readonly PageLine[], accounts: readonly StatementAccount[]): boolean {
  const texts = lines.filter((line) => !isDated(line));
  const head = linesAboveRows(lines);
  const isOther = head.some(hasOtherTitle);
  const isStatement = head.some((line) => isTitled(line) && !hasOtherTitle(line));
  // The rows of a plan follow from each other too: what is proven is only refused by the title at its top. A bill may have the
  // summary of an account, whose balances follow.
  if (accounts.some(({ verdict }) => verdict.startsWith("reconciled"))) {
    const isSupply = countWords(texts, METERED_SUPPLY) >= DETAIL_WORDS_MIN;
    return (!isStatement || isSupply) && lines.slice(0, TITLE_LINES).some(hasOtherTitle);
  }
  if (isOther && !isStatement) return true;
  if (texts.some(({ plain }) => CARD_WORDS.find(plain) !== null)) return false;
  if (!isStatement && countWords(texts, PAYROLL_DETAIL) >= DETAIL_WORDS_MIN) return true;
  if (accounts.some(({ verdict }) => verdict !== "not_checkable")) return false;
  return countWords(texts, METERED_SUPPLY) >= DETAIL_WORDS_MIN;
}

const TITLE_LINES = 3;
const hasOtherTitle = ({ plain }: PageLine): boolean => OTHER_DOCUMENT_TITLE.find(plain) !== null;

/** A single word is a title only in a short line. */
const NAMED_WORDS_MAX = 3;

/** How many different ones there are. */
function countWords(lines: readonly PageLine[], phrases: Phrases): number {
  const words = lines.flatMap(({ plain }) => {
    const found: string[] = [];
    for (let at = phrases.find(plain); at !== null; at = phrases.find(plain, at.to))
      found.push(plain.slice(at.from, at.to).join(" "));
    return found;
  });
  return new Set(words).size;
}

/** Whether a line has the title of a statement. That of a letter which mentions one is a sentence, and "Account number" is a label. */
function isTitled({ plain, words }: PageLine): boolean {
  const title = STATEMENT_TITLE.find(plain);
  if (title === null || /[.:]$/u.test(words.at(-1)?.text ?? "")) return false;
  // "Account ending in 2286"; "Statement Date: 01/22/2025" is a label, which other documents have too.
  const isShort = plain.length <= NAMED_WORDS_MAX && !words.some(({ text }) => text.endsWith(":"));
  const isName = title.to - title.from > 1 || isShort;
  const label = ACCOUNT_LABEL.find(plain);
  return isName && (label?.from !== title.from || label.to <= title.to);
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
  if (head.some(isTitled)) return false;
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
