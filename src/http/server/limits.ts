import type { LimitRefusal, LimitState, Principal } from "../../model/api-key.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import { type Answer, errorAnswer, retryAfter } from "./answer.ts";

// Rate limits of a key: requests are counted after authentication, credits after validation.
// The remaining quota is in the headers of the current IETF draft (draft-ietf-httpapi-ratelimit-headers): unlike the older
// `RateLimit-Limit`, `-Remaining` and `-Reset`, they can carry two limits at once.

/** The description of a refusal by the rate limit, which every operation has. */
export const TOO_MANY_REQUESTS = "Too many requests of this API key; see Retry-After";

export interface RateLimitPort {
  /** Null: the request is allowed, and counted. */
  takeRequest(principal: Principal): Promise<LimitRefusal | null>;
  /** Null for a key that may send any number. */
  requestLimit(principal: Principal): LimitState | null;
}

export interface CreditsPort {
  /** Null: the credits are acquired. */
  takeCredits(principal: Principal, count: number): Promise<LimitRefusal | null>;
  /** Releases the credits of a request that was refused later. */
  giveBackCredits(principal: Principal, count: number): void;
  /** Null for a key that may submit any number. */
  creditLimit(principal: Principal): LimitState | null;
}

/** Runs the work of a request when the rate limit of its key allows it. */
export async function withinRate(
  limits: RateLimitPort,
  principal: Principal,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const refusal = await limits.takeRequest(principal);
  const state = limits.requestLimit(principal);
  const answer = refusal === null ? await work() : rateRefusal(refusal, state);
  return withLimit(answer, "requests", state);
}

function rateRefusal(refusal: LimitRefusal, state: LimitState | null): Answer {
  const seconds = refusal.kind === "wait" ? refusal.seconds : (state?.windowSeconds ?? 1);
  const most =
    state === null
      ? ""
      : `: this API key may send ${count(state.quota)} requests in ${String(state.windowSeconds)} s`;
  return errorAnswer(
    "rate_limited",
    `Rate limit exceeded${most}; retry in ${String(seconds)} s.`,
    retryAfter(seconds),
  );
}

/** Runs work that accepts `needed` transactions when the key has enough credits; a refusal costs none. */
export async function withCredits(
  limits: CreditsPort,
  principal: Principal,
  needed: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const refusal = await limits.takeCredits(principal, needed);
  if (refusal !== null) {
    const state = limits.creditLimit(principal);
    return withLimit(creditRefusal(refusal, needed, state?.remaining ?? 0), "credits", state);
  }
  let isAccepted = false;
  try {
    const answer = await work();
    isAccepted = answer.status < 400;
    return withLimit(answer, "credits", limits.creditLimit(principal));
  } catch (error) {
    // The result did not come in time, but the work was accepted.
    isAccepted = error instanceof LedgerlineError && error.code === "reply_timeout";
    throw error;
  } finally {
    if (!isAccepted) limits.giveBackCredits(principal, needed);
  }
}

function creditRefusal(refusal: LimitRefusal, needed: number, available: number): Answer {
  const exceeded = `Credit limit exceeded: this request needs ${count(needed)} credits`;
  if (refusal.kind === "too_many") {
    return errorAnswer(
      "credits_above_maximum",
      `${exceeded}, this API key can have at most ${count(refusal.most)}; send smaller batches.`,
    );
  }
  const { seconds } = refusal;
  return errorAnswer(
    "credits_exhausted",
    `${exceeded}, ${count(available)} are available; retry in ${String(seconds)} s.`,
    retryAfter(seconds),
  );
}

const count = (number: number): string => number.toLocaleString("en-US");

/** The answer with a limit in its `RateLimit` headers, which are lists of structured fields (RFC 9651). */
function withLimit(answer: Answer, name: string, state: LimitState | null): Answer {
  if (state === null) return answer;
  const { quota, windowSeconds, remaining, secondsUntilFull } = state;
  const items = {
    "RateLimit-Policy": `"${name}";q=${String(quota)};w=${String(windowSeconds)}`,
    RateLimit: `"${name}";r=${String(remaining)};t=${String(secondsUntilFull)}`,
  };
  const headers = Object.entries(items).map(([header, item]) => {
    const others = answer.headers[header];
    return [header, others === undefined ? item : `${item}, ${others}`] as const;
  });
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(headers) } };
}
