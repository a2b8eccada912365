import { parseAmount } from "../values/amount.ts";
import { directionOf } from "../values/direction.ts";
import { plainWords } from "../values/plain-words.ts";
import { balanceVotes } from "./balance.ts";
import { ARRIVES, LEAVES, NEGATIVE_LEAVES_HEADER, POSITIVE_LEAVES_HEADER } from "./guess-words.ts";
import type { Profile } from "./profile.ts";

/** Which sign of the amount means money leaving the account. */
export type Outflow = "negative" | "positive";

export interface SignGuess {
  readonly outflow: Outflow;
  /** Evidence in a few words, for the user. */
  readonly reason: string;
}

export interface SignEvidence {
  readonly amount: Profile;
  readonly header: string;
  readonly balance: Profile | null;
  readonly direction: Profile | null;
  /** One per row, as the recogniser will see it. */
  readonly descriptions: readonly string[];
}

/** Share of one sign above which it must be spending: accounts show far more purchases than receipts. */
const MAJORITY = 0.7;

/** Asks the strongest evidence first; the first that is clear decides. */
export function guessSign(evidence: SignEvidence): SignGuess {
  return (
    byHeader(evidence) ??
    byBalance(evidence) ??
    byDirection(evidence) ??
    byWords(evidence) ??
    byShare(evidence)
  );
}

function byHeader({ header }: SignEvidence): SignGuess | null {
  const words = plainWords(header);
  const reason = "by the name of the column";
  if (NEGATIVE_LEAVES_HEADER.test(words)) return { outflow: "negative", reason };
  return POSITIVE_LEAVES_HEADER.test(words) ? { outflow: "positive", reason } : null;
}

function byBalance({ balance, amount }: SignEvidence): SignGuess | null {
  if (balance === null) return null;
  const { kept, turned, steps } = balanceVotes(balance, amount);
  if (Math.max(kept, turned) < Math.max(2, steps * 0.6)) return null;
  return { outflow: kept > turned ? "negative" : "positive", reason: "the balance confirms it" };
}

function byDirection({ direction, amount }: SignEvidence): SignGuess | null {
  if (direction === null) return null;
  const votes = direction.values.map((word) => directionOf(word));
  return decide(
    amount,
    votes.map((vote) => (vote === null ? 0 : vote === "outgoing" ? 1 : -1)),
    "the debit/credit column confirms it",
  );
}

function byWords({ amount, descriptions }: SignEvidence): SignGuess | null {
  const votes = descriptions.map((description) => {
    const words = plainWords(description);
    return (LEAVES.test(words) ? 1 : 0) - (ARRIVES.test(words) ? 1 : 0);
  });
  return decide(amount, votes, "by words such as refund, payroll, purchase");
}

/** `votes`: per row, 1 for money leaving, -1 for money arriving, 0 for unknown. */
function decide(amount: Profile, votes: readonly number[], reason: string): SignGuess | null {
  let positive = 0;
  let negative = 0;
  for (const [at, text] of amount.values.entries()) {
    const agreement = Math.sign(parseAmount(text, amount.mark)?.value ?? 0) * (votes[at] ?? 0);
    if (agreement > 0) positive += 1;
    if (agreement < 0) negative += 1;
  }
  const total = positive + negative;
  if (total < 2 || Math.max(positive, negative) < total * MAJORITY) return null;
  return { outflow: positive > negative ? "positive" : "negative", reason };
}

function byShare({ amount }: SignEvidence): SignGuess {
  const { positives, negatives } = amount;
  if (negatives === 0 && positives > 0) {
    return { outflow: "positive", reason: "no amount is negative, so all are read as spending" };
  }
  if (positives + negatives >= 4 && positives > (positives + negatives) * MAJORITY) {
    return { outflow: "positive", reason: "most amounts are positive, as on card exports" };
  }
  const reason = negatives > positives ? "most amounts are negative" : "the default";
  return { outflow: "negative", reason };
}
