import { expect, it } from "vitest";
import { createRetentionClock } from "./retention-clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

function setUp(stored: number | null = null) {
  const at = { wall: START, elapsed: 0, stored };
  const lags: number[] = [];
  const open = () =>
    createRetentionClock(
      {
        nowMs: () => at.wall,
        elapsedMs: () => at.elapsed,
        read: () => Promise.resolve(at.stored),
        write: (timeMs) => {
          at.stored = timeMs;
          return Promise.resolve();
        },
      },
      (lagMs) => lags.push(lagMs),
    );
  const pass = (ms: number): void => {
    at.wall += ms;
    at.elapsed += ms;
  };
  return { at, lags, open, pass };
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

it("a clock that leaps 40 days moves it by no more than twice the uptime", async () => {
  const { at, lags, open, pass } = setUp();
  const read = open();
  await read();
  at.wall += 40 * DAY;
  expect(await read()).toBe(START);
  pass(HOUR);
  expect(await read()).toBe(START + 2 * HOUR);
  expect(lags).toEqual([40 * DAY]);
  // Set right again, it is followed at once.
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
