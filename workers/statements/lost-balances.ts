// Balances that text recognition lost: where a layout prints the balance of every row, or of the last row of each day, and all
// that was read is exact, a missing one follows from the others. What a layout leaves blank stays blank.
import type { AccountReading } from "./account-reading.ts";
import type { ChainRow } from "./chain.ts";
import type { ValueRepair } from "./repairs.ts";

/** Of the rows where a layout prints balances, at least so many must have been read. */
const PRINTED_SHARE_MIN = 0.7;
const PRINTED_MIN = 3;
/** A date that was read wrongly may make one row of a day of two. */
const WITHIN_DAY_MIN = 2;
const WITHIN_DAY_SHARE_MIN = 0.5;

/** The reading with the lost balances of recognised rows, each among its repairs. */
export function withLostBalances(reading: AccountReading): AccountReading {
  const { chain, chainRows, cells } = reading;
  if (chain.links === 0 || chain.breaks.length > 0 || !chain.isComplete) return reading;
  const balances = followedBalances(reading);
  if (balances === null) return reading;
  const repairs = lostIn(reading).flatMap((index): ValueRepair[] => {
    const to = balances[index];
    const isRecognised = cells[index]?.amount.words.some(({ source }) => source === "ocr");
    return to === undefined || isRecognised !== true
      ? []
      : [{ index, field: "balance", from: null, to }];
  });
  const lost = new Map(repairs.map(({ index, to }) => [index, to]));
  return {
    ...reading,
    chainRows: chainRows.map((row, index) => {
      return { ...row, balance: row.balance ?? lost.get(index) ?? null };
    }),
    repairs: [...reading.repairs, ...repairs],
  };
}

/** The balance behind each row; null: it is not known, or is another one than the printed one. */
function followedBalances({
  chain,
  chainRows,
  sense,
  isNewestFirst,
}: AccountReading): readonly number[] | null {
  if (chain.opening === null) return null;
  const balances: number[] = [];
  let balance = chain.opening;
  for (const index of inOrder(chainRows, isNewestFirst)) {
    const row = chainRows[index];
    if (row === undefined) return null;
    balance += sense * (chain.signs[index] ?? -1) * row.units;
    if (row.balance !== null && row.balance !== balance) return null;
    balances[index] = balance;
  }
  return balances;
}

const inOrder = (rows: readonly ChainRow[], isNewestFirst: boolean): readonly number[] =>
  isNewestFirst ? [...rows.keys()].reverse() : [...rows.keys()];

/** Indexes of rows without a balance whose place in the day has one elsewhere. */
function lostIn({ rows, chainRows, isNewestFirst }: AccountReading): readonly number[] {
  const order = inOrder(chainRows, isNewestFirst);
  const days = daysOf(rows);
  const dayOf = (index: number | undefined): string => days[index ?? -1] ?? "";
  const isWithinDay = (at: number): boolean => {
    const day = dayOf(order[at]);
    return day !== "" && day === dayOf(order[at + 1]);
  };
  const isPrinted = (index: number): boolean => chainRows[index]?.balance != null;
  const within = order.filter((_, at) => isWithinDay(at));
  const printedWithin = within.filter(isPrinted).length;
  const isOfEveryRow =
    printedWithin >= WITHIN_DAY_MIN && printedWithin >= within.length * WITHIN_DAY_SHARE_MIN;
  const expected = isOfEveryRow ? order : order.filter((_, at) => !isWithinDay(at));
  const printed = expected.filter(isPrinted).length;
  return printed >= PRINTED_MIN && printed >= expected.length * PRINTED_SHARE_MIN
    ? expected.filter((index) => !isPrinted(index))
    : [];
}

/** The day of each row, in the order of the page. A row without a date, first on its page as elsewhere, has the day of the one above. */
function daysOf(rows: AccountReading["rows"]): readonly string[] {
  let day = "";
  return rows.map(({ date }) => {
    if (date !== null) day = [date.year, date.month, date.day].join("-");
    return day;
  });
}
