// The words of a page that is a picture: straightened, recognised, and turned over when it stands on its head.
import type { StatementScope } from "../../src/model/bank-statement.ts";
import { type Box, chain, inverse, moveBox, scaling } from "./affine.ts";
import { monthOfName } from "./lexicon.ts";
import { type GreyPicture, type PagePicture, pictureSide } from "./page-picture.ts";
import { enlargePart, straighten, turnPicture } from "./picture.ts";
import { DARK_INK, openInk } from "./ink.ts";
import { lostPlaces, sideBySide, withLostWords } from "./lost-words.ts";
import { withMarksOfInk } from "./number-ink.ts";
import type { ReadPage } from "./read-page.ts";
import { correctReading } from "./reading-errors.ts";
import type { RecognisedWord, RecognitionMode, TextRecogniser } from "./text-recognition.ts";
import type { PageWord } from "./words.ts";

/** Words are in points, as those of a PDF: of a page of A4, 595 points wide. */
const POINTS_WIDE = 595;
/** Words below this confidence are noise: stains, signatures, logos. */
const CONFIDENCE_MIN = 0.2;
/** What is below it is read again. */
const UNSURE = 0.6;
const SURE = 0.7;
const SURE_LENGTH = 3;
/** With fewer sure words among the recognised ones, the page may lie otherwise. */
const SURE_SHARE_MIN = 0.35;

interface PageToRecognise {
  readonly page: number;
  readonly mode: RecognitionMode;
  /** Of a header, what was not read at once is not read again. */
  readonly scope: StatementScope;
}

/**
 * An empty page has no words, and needs no recogniser.
 * @param picture in the size of `pictureSide`
 */
export async function recognisePage(
  picture: PagePicture,
  { page, mode, scope }: PageToRecognise,
  openRecogniser: () => Promise<TextRecogniser>,
): Promise<ReadPage> {
  const straight = straighten(picture);
  if (straight === null) return { page, words: [], toSeen: picture.toSeen };
  const recogniser = await openRecogniser();
  let best: RecognisedPicture | null = null;
  for (const angle of straight.turns) {
    const level = await turnPicture(straight.lit, angle);
    const read = { picture: level, words: recogniser.read(level, mode) };
    if (best === null || sureCount(read.words) > sureCount(best.words)) best = read;
    if (sureShare(best.words) >= SURE_SHARE_MIN) break;
  }
  if (best === null) return { page, words: [], toSeen: picture.toSeen };
  const all = scope === "header" ? best : await withLostInk(best, recogniser);
  return toPage(all, page, POINTS_WIDE / pictureSide(scope));
}

/** The reading, with words and marks that were lost though their ink is on the page. */
async function withLostInk(
  { picture, words }: RecognisedPicture,
  recogniser: TextRecogniser,
): Promise<RecognisedPicture> {
  const ink = openInk(picture);
  const unsure = words.filter(({ confidence }) => confidence < UNSURE);
  let all: readonly RecognisedWord[] = words.filter(({ confidence }) => confidence >= UNSURE);
  for (const place of lostPlaces(ink, all, unsure)) {
    for (const factor of [ENLARGED, ENLARGED_LESS]) {
      const part = await enlargePart(picture, withMargin(place.box), factor);
      const line = part === null ? null : recogniser.readLine(part);
      const next = line === null ? all : withLostWords(all, place, line);
      if (next === all && /\d/u.test(line?.text ?? "")) continue;
      all = next;
      break;
    }
  }
  const kept = unsure.filter((word) => !all.some((other) => doesOverlap(other.box, word.box)));
  let found: readonly RecognisedWord[] = [...all, ...kept];
  for (const one of [ink, openInk(picture, DARK_INK)]) found = withMarksOfInk(found, one);
  return { picture, words: found };
}

interface RecognisedPicture {
  readonly picture: PagePicture;
  readonly words: readonly RecognisedWord[];
}

const sureCount = (words: readonly RecognisedWord[]): number =>
  words.filter(({ text, confidence }) => confidence >= SURE && text.length >= SURE_LENGTH).length;

const sureShare = (words: readonly RecognisedWord[]): number => {
  const long = words.filter(({ text }) => text.length >= SURE_LENGTH).length;
  return long === 0 ? 0 : sureCount(words) / long;
};

/** @param scale points of a pixel */
const toPage = ({ picture, words }: RecognisedPicture, page: number, scale: number): ReadPage => ({
  page,
  words: words.flatMap((word) => toPageWord(word, page, scale) ?? []),
  toSeen: chain(scaling(1 / scale), picture.toSeen),
});

