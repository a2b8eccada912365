import { parseAmount } from "../values/amount.ts";
import type { Profile } from "./profile.ts";

/** How often a step of the balance equals the amount with its sign kept or turned. */
export interface BalanceVotes {
  /** Positive amounts raise the balance. */
  readonly kept: number;
  readonly turned: number;
  /** Steps that could be checked. */
  readonly steps: number;
}

/** Compares neighbouring rows, oldest or newest first, whichever explains more. */
export function balanceVotes(balance: Profile, amount: Profile): BalanceVotes {
  const balances = cents(balance);
  const amounts = cents(amount);
  const oldestFirst = vote(balances, amounts, (at) => [at - 1, at]);
  const newestFirst = vote(balances, amounts, (at) => [at, at - 1]);
  const best =
    Math.max(newestFirst.kept, newestFirst.turned) > Math.max(oldestFirst.kept, oldestFirst.turned);
  return best ? newestFirst : oldestFirst;
}

/** True when most steps of `balance` are explained by `amount`. */
export function isBalanceOf(balance: Profile, amount: Profile): boolean {
  const { kept, turned, steps } = balanceVotes(balance, amount);
  return steps > 0 && Math.max(kept, turned) >= steps * 0.6;
}

/** In hundredths: equality of binary fractions would miss by rounding. */
function cents(profile: Profile): (number | null)[] {
  return profile.values.map((text) => {
    const value = parseAmount(text, profile.mark)?.value;
    return value === undefined ? null : Math.round(value * 100);
  });
}

/** `pair(at)`: rows before and after the movement; the movement itself is the row after in reading order of the bank. */
function vote(
  balances: readonly (number | null)[],
  amounts: readonly (number | null)[],
  pair: (at: number) => readonly [number, number],
): BalanceVotes {
  let kept = 0;
  let turned = 0;
  let steps = 0;
  for (let at = 1; at < balances.length; at += 1) {
    const [before, after] = pair(at);
    const from = balances[before];
    const to = balances[after];
    const amount = amounts[after];
    if (from == null || to == null || amount == null || amount === 0) continue;
    steps += 1;
    if (to - from === amount) kept += 1;
    else if (to - from === -amount) turned += 1;
  }
  return { kept, turned, steps };
}
