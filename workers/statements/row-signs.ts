// Which direction the amount of a row has, by its sign, the words of its row and the heading above it.
import type { Sign } from "./chain.ts";
import type { StatementColumn } from "./lexicon.ts";
import type { Money } from "./money.ts";
import type { TableRow } from "./rows.ts";

/** What is printed before the amounts of all rows. */
export interface PrintedSigns {
  readonly hasMinus: boolean;
  readonly hasPlus: boolean;
  /** Whether rows with a word for debits have a minus too: one without it is a refund to a debit card. */
  readonly haveDebitsMinus: boolean;
}

/** Of rows with a word for debits: fewer may be corrections. */
const DEBITS_MIN = 3;

export function printedSigns(
  rows: readonly TableRow[],
  roleOf: (row: TableRow, at: number) => StatementColumn | null,
): PrintedSigns {
  const signsOf = (some: readonly TableRow[]): readonly number[] =>
    some.flatMap((row) =>
      [...row.cells].filter(([at]) => roleOf(row, at) === "amount").map(([, { sign }]) => sign),
    );
  const amounts = signsOf(rows);
  const debits = signsOf(rows.filter(({ direction }) => direction < 0));
  const minus = debits.filter((sign) => sign < 0).length;
  return {
    hasMinus: amounts.includes(-1),
    hasPlus: amounts.includes(1),
    haveDebitsMinus: minus >= DEBITS_MIN && minus * 2 > debits.length,
  };
}

interface RowSign {
  readonly sign: Sign;
  readonly isSignWeak: boolean;
}

/** @param signs `plus`: -1 where a plus is a charge to a card */
export function signOfRow(
  { direction, section }: TableRow,
  money: Money,
  signs: PrintedSigns & { readonly plus: -1 | 1; readonly isCard: boolean },
): RowSign {
  const { hasMinus, hasPlus, haveDebitsMinus, isCard } = signs;
  // The words say what a minus is, whatever else would add up.
  const plus = haveDebitsMinus ? 1 : signs.plus;
  const strong = (sign: number): RowSign => ({ sign: sign > 0 ? 1 : -1, isSignWeak: false });
  if (money.sign !== 0) return strong(money.isSignWord ? money.sign : money.sign * plus);
  if (direction < 0 && haveDebitsMinus) return strong(plus);
  if (direction !== 0) return strong(direction);
  if (section !== 0) return { sign: section, isSignWeak: true };
  if (hasMinus && !hasPlus) return strong(plus);
  if (hasPlus && !hasMinus) return strong(isCard ? -1 : -plus);
  return isCard ? { sign: plus, isSignWeak: true } : { sign: 0, isSignWeak: false };
}
