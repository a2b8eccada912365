// Rows without a year get one that a person would give them, and none where nothing gives one.
import { describe, expect, it } from "vitest";
import { datesOfRows, type YearSources } from "./row-dates.ts";

const NOTHING: YearSources = {
  ...{ period: null, printed: null, latestDay: null, createdAt: null, submittedAt: null },
};
const at = (day: string): number => Date.parse(`${day}T12:00:00Z`);

/** Days as "MM-DD"; "-": none is printed. */
const datesOf = (days: string, sources: Partial<YearSources>): string => {
  const rows = days.split(" ").map((day) => {
    const [month = 0, dayOfMonth = 0] = day.split("-").map(Number);
    return {
      date: day === "-" ? null : { month, day: dayOfMonth, year: null, from: 0, to: 1, words: [] },
    };
  });
  return datesOfRows(rows, { ...NOTHING, ...sources })
    .map((date) => date ?? "none")
    .join(" ");
};

describe("without a printed year, rows are dated by the age of the document", () => {
  it.each([
    ["by the file", "03-01 03-15", "2025-04-02", "2026-11-27", "2025-03-01 2025-03-15"],
    [
      "not by a file made later",
      "03-01 03-15",
      "2027-04-02",
      "2026-11-27",
      "2026-03-01 2026-03-15",
    ],
    ["by the submission", "03-01 03-15", null, "2026-11-27", "2026-03-01 2026-03-15"],
    ["up to the day of the submission", "11-27", null, "2026-11-27", "2026-11-27"],
    ["never after it", "11-01 12-15", null, "2026-11-27", "2025-11-01 2025-12-15"],
    ["over new year", "12-28 01-03", "2026-01-05", "2026-11-27", "2025-12-28 2026-01-03"],
    ["over new year, newest first", "01-03 12-28", null, "2026-02-01", "2026-01-03 2025-12-28"],
    [
      "over new year, in sections",
      "12-28 01-03 12-30 01-02",
      null,
      "2026-02-01",
      "2025-12-28 2026-01-03 2025-12-30 2026-01-02",
    ],
    [
      "in December, read in January",
      "12-01 12-28",
      "2026-01-02",
      "2026-01-05",
      "2025-12-01 2025-12-28",
    ],
    [
      "of half a year over new year",
      "10-05 11-05 12-05 01-05 02-05",
      null,
      "2026-03-01",
      "2025-10-05 2025-11-05 2025-12-05 2026-01-05 2026-02-05",
    ],
    [
      "of a whole year",
      "01-05 03-05 05-05 07-05 09-05 11-05 12-05",
      null,
      "2026-03-01",
      "2025-01-05 2025-03-05 2025-05-05 2025-07-05 2025-09-05 2025-11-05 2025-12-05",
    ],
    ["on a leap day", "02-28 02-29", null, "2026-03-01", "2024-02-28 2024-02-29"],
  ])("%s", (_, days, created, submitted, expected) => {
    const createdAt = created === null ? null : at(created);
    expect(datesOf(days, { createdAt, submittedAt: at(submitted) })).toBe(expected);
  });
});

it("a printed year is that of the last rows, and takes precedence", () => {
  const sources = { printed: 2024, submittedAt: at("2026-11-27") };
  expect(datesOf("12-28 01-03", sources)).toBe("2023-12-28 2024-01-03");
  expect(datesOf("01-05 04-05 08-05 12-05", sources)).toBe(
    "2024-01-05 2024-04-05 2024-08-05 2024-12-05",
  );
});

it("rows of December in a statement of January are of the year before, and those up to a due date are not", () => {
  const sources = { printed: 2024, latestDay: "2024-02-08" };
  expect(datesOf("12-05 12-28", sources)).toBe("2023-12-05 2023-12-28");
  expect(datesOf("01-05 03-28", sources)).toBe("2024-01-05 2024-03-28");
});

it("a row without a day has that of the row before", () => {
  expect(datesOf("- 03-01 -", { submittedAt: at("2026-11-27") })).toBe(
    "none 2026-03-01 2026-03-01",
  );
});

it("has no date where nothing gives a year", () => {
  expect(datesOf("03-01", {})).toBe("none");
  expect(datesOf("03-01", { createdAt: at("2026-11-27") })).toBe("none");
});
