import { expect, it } from "vitest";
import { retentionClockOf } from "./parts.ts";
import { openDatabase } from "../sqlite/database.ts";
import { createSettingRepository } from "../store/repositories/settings.ts";
import { createSqliteStore } from "../store/sqlite/store.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 4, 4);

it("the retention time that a wrong first start stored is lowered by later processes", async () => {
  const store = createSqliteStore(openDatabase(":memory:"));
  const stored = () => createSettingRepository(store).get("retention_time");
  let [wall, elapsed] = [START + 400 * DAY, 0];
  const open = () =>
    retentionClockOf(
      store,
      () => wall,
      undefined,
      () => elapsed,
    );
  await open()();
  expect(await stored()).toBe(String(START + 400 * DAY));
  wall = START;
  for (let starts = 0; starts < 3; starts += 1) {
    const read = open();
    await read();
    for (let hours = 0; hours < 9; hours += 1) {
      [wall, elapsed] = [wall + HOUR, elapsed + HOUR];
      await read();
    }
  }
  expect(Number(await stored())).toBeGreaterThan(START);
  expect(Number(await stored())).toBeLessThanOrEqual(wall);
});
