import { expect, it } from "vitest";
import { createHealth, type HealthSources } from "./health.ts";

const WELL: HealthSources = {
  storeFailure: () => null,
  oldestInFlightMs: () => 60_000,
  dispatchStalledMs: () => 60_000,
};

it("a service whose parts all move is ready, however slow", () => {
  expect(createHealth(WELL).ready()).toEqual({ ready: true, reasons: [] });
});

it.each([
  [{ storeFailure: () => "The disk is full." }, "The disk is full."],
  [{ oldestInFlightMs: () => 60_001 }, "A record has been in work for more than a minute."],
  [
    { dispatchStalledMs: () => 60_001 },
    "The dispatcher of webhooks has done nothing for more than a minute.",
  ],
])("one of which a part is stuck is not ready, and lives all the same", (stuck, reason) => {
  const health = createHealth({ ...WELL, ...stuck });
  expect(health.ready()).toEqual({ ready: false, reasons: [reason] });
  expect(health.live()).toBe(true);
});

it("all that is wrong is named", () => {
  const health = createHealth({
    storeFailure: () => "The disk is full.",
    oldestInFlightMs: () => 70_000,
    dispatchStalledMs: () => 70_000,
  });
  expect(health.ready().reasons).toHaveLength(3);
});
