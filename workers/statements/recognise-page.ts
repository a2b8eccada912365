// The words of a page that is a picture: straightened, recognised, and turned over when it stands on its head.
import type { StatementScope } from "../../src/model/bank-statement.ts";
import { type Box, chain, scaling } from "./affine.ts";
import { type PagePicture, PICTURE_SIDE, pictureSide } from "./page-picture.ts";
import { brokenNumbers, withWholeNumber } from "./broken-numbers.ts";
import { enlargePart, straighten, turnPicture } from "./picture.ts";
import { DARK_INK, openInk } from "./ink.ts";
import { lostPlaces, withLostWords } from "./lost-words.ts";
import { withMarksOfInk } from "./number-ink.ts";
import {
  areRowsAround,
  middleOfRows,
  type PageStrip,
  stripOf,
  withMiddle,
  withoutStrip,
} from "./middle-rows.ts";
import type { ReadPage } from "./read-page.ts";
import { correctReading } from "./reading-errors.ts";
import { ENLARGED, ENLARGED_LESS, VIEWS, withMargin } from "./reread.ts";
import { withoutShades } from "./shaded-areas.ts";
import type {
  RecognisedLine,
  RecognisedWord,
  RecognitionMode,
  TextRecogniser,
} from "./text-recognition.ts";
import type { PageWord } from "./words.ts";

/** Words are in points, as those of a PDF: of a page of A4, 595 points wide. */
const POINTS_WIDE = 595;
/** Words below this confidence are noise: stains, signatures, logos. */
const CONFIDENCE_MIN = 0.2;
/** What is below it is read again. */
const UNSURE = 0.6;
const SURE = 0.7;
const SURE_LENGTH = 3;
/** With fewer sure words, or fewer among the recognised ones, the page may lie otherwise. */
const SURE_COUNT_MIN = 8;
const SURE_SHARE_MIN = 0.35;

interface PageToRecognise {
  readonly page: number;
  readonly mode: RecognitionMode;
  /** Of a header, what was not read at once is not read again. */
  readonly scope: StatementScope;
}

/** What was read of a page, and the level picture that it was read from. null: the page is empty. */
export interface RecognisedPage {
  readonly read: ReadPage;
  readonly level: PagePicture | null;
}

/**
 * An empty page has no words, and needs no recogniser.
 * @param picture in the size of `pictureSide`
 */
export async function recognisePage(
  picture: PagePicture,
  { page, mode, scope }: PageToRecognise,
  openRecogniser: () => Promise<TextRecogniser>,
): Promise<RecognisedPage> {
  const empty = { read: { page, words: [], ...placeOf(picture) }, level: null };
  const straight = straighten(picture);
  if (straight === null) return empty;
  const recogniser = await openRecogniser();
  let best: (RecognisedPicture & { readonly strip: PageStrip | null }) | null = null;
  for (const angle of straight.turns) {
    const level = withoutShades(await turnPicture(straight.lit, angle));
    const strip = scope === "header" ? middleOfRows(openInk(level)) : null;
    const shown = strip === null ? level : withoutStrip(level, strip);
    const read = { picture: level, words: recogniser.read(shown, mode), strip };
    if (best === null || sureCount(read.words) > sureCount(best.words)) best = read;
    if (liesSurely(best.words)) break;
  }
  if (best === null) return empty;
  const scale = POINTS_WIDE / pictureSide(scope);
  const { strip, picture: level } = best;
  if (scope === "all")
    return { read: toPage(await withLostInk(best, recogniser), page, scale), level };
  if (strip === null) return { read: toPage(best, page, scale), level };
  const isOfRows = areRowsAround(toPage(best, page, scale).words, strip.top * scale);
  const middle = isOfRows ? [] : recogniser.read(stripOf(level, strip), mode);
  return {
    read: toPage({ ...best, words: withMiddle(best.words, middle, strip) }, page, scale),
    level,
  };
}

/**
 * Recognises a whole page a second time, in the mode that finds columns, and adds what it finds to the first reading.
 * @param level the picture of that reading
 */
