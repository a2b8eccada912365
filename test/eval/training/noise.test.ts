import { expect, test } from "vitest";
import type { Material } from "../../../bench/training/names.ts";
import { createNoise, type Noise, piece } from "../../../bench/training/noise.ts";
import { createRandom } from "../../support/random.ts";
import { sampleMaterial } from "./material.ts";

const noiseOf = (seed: number, material: Material = sampleMaterial): Noise =>
  createNoise(createRandom(seed), material);

const noise = noiseOf(3);
const many = <T>(make: () => T, count = 400): T[] => Array.from({ length: count }, () => make());

test("the same seed gives the same noise", () => {
  const all = (seed: number): string[] => {
    const { date, reference, phone, person, company, street } = noiseOf(seed);
    return many(() => [date(), reference(), phone("US"), person(), company(), street()].join());
  };
  expect(all(5)).toEqual(all(5));
  expect(all(6)).not.toEqual(all(5));
});

test("a piece stands behind a space unless it has another gap", () => {
  expect(piece("TX", "state")).toEqual({ text: "TX", label: "state", gap: " " });
  expect(piece("TX", "state", "")).toEqual({ text: "TX", label: "state", gap: "" });
});

test("digits and codes have the length that is wanted", () => {
  for (const count of [0, 1, 7, 22]) {
    expect(noise.digits(count)).toMatch(new RegExp(`^\\d{${String(count)}}$`, "u"));
    expect(noise.code(count)).toMatch(new RegExp(`^[A-Z\\d]{${String(count)}}$`, "u"));
  }
  expect(noise.letter()).toMatch(/^[A-Z]$/u);
});

test("blanking changes digits only, and all or none of them", () => {
  const blanked = new Set(many(() => noise.blanked("REF 12-34")));
  expect(blanked).toEqual(new Set(["REF 12-34", "REF XX-XX", "REF 00-00", "REF **-**"]));
});

test("dates are of days that every month has", () => {
  const slashed = many(noise.date).flatMap(
    (date) => /^(\d\d)\/(\d\d)(?:\/\d\d)?$/u.exec(date) ?? [],
  );
  expect(slashed.length).toBeGreaterThan(20);
  for (const text of many(noise.date)) {
    expect(text).toMatch(/\d/u);
    expect(text).not.toMatch(/undefined|NaN/u);
    const [, month = "01", day = "01"] = /^(\d\d)\/(\d\d)(?:\/\d\d)?$/u.exec(text) ?? [];
    expect(Number(month)).toBeLessThanOrEqual(12);
    expect(Number(month) * Number(day)).toBeGreaterThan(0);
    expect(Number(day)).toBeLessThanOrEqual(28);
  }
});

test("references, times and telephone numbers are never empty", () => {
  for (const text of many(() => [noise.reference(), noise.time(), noise.phone("US")]).flat()) {
    expect(text).toMatch(/\S/u);
    expect(text).not.toContain("undefined");
  }
  for (const text of many(() => noise.phone("GB"))) expect(text).toMatch(/^[0X*]/u);
});

test("people and companies have names of the material", () => {
  // A surname may be in no list, or that of a town.
  for (const text of many(noise.person)) expect(text).toMatch(/Wembleton|Snodbury/u);
  const known = /Zorbal|Vextor|Joppel|Mivvex|Yarrowly|quandle|Wembleton/iu;
  const companies = many(noise.company);
  expect(companies.filter((name) => !known.test(name))).toEqual([]);
  for (const name of ["Zorbal Quimper", "Joppel Krantz", "Mivvex", "Yarrowly", "Quandle"])
    expect(companies).toContain(name);
});

test("a web address has the letters of the name, without accents and signs", () => {
  const addresses = many(() => noise.web("Café & Krantz"));
  const isOfName = (text: string): boolean => /cafe?(?:a|an|and|andk[a-z]*)?/u.test(text);
  expect(addresses.every((text) => isOfName(text) && /^[a-z./-]+$/u.test(text))).toBe(true);
});

test("a text is cut to one of the widths, without a space at its end", () => {
  const cut = new Set(many(() => noise.cut("BLUE KETTLE INN", [5, 8, 40])));
  expect(cut).toEqual(new Set(["BLUE", "BLUE KET", "BLUE KETTLE INN"]));
});

test("large cities are drawn more often, but by less than their population", () => {
  const drawn = many(noise.usCity, 2_000).map(({ name }) => name);
  const [large, small] = ["Grubville", "Tinytown"].map(
    (wanted) => drawn.filter((name) => name === wanted).length,
  );
  // In proportion to the population it would be one in a hundred.
  expect(small).toBeGreaterThan(2_000 / 30);
  expect(large).toBeGreaterThan(4 * (small ?? Infinity));
});

test("a list without cities is an error that reports it", () => {
  const { gbCity } = noiseOf(1, { ...sampleMaterial, gbCities: [] });
  expect(gbCity).toThrow("There are no cities to draw from.");
});
