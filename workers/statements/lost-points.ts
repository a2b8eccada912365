// "220548" for "2205,48": text recognition loses the decimal mark inside a number too. What is printed so may also be whole, so
// the balances choose between the two.
import type { AccountReading } from "./account-reading.ts";
import type { Money } from "./money.ts";
import type { ValueRepair } from "./repairs.ts";
import type { TableRow } from "./rows.ts";

export interface PointedRows {
  readonly rows: readonly TableRow[];
  /** What the changed amounts are as they were read, in minor units. */
  readonly read: ReadonlyMap<Money, number>;
}

const MARK = /\d[.,'’ ]+\d/u;
/** ".31" may be read as "31". */
const DIGITS_MIN = 2;

/** In minor units, what a recognised number without a mark is if it lost its decimal mark; null: it has one, or is too short. */
export function pointedUnits({ text, words }: Money): number | null {
  const digits = text.replaceAll(/\D/gu, "");
  const isOpen = digits.length >= DIGITS_MIN && !MARK.test(text);
  return isOpen && words.every(({ source }) => source === "ocr") ? Number(digits) : null;
}

/** The same rows, with the decimal mark in all recognised numbers that have none; null: there are no such numbers. */
export function withLostPoints(rows: readonly TableRow[]): PointedRows | null {
  const read = new Map<Money, number>();
  const pointed = rows.map((row) => {
    const cells = new Map(row.cells);
    for (const [at, money] of row.cells) {
      const units = pointedUnits(money);
      if (units === null) continue;
      const changed = { ...money, units, isCertain: true };
      cells.set(at, changed);
      read.set(changed, money.units);
    }
    return { ...row, cells };
  });
  return read.size === 0 ? null : { rows: pointed, read };
}

/** Of the recognised numbers of a table, so many have a mark where all of them had. */
const MARKED_SHARE_MIN = 0.9;
const MARKED_MIN = 10;

/** Whether nearly all other numbers of the rows have a decimal mark. */
export function haveMarks(rows: readonly TableRow[]): boolean {
  const numbers = rows.flatMap(({ cells }) => [...cells.values()]);
  const marked = numbers.filter(({ text }) => /\d[.,]\d{2}(?!\d)/u.test(text)).length;
  return marked >= MARKED_MIN && marked >= numbers.length * MARKED_SHARE_MIN;
}

/** The reading with each changed amount among its repairs. */
export function listLostPoints(
  reading: AccountReading,
  { read }: Pick<PointedRows, "read">,
): AccountReading {
  const repairs: ValueRepair[] = reading.cells.flatMap(({ amount, balance }, index) => {
    const row = reading.chainRows[index];
    const units = read.get(amount);
    const ofBalance = balance === null ? undefined : read.get(balance);
    const to = row?.balance ?? 0;
    return [
      ...(row === undefined || units === undefined
        ? []
        : [{ index, field: "amount" as const, from: units, to: row.units }]),
      ...(ofBalance === undefined
        ? []
        : [{ index, field: "balance" as const, from: to < 0 ? -ofBalance : ofBalance, to }]),
    ];
  });
  const isListed = ({ index, field }: ValueRepair): boolean =>
    repairs.some((repair) => repair.index === index && repair.field === field);
  return {
    ...reading,
    repairs: [...reading.repairs.filter((repair) => !isListed(repair)), ...repairs],
  };
}
