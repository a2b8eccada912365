import { expect, test } from "vitest";
import { isTileText, logoUrl } from "./logo.ts";

const id = "fe4bf929-29ba-3933-b588-407855c85b52";
const queryOf = (name: string): string | null =>
  logoUrl("https://bank.example/ledger", id, name)?.split("?")[1] ?? null;

test("the address of a logo contains its entity and the letter of its tile", () => {
  expect(logoUrl("https://bank.example/ledger", id, "blue bottle")).toBe(
    `https://bank.example/ledger/logos/${id}.svg?name=B`,
  );
});

test("the letter is the first letter or digit of the name, in any script, and can stand in an address", () => {
  expect(queryOf("7-Eleven")).toBe("name=7");
  expect(queryOf("“émile”")).toBe(`name=${encodeURIComponent("É")}`);
  expect(queryOf("ßtore")).toBe("name=SS");
  // Its capital would be a letter and an accent that stands alone.
  expect(queryOf("ǰazz")).toBe(`name=${encodeURIComponent("ǰ")}`);
  expect(queryOf("𐐨𐐩")).toBe(`name=${encodeURIComponent("𐐀")}`);
});

test("a name without a letter has no tile", () => {
  for (const name of ["", "***", "<&>", "\ud800"]) expect(queryOf(name)).toBeNull();
});

test("a tile shows no more than two letters or digits", () => {
  expect(["B", "7", "SS", "É", "店"].filter(isTileText)).toHaveLength(5);
  expect(["", "<", "A<", "ABC", "A ", " ", "&", "\u0301", "A\u0000"].filter(isTileText)).toEqual(
    [],
  );
});
