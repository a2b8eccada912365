// Words with boxes from the text layer of a PDF, by PDFium compiled to WebAssembly.
import type { WrappedPdfiumModule } from "@embedpdf/pdfium";
import type { StatementFault } from "../../src/model/bank-statement.ts";
import { type Affine, type Box, IDENTITY, inverse, moveBox } from "./affine.ts";
import type { DocumentFacts } from "./document-facts.ts";
import { hiddenTextObjects } from "./hidden-text.ts";
import { readPdfFacts } from "./pdf-facts.ts";
import {
  isEmptyPage,
  memoryOf,
  type OpenPage,
  type OpenPdf,
  toSeenPoints,
  withPage,
  withPdf,
} from "./pdfium.ts";
import type { ReadPage } from "./read-page.ts";
import { joinSplitNumbers } from "./split-numbers.ts";
import { LINE_BOX_BYTES, lineBoxes } from "./tight-boxes.ts";
import type { PageWord } from "./words.ts";

/** Characters of one page that are read; a fuller page counts as one without text. */
const PAGE_CHARACTERS_MAX = 100_000;
/** A page with fewer characters has no text layer worth the name. */
const CHARACTERS_MIN = 20;
const MAP_ERRORS_MAX = 0.05;
/** Of the characters: from here on, what a person sees of a page is not its text. */
const HIDDEN_SHARE_MIN = 0.5;
/** Watermarks are turned. In radians. */
const ANGLE_MAX = 0.1;
const RIGHT_ANGLE = Math.PI / 2;
const FLOAT_BYTES = 4;
const BOX_BYTES = 4 * FLOAT_BYTES;
/** A gap this wide, as a share of the height of a character, separates words. */
const WORD_GAP = 0.25;

export interface PdfText {
  /** All pages of the document. */
  readonly pages: number;
  /** Pages with a text layer, and those without anything. */
  readonly read: readonly ReadPage[];
  /** Pages whose text could not be read, from 1: they are pictures, a person does not see their text, or it has no meaning. */
  readonly pagesWithoutText: readonly number[];
  /** Of the file and of the pages that were looked at. */
  readonly facts: DocumentFacts;
}

/**
 * Reads the text layers, in the order of the document.
 * @param password empty: none
 * @param pagesMax pages from the first that are looked at
 */
export const readPdfText = (
  bytes: Uint8Array,
  password: string,
  pagesMax = Number.POSITIVE_INFINITY,
): Promise<PdfText | { readonly fault: StatementFault }> =>
  withPdf(bytes, password, (pdf) => {
    const read: ReadPage[] = [];
    const pagesWithoutText: number[] = [];
    const hiddenLayers: ReadPage[] = [];
    for (let page = 1; page <= Math.min(pdf.pages, pagesMax); page += 1) {
      const layer = withPage(pdf, page, (open) => readTextLayer(pdf, open, page));
      if (layer?.isSeen === true) read.push(layer.page);
      else pagesWithoutText.push(page);
      if (layer?.isSeen === false) hiddenLayers.push(layer.page);
    }
    const facts = readPdfFacts(pdf.pdfium, pdf.document, bytes, pagesMax);
    const isHidden = new Set(hiddenLayers.map(({ page }) => page));
    const fonts = facts.fonts.filter(({ page }) => !isHidden.has(page));
    return {
      pages: pdf.pages,
      ...{ read, pagesWithoutText },
      facts: { ...facts, fonts, hiddenLayers },
    };
  });

export type ReadPdf =
  | {
      readonly words: readonly PageWord[];
      readonly pages: number;
      readonly pagesWithoutText: readonly number[];
    }
  | { readonly fault: StatementFault };

/** The words of all text layers as one list; `no_text` where there are none. */
export async function readPdf(bytes: Uint8Array, password: string): Promise<ReadPdf> {
  const text = await readPdfText(bytes, password);
  if ("fault" in text) return text;
  const words = text.read.flatMap((page) => page.words);
  const { pages, pagesWithoutText, read } = text;
  const empty = read.flatMap((page) => (page.words.length === 0 ? [page.page] : []));
  return words.length === 0
    ? { fault: "no_text" }
    : { words, pages, pagesWithoutText: [...pagesWithoutText, ...empty] };
}

