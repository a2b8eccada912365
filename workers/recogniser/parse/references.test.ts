// What is a reference of letters and digits, and what is a name or a number of a shop.
import { expect, test } from "vitest";
import { tokenise } from "../text/tokenise.ts";
import { isMixedReference, REFERENCE_SORTS, sortOfReference } from "./references.ts";

const tokenOf = (text: string) => {
  const [token] = tokenise(text);
  if (token === undefined) throw new Error("The text has no token.");
  return token;
};

test("letters between digits, or digits between letters, of at least eight signs are a reference", () => {
  for (const text of ["2K4LM8AB9", "PP0ABC123", "IB0XK2P9Q", "12JAN2024", "a1b2c3d4"])
    expect(isMixedReference(tokenOf(text)), text).toBe(true);
});

test("names, numbers of shops, postcodes and blanked values are not references", () => {
  for (const text of ["FOREVER21", "1800FLOWERS", "F5412", "SW1A1AA", "XXXXXX1234", "123456789"])
    expect(isMixedReference(tokenOf(text)), text).toBe(false);
});

test("a sort of references tells their length and whether they have two digits or at least three", () => {
  const sortOf = (text: string) => sortOfReference(tokenOf(text));
  expect(sortOf("2K4LM8AB9")).toBe(sortOf("777AB1CD2"));
  expect(sortOf("2K4LM8AB9")).not.toBe(sortOf("2K4LMXABC"));
  expect(sortOf("2K4LM8AB9")).not.toBe(sortOf("2K4LM8AB9C"));
  expect(sortOf("9".repeat(40) + "A" + "9".repeat(40))).toBeLessThan(REFERENCE_SORTS);
});
