import { describe, expect, it } from "vitest";
import { startWorkLimit } from "./work-limit.ts";

/** Whether a task of 10 s is over after this time and processor time of the process, s. */
function isOver(passedS: number, usedS: number, running = 1): boolean {
  const meter = { now: 500_000, used: 70_000 };
  const over = startWorkLimit(10_000, { nowMs: () => meter.now, usedMs: () => meter.used });
  meter.now += passedS * 1_000;
  meter.used += usedS * 1_000;
  return over(running);
}

describe("a task that works", () => {
  it("is over when it has worked for so long, not before", () => {
    expect([isOver(9.9, 9.9), isOver(10, 10)]).toEqual([false, true]);
  });

  it("is not over by what another thread did in its time", () => {
    expect([isOver(10, 18, 2), isOver(11, 20, 2)]).toEqual([false, true]);
  });
});

describe("a task on a machine that is busy with something else", () => {
  it("is not over before it has worked", () => {
    expect([isOver(30, 4), isOver(39, 9.9)]).toEqual([false, false]);
  });

  it("is over at four times the limit", () => {
    expect(isOver(40, 4)).toBe(true);
  });
});
