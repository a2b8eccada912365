// Lines of a photo that run together on one side.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { levelWords } from "./level-words.ts";
import { toLines } from "./lines.ts";
import type { PageWord } from "./words.ts";

const LINES = Array.from(
  { length: 30 },
  (_, at) =>
    `2026-03-${String(at + 1).padStart(2, "0")} Shop number ${String(at)}            10.00            990.00`,
);
const LEVEL = wordsOfText(LINES.join("\n"));
const texts = (words: readonly PageWord[]): string[] =>
  toLines(words).map(({ words: line }) => line.map(({ text }) => text).join(" "));

/** Level at the top of the page, and the lower, the more they fall to the right. */
const seenAslant = (slope: number, source: "ocr" | "text" = "ocr"): PageWord[] =>
  LEVEL.map((word) => {
    const shift = word.left * slope * (word.top / 300);
    return { ...word, source, top: word.top + shift, bottom: word.bottom + shift };
  });

it("lines that slope more the lower they are become level, and keep their place on the page", () => {
  const aslant = seenAslant(0.05);
  expect(texts(aslant)).not.toEqual(texts(LEVEL));
  const level = levelWords(aslant);
  expect(texts(level)).toEqual(texts(LEVEL));
  expect(level.map(({ printed }) => printed)).toEqual(aslant);
});

it("level lines and those of a text layer stay as they are", () => {
  const level = seenAslant(0);
  expect(levelWords(level)).toBe(level);
  const text = seenAslant(0.05, "text");
  expect(levelWords(text)).toBe(text);
});
