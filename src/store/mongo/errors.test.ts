import { MongoNetworkError, MongoServerError } from "mongodb";
import { expect, test } from "vitest";
import { LedgerlineError } from "../../shared/errors.ts";
import { asStoreUnavailable } from "./errors.ts";

const socketError = (code: string): Error =>
  Object.assign(new Error("This socket has ended"), { code });

test.each([
  ["the driver's error of a broken connection", new MongoNetworkError("broke")],
  ["Node's error of a socket that the other side has closed", socketError("EPIPE")],
  ["Node's error of a reset connection", socketError("ECONNRESET")],
  ["a server that is shutting down", new MongoServerError({ code: 91, message: "shutdown" })],
])("%s is unavailable, to be tried again", (_what, failure) => {
  const error = asStoreUnavailable(failure);
  expect(error).toBeInstanceOf(LedgerlineError);
  expect(error).toMatchObject({ code: "unavailable", retryable: true });
});

test("an error of our own is not changed", () => {
  for (const bug of [new TypeError("x is not a function"), socketError("ENOENT")])
    expect(asStoreUnavailable(bug)).toBe(bug);
});