function toPageWord(
  { text, box, confidence }: RecognisedWord,
  page: number,
  scale: number,
): PageWord | null {
  const corrected = correctReading(text);
  if (corrected === "" || confidence < CONFIDENCE_MIN) return null;
  const [left, top, right, bottom] = box.map((pixels) => pixels * scale) as unknown as Box;
  return {
    ...{ page, text: corrected.normalize("NFKC"), left, top, right, bottom, confidence },
    source: "ocr",
  };
}

/** Of the height of a number: the paper around it that is looked at too. */
const MARGIN = 0.35;
const ENLARGED = 3;
/** A number that is not read in one size may be in another. */
const ENLARGED_LESS = 2;

/** A number that was recognised with less confidence does not replace another. */
const REREAD_CONFIDENCE_MIN = 0.5;
/** Of numbers, or with the name of a month. */
const DATE =
  /^(?:\d{1,4}([./-])\d{1,2}(?:\1\d{2,4})?\.?|\d{1,2}[ -]?\p{L}{3,9}\.?(?:[ -]\d{2,4})?|\p{L}{3,9}\.? ?\d{1,2}(?:, \d{4})?)$/u;
const AMOUNT = /^[-+(]?[$]?\d[\d.,]*[.,]\d{2}[-)]?$/u;

/**
 * Reads single numbers of a page again, enlarged, with nothing but digits and signs to choose from.
 * @param boxes of the page as it is seen
 */
export async function rereadNumbers(
  picture: PagePicture,
  before: ReadPage,
  boxes: readonly Box[],
  recogniser: TextRecogniser,
): Promise<ReadPage> {
  const parts = await partsOf(picture, before, boxes);
  let words = before.words;
  for (const { box, part } of parts) {
    const { text, confidence } = recogniser.readNumber(part);
    const read = text.replaceAll(/\s/gu, "");
    if (confidence >= REREAD_CONFIDENCE_MIN && AMOUNT.test(read))
      words = withNumber(words, box, { text: read, confidence });
  }
  return { ...before, words };
}

/**
 * Reads single dates of a page again, enlarged, or where nothing was found. What is not a date, and what has other letters or
 * another length than the words in its place, changes nothing.
 * @param boxes of the page as it is seen
 */
export async function rereadDates(
  picture: PagePicture,
  before: ReadPage,
  boxes: readonly Box[],
  recogniser: TextRecogniser,
): Promise<ReadPage> {
  const parts = await partsOf(picture, before, boxes);
  let words = before.words;
  for (const { box, part } of parts) {
    const { text, confidence } = recogniser.readLine(part);
    const texts = correctReading(text).split(/\s+/u).filter(Boolean);
    if (confidence >= REREAD_CONFIDENCE_MIN && isDateText(texts.join(" ")))
      words = withDate(words, box, texts, confidence);
  }
  return { ...before, words };
}

function isDateText(text: string): boolean {
  const name = /\p{L}+/u.exec(text)?.[0];
  return DATE.test(text) && (name === undefined || monthOfName(name) !== null);
}

interface PagePart {
  /** Of the page as its words are. */
  readonly box: Box;
  readonly part: GreyPicture;
}

/** The places of a page, enlarged. */
async function partsOf(
  picture: PagePicture,
  before: ReadPage,
  boxes: readonly Box[],
): Promise<PagePart[]> {
  const straight = straighten(picture);
  if (straight === null) return [];
  // The turn of the first reading: the one with the same direction of lines.
  const [c, d] = before.toSeen;
  const likeness = (angle: number): number => c * Math.cos(angle) - d * Math.sin(angle);
  const [angle = 0] = straight.turns.toSorted((a, b) => likeness(b) - likeness(a));
  const level = await turnPicture(straight.lit, angle);
  const parts: PagePart[] = [];
  for (const box of boxes) {
    const part = await partOf(level, box);
    if (part !== null) parts.push({ box: moveBox(box, inverse(before.toSeen)), part });
  }
  return parts;
}

function partOf(level: PagePicture, box: Box): Promise<GreyPicture | null> {
  return enlargePart(level, withMargin(moveBox(box, inverse(level.toSeen))), ENLARGED);
}

function withMargin([left, top, right, bottom]: Box): Box {
  const margin = (bottom - top) * MARGIN;
  return [left - margin, top - margin, right + margin, bottom + margin];
}

