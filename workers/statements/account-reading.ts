// What the rows of an account are read from, and what is made of them.
import type { ChainResult, ChainRow, ClosingBalances } from "./chain.ts";
import type { Money } from "./money.ts";
import type { ValueRepair } from "./repairs.ts";
import type { TableRow } from "./rows.ts";

export interface AccountRows {
  readonly rows: readonly TableRow[];
  readonly openings: readonly number[];
  readonly weakOpenings: readonly number[];
  readonly closings: readonly number[];
  readonly weakClosings: readonly number[];
  readonly isCard: boolean;
  /** Whether it is named as a checking or savings account, whose balance is not owed. */
  readonly isDeposit: boolean;
}

export interface AccountReading {
  /** In the order of the document. */
  readonly rows: readonly TableRow[];
  readonly chainRows: readonly ChainRow[];
  /** Of each row, the amount and the balance as they are printed. */
  readonly cells: readonly RowCells[];
  readonly chain: ChainResult;
  readonly sense: -1 | 1;
  readonly isNewestFirst: boolean;
  /** Printed before the rows; null: taken from the first balance. */
  readonly givenOpening: number | null;
  /** What the last rows may lead to. */
  readonly givenClosings: ClosingBalances;
  /** Values that were read differently from how they are printed. */
  readonly repairs: readonly ValueRepair[];
  /** Whether nothing that is printed decides between these directions and the opposite ones, with which all adds up too. */
  readonly areDirectionsOpen?: boolean;
}

export interface RowCells {
  readonly amount: Money;
  /** null: none is printed. */
  readonly balance: Money | null;
}

/** Whether the balances follow from all rows, in exactly one way. */
export const isExact = ({ chain, areDirectionsOpen }: AccountReading): boolean =>
  chain.breaks.length + chain.flipped.length === 0 &&
  chain.links > 0 &&
  chain.isComplete &&
  areDirectionsOpen !== true;

/** Whether the rows lead from the printed opening to the printed closing balance, as they are printed. */
export function isProven(reading: AccountReading): boolean {
  const { chain, givenOpening, givenClosings, repairs } = reading;
  return (
    isExact(reading) &&
    repairs.length === 0 &&
    givenOpening !== null &&
    chain.closing !== null &&
    givenClosings.closings.includes(chain.closing)
  );
}
