// Rows that are printed twice: by date and again by type or payee, or as the largest ones of a summary. The second list is left out only
// where the printed opening and closing balance prove that the other rows are all, and each row that is left out is named.
import { type AccountReading, isProven } from "./account-reading.ts";
import type { ValueRepair } from "./repairs.ts";
import type { TableRow } from "./rows.ts";

/** One row alone may be a second purchase of the same amount. */
const REPEATED_MIN = 2;
/** Lists that are left out on trial: each is a reading. */
const TRIALS_MAX = 6;

type ReadRows = (rows: readonly TableRow[]) => AccountReading;

/** The reading without a list that repeats rows of the others, where only so it adds up, or where both lists are all of the account. */
export function readOnce(rows: readonly TableRow[], read: ReadRows): AccountReading {
  const whole = read(rows);
  const lists = [...new Set(rows.map(({ list }) => list))];
  if (lists.length < 2) return whole;
  const isBroken = whole.chain.breaks.length > 0;
  const trials = repeatedLists(whole, lists).filter(
    ({ length }) => isBroken || length * 2 === whole.rows.length,
  );
  for (const repeated of trials.slice(0, TRIALS_MAX)) {
    const left = new Set(repeated.map((at) => whole.rows[at]?.list));
    const others = rows.filter(({ list }) => !left.has(list));
    const reading = others.length === 0 ? whole : read(others);
    const repairs = isProven(reading) ? repeatsOf(whole, repeated, reading) : null;
    if (repairs !== null) return { ...reading, repairs: [...reading.repairs, ...repairs] };
  }
  return whole;
}

/**
 * Rows of one list, of all before it, or of it and all behind it, each of which the other lists have too. Most rows first, then those with
 * the fewest balances, then the last ones.
 */
function repeatedLists(whole: AccountReading, lists: readonly object[]): (readonly number[])[] {
  const counts = new Map<string, number>();
  for (const at of whole.rows.keys()) add(counts, keyOf(whole, at), 1);
  const byList = Map.groupBy(whole.rows.keys(), (at) => whole.rows[at]?.list ?? {});
  const rowsOf = (some: readonly object[]): number[] =>
    some.flatMap((list) => byList.get(list) ?? []);
  const isRepeated = (some: readonly number[]): boolean => {
    const own = new Map<string, number>();
    return some.every((at) => {
      const key = keyOf(whole, at);
      add(own, key, 1);
      return (own.get(key) ?? 0) * 2 <= (counts.get(key) ?? 0);
    });
  };
  const balancesOf = (some: readonly number[]): number =>
    some.filter((at) => whole.chainRows[at]?.balance != null).length;
  const firstOf = ([first = 0]: readonly number[]): number => first;
  return lists
    .flatMap((list, at) => [lists.slice(at), lists.slice(0, at), [list]])
    .map(rowsOf)
    .filter((some) => some.length >= REPEATED_MIN && some.length * 2 <= whole.rows.length)
    .filter(isRepeated)
    .sort(
      (a, b) => b.length - a.length || balancesOf(a) - balancesOf(b) || firstOf(b) - firstOf(a),
    );
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};

/** Day and amount. */
function keyOf({ rows, chainRows }: AccountReading, at: number): string {
  const date = rows[at]?.date;
  return [date?.month, date?.day, chainRows[at]?.units].join(" ");
}

/** Each repeated row with the one that it repeats, of the same direction and balance where these are printed; null: one of them repeats none. */
function repeatsOf(
  whole: AccountReading,
  repeated: readonly number[],
  reading: AccountReading,
): ValueRepair[] | null {
  const free = Map.groupBy(reading.rows.keys(), (at) => keyOf(reading, at));
  const repairs = repeated.flatMap((at): ValueRepair[] => {
    const row = whole.chainRows[at];
    const alike = free.get(keyOf(whole, at)) ?? [];
    const sign = row?.sign ?? 0;
    const balance = row?.balance ?? null;
    const place = alike.findIndex(
      (other) =>
        (sign === 0 || reading.chain.signs[other] === sign) &&
        (balance === null || reading.chainRows[other]?.balance === balance),
    );
    const [index] = place < 0 ? [] : alike.splice(place, 1);
    if (row === undefined || index === undefined) return [];
    return [{ index, field: "repeated_row", from: row.units, to: 0, page: row.page }];
  });
  return repairs.length === repeated.length ? repairs : null;
}
