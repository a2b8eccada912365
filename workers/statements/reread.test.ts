// Single numbers and dates read again: in the place of what was read there before, or where nothing was found.
import { expect, it } from "vitest";
import type { PagePicture } from "./page-picture.ts";
import { rereadBalances, rereadDates, rereadNumbers } from "./reread.ts";
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

/** What is read of a number in one view after the other. */
const rereadViews = async (
  old: string,
  views: readonly (readonly [text: string, confidence: number])[],
): Promise<readonly PageWord[]> => {
  let at = 0;
  const next = () => {
    const [text = "", confidence = 0] = views[at++] ?? [];
    return { text, confidence };
  };
  const recogniser: TextRecogniser = {
    read: () => [],
    readNumber: /(?:cr|s)$/iu.test(old) ? () => ({ text: "", confidence: 0 }) : next,
    readLine: next,
  };
  const page = { page: 1, words: [{ ...WRONG, text: old }], toSeen: PICTURE.toSeen };
  return (await rereadNumbers(PICTURE, page, [[90, 75, 150, 99]], recogniser)).words;
};

it("the surest of several readings of a number is taken, and the others are kept", async () => {
  const views = [
    ["3.40", 0.44],
    ["3.70", 0.8],
    ["3.10", 0.66],
  ] as const;
  const [word, ...more] = await rereadViews("7.00", views);
  expect(more).toEqual([]);
  expect(word?.text).toBe("3.70");
  expect(word?.others?.toSorted()).toEqual(["3.10", "3.40", "7.00"]);
});

it("a sure reading of a number needs no other one", async () => {
  const [word] = await rereadViews("7.00", [
    ["3.40", 0.95],
    ["3.70", 0.99],
  ]);
  expect(word?.text).toBe("3.40");
});

it("a number that no sharp view shows is read where the grain of the scan is softened", async () => {
  const isPlace = (at: number): boolean => at > SIZE.width * 50 && at < SIZE.width * 125;
  const grainy = pixels.map((value, at) =>
    isPlace(at) ? ((at * 7_919) % 97 === 0 ? 60 : 240) : value,
  );
  const darkest: number[] = [];
  const recogniser: TextRecogniser = {
    read: () => [],
    readNumber: (part) => {
      darkest.push(Math.min(...part.pixels));
      return (darkest.at(-1) ?? 0) > 150
        ? { text: "3.70", confidence: 0.95 }
        : { text: "", confidence: 0 };
    },
    readLine: () => ({ text: "", confidence: 0 }),
  };
  const page = { page: 1, words: [WRONG], toSeen: PICTURE.toSeen };
  const picture = { ...PICTURE, pixels: grainy };
  const read = await rereadNumbers(picture, page, [[90, 75, 150, 99]], recogniser);
  expect(read.words.map(({ text }) => text)).toEqual(["3.70"]);
  expect(darkest.slice(0, -1).every((value) => value <= 150)).toBe(true);
});

it("a number with CR behind it keeps that", async () => {
  expect((await rereadViews("944.07Cr", [["2 944.07Cr", 0.75]]))[0]?.text).toBe("2944.07Cr");
  expect((await rereadViews("944.07Cr", [["2 944.07", 0.75]]))[0]?.text).toBe("944.07Cr");
});

it("a number with S or H behind it, as in German columns of amounts, keeps that", async () => {
  expect((await rereadViews("73S", [["2,73S", 0.75]]))[0]?.text).toBe("2,73S");
});

it("a number with a currency that is not among the characters of numbers is read with it", async () => {
  const recogniser: TextRecogniser = {
    read: () => [],
    readNumber: () => ({ text: "698,19", confidence: 0 }),
    readLine: () => ({ text: "98,19 €", confidence: 0.92 }),
  };
  const page = { page: 1, words: [{ ...WRONG, text: "198,19€" }], toSeen: PICTURE.toSeen };
  const { words } = await rereadNumbers(PICTURE, page, [[90, 75, 150, 99]], recogniser);
  expect(words).toMatchObject([{ text: "98,19€", others: ["198,19€"] }]);
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

it("a date that lost a digit at one end, or was read as something else, is replaced", async () => {
  expect(await rereadDate("16 Jul", OF_DATE)).toEqual(["16", "Jul"]);
  expect(await rereadDate("11 Jul", OF_DATE, ["l1", "lul"])).toEqual(["11", "Jul"]);
  expect(await rereadDate("2023/12/09", OF_DATE, ["20231", "2/09"])).toEqual(["2023/12/09"]);
  expect(await rereadDate("7/23/23", OF_DATE, ["7123/23"])).toEqual(["7/23/23"]);
  expect(await rereadDate("2023/12/09", OF_DATE, ["2023/12/08"])).toEqual(["2023/12/09"]);
});

it("a text where a date should stand is not replaced", async () => {
  expect(await rereadDate("11 Jul", OF_DATE, ["Cash", "Sale"])).toEqual(["Cash", "Sale"]);
  const longer = ["Branch", "0114", "Main"];
  expect(await rereadDate("11 Jul", [90, 75, 170, 99], longer)).toEqual(longer);
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

/** A page with the label of a closing balance, whose number is read so in one view after the other. */
const rereadClosing = async (views: readonly string[]): Promise<readonly PageWord[]> => {
  let at = 0;
  const recogniser: TextRecogniser = {
    read: () => [],
    readNumber: () => ({ text: views[at++] ?? "", confidence: 0 }),
    readLine: () => ({ text: "", confidence: 0 }),
  };
  const line = (top: number, ...texts: readonly string[]): PageWord[] =>
    texts.map((text, index) => {
      const left = /\d/u.test(text) ? 300 : 20 + index * 60;
      return { ...WRONG, text, left, right: left + 50, top, bottom: top + 10 };
    });
  const before = {
    page: 1,
    words: [
      ...line(100, "Opening", "balance", "1,000.00"),
      ...line(120, "Closing", "balance"),
      ...line(140, "Credit", "limit", "5,000.00"),
    ],
    toSeen: PICTURE.toSeen,
  };
  return (await rereadBalances(PICTURE, before, recogniser)).words.slice(before.words.length);
};

it("a balance behind its label is what most views show, however unsure they are", async () => {
  const [found, ...more] = await rereadClosing(["-964.50", "-964.50", "", "6964.50", "£"]);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ text: "-964.50", isFoundLate: true, top: 120, bottom: 130 });
  expect(await rereadClosing(["964.50", "964.80", "96", ""])).toEqual([]);
});
