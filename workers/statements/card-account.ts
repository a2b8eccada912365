// Whether the amounts of an account are those of a card, whose charges are mostly printed without a sign.
import type { AccountPart } from "./accounts.ts";
import { CARD_PAYMENT, CARD_WORDS, plainWord } from "./lexicon.ts";
import type { TableRow } from "./rows.ts";

/**
 * By words of card statements; or, where no balance could decide, by the title and by payments that are thanked for with a minus,
 * while most other amounts have none.
 * @param type of the account, from the lines above its rows
 */
export function isCardAccount(
  part: AccountPart,
  rows: readonly TableRow[],
  type: string | null,
): boolean {
  const isNamed = part.lines.some(
    (line) => line.dates.length === 0 && CARD_WORDS.find(line.plain) !== null,
  );
  return isNamed || (type === "credit card" && !hasBalances(part, rows) && isPaid(rows));
}

const hasBalances = (
  { openings, weakOpenings, closings, weakClosings }: AccountPart,
  rows: readonly TableRow[],
): boolean =>
  [openings, weakOpenings, closings, weakClosings].some(({ length }) => length > 0) ||
  rows.some(({ columns }) => columns.some(({ role }) => role === "balance"));

function isPaid(rows: readonly TableRow[]): boolean {
  const payments = rows.filter(isPayment);
  const charges = rows.filter((row) => !isPayment(row));
  return (
    payments.length > 0 &&
    payments.every(isNegative) &&
    charges.filter(isNegative).length * 2 < charges.length
  );
}

/** Whether words of a row thank for a payment to the card. */
export const isPayment = ({ description }: TableRow): boolean =>
  CARD_PAYMENT.find(description.split(/[ /]+/u).map(plainWord)) !== null;

const isNegative = ({ cells }: TableRow): boolean =>
  [...cells.values()].some(({ sign }) => sign < 0);
