import { describe, expect, it } from "vitest";
import { ERROR_CODES, LedgerlineError } from "./errors.ts";

describe("LedgerlineError", () => {
  it.each(ERROR_CODES)("%s keeps its code and cause, and whether it is retryable", (code) => {
    const cause = new Error("root");
    const error = new LedgerlineError(code, "A sentence.", { cause });
    expect(error).toMatchObject({ name: "LedgerlineError", code, cause, message: "A sentence." });
    const retryable = ["unavailable", "overloaded", "reply_timeout", "recurrence_timeout"];
    expect(error.retryable).toBe(retryable.includes(code));
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(Number.isInteger(error.retryAfterSeconds)).toBe(true);
  });
});
