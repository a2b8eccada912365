// Amounts that text recognition lost: a row whose date, text and balance were read is worth what its balance differs by from the
// one before it, where the row after it follows from that. Between the two must be no place for a row that was lost as a whole.
import type { AccountReading, AccountRows } from "./account-reading.ts";
import { followRows } from "./chain.ts";
import type { Money } from "./money.ts";
import { type AreNext, measureRows } from "./row-distance.ts";
import type { TableRow } from "./rows.ts";

/** The reading with the lost amounts of recognised rows, each among its repairs, where fewer balances break with it. */
export function withLostAmounts(account: AccountRows, reading: AccountReading): AccountReading {
  if (reading.chain.breaks.length === 0 || account.isCard) return reading;
  const kept = new Set(reading.rows);
  const areNext = measureRows(account.rows);
  return account.rows
    .filter((row) => !kept.has(row))
    .reduce((best, row) => withAmountOf(row, { account, areNext, reading: best }), reading);
}

interface LostAmount {
  readonly account: AccountRows;
  readonly areNext: AreNext;
  readonly reading: AccountReading;
}

function withAmountOf(row: TableRow, { account, areNext, reading }: LostAmount): AccountReading {
  const { rows, chainRows, cells, sense, isNewestFirst, givenOpening } = reading;
  const cell = onlyBalance(row, reading);
  const place = account.rows.indexOf(row);
  const at = rows.filter((other) => account.rows.indexOf(other) < place).length;
  const before = balanceBefore(row, at, { areNext, reading });
  if (cell === null || before === null) return reading;
  const balance = cell.sign < 0 ? -cell.units : cell.units;
  const units = Math.abs(balance - before);
  const isLast = place === (isNewestFirst ? 0 : account.rows.length - 1);
  const isPrinted = [...account.closings, ...account.weakClosings].includes(balance);
  if (units === 0 || (isLast && !isPrinted)) return reading;
  const sign = (balance > before ? 1 : -1) * sense > 0 ? 1 : -1;
  const amount: Money = { ...cell, units, sign, isSignWord: false, text: "", words: [] };
  const inserted = { page: row.page, row: 0, units, sign, isSignWeak: false, balance } as const;
  const next = chainRows.toSpliced(at, 0, inserted).map((one, index) => {
    return { ...one, row: index + 1 };
  });
  const chain = followRows(next, {
    ...{ isNewestFirst, opening: givenOpening, sense },
    // The balance of the row itself proves nothing of it.
    closings: isLast ? account : reading.givenClosings,
  });
  if (chain.breaks.length >= reading.chain.breaks.length) return reading;
  return {
    ...reading,
    rows: rows.toSpliced(at, 0, row),
    chainRows: next,
    cells: cells.toSpliced(at, 0, { amount, balance: cell }),
    chain,
    repairs: [
      ...reading.repairs.map((repair) =>
        repair.index >= at ? { ...repair, index: repair.index + 1 } : repair,
      ),
      { index: at, field: "amount", from: null, to: units },
    ],
  };
}

/** The balance of the row before, or what the rows behind the last balance make of it; null: a row may stand between. */
function balanceBefore(
  row: TableRow,
  at: number,
  { areNext, reading }: Pick<LostAmount, "areNext" | "reading">,
): number | null {
  const { rows, chainRows, chain, sense, isNewestFirst } = reading;
  const step = isNewestFirst ? 1 : -1;
  let [next, sum] = [row, 0];
  for (let index = isNewestFirst ? at : at - 1; ; index += step) {
    const [other, chainRow] = [rows[index], chainRows[index]];
    if (other === undefined || chainRow === undefined || !areNext(next, other)) return null;
    if (chainRow.balance !== null) return chainRow.balance + sum;
    if (chainRow.sign === 0) return null;
    sum += sense * (chain.signs[index] ?? -1) * chainRow.units;
    next = other;
  }
}

/** Of a recognised row with a printed date and a text; null: it has another number, or none. */
function onlyBalance(row: TableRow, reading: AccountReading): Money | null {
  const [[at, money] = [], ...more] = row.cells;
  if (at === undefined || money === undefined || more.length > 0) return null;
  // A column without a name is that of the balances where the other rows have theirs in it.
  const isBalance = reading.rows.some((other, index) => {
    const balance = reading.cells[index]?.balance ?? null;
    return other.columns === row.columns && balance !== null && other.cells.get(at) === balance;
  });
  return isBalance && isRowOfBalance(row, money) ? money : null;
}

/** Whether a row with this balance and without an amount is a transaction: it has a date and a text, and was recognised. */
export const isRowOfBalance = (
  { date, description }: Pick<TableRow, "date" | "description">,
  balance: Money | null,
): boolean =>
  (date?.words.length ?? 0) > 0 &&
  /\p{L}/u.test(description) &&
  balance?.isCertain === true &&
  balance.words.every(({ source }) => source === "ocr");
