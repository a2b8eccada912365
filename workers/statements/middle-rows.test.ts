// A check of the header leaves out the rows in the middle of a long table, and nothing that is not certain to be such rows.
import { expect, it } from "vitest";
import { openInk } from "./ink.ts";
import { areRowsAround, middleOfRows, stripOf, withMiddle, withoutStrip } from "./middle-rows.ts";
import { IDENTITY } from "./affine.ts";
import type { PagePicture } from "./page-picture.ts";
import type { PageWord } from "./words.ts";

const WIDTH = 1_650;
const LINE_PITCH = 36;
const LINE_HEIGHT = 20;
const LETTER_PITCH = 20;
const LETTER_WIDTH = 12;

/** Ink from one column to another, pixels. */
type Stroke = readonly [from: number, to: number];
const ROW: readonly Stroke[] = [
  [100, 200],
  [300, 700],
  [1_400, 1_500],
];
const CONTINUED: readonly Stroke[] = [[300, 640]];
const TOTAL: readonly Stroke[] = [
  [100, 480],
  [1_400, 1_500],
];
const AMOUNT: readonly Stroke[] = [[1_400, 1_500]];
const rows = (count: number): (readonly Stroke[])[] => Array.from({ length: count }, () => ROW);

/** @param line where it begins */
function drawLetters(pixels: Uint8Array, line: number, strokes: readonly Stroke[]): void {
  for (const [from, to] of strokes)
    for (let x = from; x < to; x += LETTER_PITCH) pixels.fill(0, line + x, line + x + LETTER_WIDTH);
}

/** One line of text below the other. */
function pictureOf(lines: readonly (readonly Stroke[])[]): PagePicture {
  const height = (lines.length + 2) * LINE_PITCH;
  const pixels = new Uint8Array(WIDTH * height).fill(255);
  for (const [at, strokes] of lines.entries())
    for (let y = (at + 1) * LINE_PITCH; y < (at + 1) * LINE_PITCH + LINE_HEIGHT; y += 1)
      drawLetters(pixels, y * WIDTH, strokes);
  return { width: WIDTH, height, pixels, toSeen: IDENTITY };
}

/** The lines that are left out. */
const linesLeftOut = (lines: readonly (readonly Stroke[])[]): number[] => {
  const strip = middleOfRows(openInk(pictureOf(lines)));
  if (strip === null) return [];
  return lines.flatMap((_, at) => {
    const middle = (at + 1) * LINE_PITCH + LINE_HEIGHT / 2;
    return middle > strip.top && middle < strip.bottom ? [at] : [];
  });
};

it("the lines between the first and the last three rows of a long table are left out", () => {
  const lines = [TOTAL, ...rows(14), TOTAL];
  expect(linesLeftOut(lines)).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
  expect(linesLeftOut([...rows(5), CONTINUED, ...rows(8)])).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
});

it("nothing is left out of a short table, of text, or across a line of another form", () => {
  expect(linesLeftOut(rows(10))).toEqual([]);
  expect(linesLeftOut(Array.from({ length: 20 }, () => CONTINUED))).toEqual([]);
  expect(linesLeftOut([...rows(8), TOTAL, ...rows(8)])).toEqual([]);
  expect(linesLeftOut([...rows(8), AMOUNT, ...rows(8)])).toEqual([]);
});

it("the strip and the rest have all lines of the page", () => {
  const picture = pictureOf(rows(20));
  const strip = middleOfRows(openInk(picture));
  if (strip === null) throw new Error("The table is long.");
  const [rest, middle] = [withoutStrip(picture, strip), stripOf(picture, strip)];
  expect(rest.height + middle.height).toBe(picture.height);
  const inkOf = ({ pixels }: { readonly pixels: Uint8Array }): number =>
    pixels.filter((value) => value === 0).length;
  expect(inkOf(rest) + inkOf(middle)).toBe(inkOf(picture));
  const word = (top: number) =>
    ({ text: "a", box: [0, top, 10, top + 20], confidence: 1 }) as const;
  const moved = withMiddle([word(10), word(strip.top + 5)], [word(8)], strip);
  expect(moved.map(({ box }) => box[1])).toEqual([10, strip.bottom + 5, strip.top + 8]);
});

/** Lines of words, 12 points apart. */
const wordsOf = (lines: readonly string[]): PageWord[] =>
  lines.flatMap((line, at) =>
    line.split(" ").map((text, column) => ({
      ...{ page: 1, text, left: 40 + column * 90, right: 100 + column * 90 },
      ...{ top: at * 12, bottom: at * 12 + 9, confidence: 0.9, source: "ocr" as const },
    })),
  );

it("a strip is left out only between dated rows, so that a balance next to it is found", () => {
  const before = ["Date Description Amount", "01/03/2026 Coffee 3.50", "02/03/2026 Books 14.20"];
  const after = ["27/03/2026 Train 40.10", "28/03/2026 Rent 800.00"];
  const top = before.length * 12 - 1;
  expect(areRowsAround(wordsOf([...before, ...after]), top)).toBe(true);
  const balance = "Closing balance 1,200.00";
  expect(areRowsAround(wordsOf([...before, balance, ...after]), top)).toBe(false);
  expect(areRowsAround(wordsOf([...before, "Coffee and books"]), top)).toBe(false);
});
