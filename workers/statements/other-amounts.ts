// Amounts between the rows of a table that are not those of transactions: limits of rates, charges in sentences, what was paid abroad.
import type { Column } from "./columns.ts";
import type { PageLine } from "./layout.ts";
import type { Money } from "./money.ts";
import type { Cells } from "./total-lines.ts";

/** In heights of a line: more than a space. */
const COLUMN_GAP_MIN = 0.8;
const RATE = /^(?:[\d.,]*\d)?%$/u;

/** "11 Dec  Less than 10,000.00  0.50%": a tier of an interest rate, whose amount is a limit. */
export function isOfRates(line: PageLine): boolean {
  const { words, money } = line;
  const rates = words.filter(({ text }) => RATE.test(text));
  return (
    money.some(({ isCertain }) => isCertain) &&
    rates.length > 0 &&
    (rates.length > 1 || (rates.at(-1) === words.at(-1) && !endsText(line)))
  );
}

/** "1 Feb  12.00  88.00  Cashback 5%": behind the amounts, a text that ends in a rate, a space behind its last word. */
function endsText({ words, dates, money, top, bottom }: PageLine): boolean {
  const [before, rate] = words.slice(-2);
  if (before === undefined || rate === undefined || !/\p{L}/u.test(before.text)) return false;
  const texts = words.slice(dates.at(-1)?.to ?? 0, money.find(({ isCertain }) => isCertain)?.from);
  const isSpace = rate.left - before.right < (bottom - top) * COLUMN_GAP_MIN;
  return isSpace && !texts.some(({ text }) => /\p{L}/u.test(text));
}

const PROSE_WORDS_MIN = 8;

/** "A monthly cap of 20.00 applies to charges": the words of a sentence, without a gap as there is between columns. */
export const isOfSentence = ({ words, top, bottom }: PageLine): boolean =>
  words.length >= PROSE_WORDS_MIN &&
  words.every(
    ({ left }, at) => left - (words[at - 1]?.right ?? left) < (bottom - top) * COLUMN_GAP_MIN,
  );

/** "€12.40" and "£10.70" below it: what was paid abroad. */
export function isOtherCurrency(row: Cells, cells: Cells): boolean {
  const [own, others] = [row, cells].map(
    (some) => new Set([...some.values()].map(({ currency }) => currency)),
  );
  return (
    others !== undefined &&
    others.size > 0 &&
    own !== undefined &&
    own.size > 0 &&
    ![...own, ...others].includes(null) &&
    [...others].every((one) => !own.has(one))
  );
}

/** "INTEREST CHARGED ON CASH ADVANCES  0.00" moves no money. Its balance, where one is printed, is one of the chain. */
export const isNothing = (cells: Cells, columns: readonly Column[]): boolean =>
  [...cells].every(([at, { units }]) => units === 0 && columns[at]?.role !== "balance");

/** The balance of a row may stand at the end of its last line. */
export function endsWithBalance(row: Cells, cells: Cells, columns: readonly Column[]): boolean {
  const isBalance = (at: number): boolean => columns[at]?.role === "balance";
  const own = [...row.keys()];
  return (
    cells.size === 1 && [...cells.keys()].every(isBalance) && own.length > 0 && !own.some(isBalance)
  );
}

/** A number of a text is so long that no amount without decimals is. */
const REFERENCE = /^\d{8,}$/u;

/** "48772839519 ... 13.49" below the text of its row: a number of that text stands next to the amount. */
export function isBehindNumber(line: PageLine, cells: ReadonlyMap<number, Money>): boolean {
  const amounts = line.money.filter(({ from }) => !REFERENCE.test(line.words[from]?.text ?? ""));
  const before = line.words.slice(0, amounts[0]?.from);
  return (
    [...cells.values()].some(({ isCertain }) => isCertain) &&
    amounts.every(({ from }) => from > 0) &&
    !before.some(({ text }) => /\p{L}/u.test(text))
  );
}
