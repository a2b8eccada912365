// Single numbers read again: in the place of what was read there before, or where nothing was found.
import { expect, it } from "vitest";
import type { PagePicture } from "./page-picture.ts";
import { rereadNumbers } from "./recognise-page.ts";
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
