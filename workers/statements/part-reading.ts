// How the rows of an account are read: as the page prints them or, where its balances do not follow then, in one of the other ways that
// a page may be understood.
import { type AccountReading, type AccountRows, isExact } from "./account-reading.ts";
import type { AccountPart } from "./accounts.ts";
import { readingWithoutRows } from "./accounts-without-rows.ts";
import { isCardAccount } from "./card-account.ts";
import { kindOfPart } from "./header.ts";
import { withLostBalances } from "./lost-balances.ts";
import { haveMarks, listLostPoints, withLostPoints } from "./lost-points.ts";
import { readMixedSections } from "./mixed-sections.ts";
import { withDecidedDirections } from "./open-directions.ts";
import { readOtherwise } from "./other-readings.ts";
import { isAllPending, readBooked } from "./pending-rows.ts";
import { provenClosings } from "./proven-closings.ts";
import type { ValueRepair } from "./repairs.ts";
import { readOnce } from "./repeated-rows.ts";
import type { TableRow } from "./rows.ts";
import { type ReadPartTable, readRowsOfTables, rowsThatCount } from "./rows-of-tables.ts";
import { chooseReading, exactness } from "./signs.ts";
import { balancesOfTotals } from "./total-lines.ts";
import { withUnsignedCredits } from "./unsigned-credits.ts";

/** The rows of an account and its balances; null: it has neither rows nor balances without rows. */
export function readAccountPart(
  part: AccountPart,
  parts: readonly AccountPart[],
): AccountReading | null {
  const tables = readRowsOfTables(part.tables);
  const first = readPartTables(part, parts, tables);
  if (first === null || isExact(first)) return first;
  const read = (changed: AccountPart, some: readonly ReadPartTable[]): AccountReading | null =>
    readPartTables(changed, parts, some);
  return readOtherwise({ part, tables, first }, read) ?? first;
}

function readPartTables(
  part: AccountPart,
  parts: readonly AccountPart[],
  tables: readonly ReadPartTable[],
): AccountReading | null {
  const rowsOfTables = rowsThatCount(tables);
  if (rowsOfTables.every((rows) => rows.length === 0)) return readingWithoutRows(part);
  if (isAllPending(rowsOfTables)) {
    const inactive = readingWithoutRows(part);
    if (inactive?.chain.isComplete === true && inactive.chain.links > 0) return inactive;
  }
  const { openings, weakOpenings, weakClosings } = part;
  const closings =
    part.closings.length > 0
      ? part.closings
      : [...provenClosings(part.lines), ...balancesOfTotals(tables)];
  const { name, type } = kindOfPart(part, parts);
  const isCard = isCardAccount(part, rowsOfTables.flat(), type);
  // Without a name, a word such as "current" may be that of "current balance".
  const isDeposit = name !== null && (type === "checking" || type === "savings");
  const ends = { openings, weakOpenings, closings, weakClosings };
  const read = (rows: readonly TableRow[]): AccountReading =>
    readMixedSections({ rows, ...ends, isCard, isDeposit }, readBalances);
  const booked = readBooked(rowsOfTables, (rows) => readOnce(rows, read));
  const restored = withUnsignedCredits(withRestoredEnds(part, booked), isCard);
  const reading = withDecidedDirections(restored, part, { isCard, name, type });
  return reading.rows.length === 0 ? readingWithoutRows(part) : reading;
}

/**
 * As the rows are read, or with lost decimal marks where more balances follow then, or as many in a table that has marks (the
 * balances do not decide what the first amount is where no opening balance was read); and with lost balances.
 */
function readBalances(account: AccountRows): AccountReading {
  const reading = chooseReading(account);
  const pointed = withLostPoints(account.rows);
  if (pointed === null) return withLostBalances(reading);
  const other = chooseReading({ ...account, rows: pointed.rows });
  const gain = exactness(other) - exactness(reading);
  const isPointed = gain > 0 || (gain === 0 && haveMarks(account.rows));
  return withLostBalances(isPointed ? listLostPoints(other, pointed) : reading);
}

/**
 * With the opening and the closing balance among the repairs, where they are what a mark that was put back makes them, or were
 * found late, whatever their sign was read as.
 */
function withRestoredEnds({ restored }: AccountPart, reading: AccountReading): AccountReading {
  const { chain, chainRows, isNewestFirst } = reading;
  const [first, last] = isNewestFirst ? [chainRows.length - 1, 0] : [0, chainRows.length - 1];
  const ends = [
    { index: first, field: "opening_balance", to: chain.opening, of: restored.openings },
    { index: last, field: "closing_balance", to: chain.closing, of: restored.closings },
  ] as const;
  const repairs = ends.flatMap(({ to, of, ...end }): ValueRepair[] => {
    if (to === null) return [];
    const from = of.get(to) ?? (of.get(to) === null || of.get(-to) === null ? null : undefined);
    return from === undefined ? [] : [{ ...end, from, to }];
  });
  if (repairs.length === 0) return reading;
  const others = reading.repairs.filter(({ field }) => !repairs.some((one) => one.field === field));
  return { ...reading, repairs: [...others, ...repairs] };
}
