// Maps errors of Node and undici to the reasons of the domain why a call failed.
import type { AttemptError } from "../model/webhook.ts";

export interface Failure {
  readonly ok: false;
  readonly error: AttemptError;
  /** One sentence; never a part of what was sent or received. */
  readonly detail: string;
}

export const failure = (error: AttemptError, detail: string): Failure => ({
  ok: false,
  error,
  detail,
});

/** The error code of a connection that sent more than one answer may have, see `connection.ts`. */
export const ANSWER_OVERFLOW = "LEDGERLINE_ANSWER_OVERFLOW";

/** Codes are words like ECONNREFUSED. Any other text may contain addresses or parts of the answer. */
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

/** Messages of undici when the peer sends an unrequested 100 or 101; these have no codes of their own. */
const UNASKED_ANSWERS = ["bad response", "bad upgrade"];

/** Message of its parser when the connection ends too early; it has no code either. */
const CUT_OFF = "(Invalid EOF state)";

const isMisshapen = (error: unknown): boolean =>
  error instanceof Error &&
  (UNASKED_ANSWERS.includes(error.message) ||
    (error.name === "HTTPParserError" && !error.message.endsWith(CUT_OFF)));

/** The failure for an error between the request and the end of the answer; `hasHeaders`: after its headers. */
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
  // undici reports a wrong length in two cases: at the end of a body that was truncated, and when the headers contain two
  // lengths.
  const isTwofold = code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" && !hasHeaders;
  if (isTwofold || isMisshapen(error)) {
    return failure("bad_response", "The answer was not HTTP/1.1.");
  }
  return failure("connection_lost", "The connection was closed before the answer was complete.");
}
