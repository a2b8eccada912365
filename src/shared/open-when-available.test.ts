import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LedgerlineError } from "./errors.ts";
import { openWhenAvailable } from "./open-when-available.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const away = () => new LedgerlineError("unavailable", "It is away.");

it("repeats every second while the error is retryable, and reports each", async () => {
  let calls = 0;
  const failures: string[] = [];
  const opened = openWhenAvailable(
    () => {
      calls += 1;
      return calls < 3 ? Promise.reject(away()) : Promise.resolve("open");
    },
    60_000,
    (error) => failures.push(error.message),
  );
  await vi.advanceTimersByTimeAsync(2_000);
  await expect(opened).resolves.toBe("open");
  expect(failures).toEqual(["It is away.", "It is away."]);
});

it("fails with the last error when the time is over", async () => {
  const opened = openWhenAvailable(
    () => Promise.reject(away()),
    2_500,
    () => undefined,
  );
  const failed = expect(opened).rejects.toThrow("It is away.");
  await vi.advanceTimersByTimeAsync(4_000);
  await failed;
});

it("fails at once with an error that waiting cannot mend", async () => {
  const wrong = new LedgerlineError("misconfigured", "The password is wrong.");
  await expect(
    openWhenAvailable(
      () => Promise.reject(wrong),
      60_000,
      () => undefined,
    ),
  ).rejects.toBe(wrong);
});