/** The words, with the number in the place of those in the box, of which there may be none. */
function withNumber(
  words: readonly PageWord[],
  box: Box,
  number: { readonly text: string; readonly confidence: number },
): readonly PageWord[] {
  const replaced = words.filter((word) => isInside(word, box));
  const [first] = replaced;
  const page = words[0]?.page;
  if (first === undefined && page !== undefined) {
    const [left, top, right, bottom] = box;
    return [...words, { ...number, page, left, top, right, bottom, source: "ocr" }];
  }
  if (first === undefined || replaced.map(({ text }) => text).join("") === number.text)
    return words;
  const joined: PageWord = {
    ...first,
    ...number,
    left: Math.min(...replaced.map(({ left }) => left)),
    right: Math.max(...replaced.map(({ right }) => right)),
  };
  return words.flatMap((word) => (word === first ? joined : replaced.includes(word) ? [] : word));
}

/** The words, with those of the date in the place of the same shape, or where there was none or their first ones were lost. */
function withDate(
  words: readonly PageWord[],
  box: Box,
  texts: readonly string[],
  confidence: number,
): readonly PageWord[] {
  const replaced = words.filter((word) => isInside(word, box)).sort((a, b) => a.left - b.left);
  const page = words[0]?.page;
  if (page === undefined) return words;
  const [left, top, right, bottom] = box;
  const [first] = replaced;
  if (first === undefined)
    return [...words, ...wordsWithin({ page, left, top, right, bottom, confidence }, texts)];
  // Of "04 May 2025", the first reading may have lost "04".
  const lost = texts.length - replaced.length;
  const isSameShape =
    lost >= 0 &&
    replaced.every(({ text }, at) => digitShape(text) === digitShape(texts[lost + at] ?? ""));
  if (!isSameShape) return words;
  const before = first.left - (first.bottom - first.top) / 2;
  // In front of the first one also where its box holds the lost ones too.
  const edges = { left: Math.min(left, before), right: before };
  const place = { page, ...edges, top: first.top, bottom: first.bottom };
  return [
    ...wordsWithin({ ...place, confidence }, texts.slice(0, lost)),
    ...words.map((word) => {
      const at = replaced.indexOf(word);
      const text = at < 0 ? undefined : texts[lost + at];
      return text === undefined || text === word.text ? word : { ...word, text, confidence };
    }),
  ];
}

/** Words of a text next to each other, in a place as wide as all of them. */
const wordsWithin = (place: Omit<PageWord, "text">, texts: readonly string[]): PageWord[] =>
  sideBySide(texts, boxOf(place)).map(({ text, box: [left, , right] }) => ({
    ...{ ...place, text, left, right },
    source: "ocr",
  }));

/** Letters of a month stay as they are: only digits are read otherwise. */
const digitShape = (text: string): string => text.replaceAll(/\d/gu, "0");

const isInside = (word: PageWord, [left, top, right, bottom]: Box): boolean => {
  const [x, y] = [(word.left + word.right) / 2, (word.top + word.bottom) / 2];
  return x > left && x < right && y > top && y < bottom;
};

/** Two readings of one page: words of the second where the first has none, or is less sure. */
export function mergeReadings(first: ReadPage, second: ReadPage): ReadPage {
  if (first.toSeen.some((value, index) => value !== second.toSeen[index])) return first;
  const words = [...first.words];
  for (const word of second.words) {
    const at = words.findIndex((other) => doesOverlap(boxOf(other), boxOf(word)));
    const other = words[at];
    if (other === undefined) words.push(word);
    else if (isSameWord(other, word) && word.confidence > other.confidence) words[at] = word;
  }
  return { ...first, words };
}

const OVERLAP = 0.3;

const boxOf = ({ left, top, right, bottom }: Omit<PageWord, "text">): Box => [
  left,
  top,
  right,
  bottom,
];

function doesOverlap(a: Box, b: Box): boolean {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return false;
  const area = ([left, top, right, bottom]: Box): number => (right - left) * (bottom - top);
  return width * height > OVERLAP * Math.min(area(a), area(b));
}

/** A word that one reading cut into several does not replace one of them. */
const SAME_WIDTH = 0.15;
const isSameWord = (a: PageWord, b: PageWord): boolean => {
  const [x, y] = [a.right - a.left, b.right - b.left];
  return Math.abs(x - y) < SAME_WIDTH * Math.max(x, y);
};
