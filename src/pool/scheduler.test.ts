import type { Priority } from "../model/workload.ts";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  BATCH_SLICE_MS,
  createScheduler,
  PROFILED_BATCH_SLICE_MS,
  SLICE_MAX_MS,
  type StopFlag,
  TASK_SLICE_MS,
} from "./scheduler.ts";

/** Threads whose tasks end when the test ends them, and a clock that stands still. */
function setUp(runningMax = 1) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const scheduler = createScheduler({ runningMax, queueLengthMax: 2 });
  const started: string[] = [];
  const tasks: { end(): void; readonly stop: StopFlag }[] = [];
  const run = (org: string, priority: Priority, isRest = false) => {
    const name = `${org} ${priority}`;
    const work = (stop: StopFlag): Promise<string> => {
      started.push(name);
      const { promise, resolve } = Promise.withResolvers<string>();
      const end = (): void => {
        resolve(name);
      };
      tasks.push({ end, stop });
      return promise;
    };
    return scheduler.run({ org, priority }, work, isRest);
  };
  return {
    scheduler,
    started,
    run,
    isStopped: (task: number) => tasks[task]?.stop[0] === 1,
    /** Ends a task after it has run for this long. */
    end: async (task: number, afterMs = 0) => {
      vi.advanceTimersByTime(afterMs);
      tasks[task]?.end();
      await new Promise(setImmediate);
    },
  };
}

it("interactive work comes before batch work that waited longer, and low behind batch of its organization", async () => {
  const { started, run, end, scheduler } = setUp();
  for (const priority of ["batch", "low", "batch", "interactive"] as const) void run("a", priority);
  expect([scheduler.running(), scheduler.waiting("batch")]).toEqual([1, 2]);
  for (let task = 0; task < 4; task += 1) await end(task);
  expect(started).toEqual(["a batch", "a interactive", "a batch", "a low"]);
  expect([scheduler.running(), scheduler.waiting("interactive")]).toEqual([0, 0]);
});

it("organizations get the same thread time, whatever their tasks take", async () => {
  const { started, run, end } = setUp();
  const runAgain = (org: string): void => void run(org, "batch", true);
  for (const org of ["slow", "slow", "fast", "fast"]) runAgain(org);
  const msByOrg = { slow: 0, fast: 0 };
  for (let task = 0; task < 200; task += 1) {
    const org = started[task]?.startsWith("slow") === true ? "slow" : "fast";
    const tookMs = org === "slow" ? 40 : 4;
    msByOrg[org] += tookMs;
    runAgain(org);
    await end(task, tookMs);
  }
  expect(Math.abs(msByOrg.slow - msByOrg.fast)).toBeLessThanOrEqual(2 * 40);
});

it("a batch task is stopped for an interactive one at once when it has had its slice", async () => {
  const { started, run, end, isStopped } = setUp();
  void run("a", "batch");
  vi.advanceTimersByTime(BATCH_SLICE_MS);
  expect(isStopped(0)).toBe(false);
  void run("b", "interactive");
  expect(isStopped(0)).toBe(true);
  void run("a", "batch", true);
  await end(0);
  expect(started).toEqual(["a batch", "b interactive"]);
});

it("other organizations' work of its kind lets a task run for its slice", () => {
  const { run, isStopped } = setUp();
  void run("a", "batch");
  void run("b", "batch");
  vi.advanceTimersByTime(TASK_SLICE_MS - 1);
  expect(isStopped(0)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isStopped(0)).toBe(true);
});

it("a task is not stopped when nothing waits, or only work of its own organization", () => {
  const { run, isStopped } = setUp();
  void run("a", "batch");
  vi.advanceTimersByTime(10 * TASK_SLICE_MS);
  void run("a", "batch");
  void run("a", "low");
  vi.advanceTimersByTime(10 * TASK_SLICE_MS);
  expect(isStopped(0)).toBe(false);
});

it("a task of an organization with settings is stopped for a call after a shorter time", () => {
  const { scheduler } = setUp();
  const flags: StopFlag[] = [];
  const work = (stop: StopFlag): Promise<void> => {
    flags.push(stop);
    return Promise.withResolvers<undefined>().promise;
  };
  void scheduler.run({ org: "a", priority: "batch", hasSettings: true }, work);
  void scheduler.run({ org: "b", priority: "interactive" }, work);
  vi.advanceTimersByTime(PROFILED_BATCH_SLICE_MS - 1);
  expect(flags[0]?.[0]).toBe(0);
  vi.advanceTimersByTime(1);
  expect(flags[0]?.[0]).toBe(1);
});

it("a call stops one task, not all of them", () => {
  const { run, isStopped } = setUp(2);
  void run("a", "batch");
  void run("a", "batch");
  vi.advanceTimersByTime(BATCH_SLICE_MS);
  void run("b", "interactive");
  expect([isStopped(0), isStopped(1)]).toEqual([true, false]);
  void run("c", "interactive");
  expect(isStopped(1)).toBe(true);
});

it("interactive work is not stopped for batch work", () => {
  const { run, isStopped } = setUp();
  void run("a", "interactive");
  void run("b", "batch");
  vi.advanceTimersByTime(SLICE_MAX_MS - 1);
  expect(isStopped(0)).toBe(false);
});

it("a task is stopped after its longest slice when nothing waits, long before its timeout", () => {
  const { run, isStopped } = setUp();
  void run("a", "batch");
  vi.advanceTimersByTime(SLICE_MAX_MS - 1);
  expect(isStopped(0)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isStopped(0)).toBe(true);
});

it("what is beyond a queue's limit is refused at once, but for the rest of work that was accepted", async () => {
  const { run, end, scheduler } = setUp();
  void run("a", "batch");
  void run("a", "batch");
  void run("a", "batch");
  await expect(run("b", "low")).rejects.toMatchObject({ code: "overloaded" });
  void run("a", "batch", true);
  const interactive = run("b", "interactive");
  expect([scheduler.waiting("batch"), scheduler.waiting("interactive")]).toEqual([3, 1]);
  await end(0);
  await end(1);
  expect(await interactive).toBe("b interactive");
});

it("work that fails frees its thread", async () => {
  const { scheduler } = setUp();
  const load = { org: "a", priority: "batch" } as const;
  await expect(scheduler.run(load, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await scheduler.run(load, () => Promise.resolve("next"))).toBe("next");
});
