// Exceptions are infrastructure failures, overload or bugs. Expected outcomes (not found, already exists, …) are return values.

export const ERROR_CODES = [
  "unavailable",
  "overloaded",
  "reply_timeout",
  "recurrence_timeout",
  "too_large",
  "misconfigured",
  "data_folder",
  "bad_knowledge",
  "bad_secret",
] as const;
export type LedgerlineErrorCode = (typeof ERROR_CODES)[number];

const RETRYABLE: ReadonlySet<LedgerlineErrorCode> = new Set([
  "unavailable",
  "overloaded",
  "reply_timeout",
  "recurrence_timeout",
]);

interface ErrorOptionsWithRetry {
  readonly cause?: unknown;
  /** Whole seconds after which a caller may retry. */
  readonly retryAfterSeconds?: number;
}

/** The one error class of Ledgerline: a literal code, whether a retry can help, and the cause. */
export class LedgerlineError extends Error {
  readonly code: LedgerlineErrorCode;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number;

  constructor(code: LedgerlineErrorCode, message: string, options: ErrorOptionsWithRetry = {}) {
    super(message, { cause: options.cause });
    this.name = "LedgerlineError";
    this.code = code;
    this.retryable = RETRYABLE.has(code);
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
  }
}
