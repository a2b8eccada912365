import { expect, test } from "vitest";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import { createPlaceReader } from "./area.ts";
import { processorMs } from "../../test/support/processor-time.ts";

const knowledge = await sampleKnowledge();
const places = createPlaceReader(knowledge);

/** The area, and the city after it. */
function read(location: string): string | null {
  const place = places.read(location);
  if (place === null) return null;
  const city = knowledge.text(knowledge.places.name[place.index] ?? 0);
  return place.index < 0 ? place.area : `${place.area} ${city}`;
}

test.each([
  ["Germany", "DE"],
  ["deutschland", "DE"],
  ["DE", "DE"],
  ["the UK", "GB"],
  ["U.S.A.", "US"],
  ["United Arab Emirates", "AE"],
  ["California", "US-CA"],
  ["US-CA", "US-CA"],
  ["Québec", "CA-QC"],
  ["New South Wales", "AU"],
])("%s is the country or state %s", (location, area) => {
  expect(read(location)).toBe(area);
});

test("two letters alone are a country, behind a city they are what the city is in", () => {
  expect(read("CA")).toBe("CA");
  expect(read("San Francisco, CA")).toBe("US-CA San Francisco");
  expect(read("IT")).toBe("IT");
  expect(read("Bologna, IT")).toBe("IT Bologna");
});

test.each([
  ["London", "GB London"],
  ["london, england", "GB London"],
  ["10 Some Street, London SW1A 2AA", "GB London"],
  ["Austin TX 73301", "US-TX Austin"],
  ["1 Main St, Austin, Texas, USA", "US-TX Austin"],
  ["Georgia", "US-GA"],
  ["Georgia, USA", "US-GA"],
])("%s is %s", (location, area) => {
  expect(read(location)).toBe(area);
});

test("a village is found only with its country", () => {
  expect(read("Rye")).toBeNull();
  expect(read("Rye, UK")).toBe("GB Rye");
});

test.each(["", " ", "12345", "somewhere else", "coffee", "🤷"])("%j is not a place", (location) => {
  expect(read(location)).toBeNull();
});

test("only the name of a country is one at the end of a name", () => {
  expect(places.countryNamed("uk")?.area).toBe("GB");
  expect(places.countryNamed("germany")?.area).toBe("DE");
  expect(places.countryNamed("georgia")?.area).toBe("GE");
  for (const key of ["de", "california", "london", "co", ""])
    expect(places.countryNamed(key)).toBeNull();
});

test("a place is read in bounded time, whatever the text", () => {
  for (const text of ["USA ".repeat(10_000), "a ".repeat(50_000), "london ".repeat(10_000)]) {
    const before = processorMs();
    read(text);
    expect(processorMs() - before).toBeLessThan(100);
  }
});
