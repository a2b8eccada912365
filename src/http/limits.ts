import type { Principal } from "../domain/api-key.ts";
import { LedgerlineError } from "../domain/errors.ts";
import { type Answer, errorAnswer, retryAfter } from "./answer.ts";

// How much a key may do: requests are counted as soon as the key is known, credits once it is certain what is asked for.

/** What the document says of a refusal by the rate, which every operation has. */
export const TOO_MANY_REQUESTS = "Too many requests of this API key; see Retry-After";

/** `too_many`: so much can never be allowed at once. */
type Refusal =
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "too_many"; readonly most: number };

export interface RateLimitPort {
  /** Null: the request may go on, and is counted. */
  takeRequest(principal: Principal): Promise<Refusal | null>;
}

export interface CreditsPort {
  /** Null: the credits are taken. */
  takeCredits(principal: Principal, count: number): Promise<Refusal | null>;
  /** For what was refused after its credits were taken. */
  giveBackCredits(principal: Principal, count: number): void;
}

/** The refusal of a request by the rate of its key; null when it may go on. */
export async function rateRefusal(
  limits: RateLimitPort,
  principal: Principal,
): Promise<Answer | null> {
  const refusal = await limits.takeRequest(principal);
  return refusal === null
    ? null
    : refusalAnswer(refusal, "Too many requests of this API key in a short time");
}

/** Runs work that accepts so many transactions, unless the key has too few credits; what it refuses costs none. */
export async function withCredits(
  limits: CreditsPort,
  principal: Principal,
  count: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const refusal = await limits.takeCredits(principal, count);
  if (refusal !== null)
    return refusalAnswer(refusal, "Too few credits of this API key are left for so much");
  let isAccepted = false;
  try {
    const answer = await work();
    isAccepted = answer.status < 400;
    return answer;
  } catch (error) {
    // The result did not come in time, but what was asked for is done.
    isAccepted = error instanceof LedgerlineError && error.code === "reply_timeout";
    throw error;
  } finally {
    if (!isAccepted) limits.giveBackCredits(principal, count);
  }
}

function refusalAnswer(refusal: Refusal, detail: string): Answer {
  return refusal.kind === "wait"
    ? errorAnswer(429, detail, retryAfter(refusal.seconds))
    : errorAnswer(
        413,
        `This API key never has more than ${String(refusal.most)} credits, and each transaction costs one`,
      );
}