export async function recogniseAgain(
  level: PagePicture,
  before: ReadPage,
  recogniser: TextRecogniser,
): Promise<ReadPage> {
  const words = recogniser.read(level, "automatic");
  const all = await withLostInk({ picture: level, words }, recogniser);
  return mergeReadings(before, toPage(all, before.page, POINTS_WIDE / PICTURE_SIDE));
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
    let before: RecognisedLine | null = null;
    for (const { factor, margin } of VIEWS) {
      const part = await enlargePart(picture, withMargin(place.box, margin), factor);
      const line: RecognisedLine | null =
        part === null ? null : surer(recogniser.readLine(part), before);
      const next = line === null ? all : withLostWords(all, place, line);
      before = line;
      if (next === all && /\d/u.test(line?.text ?? "")) continue;
      all = next;
      break;
    }
  }
  const kept = unsure.filter((word) => !all.some((other) => doesOverlap(other.box, word.box)));
  let found: readonly RecognisedWord[] = [...all, ...kept];
  for (const one of [ink, openInk(picture, DARK_INK)]) found = withMarksOfInk(found, one);
  const whole = await withWholeNumbers({ picture, words: found }, recogniser);
  return { picture, words: withoutRepeated(whole) };
}

/** Without words that were read twice in one place, of which the surer one stays: a line with two numbers has no sum of a summary. */
const withoutRepeated = (words: readonly RecognisedWord[]): readonly RecognisedWord[] =>
  words.filter(
    (word, at) =>
      !words.some((other, index) => {
        const isSurer = other.confidence - word.confidence || at - index;
        return (
          other !== word &&
          isSurer > 0 &&
          other.text === word.text &&
          doesOverlap(other.box, word.box)
        );
      }),
  );

const AGREED = 0.6;
const AGREED_DIGITS_MIN = 3;

/** A number that is read in two views alike is surer than each of them. */
function surer(line: RecognisedLine, before: RecognisedLine | null): RecognisedLine {
  const digits = line.text.replaceAll(/\D/gu, "").length;
  return digits >= AGREED_DIGITS_MIN && line.text === before?.text
    ? { ...line, confidence: Math.max(line.confidence, before.confidence, AGREED) }
    : line;
}

/** The words, with those in columns of amounts that are not amounts read again. */
async function withWholeNumbers(
  { picture, words }: RecognisedPicture,
  recogniser: TextRecogniser,
): Promise<readonly RecognisedWord[]> {
  let all = words;
  for (const broken of brokenNumbers(words)) {
    for (const factor of [ENLARGED_LESS, ENLARGED]) {
      const part = await enlargePart(picture, withMargin(broken.box), factor);
      const next = part === null ? all : withWholeNumber(all, broken, recogniser.readLine(part));
      if (next === all) continue;
      all = next;
      break;
    }
  }
  return all;
}

interface RecognisedPicture {
  readonly picture: PagePicture;
  readonly words: readonly RecognisedWord[];
}

const sureCount = (words: readonly RecognisedWord[]): number =>
  words.filter(({ text, confidence }) => confidence >= SURE && text.length >= SURE_LENGTH).length;

/** Columns far apart can look like lines of text that stand upright: one of three shapes in them that resembles a word proves nothing. */
const liesSurely = (words: readonly RecognisedWord[]): boolean => {
  const long = words.filter(({ text }) => text.length >= SURE_LENGTH).length;
  return sureCount(words) >= Math.max(SURE_COUNT_MIN, SURE_SHARE_MIN * long);
};

/** @param scale points of a pixel */
const toPage = ({ picture, words }: RecognisedPicture, page: number, scale: number): ReadPage => ({
  page,
  words: words.flatMap((word) => toPageWord(word, page, scale) ?? []),
  ...placeOf(picture),
  toSeen: chain(scaling(1 / scale), picture.toSeen),
});

const placeOf = ({
  toSeen,
  perspective,
}: PagePicture): Pick<ReadPage, "toSeen" | "perspective"> => ({
  toSeen,
  ...(perspective === undefined ? {} : { perspective }),
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

/** Two readings of one page: words of the second where the first has none, or is less sure. */
function mergeReadings(first: ReadPage, second: ReadPage): ReadPage {
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
