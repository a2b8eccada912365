// Why a call failed: what Node and undici threw, in the words of the domain.
import type { AttemptError } from "../model/webhook.ts";

export interface Failure {
  readonly ok: false;
  readonly error: AttemptError;
  /** One sentence; never a part of what was sent or answered. */
  readonly detail: string;
}

export const failure = (error: AttemptError, detail: string): Failure => ({
  ok: false,
  error,
  detail,
});

/** Of the error of a connection that sent more than any answer may have, see `connection.ts`. */
export const ANSWER_OVERFLOW = "LEDGERLINE_ANSWER_OVERFLOW";

/** Codes are words like ECONNREFUSED. Whatever else stands there may hold addresses or parts of the answer. */
const CODE_FORM = /^[A-Z][A-Z0-9_]{0,63}$/;

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" && CODE_FORM.test(code) ? code : null;
}

/** ` (CODE)` or nothing. */
export function codeSuffix(error: unknown): string {
  const code = codeOf(error);
  return code === null ? "" : ` (${code})`;
}

/** What undici says where the peer sent a 100 or 101 that nobody asked for; these have no codes of their own. */
const UNASKED_ANSWERS = ["bad response", "bad upgrade"];

/** What its parser says, which has no codes either, where the connection ended while it waited for more. */
const CUT_OFF = "(Invalid EOF state)";

const isMisshapen = (error: unknown): boolean =>
  error instanceof Error &&
  (UNASKED_ANSWERS.includes(error.message) ||
    (error.name === "HTTPParserError" && !error.message.endsWith(CUT_OFF)));

/** The failure for an error that came between the request and the end of the answer; `hasHeaders`: after its headers. */
export function exchangeFailure(error: unknown, hasHeaders: boolean): Failure {
  const code = codeOf(error) ?? "";
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    return failure("bad_response", "The headers of the answer were too large.");
  }
  if (code === ANSWER_OVERFLOW) {
    return failure("bad_response", "The answer was larger on the wire than any answer may be.");
  }
  if (code === "UND_ERR_INVALID_ARG") {
    return failure("connect_failed", "The call has a header or a path that cannot be sent.");
  }
  // undici finds a length that does not fit in two places: at the end of a body, which then was cut off, and where headers
  // have two lengths.
  const isTwofold = code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" && !hasHeaders;
  if (isTwofold || isMisshapen(error)) {
    return failure("bad_response", "The answer was not HTTP/1.1.");
  }
  return failure("connection_lost", "The connection was closed before the answer was complete.");
}
