// Single numbers and dates of a page, read again: enlarged, in several views, of which the one with the most confidence counts.
// The others of a number are kept: where balances need one of them, it is the right one.
import { type Box, inverse, moveBox } from "./affine.ts";
import { monthOfName } from "./lexicon.ts";
import { agreedReading, placesOfLostEnds } from "./lost-ends.ts";
import { sideBySide } from "./lost-words.ts";
import type { GreyPicture, PagePicture } from "./page-picture.ts";
import { enlargePart, straighten, turnPicture } from "./picture.ts";
import type { ReadPage } from "./read-page.ts";
import { correctReading } from "./reading-errors.ts";
import { withoutShades } from "./shaded-areas.ts";
import type { RecognisedLine, TextRecogniser } from "./text-recognition.ts";
import type { PageWord } from "./words.ts";

/** Of the height of a number: the paper around it that is looked at too. */
const MARGIN = 0.35;
/** Where little paper is around a number, it is not always read; much may hold parts of the lines next to it. */
const MARGIN_WIDE = 0.8;
export const ENLARGED = 3;
/** A number that is not read in one size may be in another. */
export const ENLARGED_LESS = 2;
/** How a place is looked at. */
interface PlaceView {
  readonly factor: number;
  /** Of the height of the number. */
  readonly margin: number;
  /** Pixels of the picture that are mixed with their neighbours: noise is finer than print. Left out: none. */
  readonly softness?: number;
}

/** One after the other. */
export const VIEWS: readonly PlaceView[] = [
  { factor: ENLARGED, margin: MARGIN },
  { factor: ENLARGED_LESS, margin: MARGIN },
  { factor: ENLARGED_LESS, margin: MARGIN_WIDE },
];
/** Grain of a noisy scan is enlarged with the number, and eats the strokes of its digits. */
const SOFTNESS = 1.2;
const REREAD_VIEWS: readonly PlaceView[] = [
  ...VIEWS,
  { factor: 1, margin: MARGIN, softness: SOFTNESS },
  { factor: ENLARGED, margin: MARGIN, softness: SOFTNESS },
];
/** What is read with more confidence in one view needs no other one. */
const CERTAIN = 0.9;

/** A number that was recognised with less confidence does not replace another. */
const REREAD_CONFIDENCE_MIN = 0.5;
/** Of numbers, or with the name of a month. "7123/23" is not one: with four digits in front, a date has three numbers. */
const DATE =
  /^(?:(?:\d{1,2}([./-])\d{1,2}(?:\1\d{2,4})?|\d{4}([./-])\d{1,2}\2\d{1,2})\.?|\d{1,2}[ -]?\p{L}{3,9}\.?(?:[ -]\d{2,4})?|\p{L}{3,9}\.? ?\d{1,2}(?:, ?\d{4})?)$/u;