interface Character {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Right angles with the clock, as seen, 0 to 3; -1: turned by another angle. */
  readonly quarter: number;
  readonly isHidden: boolean;
}

interface TextLayer {
  readonly page: ReadPage;
  /** Whether a person sees it. */
  readonly isSeen: boolean;
}

/** null: without a text layer. */
function readTextLayer(pdf: OpenPdf, page: OpenPage, number: number): TextLayer | null {
  const { pdfium } = pdf;
  const text = pdfium.FPDFText_LoadPage(page.handle);
  try {
    if (text === 0) return null;
    if (isEmptyPage(pdfium, page))
      return { page: { page: number, words: [], toSeen: IDENTITY }, isSeen: true };
    const count = pdfium.FPDFText_CountChars(text);
    if (count < CHARACTERS_MIN || count > PAGE_CHARACTERS_MAX) return null;
    const hidden = hiddenTextObjects(pdf, page);
    const { characters, mapErrors } = readCharacters(pdfium, { text, count, hidden }, page);
    if (mapErrors > count * MAP_ERRORS_MAX) return null;
    const legible = withoutTiny(characters);
    return hidden.size === 0
      ? { page: toPage(legible, number), isSeen: true }
      : largerLayer(legible, number);
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text);
  }
}

/** Of the height of most characters: smaller ones are too small to read, such as labels for a screen reader. */
const TINY = 0.25;

function withoutTiny(characters: readonly Character[]): readonly Character[] {
  const heightOf = ({ top, bottom }: Character): number => Math.abs(bottom - top);
  const heights = characters
    .filter(isVisible)
    .map(heightOf)
    .sort((a, b) => a - b);
  const least = (heights[Math.floor(heights.length / 2)] ?? 0) * TINY;
  return characters.filter((one) => !isVisible(one) || heightOf(one) >= least);
}

/** The layer that most characters are in: the seen one, or the hidden one. */
function largerLayer(characters: readonly Character[], page: number): TextLayer {
  const printed = characters.filter(isVisible);
  const hidden = printed.filter(({ isHidden }) => isHidden).length;
  const isSeen = hidden < printed.length * HIDDEN_SHARE_MIN;
  const layer = characters.filter((one) => one.isHidden !== isSeen || !isVisible(one));
  return { page: toPage(layer, page), isSeen };
}

function toPage(characters: readonly Character[], page: number): ReadPage {
  const main = mainQuarter(characters);
  const toLevel = TO_LEVEL[main] ?? IDENTITY;
  return {
    page,
    words: joinSplitNumbers(toWords(upright(characters, main, toLevel), page)),
    toSeen: inverse(toLevel),
  };
}

interface PageText {
  readonly text: number;
  readonly count: number;
  readonly hidden: ReadonlySet<number>;
}

function readCharacters(
  pdfium: WrappedPdfiumModule,
  { text, count, hidden }: PageText,
  page: OpenPage,
): { characters: Character[]; mapErrors: number } {
  const toSeen = toSeenPoints(pdfium, page);
  const turn = pdfium.FPDFPage_GetRotation(page.handle);
  const target = pdfium.pdfium.wasmExports.malloc(LINE_BOX_BYTES);
  const boxOf = lineBoxes(pdfium, text, target);
  const characters: Character[] = [];
  let mapErrors = 0;
  try {
    for (let index = 0; index < count; index += 1) {
      const code = pdfium.FPDFText_GetUnicode(text, index);
      if (pdfium.FPDFText_HasUnicodeMapError(text, index) === 1) mapErrors += 1;
      if (!pdfium.FPDFText_GetLooseCharBox(text, index, target)) continue;
      // The memory may have grown, so the view is taken again. Left, top, right, bottom.
      const box = new Float32Array(memoryOf(pdfium).buffer, target, BOX_BYTES / FLOAT_BYTES);
      if (!box.every(Number.isFinite)) continue;
      const inLine = boxOf(index, [...box] as unknown as Box);
      const [left, top, right, bottom] = moveBox(inLine, toSeen);
      characters.push({
        text: textOfCode(code),
        ...{ left, top, right, bottom },
        quarter: quarterOf(pdfium.FPDFText_GetCharAngle(text, index), turn),
        isHidden: hidden.size > 0 && hidden.has(pdfium.FPDFText_GetTextObject(text, index)),
      });
    }
  } finally {
    pdfium.pdfium.wasmExports.free(target);
  }
  return { characters, mapErrors };
}

