import { LedgerlineError } from "../../shared/errors.ts";
import { errorAnswer, retryAfter, type TextAnswer } from "./answer.ts";
import type { Exchange, LogPort } from "./exchange.ts";

/**
 * The answer to an exception. Lost infrastructure and overload ask the client to come back; everything else is a bug
 * of ours: the log gets the error (never the request), the client a sentence.
 */
export function failureAnswer(exchange: Exchange, logger: LogPort, error: unknown): TextAnswer {
  const { requestId, route } = exchange;
  if (error instanceof LedgerlineError) {
    const headers = retryAfter(error.retryAfterSeconds);
    switch (error.code) {
      case "unavailable":
        logger.warn({ requestId, route, code: error.code, error }, "request refused");
        return errorAnswer("unavailable", "Service temporarily unavailable", headers);
      case "overloaded":
        logger.warn({ requestId, route, code: error.code }, "request refused");
        return errorAnswer("overloaded", "Too much work is waiting, try again later", headers);
      case "reply_timeout":
        logger.warn({ requestId, route, code: error.code }, "request timed out");
        return errorAnswer(
          "result_timeout",
          "No result in time; the request stays accepted and can be repeated safely",
        );
      case "recurrence_timeout":
        logger.warn({ requestId, route, code: error.code, error }, "request timed out");
        return errorAnswer(
          "recurrence_timeout",
          "What repeats in the ledger was not found in time, try again later",
          headers,
        );
      case "too_large":
        logger.warn({ requestId, route, code: error.code }, "request refused");
        return errorAnswer(
          "request_too_large",
          "The request is too large for this installation, send less at once",
        );
      case "misconfigured":
      case "data_folder":
      case "bad_knowledge":
      case "bad_secret":
        break;
    }
  }
  logger.error({ requestId, route, error }, "request failed");
  return errorAnswer("internal_error", "Internal error");
}
