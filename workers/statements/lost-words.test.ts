// Ink without a word: what is read there again, and what of it is taken.
import { expect, it } from "vitest";
import type { PagePicture } from "./page-picture.ts";
import { openInk } from "./ink.ts";
import { lostPlaces, withLostWords } from "./lost-words.ts";
import { recognisePage } from "./recognise-page.ts";
import type { RecognisedWord } from "./text-recognition.ts";

const SIZE = { width: 800, height: 400 };
const [HEIGHT, PITCH] = [20, 14] as const;

type Printed = readonly [x: number, y: number, letters: number];

/** Blocks of ink as letters. */
function pictureOf(printed: readonly Printed[]): PagePicture {
  const pixels = new Uint8Array(SIZE.width * SIZE.height).fill(240);
  for (const [x, y, letters] of printed)
    for (let letter = 0; letter < letters; letter += 1)
      for (let v = y; v < y + HEIGHT; v += 1) {
        const from = v * SIZE.width + x + letter * PITCH;
        pixels.fill(30, from, from + 10);
      }
  return { ...SIZE, pixels, toSeen: [1, 0, 0, 1, 0, 0] };
}

const wordOf = (text: string, [x, y, letters]: Printed): RecognisedWord => ({
  ...{ text, confidence: 0.9 },
  box: [x, y, x + letters * PITCH - 4, y + HEIGHT],
});

const [DATE, AMOUNT, LOST] = [
  [40, 100, 5],
  [300, 100, 4],
  [600, 100, 5],
] as const;
const WORDS = [wordOf("12/03", DATE), wordOf("9.50", AMOUNT)];
const placesOf = (...printed: readonly Printed[]) =>
  lostPlaces(openInk(pictureOf([DATE, AMOUNT, ...printed])), WORDS);

it("a place with ink in the line of other words is read", () => {
  expect(placesOf()).toEqual([]);
  const [place, ...others] = placesOf(LOST);
  expect(others).toEqual([]);
  expect(place?.adjacent).toEqual([]);
  expect(place?.box.map((value) => Math.round(value / 10) * 10)).toEqual([600, 100, 670, 120]);
});

it("ink in no line, and a single stroke far from numbers, are not read", () => {
  expect(placesOf([600, 250, 5])).toEqual([]);
  expect(placesOf([600, 100, 1])).toEqual([]);
});

it("a single digit that ends where the numbers of a column do is read", () => {
  const column = [150, 200, 250].map((y): Printed => [600, y, 5]);
  const words = [...WORDS, ...column.map((place) => wordOf("12.50", place))];
  const placesAt = (x: number) =>
    lostPlaces(openInk(pictureOf([DATE, AMOUNT, ...column, [x, 100, 1]])), words);
  expect(placesAt(656).map(({ box }) => Math.round(box[0] / 10) * 10)).toEqual([660]);
  expect(placesAt(628)).toEqual([]);
});

it("a single digit is read together with the number next to it", () => {
  const [place] = placesOf([275, 100, 1]);
  expect(place?.adjacent.map(({ text }) => text)).toEqual(["9.50"]);
  expect(place?.box[0]).toBeLessThan(280);
  expect(place?.box[2]).toBeGreaterThan(340);
});

it("a place takes what was read surely, and with the number next to it only if that is a part of it", () => {
  const [alone, adjacent] = [placesOf(LOST)[0], placesOf([275, 100, 1])[0]];
  if (alone === undefined || adjacent === undefined) throw new Error("Both places have ink.");
  const textsWith = (place: typeof alone, text: string, confidence = 0.8): string[] =>
    withLostWords(WORDS, place, { text, confidence }).map((word) => word.text);
  expect(textsWith(alone, "77.00")).toEqual(["12/03", "9.50", "77.00"]);
  expect(textsWith(alone, "77.00", 0.4)).toEqual(["12/03", "9.50"]);
  expect(textsWith(alone, "|.")).toEqual(["12/03", "9.50"]);
  expect(textsWith(adjacent, "19.50")).toEqual(["12/03", "19.50"]);
  expect(textsWith(adjacent, "9.50")).toEqual(["12/03", "9.50"]);
  expect(textsWith(adjacent, "18.60")).toEqual(["12/03", "9.50"]);
});

it("a page has the number that its first reading lost, and keeps its unsure words elsewhere", async () => {
  const unsure = { ...wordOf("Thx", LOST), confidence: 0.25 };
  const readPage = async (text: string, scope: "all" | "header" = "all") => {
    const task = { page: 1, mode: "sparse", scope } as const;
    const { read } = await recognisePage(pictureOf([DATE, AMOUNT, LOST]), task, () =>
      Promise.resolve({
        read: () => [...WORDS, unsure],
        readNumber: () => ({ text: "", confidence: 0 }),
        readLine: () => ({ text, confidence: 0.8 }),
      }),
    );
    return read.words.map((word) => word.text);
  };
  expect(await readPage("77.00")).toEqual(["12/03", "9.50", "77.00"]);
  expect(await readPage("")).toEqual(["12/03", "9.50", "Thx"]);
  // A header is read once, for its check to answer soon.
  expect(await readPage("77.00", "header")).toEqual(["12/03", "9.50", "Thx"]);
});

it("unsure words are read again last, and replaced only by what is surer", () => {
  const unsure = { ...wordOf("Thx", LOST), confidence: 0.45 };
  const ink = openInk(pictureOf([DATE, AMOUNT, LOST, [450, 100, 3]]));
  const places = lostPlaces(ink, WORDS, [unsure]);
  expect(places.map(({ confidence }) => confidence)).toEqual([0, 0.45]);
  const [, place] = places;
  if (place === undefined) throw new Error("The unsure word has ink.");
  const withSure = (confidence: number) =>
    withLostWords(WORDS, place, { text: "77.00", confidence }).length - WORDS.length;
  expect([withSure(0.52), withSure(0.6)]).toEqual([0, 1]);
});

it("a word that was read twice in one place is one, and two alike in other places stay", async () => {
  const again = { ...wordOf("9.50", AMOUNT), confidence: 0.7 };
  const task = { page: 1, mode: "sparse", scope: "all" } as const;
  const { read } = await recognisePage(pictureOf([DATE, AMOUNT, LOST]), task, () =>
    Promise.resolve({
      read: () => [...WORDS, again, wordOf("9.50", LOST)],
      readNumber: () => ({ text: "", confidence: 0 }),
      readLine: () => ({ text: "", confidence: 0 }),
    }),
  );
  expect(read.words.map(({ text }) => text)).toEqual(["12/03", "9.50", "9.50"]);
  expect(read.words[1]?.confidence).not.toBe(0.7);
});

it("a page of which one shape resembles a word is read in the other directions too", async () => {
  const task = { page: 1, mode: "sparse", scope: "all" } as const;
  const readings = [[wordOf("o>»", DATE)], WORDS];
  const { read } = await recognisePage(pictureOf([DATE, AMOUNT]), task, () =>
    Promise.resolve({
      read: () => readings.shift() ?? [],
      readNumber: () => ({ text: "", confidence: 0 }),
      readLine: () => ({ text: "", confidence: 0 }),
    }),
  );
  expect(read.words.map(({ text }) => text)).toEqual(["12/03", "9.50"]);
});
