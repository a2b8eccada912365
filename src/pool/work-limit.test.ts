import { describe, expect, it } from "vitest";
import type { StatementThreads } from "./statement-threads.ts";
import { readStatement } from "./statement-reading.ts";
import { createWorkClocks, startWorkLimit } from "./work-limit.ts";

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

function createMeter() {
  const read = { now: 500_000, used: 70_000 };
  const pass = (passedS: number, usedS: number): void => {
    read.now += passedS * 1_000;
    read.used += usedS * 1_000;
  };
  return { pass, nowMs: () => read.now, usedMs: () => read.used };
}

describe("the clock of a document", () => {
  it("goes with the time while it works, however many threads work for it", () => {
    const meter = createMeter();
    const clock = createWorkClocks(meter)();
    meter.pass(10, 20);
    expect(clock.now()).toBe(10_000);
  });

  it("counts an equal part of the work while there are others, and all of it after them", () => {
    const meter = createMeter();
    const startClock = createWorkClocks(meter);
    const [clock, other] = [startClock(), startClock()];
    meter.pass(10, 8);
    expect([clock.now(), other.now()]).toEqual([4_000, 4_000]);
    other.stop();
    meter.pass(10, 8);
    expect(clock.now()).toBe(12_000);
  });

  it("does not count what the process did before it", () => {
    const meter = createMeter();
    const startClock = createWorkClocks(meter);
    meter.pass(50, 50);
    const clock = startClock();
    meter.pass(4, 3);
    expect(clock.now()).toBe(3_000);
  });

  it("goes at a quarter of the time when nothing is done for it", () => {
    const meter = createMeter();
    const clock = createWorkClocks(meter)();
    meter.pass(40, 0);
    expect(clock.now()).toBe(10_000);
  });
});

describe("a document of 300 pages", () => {
  /** What it leads to when each page takes this time and this processor time, s. */
  async function outcomeOf(pageS: number, usedS: number): Promise<string> {
    const meter = createMeter();
    const pages = Array.from({ length: 300 }, (_, at) => at + 1);
    const threads: StatementThreads = {
      plan: () =>
        Promise.resolve({
          ...{ kind: "recognise", pages: pages.length, pagesToRecognise: pages },
          ...{ read: [], facts: null },
        }),
      recognise: ({ page }) => {
        meter.pass(pageS, usedS);
        return Promise.resolve({ page, words: [], toSeen: [1, 0, 0, 1, 0, 0] });
      },
      reread: ({ before }) => Promise.resolve(before),
      understand: () => Promise.resolve({ fault: "no_text" }),
    };
    const { now } = createWorkClocks(meter)();
    const file = { document: 1, bytes: new Uint8Array(), password: "", submittedAt: 0 };
    const result = await readStatement(file, { threads, pagesAtOnce: 1, now });
    return "fault" in result ? result.fault : "read";
  }

  it("is read to its end on a machine on which others take nine tenths of the processor", async () => {
    expect(await outcomeOf(10, 1)).toBe("no_text");
  });

  it("comes to its time limit by its work, and when it hangs", async () => {
    expect(await outcomeOf(4, 4)).toBe("time_limit");
    expect(await outcomeOf(60, 0)).toBe("time_limit");
  });
});
