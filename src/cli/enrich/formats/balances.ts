import { addDecimals, isZero, negate } from "./decimal.ts";
import type { StatementEntry } from "./statement.ts";

export interface Balance {
  /** Signed decimal text, see Entry.amount. */
  readonly amount: string;
  readonly currency: string | null;
}

/**
 * Compares the booked entries of a statement with its balances. Returns what to tell the user: one sentence, or none when
 * a balance is missing.
 */
export function checkBalances(
  title: string,
  opening: Balance | null,
  closing: Balance | null,
  entries: readonly StatementEntry[],
): { readonly isRight: boolean | null; readonly note: string | null } {
  if (opening === null || closing === null) return { isRight: null, note: null };
  const booked = entries.filter(({ status }) => status === "booked");
  const sum = addDecimals(booked.map(({ amount }) => amount));
  const expected = addDecimals([closing.amount, negate(opening.amount)]);
  const missing = addDecimals([expected, negate(sum)]);
  if (isZero(missing)) return { isRight: true, note: null };
  const unit = closing.currency === null ? "" : ` ${closing.currency}`;
  const note =
    `${title}: the entries add up to ${sum}${unit}, but the balances differ by ${expected}${unit} ` +
    `(${opening.amount} to ${closing.amount}): ${missing}${unit} cannot be explained.`;
  return { isRight: false, note };
}
