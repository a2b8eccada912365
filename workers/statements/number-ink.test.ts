// Marks of numbers that text recognition lost, drawn as ink: digits are blocks, points small squares, a minus a flat stroke.
import { expect, it } from "vitest";
import { openInk } from "./ink.ts";
import { withMarksOfInk } from "./number-ink.ts";
import type { RecognisedWord } from "./text-recognition.ts";

const SIZE = { width: 600, height: 240 };
const [DIGIT, HEIGHT, PITCH] = [10, 20, 14] as const;

type Stroke = readonly [x: number, y: number, width: number, height: number];

/** What each character of a text leaves on paper from (x, y) on; all take the same width. */
const strokesOf = (text: string, x: number, y: number): Stroke[] =>
  Array.from(text).flatMap((character, at): Stroke[] => {
    const left = x + at * PITCH;
    if (character === " ") return [];
    if (character === ".") return [[left + 4, y + HEIGHT - 4, 4, 4]];
    if (character === ",") return [[left + 4, y + HEIGHT - 4, 4, 8]];
    if (character === "-") return [[left + 1, y + 10, 8, 2]];
    if (character === "=")
      return [
        [left + 1, y + 7, 8, 2],
        [left + 1, y + 13, 8, 2],
      ];
    return [[left, y, DIGIT, HEIGHT]];
  });

/** A line of print, and words of it: where the text is printed from, and what was read for it. */
interface Line {
  readonly printed: string;
  readonly read: readonly (readonly [from: number, to: number, text: string])[];
}

function marksOf(...lines: readonly Line[]): string[] {
  const pixels = new Uint8Array(SIZE.width * SIZE.height).fill(240);
  const words: RecognisedWord[] = [];
  for (const [row, { printed, read }] of lines.entries()) {
    const y = 20 + row * 40;
    for (const [left, top, width, height] of strokesOf(printed, 40, y))
      for (let v = top; v < top + height; v += 1)
        pixels.fill(30, v * SIZE.width + left, v * SIZE.width + left + width);
    for (const [from, to, text] of read)
      words.push({
        ...{ text, confidence: 0.9 },
        box: [40 + from * PITCH, y, 40 + (to - 1) * PITCH + DIGIT, y + HEIGHT],
      });
  }
  const found = withMarksOfInk(words, openInk({ ...SIZE, pixels }));
  return found.map(({ text }) => text).filter((text) => !KNOWN.includes(text));
}

/** Numbers that show which decimal mark the page has. */
const KNOWN = ["15.25", "-10.50", "-99.99"];
const PAGE: readonly Line[] = KNOWN.map((text) => ({
  printed: text,
  read: [[0, text.length, text]],
}));

it("a decimal mark whose ink is on the page is put back", () => {
  expect(marksOf(...PAGE, { printed: "12.34", read: [[0, 5, "1234"]] })).toEqual(["12.34"]);
  expect(marksOf(...PAGE, { printed: "1,234.56", read: [[0, 8, "1,23456"]] })).toEqual([
    "1,234.56",
  ]);
});

it("a number without the ink of a mark, or with it elsewhere, stays as it was read", () => {
  expect(marksOf(...PAGE, { printed: "1234", read: [[0, 4, "1234"]] })).toEqual(["1234"]);
  expect(marksOf(...PAGE, { printed: "1234.", read: [[0, 4, "1234"]] })).toEqual(["1234"]);
  expect(marksOf(...PAGE, { printed: "1.234", read: [[0, 5, "1234"]] })).toEqual(["1234"]);
});

it("behind a mark of thousands five digits have a decimal mark, also where its ink touches them", () => {
  const line: Line = { printed: "1.23456", read: [[0, 7, "1,23456"]] };
  expect(marksOf(...PAGE, line)).toEqual(["1,234.56"]);
  expect(marksOf({ printed: "05.12.24", read: [[0, 8, "05.12.24"]] }, ...PAGE, line)).toEqual([
    ...["05.12.24", "1,234.56"],
  ]);
});

it("a page that shows no decimal mark gives none", () => {
  expect(marksOf({ printed: "12.34", read: [[0, 5, "1234"]] })).toEqual(["1234"]);
});

it.each([
  ["-12.34", [1, 6], "12.34", "-12.34"],
  ["12.34-", [0, 5], "12.34", "12.34-"],
  ["-12.34", [0, 6], "=12.34", "-12.34"],
  ["-12.34", [0, 6], "=12:34", "-12:34"],
] as const)("%s has its minus back", (printed, [from, to], read, text) => {
  expect(marksOf(...PAGE, { printed, read: [[from, to, read]] })).toEqual([text]);
});

it.each([
  ["=12.34", [1, 6], "12.34"],
  [" 12.34", [1, 6], "12.34"],
] as const)("%j has no minus", (printed, [from, to], read) => {
  expect(marksOf(...PAGE, { printed, read: [[from, to, read]] })).toEqual([read]);
});

it("a dash behind another word is not a minus", () => {
  const line: Line = {
    printed: "88-12.34",
    read: [
      [0, 2, "AB"],
      [3, 8, "12.34"],
    ],
  };
  expect(marksOf(...PAGE, line)).toEqual(["AB", "12.34"]);
});

/** Each word is read where it stands in the print, behind the one before it. */
function wordsIn(printed: string, ...texts: readonly string[]): Line {
  let end = 0;
  const read = texts.map((text): Line["read"][number] => {
    const from = printed.indexOf(text, end);
    if (from < 0) throw new Error(`${text} is not in ${printed} there.`);
    end = from + text.length;
    return [from, end, text];
  });
  return { printed, read };
}

it.each([
  ["1,295.16", ["1,295", "16"]],
  ["1,295.16", ["1,295", ".16"]],
  ["8.082,19", ["8.082", "19"]],
  ["07.12.24", ["07", "12", "24"]],
  ["180,00", ["180,", "00"]],
  ["3.547,36", ["3.547", ",", "36"]],
])("%s read as %j is one word", (printed, texts) => {
  expect(marksOf(wordsIn(printed, ...texts))).toEqual([printed]);
});

it("words with a space and no ink between them stay apart", () => {
  expect(marksOf(wordsIn("07 12", "07", "12"))).toEqual(["07", "12"]);
});

it("a date in two words is one, and one next to a number stays as it is", () => {
  expect(marksOf(wordsIn("2025-02-05", "202", "5-02-05"))).toEqual(["2025-02-05"]);
  expect(marksOf(wordsIn("10/10/2024", "10/10/", "2024"))).toEqual(["10/10/2024"]);
  expect(marksOf(wordsIn("12/10/2024", "1", "2/10/2024"))).toEqual(["1", "2/10/2024"]);
});