/** What specks between the characters of a date are read as. */
const STAINS = /[°·'‘’"“”*`]/gu;
const AMOUNT = /^[-+(]?\p{Sc}?[-+]?\d[\d.,]*[.,]\d{2}[-)]?\p{Sc}?(?:cr|dr|[sh])?$/iu;
/** A currency that the characters of numbers do not have: forced to be one of them, it takes the confidence of the number with it. */
const OTHER_SYMBOL = /[^\P{Sc}$]/u;
/** Letters behind a number, which the characters of numbers do not have. */
const SIGN_WORD = /\d *(?:cr|dr|[sh])$/iu;
/** In what was read first, the last digit may be a letter too: "1iCr". */
const SIGN_WORD_FIRST = /\d(?:\S? *(?:cr|dr)| ?[sh])$/iu;

/**
 * Reads single numbers of a page again, enlarged, with nothing but digits and signs to choose from, or also with the letters or the
 * currency that were read next to one.
 * @param level the picture that was read first, its lines level
 * @param boxes of the page as it is seen
 */
export async function rereadNumbers(
  level: PagePicture,
  before: ReadPage,
  boxes: readonly Box[],
  recogniser: TextRecogniser,
): Promise<ReadPage> {
  return rereadPlaces(level, before, boxes, {
    read: (part, old) => {
      const hasSignWord = SIGN_WORD_FIRST.test(old);
      const { text, confidence } =
        hasSignWord || OTHER_SYMBOL.test(old)
          ? recogniser.readLine(part)
          : recogniser.readNumber(part);
      const number = text.replaceAll(/\s/gu, "");
      const isNumber = AMOUNT.test(number) && SIGN_WORD.test(number) === hasSignWord;
      return isNumber ? { text: number, confidence } : null;
    },
    replace: withNumber,
  });
}

/**
 * Reads single dates of a page again, enlarged, or where nothing was found. What is not a date, and what has other letters or
 * other numbers than a date in its place, changes nothing.
 * @param level the picture that was read first, its lines level
 * @param boxes of the page as it is seen
 */
export async function rereadDates(
  level: PagePicture,
  before: ReadPage,
  boxes: readonly Box[],
  recogniser: TextRecogniser,
): Promise<ReadPage> {
  return rereadPlaces(level, before, boxes, {
    read: (part) => {
      const { text, confidence } = recogniser.readLine(part);
      const date = correctReading(text.replaceAll(STAINS, ""))
        .split(/\s+/u)
        .filter(Boolean)
        .join(" ");
      return isDateText(date) ? { text: date, confidence } : null;
    },
    replace: (words, box, [line]) => (line === undefined ? words : withDate(words, box, line)),
  });
}

/**
 * Reads opening and closing balances of which the labels alone were read. What most views show is added: the views of print that
 * was not found at all have hardly any confidence, so the balances of the account must prove it.
 * @param level the picture that was read first, its lines level
 */
export async function rereadBalances(
  level: PagePicture,
  before: ReadPage,
  recogniser: TextRecogniser,
): Promise<ReadPage> {
  const found: PageWord[] = [];
  for (const place of placesOfLostEnds(before.words)) {
    const texts: string[] = [];
    for (const view of REREAD_VIEWS) {
      const part = await partOf(level, moveBox(place, before.toSeen), view);
      const text = part === null ? "" : recogniser.readNumber(part).text.replaceAll(/\s/gu, "");
      if (AMOUNT.test(text)) texts.push(text);
    }
    const text = agreedReading(texts);
    const [left, top, right, bottom] = place;
    if (text !== null)
      found.push({
        ...{ text, page: before.page, left, top, right, bottom },
        ...{ confidence: REREAD_CONFIDENCE_MIN, source: "ocr", isFoundLate: true },
      });
  }
  return { ...before, words: [...before.words, ...found] };
}

/** How one kind of value is read again. */
interface RereadKind {
  /** @param old what was read in its place; null: the view shows no such value */
  read(part: GreyPicture, old: string): RecognisedLine | null;
  /** @param lines the surest first; empty: there is none */
  replace(
    words: readonly PageWord[],
    box: Box,
    lines: readonly RecognisedLine[],
  ): readonly PageWord[];
}

/** @param boxes of the page as it is seen */
async function rereadPlaces(
  level: PagePicture,
  before: ReadPage,
  boxes: readonly Box[],
  { read, replace }: RereadKind,
): Promise<ReadPage> {
  let words = before.words;
  for (const seen of boxes) {
    const box = moveBox(seen, inverse(before.toSeen));
    const old = textWithin(words, box);
    const lines = await readInViews(level, seen, (part) => read(part, old));
    words = replace(words, box, lines);
  }
  return { ...before, words };
}

/** What is read at a place, the surest first; empty: nothing, or nothing with enough confidence. */
async function readInViews(
  level: PagePicture,
  seen: Box,
  read: (part: GreyPicture) => RecognisedLine | null,
): Promise<readonly RecognisedLine[]> {
  const lines: RecognisedLine[] = [];
  for (const view of REREAD_VIEWS) {
    const part = await partOf(level, seen, view);
    const line = part === null ? null : read(part);
    if (line !== null) lines.push(line);
    if (line !== null && line.confidence >= CERTAIN) break;
  }
  lines.sort((a, b) => b.confidence - a.confidence);
  return (lines[0]?.confidence ?? 0) >= REREAD_CONFIDENCE_MIN ? lines : [];
}

function isDateText(text: string): boolean {
  const name = /\p{L}+/u.exec(text)?.[0];
  return DATE.test(text) && (name === undefined || monthOfName(name) !== null);
}

/** The picture, turned as it was when it was read first; null: it is empty. */
export async function levelPicture(
  picture: PagePicture,
  before: ReadPage,
): Promise<PagePicture | null> {
  const straight = straighten(picture);
  if (straight === null) return null;
  // The turn of the first reading: the one with the same direction of lines.
  const [c, d] = before.toSeen;
  const likeness = (angle: number): number => c * Math.cos(angle) - d * Math.sin(angle);
  const [angle = 0] = straight.turns.toSorted((a, b) => likeness(b) - likeness(a));
  return withoutShades(await turnPicture(straight.lit, angle));
}

function partOf(
  level: PagePicture,
  box: Box,
  { factor, margin, softness }: PlaceView,
): Promise<GreyPicture | null> {
  const place = withMargin(moveBox(box, inverse(level.toSeen)), margin);
  return enlargePart(level, place, factor, softness);
}

/** @param share of the height of the box */
export function withMargin([left, top, right, bottom]: Box, share = MARGIN): Box {
  const margin = (bottom - top) * share;
  return [left - margin, top - margin, right + margin, bottom + margin];
}

/** The words, with the number in the place of those in the box, of which there may be none, and its other readings. */
function withNumber(
  words: readonly PageWord[],
  box: Box,
  [line, ...lines]: readonly RecognisedLine[],
): readonly PageWord[] {
  const replaced = words.filter((word) => isInside(word, box));
  const [first] = replaced;
  const page = words[0]?.page;
  if (line === undefined || page === undefined) return words;
  const old = textWithin(words, box).replaceAll(" ", "");
  const others = new Set(
    [old, ...lines.map(({ text }) => text)].filter((text) => AMOUNT.test(text)),
  );
  others.delete(line.text);
  const number = { ...line, ...(others.size === 0 ? {} : { others: [...others] }) };
  if (first === undefined) {
    const [left, top, right, bottom] = box;
    return [...words, { ...number, page, left, top, right, bottom, source: "ocr" }];
  }
  if (old === line.text && others.size === 0) return words;
  const joined: PageWord = {
    ...first,
    ...number,
    left: Math.min(...replaced.map(({ left }) => left)),
    right: Math.max(...replaced.map(({ right }) => right)),
  };
  return words.flatMap((word) => (word === first ? joined : replaced.includes(word) ? [] : word));
}

/** The words, with those of the date in the place of what stands there, if that may be a reading of it. */
function withDate(
  words: readonly PageWord[],
  box: Box,
  { text, confidence }: RecognisedLine,
): readonly PageWord[] {
  const replaced = words.filter((word) => isInside(word, box));
  const page = words[0]?.page;
  if (page === undefined) return words;
  const [left, top, right, bottom] = box;
  const texts = text.split(" ");
  const old = textWithin(words, box);
  const [first] = replaced;
  if (first === undefined)
    return [...words, ...wordsWithin({ page, left, top, right, bottom, confidence }, texts)];
  if (old === text || !mayBeDate(old, text)) return words;
  const place = {
    ...{ page, top: first.top, bottom: first.bottom },
    left: Math.min(left, ...replaced.map((word) => word.left)),
    right: Math.max(...replaced.map((word) => word.right)),
  };
  return [
    ...words.filter((word) => !replaced.includes(word)),
    ...wordsWithin({ ...place, confidence }, texts),
  ];
}

/** Words that are not a date may be longer than the date that it was read for by so much. */
const LONGER_MAX = 3;

/** Whether words may be a reading of a date: one with the same letters and as many numbers, or words that are not a date. */
function mayBeDate(old: string, date: string): boolean {
  const letters = (text: string): string => text.replaceAll(/\P{L}/gu, "");
  const numbers = (text: string): readonly string[] => text.match(/\d+/gu) ?? [];
  const [read, other] = [numbers(old), numbers(date)];
  if (!isDateText(old)) return read.length > 0 && old.length <= date.length + LONGER_MAX;
  return (
    letters(old) === letters(date) &&
    read.length === other.length &&
    read.every((number, at) => isPartOf(number, other[at] ?? ""))
  );
}

/** Digits may be others, or were lost at one end. */
const isPartOf = (read: string, number: string): boolean =>
  read.length === number.length || number.startsWith(read) || number.endsWith(read);

/** Words of a text next to each other, in a place as wide as all of them. */
const wordsWithin = (place: Omit<PageWord, "text">, texts: readonly string[]): PageWord[] =>
  sideBySide(texts, [place.left, place.top, place.right, place.bottom]).map(
    ({ text, box: [left, , right] }) => ({ ...{ ...place, text, left, right }, source: "ocr" }),
  );

/** The words in the box, from left to right. */
const textWithin = (words: readonly PageWord[], box: Box): string =>
  words
    .filter((word) => isInside(word, box))
    .sort((a, b) => a.left - b.left)
    .map(({ text }) => text)
    .join(" ");

const isInside = (word: PageWord, [left, top, right, bottom]: Box): boolean => {
  const [x, y] = [(word.left + word.right) / 2, (word.top + word.bottom) / 2];
  return x > left && x < right && y > top && y < bottom;
};
