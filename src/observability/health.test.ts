import { expect, it } from "vitest";
import { createHealth, type HealthSources } from "./health.ts";

const WELL: HealthSources = {
  storeFailure: () => null,
  stalledMs: () => 60_000,
  dispatchStalledMs: () => 60_000,
  secretsUnavailable: () => 0,
};

it("a service whose parts all move is ready, however slow", () => {
  expect(createHealth(WELL).ready()).toEqual({ ready: true, reasons: [], degraded: [] });
});

it.each([
  [{ storeFailure: () => "The disk is full." }, "The disk is full."],
  [
    { stalledMs: () => 60_001 },
    "Records have been in flight for more than a minute and none has completed. Check the disk, the broker and the threads.",
  ],
  [
    { dispatchStalledMs: () => 60_001 },
    "The webhook dispatcher has made no progress for more than a minute.",
  ],
])("one of which a part is stuck is not ready, and lives all the same", (stuck, reason) => {
  const health = createHealth({ ...WELL, ...stuck });
  expect(health.ready()).toEqual({ ready: false, reasons: [reason], degraded: [] });
  expect(health.live()).toBe(true);
});

it("all that is wrong is named", () => {
  const health = createHealth({
    storeFailure: () => "The disk is full.",
    stalledMs: () => 70_000,
    dispatchStalledMs: () => 70_000,
    secretsUnavailable: () => 0,
  });
  expect(health.ready().reasons).toHaveLength(3);
});

it.each([
  [1, /^The secret of 1 webhook cannot be decrypted/],
  [2, /^The secrets of 2 webhooks cannot be decrypted/],
])("lost secrets of %i webhooks degrade the process and leave it ready", (count, sentence) => {
  const health = createHealth({ ...WELL, secretsUnavailable: () => count }).ready();
  expect(health).toMatchObject({ ready: true, reasons: [] });
  expect(health.degraded).toEqual([expect.stringMatching(sentence)]);
});
