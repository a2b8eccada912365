import { expect, it } from "vitest";
import type { RawRecord } from "./record-runner.ts";
import { createRecordStarts } from "./record-starts.ts";

const FULL_BYTES = 1_600;

const recordOf = (length: number): RawRecord => ({
  ...{ partition: 0, offset: 0, key: "", bytes: new Uint8Array(length), headers: {} },
  ...{ order: "", appendedAtMs: 0 },
});

const setUp = (fullBytes?: number) =>
  createRecordStarts(
    {
      ...{ inFlightMax: 8, inFlightPerTenantMax: 2 },
      ...(fullBytes === undefined ? {} : { fullBytes }),
      ...{ nowMs: () => 0, report: () => undefined },
    },
    () => undefined,
  );

/** Starts records of the tenant until it may start none. */
function startAll(starts: ReturnType<typeof setUp>, tenant: string, record: RawRecord): number {
  let count = 0;
  for (; count < 1_000 && starts.mayStart(tenant); count += 1) starts.started({ tenant, record });
  return count;
}

it.each([
  // Room for a whole one is needed to start, so the last sixteenth is all that goes beyond the first of the two.
  { bytes: 10, share: "the least", count: 17 },
  { bytes: 100, share: "a sixteenth", count: 17 },
  { bytes: 101, share: "two sixteenths", count: 9 },
  { bytes: 800, share: "half", count: 3 },
  { bytes: 1_600, share: "one", count: 2 },
  { bytes: 1_000_000, share: "one, however large", count: 2 },
])("a record of $bytes bytes counts as $share: $count are in flight", ({ bytes, count }) => {
  // Another tenant has one, so that this one may not have all.
  const starts = setUp(FULL_BYTES);
  starts.started({ tenant: "other", record: recordOf(FULL_BYTES) });
  expect(startAll(starts, "t", recordOf(bytes))).toBe(count);
  expect(starts.inFlight()).toBe(count + 1);
});

it("where no size is whole, each record counts as one", () => {
  const starts = setUp();
  starts.started({ tenant: "other", record: recordOf(10) });
  expect(startAll(starts, "t", recordOf(10))).toBe(2);
});

it("what small records took is free again when they have ended, to the last part", () => {
  const starts = setUp(FULL_BYTES);
  const record = recordOf(10);
  const count = startAll(starts, "t", record);
  for (let done = 0; done < count; done += 1) starts.ended({ tenant: "t", record }, "done");
  expect(starts.inFlight()).toBe(0);
  starts.started({ tenant: "other", record: recordOf(FULL_BYTES) });
  expect(startAll(starts, "t", recordOf(FULL_BYTES))).toBe(2);
});
