import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startRetentionJob } from "./retention-job.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("every minute all that is over goes, in parts of 500, and what fails keeps nothing else from going", async () => {
  const left = { tombstones: 700, old: 1_200 };
  const calls: string[] = [];
  const failures: unknown[] = [];
  const removeFrom = (name: keyof typeof left, limit: number): Promise<number> => {
    const count = Math.min(limit, left[name]);
    left[name] -= count;
    calls.push(`${name} ${String(count)}`);
    return Promise.resolve(count);
  };
  let isDown = true;
  let runs = 0;
  const stop = startRetentionJob({
    doneOrder: () => "5",
    removeTombstones: (_before, limit) => removeFrom("tombstones", limit),
    removals: [
      () => (isDown ? Promise.reject(new Error("down")) : Promise.resolve(0)),
      (limit) => removeFrom("old", limit),
    ],
    ended: () => (runs += 1),
    failed: (error) => failures.push(error),
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toEqual(["tombstones 500", "tombstones 200", "old 500", "old 500", "old 200"]);
  expect(failures).toHaveLength(1);
  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([calls.slice(5), failures.length, runs]).toEqual([["tombstones 0", "old 0"], 1, 2]);
  await stop();
  calls.length = 0;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(calls).toEqual([]);
});
