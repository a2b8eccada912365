// Single numbers and dates read again: in the place of what was read there before, or where nothing was found.
import { expect, it } from "vitest";
import type { PagePicture } from "./page-picture.ts";
import { rereadDates, rereadNumbers } from "./recognise-page.ts";
import type { TextRecogniser } from "./text-recognition.ts";
import type { PageWord } from "./words.ts";

const SIZE = { width: 400, height: 400 };
/** Strokes in lines, so that the page has ink. */
const pixels = Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, at) =>
  Math.floor(at / SIZE.width) % 40 < 14 && at % 37 < 23 ? 20 : 240,
);
const PICTURE: PagePicture = { ...SIZE, pixels, toSeen: [1, 0, 0, 1, 0, 0] };
const WRONG: PageWord = {
  ...{ page: 1, text: "7.00", left: 100, top: 80, right: 140, bottom: 94 },
  ...{ confidence: 0.6, source: "ocr" },
};

const reread = async (box: readonly [number, number, number, number], confidence = 0.9) => {
  const recogniser: TextRecogniser = {
    read: () => [],
    readNumber: () => ({ text: "1.00", confidence }),
    readLine: () => ({ text: "", confidence: 0 }),
  };
  const before = { page: 1, words: [WRONG], toSeen: PICTURE.toSeen };
  const { words } = await rereadNumbers(PICTURE, before, [box], recogniser);
  return words.map(({ text, left, top }) => ({ text, left, top }));
};

const KEPT = { text: "7.00", left: 100, top: 80 };

it("a number replaces what stands in its box", async () => {
  expect(await reread([90, 75, 150, 99])).toEqual([{ ...KEPT, text: "1.00" }]);
});

it("a number is added where nothing was found", async () => {
  expect(await reread([100, 120, 140, 134])).toEqual([KEPT, { text: "1.00", left: 100, top: 120 }]);
});

it("a number that is not sure changes nothing", async () => {
  expect(await reread([90, 75, 150, 99], 0.3)).toEqual([KEPT]);
});

const rereadDate = async (...asked: Parameters<typeof wordsOfDate>): Promise<string[]> =>
  (await wordsOfDate(...asked)).map(({ text }) => text);

const wordsOfDate = async (
  text: string,
  box: readonly [number, number, number, number],
  before = ["6", "Jul"],
): Promise<readonly PageWord[]> => {
  const recogniser: TextRecogniser = {
    read: () => [],
    readNumber: () => ({ text: "", confidence: 0 }),
    readLine: () => ({ text, confidence: 0.9 }),
  };
  const words = before.map((part, at): PageWord => {
    return { ...WRONG, text: part, left: 100 + at * 20, right: 110 + at * 20 };
  });
  const page = { page: 1, words, toSeen: PICTURE.toSeen };
  return (await rereadDates(PICTURE, page, [box], recogniser)).words;
};
const OF_DATE = [90, 75, 150, 99] as const;
const ELSEWHERE = [100, 120, 140, 134] as const;

it("a date replaces the words of another one, and is added where there was none", async () => {
  expect(await rereadDate("8 Jul", OF_DATE)).toEqual(["8", "Jul"]);
  expect(await rereadDate("8 Jul", ELSEWHERE)).toEqual(["6", "Jul", "8", "Jul"]);
});

it("a date whose first word was lost gets it", async () => {
  const wide = [60, 75, 150, 99] as const;
  expect(await rereadDate("14 Jul 2025", wide, ["Jul", "2025"])).toEqual(["14", "Jul", "2025"]);
  expect(await rereadDate("14 Jul 2025", wide, ["14", "Jul"])).toEqual(["14", "Jul"]);
});

it("a lost word is in front of the first one that was found, whose box may hold it too", async () => {
  const words = await wordsOfDate("14 Jul 2025", [102, 75, 150, 99], ["Jul", "2025"]);
  expect(words.toSorted((a, b) => a.left - b.left).map(({ text }) => text)).toEqual([
    ...["14", "Jul", "2025"],
  ]);
  expect(words.every(({ left, right }) => left <= right)).toBe(true);
});

it.each(["8 Jun", "18 Jul", "8 Jul 2025", "8", "1.00", "Jul"])(
  "%j changes no date that has other letters or another length",
  async (text) => {
    expect(await rereadDate(text, OF_DATE)).toEqual(["6", "Jul"]);
  },
);

it.each(["", "12.00 EUR", "Total 3", "1,250.00"])("%j is not added as a date", async (text) => {
  expect(await rereadDate(text, ELSEWHERE)).toEqual(["6", "Jul"]);
});
