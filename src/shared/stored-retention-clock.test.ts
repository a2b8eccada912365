import { expect, it } from "vitest";
import { createStoredRetentionClock } from "./stored-retention-clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 4, 4);

it("the retention time that a wrong first start stored is lowered by later processes", async () => {
  const values = new Map<string, string>();
  const settings = {
    get: (name: string) => Promise.resolve(values.get(name) ?? null),
    getOrSet: (name: string, fallback: string) => {
      if (!values.has(name)) values.set(name, fallback);
      return Promise.resolve(values.get(name) ?? fallback);
    },
    replace: (name: string, seen: string, value: string) => {
      if (values.get(name) === seen) values.set(name, value);
      return Promise.resolve();
    },
  };
  const stored = () => values.get("retention_time");
  let [wall, elapsed] = [START + 400 * DAY, 0];
  const open = () =>
    createStoredRetentionClock(
      settings,
      () => wall,
      undefined,
      () => elapsed,
    );
  await open()();
  expect(stored()).toBe(String(START + 400 * DAY));
  wall = START;
  for (let starts = 0; starts < 3; starts += 1) {
    const read = open();
    await read();
    for (let hours = 0; hours < 9; hours += 1) {
      [wall, elapsed] = [wall + HOUR, elapsed + HOUR];
      await read();
    }
  }
  expect(Number(stored())).toBeGreaterThan(START);
  expect(Number(stored())).toBeLessThanOrEqual(wall);
});
