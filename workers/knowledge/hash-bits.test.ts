import fc from "fast-check";
import { expect, test } from "vitest";
import { hashSeed, hashText } from "../recogniser/text/hash.ts";
import { buildHashBits, mayBeOneOf } from "./hash-bits.ts";

const hashOf = (text: string): number => hashText(hashSeed, text);

test("every hash of the set is found", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })), (hashes) => {
      const bits = buildHashBits(hashes);
      for (const hash of hashes) expect(mayBeOneOf(bits, hash)).toBe(true);
    }),
  );
});

test("most other texts are not found", () => {
  const bits = buildHashBits(
    Array.from({ length: 20_000 }, (_, at) => hashOf(`name ${String(at)}`)),
  );
  const others = Array.from({ length: 20_000 }, (_, at) => hashOf(`other ${String(at)}`));
  const passed = others.filter((hash) => mayBeOneOf(bits, hash)).length;
  expect(passed / others.length).toBeLessThan(0.13);
});

test("an empty set holds nothing", () => {
  expect(mayBeOneOf(buildHashBits([]), hashOf("walgreens"))).toBe(false);
});
