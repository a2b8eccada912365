import { expect, test } from "vitest";
import { type Material, type ReadRows, readMaterial } from "../../../bench/training/names.ts";

/** A public file with every column that is read, so that names have the file and the row that they come from. */
const rowsOf: ReadRows = (file) =>
  Array.from({ length: 40 }, (_, at) => {
    const text = `${file.replace(/^.*\/|\.csv\.gz$/gu, "")} ${String(at)}`;
    return { name: text, trading_name: text, organization: text, brand: text };
  });

const material = await readMaterial(rowsOf);
const LISTS = Object.keys(material) as readonly (keyof Material)[];

test("every list of the material has entries", () => {
  expect(LISTS.filter((list) => material[list].length === 0)).toEqual([]);
});

test("of large registers only some names are taken, evenly", () => {
  const taken = (file: string): number =>
    material.businesses.filter((name) => name.startsWith(file)).length;
  expect(taken("us-businesses-naics")).toBe(40);
  expect(taken("melbourne-businesses")).toBe(20);
  expect(taken("universities")).toBe(2);
  expect(material.businesses).toContain("universities 20");
});

test("texts that are too short or too long for a sign are left out", async () => {
  const names = ["A", "AB", "x".repeat(45), "x".repeat(46), ""];
  const { brands } = await readMaterial(() => names.map((brand) => ({ brand })));
  expect(brands).toEqual(["AB", "x".repeat(45)]);
});

test("texts of the tables have neither their separators nor their wildcards", () => {
  const { independents, before, after, end, purposes, marks, merchants } = material;
  const phrases = [...before, ...after, ...end, ...purposes];
  const texts = [...phrases, ...independents, ...marks, ...merchants.flat()];
  expect(texts.filter((text) => /[|;]|^#/u.test(text))).toEqual([]);
  expect(phrases.filter((text) => text.includes(" * "))).toEqual([]);
});

test("a merchant has its name first, then its aliases", () => {
  const netflix = material.merchants.find(([name]) => name === "Netflix");
  expect(netflix?.slice(1)).toContain("NETFLIX");
});

test("cities are of the country of their list, with states in the US only", () => {
  expect(material.usCities).toContainEqual(
    expect.objectContaining({ name: "Austin", region: "TX", country: "US" }),
  );
  expect(new Set(material.usCities.map(({ country }) => country))).toEqual(new Set(["US"]));
  expect(new Set(material.gbCities.map(({ region }) => region))).toEqual(new Set(["GB"]));
  expect(material.otherCities.some(({ country }) => country === "US")).toBe(false);
  expect(material.otherCities.every(({ region, country }) => region === country)).toBe(true);
});