/** In the place of a hyphen behind letters at the end of a line, such as the minus of "12.50 EUR-". */
const LINE_END_HYPHEN = 2;

function textOfCode(code: number): string {
  if (code === LINE_END_HYPHEN) return "-";
  return code === 0 || code > 0x10ffff ? " " : String.fromCodePoint(code);
}

const QUARTERS = 4;

/** PDFium gives angles with the clock, and those of the content: the page as a whole may be turned too. */
function quarterOf(angle: number, turn: number): number {
  const quarter = Math.round(angle / RIGHT_ANGLE);
  const isStraight = Math.abs(angle - quarter * RIGHT_ANGLE) < ANGLE_MAX;
  return isStraight ? (quarter + turn) % QUARTERS : -1;
}

/** By the quarter that most characters have: turns a page so that its lines are level. */
const TO_LEVEL: readonly Affine[] = [
  IDENTITY,
  [0, -1, 1, 0, 0, 0],
  [-1, 0, 0, -1, 0, 0],
  [0, 1, -1, 0, 0, 0],
];

const isVisible = ({ text }: Character): boolean => text.trim() !== "";

function mainQuarter(characters: readonly Character[]): number {
  const counts = TO_LEVEL.map(() => 0);
  for (const character of characters.filter(isVisible))
    if (character.quarter >= 0) counts[character.quarter] = (counts[character.quarter] ?? 0) + 1;
  return counts.indexOf(Math.max(...counts));
}

/** Without watermarks: characters that are not turned as most are. */
const upright = (characters: readonly Character[], main: number, toLevel: Affine): Character[] =>
  characters
    .filter((character) => character.quarter === main || !isVisible(character))
    .map((character) => {
      const { left, top, right, bottom } = character;
      const box = moveBox([left, top, right, bottom], toLevel);
      return { ...character, left: box[0], top: box[1], right: box[2], bottom: box[3] };
    });

function toWords(characters: readonly Character[], page: number): PageWord[] {
  const words: PageWord[] = [];
  let word: Character | null = null;
  const end = (): void => {
    if (word !== null) {
      const { text, left, top, right, bottom } = word;
      words.push({ page, text: text.normalize("NFKC"), left, top, right, bottom, confidence: 1 });
    }
    word = null;
  };
  for (const character of characters) {
    if (!isVisible(character)) {
      end();
      continue;
    }
    const open: Character | null = word;
    if (open !== null && !continues(open, character)) end();
    word = word === null ? character : joined(word, character);
  }
  end();
  return words;
}

function continues(word: Character, next: Character): boolean {
  const height = Math.max(word.bottom - word.top, 1);
  const isSameLine = Math.abs(next.bottom - word.bottom) < height * 0.4;
  const gap = next.left - word.right;
  return isSameLine && gap < height * WORD_GAP && gap > -height;
}

const joined = (word: Character, next: Character): Character => ({
  text: word.text + next.text,
  left: Math.min(word.left, next.left),
  top: Math.min(word.top, next.top),
  right: Math.max(word.right, next.right),
  bottom: Math.max(word.bottom, next.bottom),
  quarter: word.quarter,
  isHidden: word.isHidden,
});
