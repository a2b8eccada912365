// A minus (or a CR) that text recognition lost in front of an opening or closing balance: the rows lead from the one to the other with it,
// to the cent, and not without.
import type { AccountReading } from "./account-reading.ts";
import { followRows } from "./chain.ts";
import { isReadByRecognition } from "./unproven.ts";

/** The reading with the other sign of one of its ends, among its repairs, where only so all balances are exact. */
export function withLostMinus(reading: AccountReading): AccountReading {
  const { chain, givenOpening } = reading;
  if (chain.breaks.length !== 1 || !isReadByRecognition(reading)) return reading;
  // From nothing, all directions the other way round lead to the other sign too.
  if (givenOpening === null || givenOpening === 0) return reading;
  const found = [withOpening(reading, givenOpening), withClosing(reading, chain.closing)].filter(
    (other) => other !== null,
  );
  return found.length === 1 ? (found[0] ?? reading) : reading;
}

function withOpening(reading: AccountReading, opening: number): AccountReading | null {
  const { chainRows, isNewestFirst } = reading;
  const index = isNewestFirst ? chainRows.length - 1 : 0;
  const turned = { ...reading, givenOpening: -opening };
  return exactly(turned, { index, field: "opening_balance", from: opening, to: -opening });
}

function withClosing(reading: AccountReading, closing: number | null): AccountReading | null {
  if (closing === null || closing === 0) return null;
  const { chainRows, isNewestFirst, givenClosings } = reading;
  const index = isNewestFirst ? 0 : chainRows.length - 1;
  const turn = (values: readonly number[]): number[] =>
    values.map((value) => (value === closing ? -closing : value));
  const closings = turn(givenClosings.closings);
  const weakClosings = turn(givenClosings.weakClosings ?? []);
  const turned = { ...reading, givenClosings: { closings, weakClosings } };
  return exactly(turned, { index, field: "closing_balance", from: closing, to: -closing });
}

/** Null: the balances are not exact with it, or the sign of an amount of this size would explain the break too. */
function exactly(
  reading: AccountReading,
  repair: AccountReading["repairs"][number],
): AccountReading | null {
  const { chainRows, isNewestFirst, givenOpening, givenClosings, sense } = reading;
  if (chainRows.some(({ units }) => units === Math.abs(repair.to))) return null;
  const order = { isNewestFirst, opening: givenOpening, closings: givenClosings, sense };
  const chain = followRows(chainRows, order);
  const isExact = chain.breaks.length + chain.flipped.length === 0 && chain.isComplete;
  return isExact ? { ...reading, chain, repairs: [...reading.repairs, repair] } : null;
}
