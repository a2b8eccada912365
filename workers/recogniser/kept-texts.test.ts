import { expect, test } from "vitest";
import { keepByTexts } from "./kept-texts.ts";

const PLACES = 4;
const joined = (text: string, other: string | null): string => `${text}/${other ?? "-"}`;

test("every answer is that of the function, also where texts replace each other", () => {
  const kept = keepByTexts(joined, PLACES);
  for (let at = 0; at < 200; at++) {
    const text = `text ${String((at * 7) % 13)}`;
    const other = at % 3 === 0 ? null : String(at % 2);
    expect(kept(text, other)).toBe(joined(text, other));
  }
});

test("a text is kept from the second time on, and with another companion it is worked out again", () => {
  const asked: string[] = [];
  const kept = keepByTexts((text, other) => {
    asked.push(joined(text, other));
    return asked.length;
  }, PLACES);
  expect(["a", "a", "a", "a"].map((text) => kept(text, null))).toEqual([1, 2, 2, 2]);
  expect([kept("a", "b"), kept("a", "b")]).toEqual([3, 3]);
  expect(asked).toEqual(["a/-", "a/-", "a/b"]);
});
