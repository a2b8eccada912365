// Maps the outcome of a call to the terms of the domain.
import type { AttemptError, AttemptResult } from "../model/webhook.ts";
import type { PhaseTimings } from "./deadline.ts";
import type { ExchangeResult } from "./exchange.ts";

/** Longer than any host name; a longer `Location` is not reported. */
const HOST_LENGTH_MAX = 260;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const isRedirect = (status: number): boolean => status >= 300 && status < 400;

function redirectDetail(answer: ExchangeResult, url: string): string {
  const status = String(answer.status);
  const to = answer.location === null ? null : URL.parse(answer.location, url);
  const isNameable =
    to !== null && /^https?:$/.test(to.protocol) && to.host.length <= HOST_LENGTH_MAX;
  return isNameable
    ? `The endpoint answered ${status} and points to ${to.host}; redirects are not followed.`
    : `The endpoint answered ${status}; redirects are not followed.`;
}

/** Null for a success. The status of another answer is the problem; what happened to its body does not matter then. */
function problemOf(
  answer: ExchangeResult,
  url: string,
): { readonly error: AttemptError; readonly detail: string } | null {
  const { status } = answer;
  if (status === null || isSuccess(status)) return answer.failure;
  return isRedirect(status)
    ? { error: "redirected", detail: redirectDetail(answer, url) }
    : { error: "status", detail: `The endpoint answered ${String(status)}.` };
}

/** What is reported of a call. */
export function attemptResultOf(
  answer: ExchangeResult,
  url: string,
  timings: PhaseTimings,
  total: number,
): AttemptResult {
  const problem = problemOf(answer, url);
  return {
    status: answer.status,
    error: problem?.error ?? null,
    detail: problem?.detail ?? null,
    timings: { ...timings, firstByte: answer.firstByteMs, total },
    responseBody: answer.responseBody,
    retryAfter: answer.retryAfter,
  };
}
