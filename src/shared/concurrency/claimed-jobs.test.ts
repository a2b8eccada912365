import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type ClaimedJobPorts, startClaimedJobs } from "./claimed-jobs.ts";

const HELD_MS = 30;
const RENEW_EVERY_MS = 10;
const LOOK_EVERY_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

/** Jobs that run until their signal is aborted, or end at once. */
function setUp(waiting: string[], overrides: Partial<ClaimedJobPorts<string>> = {}) {
  const seen: unknown[] = [];
  const jobs = startClaimedJobs<string>({
    claim: () => Promise.resolve(waiting.shift() ?? null),
    release: null,
    renew: () => Promise.resolve(true),
    run: (job, signal) => {
      seen.push(`begin ${job}`);
      if (!job.startsWith("long")) return Promise.resolve();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          seen.push(`abort ${job}`);
          resolve();
        });
      });
    },
    failed: (error) => seen.push(error),
    nowMs: () => 0,
    ...{ heldMs: HELD_MS, renewEveryMs: RENEW_EVERY_MS, lookEveryMs: LOOK_EVERY_MS },
    ...overrides,
  });
  onTestFinished(jobs.close);
  return { jobs, seen };
}

describe("claimed jobs", () => {
  it("are done one after the other, at an interval or when woken, once earlier claims have ended", async () => {
    const waiting = ["a", "b"];
    const released: number[] = [];
    const release = (): Promise<void> => {
      released.push(waiting.length);
      return Promise.resolve();
    };
    const { jobs, seen } = setUp(waiting, { release });
    await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);
    expect(seen).toEqual(["begin a", "begin b"]);
    waiting.push("c");
    jobs.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.at(-1)).toBe("begin c");
    expect(released).toEqual([2]);
  });

  it("a claim is renewed while its job runs, and the job is aborted once the claim is lost", async () => {
    const renewed: number[] = [];
    const renew = (_job: string, untilMs: number): Promise<boolean> => {
      renewed.push(untilMs);
      return Promise.resolve(renewed.length < 3);
    };
    const { jobs, seen } = setUp(["long", "next"], { renew });
    jobs.wake();
    await vi.advanceTimersByTimeAsync(2 * RENEW_EVERY_MS);
    expect(seen).toEqual(["begin long"]);
    await vi.advanceTimersByTimeAsync(RENEW_EVERY_MS);
    expect(seen).toEqual(["begin long", "abort long", "begin next"]);
    expect(renewed).toEqual([HELD_MS, HELD_MS, HELD_MS]);
  });

  it("closing aborts the job that runs, waits for it, and claims no other", async () => {
    const { jobs, seen } = setUp(["long", "next"]);
    jobs.wake();
    await vi.advanceTimersByTimeAsync(0);
    await jobs.close();
    expect(seen).toEqual(["begin long", "abort long"]);
  });

  it("what fails is reported, and the next look begins again", async () => {
    const error = new Error("unavailable");
    const waiting = ["a"];
    const claims = [Promise.reject(error)];
    const claim = () => claims.shift() ?? Promise.resolve(waiting.shift() ?? null);
    const { jobs, seen } = setUp([], { claim });
    jobs.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual([error]);
    await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);
    expect(seen).toEqual([error, "begin a"]);
  });
});
