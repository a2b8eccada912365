// Lists without balances in which a minus stands before most amounts: those without one are the credits. No balance shows their
// direction, and without this they would be debits, as amounts are where no sign is printed at all.
import type { AccountReading } from "./account-reading.ts";
import type { ChainRow } from "./chain.ts";

/** As a share of all rows. */
const MINUS_SHARE_MIN = 0.5;

/** The reading with the direction of amounts without a sign opposite to that of those with a minus. */
export function withUnsignedCredits(reading: AccountReading, isCard: boolean): AccountReading {
  const { chain, chainRows, cells } = reading;
  const hasMinus = ({ sign }: ChainRow, at: number): boolean =>
    sign === -1 && cells[at]?.amount.sign === -1 && !cells[at].amount.isSignWord;
  const minus = chainRows.filter(hasMinus).length;
  const areDebits = minus > 1 && minus >= chainRows.length * MINUS_SHARE_MIN;
  if (isCard || chain.links > 0 || !areDebits) return reading;
  // "Transactions" above a whole list is the heading of debits on a card.
  const isOneList = new Set(reading.rows.map(({ section }) => section)).size === 1;
  const isUnsigned = (at: number): boolean =>
    cells[at]?.amount.sign === 0 &&
    (chainRows[at]?.sign === 0 || (isOneList && reading.rows[at]?.direction === 0));
  const signs = chain.signs.map((sign, at) => (isUnsigned(at) ? 1 : sign));
  return { ...reading, chain: { ...chain, signs } };
}
