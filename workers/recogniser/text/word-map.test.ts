import { expect, test } from "vitest";
import { hashSeed, hashText } from "./hash.ts";
import { tokenise, withText } from "./tokenise.ts";
import { isIn, lookUp, lookUpText, wordMap, wordSet } from "./word-map.ts";

const first = (text: string) => tokenise(text)[0];

test("a word is found under whatever it was written as, and no other word is", () => {
  const words = Array.from({ length: 500 }, (_, i) => `word${String(i)}`);
  const table = wordMap(words.map((word, i) => [word, i] as const));
  words.forEach((word, i) => {
    expect(lookUp(table, first(word.toUpperCase()))).toBe(i);
    expect(lookUpText(table, word)).toBe(i);
  });
  expect(lookUp(table, first("WORD500"))).toBeUndefined();
  expect(lookUp(table, undefined)).toBeUndefined();
});

test("words differ by their folded text, and an empty list holds none", () => {
  const list = wordSet(["cafe", "o", "neill", "oneill"]);
  expect(isIn(list, first("CAFÉ"))).toBe(true);
  expect(isIn(list, first("O'Neill"))).toBe(true);
  expect(isIn(list, first("ONE"))).toBe(false);
  expect(isIn(wordSet([]), first("ONE"))).toBe(false);
});

test("a token carries the hash of its folded text, however it came to it", () => {
  for (const text of ["MCDONALD'S", "Straße", "A1B2", "XXXX", "京都", "İzmir"]) {
    const token = first(text);
    expect(token?.hash).toBe(hashText(hashSeed, token?.text ?? ""));
    expect(token && withText(token, "other").hash).toBe(hashText(hashSeed, "other"));
  }
});
