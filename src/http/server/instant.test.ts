import { expect, test } from "vitest";
import { instantCeiling } from "./instant.ts";

const base = Date.UTC(2024, 0, 1, 5, 6, 7);

test.each([
  ["2024-01-01", Date.UTC(2024, 0, 1)],
  ["2024-01-01T05:06:07Z", base],
  ["2024-01-01t05:06:07z", base],
  ["2024-01-01 05:06:07", base],
  ["2024-01-01T05:06", Date.UTC(2024, 0, 1, 5, 6)],
  ["2024-01-01 05:06:07.000089", base + 1],
  ["2024-01-01T05:06:07.123Z", base + 123],
  ["2024-01-01T05:06:07.123000001Z", base + 124],
  ["2024-01-01T05:06:07.9999999Z", base + 1000],
  ["2024-01-01T05:06:07+00:00", base],
  ["2024-01-01T05:06:07 00:00", base],
  ["2024-01-01T05:06:07 02:00", base - 7_200_000],
  ["2024-01-01T05:06:07+0200", base - 7_200_000],
  ["2024-01-01T05:06:07-01:30", base + 5_400_000],
])("%s is read, as UTC without a zone, and rounded up to milliseconds", (text, expected) => {
  expect(instantCeiling(text)).toBe(expected);
});

test.each([
  "",
  "now",
  "1704067200",
  "2024-1-1",
  "2023-02-29",
  "2024-04-31T00:00:00Z",
  "2024-01-01T24:00:00Z",
  "2024-01-01T23:60:00Z",
  "2024-01-01T00:00:00+25:00",
  "2024-01-01T00:00:00.1234567890Z",
  "2024-01-01T00:00:00Zx",
])("%j is not an instant", (text) => {
  expect(instantCeiling(text)).toMatchObject({ type: "datetime_from_date_parsing" });
});
