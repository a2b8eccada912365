// Where the picture of a page shows other numbers than the text layer that lies invisibly over it. A scanner misreads digits, so this
// alone does not prove anything; a forger changes the layer, which readers of text believe.
import type { StatementAccount, StatementSignal } from "../../src/model/bank-statement.ts";
import { CURRENCIES } from "../../src/model/currencies.ts";
import { type Box, moveBox } from "./affine.ts";
import type { ReadPage } from "./read-page.ts";
import type { PageWord } from "./words.ts";

/** Below, recognition itself may have misread the number. */
const CONFIDENCE_MIN = 0.8;
/** Places of one document that are listed. */
const DIFFERENCES_MAX = 20;
const DIGITS_MIN = 2;
/** Of the lower and of the narrower of two words. */
const OVERLAP_MIN = 0.4;
/** Letters that stand with a number or within a date; other words with digits are recognised less surely. */
const WORDS: ReadonlySet<string> = new Set([
  ...[...CURRENCIES, "R", "RS", "KR", "ZŁ", "CR", "DR"],
  ...["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
]);
const DECIMALS = /[.,]\d{1,2}(?:\D*)$/u;

/** A word on the page as it is seen. */
interface SeenWord {
  readonly text: string;
  readonly confidence: number;
  readonly box: Box;
  /** What else a number was read as. */
  readonly others: readonly string[];
}

/** The words of both readings that are printed in one place. */
interface NumberPlace {
  readonly recognised: readonly SeenWord[];
  readonly layer: readonly SeenWord[];
}

/**
 * One signal for each number that was recognised surely and differs in its digits. Signs and marks are not compared: recognition
 * loses them.
 * @param accounts as read: a number that a repair made equal to the layer was misread
 * @param pages as recognised
 */
export function findLayerDifferences(
  accounts: readonly StatementAccount[],
  pages: readonly ReadPage[],
  layers: readonly ReadPage[],
): StatementSignal[] {
  const repaired = new Set(
    accounts.flatMap(({ repairs }) => repairs.map(({ to }) => onlyDigits(to))),
  );
  const signals = layers.flatMap((layer) => {
    const page = pages.find((one) => one.page === layer.page);
    return page === undefined ? [] : differencesOfPage(page, layer, repaired);
  });
  return signals.slice(0, DIFFERENCES_MAX);
}

function differencesOfPage(
  page: ReadPage,
  layer: ReadPage,
  repaired: ReadonlySet<string>,
): StatementSignal[] {
  const places = placesOf(seenWords(page), seenWords(layer)).filter(areNumbers);
  const read = numbersOf(
    page,
    places.map(({ recognised }) => recognised),
  );
  const written = numbersOf(
    layer,
    places.map((place) => place.layer),
  );
  // It is in the other reading too, in another place: the layer lies a line too low.
  const isMoved = (place: NumberPlace): boolean =>
    written.has(digitsOf(place.recognised)) || read.has(digitsOf(place.layer));
  const differing = places.filter((place) => isDifferent(place, repaired) && !isMoved(place));
  const of = `${String(differing.length)} of ${String(places.length)} numbers of the page differ`;
  return differing.map(({ recognised, layer: written }) => ({
    kind: "text_layer_differs",
    reason: `The picture shows "${textOf(recognised)}", the invisible text layer "${textOf(written)}"; ${of}.`,
    page: page.page,
    box: boxAround(recognised),
  }));
}

const numbersOf = ({ words }: ReadPage, places: readonly (readonly SeenWord[])[]) =>
  new Set([...words.map(({ text }) => onlyDigits(text)), ...places.map(digitsOf)]);

const seenWords = ({ words, toSeen }: ReadPage): SeenWord[] =>
  words.map((word) => ({
    ...{ text: word.text, confidence: word.confidence, others: word.others ?? [] },
    box: rounded(moveBox(boxOf(word), toSeen)),
  }));

const boxOf = ({ left, top, right, bottom }: PageWord): Box => [left, top, right, bottom];

const rounded = (box: Box): Box =>
  box.map((length) => Math.round(length * 100) / 100) as unknown as Box;

/** From each number that was recognised: it may be several words of the layer, and these several recognised ones. */
function placesOf(recognised: readonly SeenWord[], layer: readonly SeenWord[]): NumberPlace[] {
  const seen = new Set<SeenWord>();
  return recognised.flatMap((word) => {
    if (seen.has(word) || !/\d/u.test(word.text)) return [];
    const written = layer.filter((other) => isInPlace(word, other));
    const read = recognised.filter((one) => written.some((other) => isInPlace(one, other)));
    const all = layer.filter((other) => read.some((one) => isInPlace(one, other)));
    for (const one of read) seen.add(one);
    return all.length === 0 ? [] : [{ recognised: read, layer: all }];
  });
}

function isInPlace({ box: a }: SeenWord, { box: b }: SeenWord): boolean {
  const shared = (from: 0 | 1): number => {
    const to = (from + 2) as 2 | 3;
    const least = Math.min(a[to] - a[from], b[to] - b[from]);
    return (Math.min(a[to], b[to]) - Math.max(a[from], b[from])) / Math.max(least, 1);
  };
  return shared(0) >= OVERLAP_MIN && shared(1) >= OVERLAP_MIN;
}

const isNumber = (text: string): boolean =>
  (text.match(/\p{L}+/gu) ?? []).every((letters) => WORDS.has(letters.toUpperCase()));

/** Of the same kind: where only one of them has decimals, recognition lost a part of it. */
const areNumbers = ({ recognised, layer }: NumberPlace): boolean =>
  [recognised, layer].every(
    (words) => isNumber(textOf(words)) && digitsOf(words).length >= DIGITS_MIN,
  ) && DECIMALS.test(textOf(recognised)) === DECIMALS.test(textOf(layer));

function isDifferent({ recognised, layer }: NumberPlace, repaired: ReadonlySet<string>): boolean {
  const written = digitsOf(layer);
  const isSure = recognised.every(({ confidence }) => confidence >= CONFIDENCE_MIN);
  const readings = recognised.flatMap(({ others }) => others.map(onlyDigits));
  return (
    isSure &&
    digitsOf(recognised) !== written &&
    !readings.includes(written) &&
    !repaired.has(written)
  );
}

const inOrder = (words: readonly SeenWord[]): SeenWord[] =>
  words.toSorted((one, other) => one.box[0] - other.box[0]);

const textOf = (words: readonly SeenWord[]): string =>
  inOrder(words)
    .map(({ text }) => text)
    .join(" ");

const digitsOf = (words: readonly SeenWord[]): string => onlyDigits(textOf(words));

const onlyDigits = (text: string): string => text.replaceAll(/\D/gu, "");

function boxAround(words: readonly SeenWord[]): Box {
  const sides = ([0, 1, 2, 3] as const).map((at) => words.map(({ box }) => box[at]));
  const [lefts = [], tops = [], rights = [], bottoms = []] = sides;
  return [Math.min(...lefts), Math.min(...tops), Math.max(...rights), Math.max(...bottoms)];
}
