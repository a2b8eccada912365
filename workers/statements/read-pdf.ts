// Words with boxes from the text layer of a PDF, by PDFium compiled to WebAssembly.
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import type { StatementFault } from "../../src/model/bank-statement.ts";
import type { PageWord } from "./words.ts";

/** Pages of one document that are read; more are refused. */
const STATEMENT_PAGES_MAX = 300;
/** Characters of one page that are read; a page with more is refused. */
const PAGE_CHARACTERS_MAX = 100_000;

const ERROR_PASSWORD = 4;
/** A page with fewer characters has no text layer worth the name. */
const CHARACTERS_MIN = 20;
const MAP_ERRORS_MAX = 0.05;
/** Watermarks are turned. In radians. */
const ANGLE_MAX = 0.1;
const RIGHT_ANGLE = Math.PI / 2;
const FLOAT_BYTES = 4;
const BOX_BYTES = 4 * FLOAT_BYTES;
/** A gap this wide, as a share of the height of a character, separates words. */
const WORD_GAP = 0.25;

export type ReadPdf =
  | {
      readonly words: readonly PageWord[];
      readonly pages: number;
      /** Pages whose text could not be read, from 1: they are pictures, or their text has no meaning. */
      readonly pagesWithoutText: readonly number[];
    }
  | { readonly fault: StatementFault };

let loaded: Promise<WrappedPdfiumModule> | null = null;

async function load(): Promise<WrappedPdfiumModule> {
  const pdfium = await init({});
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/**
 * Reads the words of all pages, in the order of the document. Never throws for what the bytes are: a document that cannot
 * be read has a fault.
 * @param password empty: none
 */
export async function readPdf(bytes: Uint8Array, password: string): Promise<ReadPdf> {
  loaded ??= load();
  const pdfium = await loaded;
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const pointer = malloc(bytes.length);
  if (pointer === 0) return { fault: "too_large" };
  memoryOf(pdfium).set(bytes, pointer);
  try {
    const document = pdfium.FPDF_LoadMemDocument(pointer, bytes.length, password);
    if (document === 0) {
      const isLocked = pdfium.FPDF_GetLastError() === ERROR_PASSWORD;
      if (!isLocked) return { fault: "damaged" };
      return { fault: password === "" ? "password_needed" : "password_wrong" };
    }
    try {
      return readPages(pdfium, document);
    } finally {
      pdfium.FPDF_CloseDocument(document);
    }
  } finally {
    free(pointer);
  }
}

/** The memory of PDFium: another array after it has grown, so it is never kept. */
const memoryOf = ({ pdfium }: WrappedPdfiumModule): Uint8Array =>
  (pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;

function readPages(pdfium: WrappedPdfiumModule, document: number): ReadPdf {
  const pages = pdfium.FPDF_GetPageCount(document);
  if (pages > STATEMENT_PAGES_MAX) return { fault: "too_many_pages" };
  const words: PageWord[] = [];
  const pagesWithoutText: number[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const found = readPdfPage(pdfium, document, page);
    if (found === null) pagesWithoutText.push(page);
    else words.push(...found);
  }
  if (pages === 0) return { fault: "damaged" };
  return words.length === 0 ? { fault: "no_text" } : { words, pages, pagesWithoutText };
}

interface Character {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly angle: number;
}

/** null: without a text layer. */
function readPdfPage(
  pdfium: WrappedPdfiumModule,
  document: number,
  page: number,
): PageWord[] | null {
  const handle = pdfium.FPDF_LoadPage(document, page - 1);
  if (handle === 0) return null;
  const text = pdfium.FPDFText_LoadPage(handle);
  try {
    if (text === 0) return null;
    const height = pdfium.FPDF_GetPageHeightF(handle);
    const count = pdfium.FPDFText_CountChars(text);
    if (count < CHARACTERS_MIN || count > PAGE_CHARACTERS_MAX) return null;
    const { characters, mapErrors } = readCharacters(pdfium, text, count, height);
    if (mapErrors > count * MAP_ERRORS_MAX) return null;
    return toWords(upright(characters), page);
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(handle);
  }
}

function readCharacters(
  pdfium: WrappedPdfiumModule,
  text: number,
  count: number,
  height: number,
): { characters: Character[]; mapErrors: number } {
  const box = pdfium.pdfium.wasmExports.malloc(BOX_BYTES);
  const characters: Character[] = [];
  let mapErrors = 0;
  try {
    for (let index = 0; index < count; index += 1) {
      const code = pdfium.FPDFText_GetUnicode(text, index);
      if (pdfium.FPDFText_HasUnicodeMapError(text, index) === 1) mapErrors += 1;
      if (!pdfium.FPDFText_GetLooseCharBox(text, index, box)) continue;
      // The memory may have grown, so the view is taken again.
      const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(
        memoryOf(pdfium).buffer,
        box,
        BOX_BYTES / FLOAT_BYTES,
      );
      const angle = pdfium.FPDFText_GetCharAngle(text, index);
      characters.push({
        text: code === 0 || code > 0x10ffff ? " " : String.fromCodePoint(code),
        ...{ left, top: height - top, right, bottom: height - bottom, angle },
      });
    }
  } finally {
    pdfium.pdfium.wasmExports.free(box);
  }
  return { characters, mapErrors };
}

/** Without watermarks: characters that are not turned as most are. A page that is turned by a right angle is turned back. */
function upright(characters: readonly Character[]): Character[] {
  const turns = [0, 0, 0, 0];
  const quarters = characters.map(({ angle }) => {
    const quarter = Math.round(angle / RIGHT_ANGLE);
    const isStraight = Math.abs(angle - quarter * RIGHT_ANGLE) < ANGLE_MAX;
    return isStraight ? quarter % turns.length : -1;
  });
  characters.forEach((character, index) => {
    const quarter = quarters[index] ?? -1;
    if (quarter >= 0 && character.text.trim() !== "") turns[quarter] = (turns[quarter] ?? 0) + 1;
  });
  const main = turns.indexOf(Math.max(...turns));
  return characters
    .filter((character, index) => quarters[index] === main || character.text.trim() === "")
    .map((character) => turnBack(character, main));
}

/** PDFium gives angles with the clock. */
function turnBack(character: Character, quarter: number): Character {
  const { left, top, right, bottom } = character;
  if (quarter === 3) return { ...character, left: -bottom, right: -top, top: left, bottom: right };
  if (quarter === 2)
    return { ...character, left: -right, right: -left, top: -bottom, bottom: -top };
  if (quarter === 1) return { ...character, left: top, right: bottom, top: -right, bottom: -left };
  return character;
}

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
    if (character.text.trim() === "") {
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
  angle: word.angle,
});
