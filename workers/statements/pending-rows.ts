// Transactions that are not booked yet: upcoming payments, authorisations. They are not part of the statement, unless its balances
// contain them.
import type { AccountReading } from "./account-reading.ts";
import type { TableRow } from "./rows.ts";

/** The rows of a table, of which an account has several. */
export type RowsOfTable = readonly TableRow[];

/**
 * The reading without the rows below headings of what is not booked yet, or with them where only so more of the balances follow. Where a
 * heading goes on over the next tables, these may be booked.
 * @param read rows of which there is at least one
 */
export function readBooked(
  tables: readonly RowsOfTable[],
  read: (rows: readonly TableRow[]) => AccountReading,
): AccountReading {
  const rows = tables.flat();
  if (!rows.some(({ isPending }) => isPending)) return read(rows);
  const firstDropped = new Set(tables.find((table) => table.some(isDropped)));
  const firstPending = new Set(tables.find((table) => table.some(({ isPending }) => isPending)));
  // Of readings that the balances prove alike, the first is taken.
  const choices = [
    rows.filter((row) => !isDropped(row)),
    rows.filter((row) => !isDropped(row) || !firstDropped.has(row)),
    rows.filter(({ isPending }) => !isPending),
    rows.filter((row) => !row.isPending || !firstPending.has(row)),
    rows,
  ];
  const lengths = choices.map(({ length }) => length);
  return choices
    .filter(({ length }, at) => length > 0 && lengths.indexOf(length) === at)
    .map(read)
    .reduce((best, next) => (proofOf(next) > proofOf(best) ? next : best));
}

/** Where no balance decides, those of a section of debits stay. */
const isDropped = ({ isPending, section }: TableRow): boolean => isPending && section === 0;

/** Whether nothing of an account is booked. */
export const isAllPending = (tables: readonly RowsOfTable[]): boolean =>
  tables.flat().every(isDropped);

const LINK = 10;
const BREAK = -10;
const FLIP = -6;

/** How much of the balances follows from the rows. */
const proofOf = ({ chain }: AccountReading): number =>
  chain.links * LINK + chain.breaks.length * BREAK + chain.flipped.length * FLIP;
