import { expect, it } from "vitest";
import { hashSeed, hashText } from "../recogniser/text/hash.ts";
import { buildFuseFilter, openFuseFilter } from "./fuse-filter.ts";

const hashOf = (text: string): number => hashText(hashSeed, text);

it.each([0, 1, 2, 100, 50_000])("finds each of %d texts that it was made of", (count) => {
  const texts = Array.from({ length: count }, (_, at) => `text${String(at)}`);
  const filter = openFuseFilter(buildFuseFilter(texts.map(hashOf)));
  expect(texts.filter((text) => !filter.has(hashOf(text)))).toEqual([]);
});

it("takes about ten bits a text and finds others once in 256 times", () => {
  const count = 50_000;
  const sections = buildFuseFilter(
    Array.from({ length: count }, (_, at) => hashOf(`in${String(at)}`)),
  );
  expect(sections.fingerprints.length).toBeLessThan(1.3 * count);
  const filter = openFuseFilter(sections);
  const others = Array.from({ length: count }, (_, at) => hashOf(`out${String(at)}`));
  const found = others.filter((hash) => filter.has(hash)).length / count;
  expect(found).toBeGreaterThan(1 / 512);
  expect(found).toBeLessThan(1 / 128);
});

it("is the same for the same texts in any order, given once or twice", () => {
  const texts = ["amazon.com", "tesco.com", "rewe.de"].map(hashOf);
  expect(buildFuseFilter([...texts].reverse().concat(texts))).toEqual(buildFuseFilter(texts));
});
