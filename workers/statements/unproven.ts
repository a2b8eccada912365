// Which ends of an account no printed number proves. The balance chain checks what stands between two balances: without an opening
// balance the amounts up to the first balance are in no equation, without a closing one rows behind the last balance may be missing.
import type { AccountEnd } from "../../src/model/bank-statement.ts";
import type { AccountReading } from "./account-reading.ts";
import type { AccountPart } from "./accounts.ts";
import { isDated } from "./rows.ts";

/**
 * Also that of an account without rows of which only the opening balance is printed.
 * @param sums of the credits and of the debits, in minor units, without a sign
 * @returns empty: a printed balance stands on either side of the rows, or the printed totals are those of the rows
 */
export function unprovenEnds(
  part: AccountPart,
  reading: AccountReading,
  sums: readonly [credits: number, debits: number],
): readonly AccountEnd[] {
  const { chain, givenOpening, givenClosings } = reading;
  const { closings, weakClosings = [] } = givenClosings;
  if (reading.rows.length === 0 && givenOpening !== null && closings.length === 0)
    return ["closing_balance"];
  if (chain.links === 0 || arePrinted(part, reading, sums)) return [];
  // The minus of a recognised one may have been put back.
  const isClosing = (units: number): boolean =>
    units === chain.closing &&
    [...part.closings, ...part.weakClosings].some((one) => Math.abs(one) === Math.abs(units));
  return [
    ...(givenOpening === null ? (["opening_balance"] as const) : []),
    ...([...closings, ...weakClosings].some(isClosing) ? [] : (["closing_balance"] as const)),
  ];
}

/**
 * Whether both sums are printed outside of the rows. In a text layer, a total of nothing need not be; of recognised rows, all of one
 * direction may have been lost.
 */
const arePrinted = (part: AccountPart, reading: AccountReading, sums: readonly number[]): boolean =>
  sums.every(
    (sum) => (sum === 0 && !isReadByRecognition(reading)) || isPrinted(part, reading, sum),
  );

/** A row may have no date of its own, so that its amount is not a sum of all rows. */
function isPrinted({ lines }: AccountPart, { cells }: AccountReading, sum: number): boolean {
  const ofRows = new Set(cells.flatMap(({ amount }) => amount.words));
  return lines.some(
    (line) =>
      !isDated(line) &&
      !line.words.some((word) => ofRows.has(word)) &&
      line.money.some(({ units, isCertain }) => isCertain && units === sum),
  );
}

/** Whether text recognition read the numbers, so that one that no other proves may be wrong. */
export const isReadByRecognition = ({ cells }: AccountReading): boolean =>
  cells.some(({ amount }) => amount.words.some(({ source }) => source === "ocr"));
