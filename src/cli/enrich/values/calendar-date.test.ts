import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayMonthEvidence, parseDate } from "./calendar-date.ts";

describe("parseDate", () => {
  test.each([
    ["2024-05-17", "2024-05-17"],
    ["2024/05/17", "2024-05-17"],
    ["2024-05-17T10:11:12.000Z", "2024-05-17"],
    ["2024-05-17 10:11:12 +0000 UTC", "2024-05-17"],
    ["20240517", "2024-05-17"],
    ["17052024", "2024-05-17"],
    ["17.05.2024", "2024-05-17"],
    ["17. 05. 2024", "2024-05-17"],
    ["17.05.24", "2024-05-17"],
    ["17 May 2024", "2024-05-17"],
    ["17-May-24", "2024-05-17"],
    ["Fri, 17 May 2024 10:00", "2024-05-17"],
    ["May 17, 2024", "2024-05-17"],
    ["17. Mai 2024", "2024-05-17"],
    ["1er août 2024", "2024-08-01"],
    ["17 de março de 2024", "2024-03-17"],
    ["3 dic 2023", "2023-12-03"],
    ["29/02/2024", "2024-02-29"],
  ])("%s", (text, date) => {
    expect(parseDate(text, "DMY")).toBe(date);
  });

  test("the order decides what both readings allow", () => {
    expect(parseDate("04/05/2024", "DMY")).toBe("2024-05-04");
    expect(parseDate("04/05/2024 3:15 PM", "MDY")).toBe("2024-04-05");
    expect(dayMonthEvidence("04/05/24")).toBe("either");
    expect(dayMonthEvidence("13/05/24")).toBe("DMY");
    expect(dayMonthEvidence("05-13-2024")).toBe("MDY");
  });

  test.each([
    "",
    "30/02/2024",
    "2024-13-01",
    "29.02.2023",
    "12345678",
    "hello",
    "12 Coffee 2024",
    "99/99/9999",
  ])("%s is not a date", (text) => {
    expect(parseDate(text, "DMY")).toBeNull();
    expect(parseDate(text, "MDY")).toBeNull();
  });

  test("a real day written either way is read back", () => {
    const day = fc.date({
      min: new Date("1970-01-01"),
      max: new Date("2069-12-31"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, fc.constantFrom("/", "-", " "), (date, mark) => {
        const iso = date.toISOString().slice(0, 10);
        const [year = "", month = "", dayOfMonth = ""] = iso.split("-");
        expect(parseDate([dayOfMonth, month, year].join(mark), "DMY")).toBe(iso);
        expect(parseDate([month, dayOfMonth, year.slice(2)].join(mark), "MDY")).toBe(iso);
        expect(parseDate(iso.replaceAll("-", ""), "MDY")).toBe(iso);
      }),
    );
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        parseDate(text, "DMY");
        dayMonthEvidence(text);
      }),
    );
  });
});
