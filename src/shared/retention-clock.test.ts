import { expect, it } from "vitest";
import { createRetentionClock } from "./retention-clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

function setUp(stored: number | null = null) {
  const at = { wall: START, elapsed: 0, stored, behind: 0 };
  const lags: number[] = [];
  const open = () =>
    createRetentionClock(
      {
        nowMs: () => at.wall,
        elapsedMs: () => at.elapsed,
        read: () =>
          Promise.resolve(at.stored === null ? null : { timeMs: at.stored, behindMs: at.behind }),
        raise: (timeMs) => {
          at.stored = Math.max(at.stored ?? 0, timeMs);
          return Promise.resolve();
        },
        lower: (seenMs, timeMs) => {
          if (at.stored === seenMs) at.stored = timeMs;
          return Promise.resolve();
        },
        writeBehind: (behindMs) => {
          at.behind = behindMs;
          return Promise.resolve();
        },
      },
      (lagMs) => lags.push(lagMs),
    );
  const pass = (ms: number): void => {
    at.wall += ms;
    at.elapsed += ms;
  };
  /** Lets this much time pass with a check every minute, as a retention job does. */
  const run = async (read: () => Promise<number>, ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += MINUTE) {
      pass(MINUTE);
      await read();
    }
  };
  return { at, lags, open, pass, run };
}

it("follows a clock that goes well", async () => {
  const { at, lags, open, pass } = setUp();
  const read = open();
  for (let days = 0; days < 40; days += 1) {
    expect(await read()).toBe(at.wall);
    pass(DAY);
  }
  expect(lags).toEqual([]);
});

it("what the clocks differ by between two readings is reported as no lag", async () => {
  const { at, lags, open } = setUp();
  const read = open();
  await read();
  at.wall += 1;
  at.elapsed += 0.47;
  expect(await read()).toBeLessThanOrEqual(at.wall);
  expect(lags).toEqual([]);
});

it("a clock that leaps 40 days moves it by no more than twice the uptime", async () => {
  const { at, lags, open, pass } = setUp();
  const read = open();
  await read();
  at.wall += 40 * DAY;
  expect(await read()).toBe(START);
  pass(HOUR);
  expect(await read()).toBe(START + 2 * HOUR);
  expect(lags).toEqual([40 * DAY]);
  // Once it is set right, the time follows it at once.
  at.wall -= 40 * DAY;
  expect(await read()).toBe(at.wall);
});

it("a clock that is wrong at the start moves it by a day at most", async () => {
  const { at, open } = setUp(START);
  at.wall += 40 * DAY;
  expect(await open()()).toBe(START + DAY);
});

it("restarts one after the other, with a clock that is wrong, do not add up", async () => {
  const { at, open, pass } = setUp(START);
  at.wall += 40 * DAY;
  for (let starts = 0; starts < 50; starts += 1) {
    const read = open();
    await read();
    pass(HOUR / 60);
    expect(await read()).toBeLessThanOrEqual(START + DAY + HOUR);
  }
  expect(at.stored).toBe(START);
});

it("a clock that was far behind for a while is followed again", async () => {
  const { at, open, pass } = setUp(START);
  const read = open();
  await read();
  at.wall = 0;
  expect(await read()).toBe(0);
  at.wall = START;
  pass(HOUR);
  expect(await read()).toBe(at.wall);
});

it("a stop of a week is caught up with", async () => {
  const { at, open, pass } = setUp(START);
  at.wall += 7 * DAY;
  const read = open();
  await read();
  pass(7 * DAY);
  expect(await read()).toBe(at.wall);
});

it("a first start 400 days ahead is corrected after a day of uptime behind it", async () => {
  const { at, open, run } = setUp();
  at.wall += 400 * DAY;
  await open()();
  at.wall -= 400 * DAY;
  const read = open();
  await read();
  await run(read, DAY - HOUR);
  expect(at.stored).toBe(START + 400 * DAY);
  await run(read, 2 * HOUR);
  expect(Math.abs((at.stored ?? 0) - at.wall)).toBeLessThanOrEqual(2 * HOUR);
  // A new jump of the clock is still not trusted.
  const before = at.wall;
  at.wall += 40 * DAY;
  expect(await read()).toBeLessThanOrEqual(before + MINUTE);
  expect(await open()()).toBeLessThanOrEqual(before + DAY + MINUTE);
});

it("the uptime behind is counted over restarts", async () => {
  const { at, open, pass, run } = setUp(START + 400 * DAY);
  for (let starts = 0; starts < 5; starts += 1) {
    const read = open();
    await read();
    await run(read, 5 * HOUR);
    // A stop for a while, which does not count.
    pass(HOUR);
  }
  expect(at.stored).toBeLessThanOrEqual(at.wall);
});

it("a clock that is behind for hours, now and then, lowers nothing", async () => {
  const right = START + 400 * DAY;
  const { at, open, run } = setUp(right);
  const read = open();
  for (let times = 1; times <= 5; times += 1) {
    at.wall = START;
    await run(read, 20 * HOUR);
    at.wall = right + times * DAY;
    await run(read, HOUR);
  }
  expect(at.stored).toBeGreaterThan(right);
  expect(at.behind).toBe(0);
});

it("a clock that was not set is not followed, neither at the first start nor later", async () => {
  const first = setUp();
  first.at.wall = 0;
  const read = first.open();
  expect(await read()).toBe(0);
  expect(first.at.stored).toBeNull();
  first.at.wall = START;
  expect(await read()).toBe(START);
  const later = setUp(START);
  later.at.wall = 0;
  await later.run(later.open(), 3 * DAY);
  expect(later.at.stored).toBe(START);
});
