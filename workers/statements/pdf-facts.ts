// The facts of a PDF file next to its words, by PDFium. The caller has opened the document and closes it.
import type { WrappedPdfiumModule } from "@embedpdf/pdfium";
import { type Affine, moveBox } from "./affine.ts";
import type { DocumentFacts, NumberFont, PageAnnotation } from "./document-facts.ts";
import { toSeenPoints } from "./pdfium.ts";

const TRAILERS_MAX = 64;
const ANNOTATIONS_MAX = 500;
/** Numbers of which the font is read; more add nothing to what is usual in a document. */
const NUMBERS_MAX = 5_000;
const PAGES_MAX = 300;
const FLOAT_BYTES = 4;
const BOX_BYTES = 4 * FLOAT_BYTES;
const NAME_BYTES = 256;
const TEXT_BYTES_MAX = 4_096;
const LINEARIZED_WITHIN = 1_024;
/** Kinds of annotations that hide or add text, by their numbers in PDFium. */
const COVERING = new Map([
  [3, "text"],
  [5, "square"],
  [6, "circle"],
  [7, "polygon"],
  [13, "stamp"],
  [15, "ink"],
  [28, "redaction"],
]);
const PDF_DATE =
  /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:([+\-Z])(?:(\d{2})'?(\d{2})?)?)?/u;

/**
 * @param document as FPDF_LoadMemDocument gave it
 * @param bytes of the file: whether it is laid out for a network stands at its start
 * @param pagesMax pages from the first that are looked at
 */
export function readPdfFacts(
  pdfium: WrappedPdfiumModule,
  document: number,
  bytes: Uint8Array,
  pagesMax = PAGES_MAX,
): DocumentFacts {
  const text = (name: string): string => metaText(pdfium, document, name);
  const annotations: PageAnnotation[] = [];
  const fonts: NumberFont[] = [];
  const pages = Math.min(pdfium.FPDF_GetPageCount(document), pagesMax, PAGES_MAX);
  for (let page = 1; page <= pages; page += 1) {
    const handle = pdfium.FPDF_LoadPage(document, page - 1);
    if (handle === 0) continue;
    const size = {
      width: pdfium.FPDF_GetPageWidthF(handle),
      height: pdfium.FPDF_GetPageHeightF(handle),
    };
    const place = { pdfium, handle, page, toSeen: toSeenPoints(pdfium, { handle, ...size }) };
    try {
      if (annotations.length < ANNOTATIONS_MAX) annotations.push(...annotationsOf(place));
      if (fonts.length < NUMBERS_MAX) fonts.push(...numberFonts(place));
    } finally {
      pdfium.FPDF_ClosePage(handle);
    }
  }
  return {
    trailers: countTrailers(pdfium, document),
    isLinearized: Buffer.from(bytes.subarray(0, LINEARIZED_WITHIN)).includes("/Linearized"),
    createdAt: parsePdfDate(text("CreationDate")),
    modifiedAt: parsePdfDate(text("ModDate")),
    author: text("Author"),
    title: text("Title"),
    producer: text("Producer"),
    ...{ annotations, fonts, hiddenLayers: [] },
  };
}

/** The memory of PDFium: another array after it has grown, so it is never kept. */
const heapOf = ({ pdfium }: WrappedPdfiumModule): Uint8Array =>
  (pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;

function withMemory<T>(pdfium: WrappedPdfiumModule, size: number, use: (pointer: number) => T): T {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const pointer = malloc(size);
  try {
    return use(pointer);
  } finally {
    free(pointer);
  }
}

const countTrailers = (pdfium: WrappedPdfiumModule, document: number): number =>
  withMemory(pdfium, TRAILERS_MAX * FLOAT_BYTES, (pointer) =>
    pdfium.FPDF_GetTrailerEnds(document, pointer, TRAILERS_MAX),
  );

/** UTF-16, ended by a zero. */
function metaText(pdfium: WrappedPdfiumModule, document: number, name: string): string {
  return withMemory(pdfium, TEXT_BYTES_MAX, (pointer) => {
    const size = pdfium.FPDF_GetMetaText(document, name, pointer, TEXT_BYTES_MAX);
    if (size <= 2 || size > TEXT_BYTES_MAX) return "";
    return Buffer.from(heapOf(pdfium).slice(pointer, pointer + size - 2)).toString("utf16le");
  });
}

/** Milliseconds since 1970; null: the text is not a date. */
export function parsePdfDate(text: string): number | null {
  const match = PDF_DATE.exec(text);
  if (match === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part: string | undefined) => (part === undefined ? undefined : Number(part)));
  const sign = match[7] === "-" ? 1 : -1;
  const zone = sign * (Number(match[8] ?? 0) * 60 + Number(match[9] ?? 0));
  return Date.UTC(year, month - 1, day, hour, minute + zone, second);
}

interface PdfPage {
  readonly pdfium: WrappedPdfiumModule;
  readonly handle: number;
  readonly page: number;
  readonly toSeen: Affine;
}

function readFloats(pdfium: WrappedPdfiumModule, pointer: number): number[] {
  return [...new Float32Array(heapOf(pdfium).slice(pointer, pointer + BOX_BYTES).buffer)];
}

function annotationsOf({ pdfium, handle, page, toSeen }: PdfPage): PageAnnotation[] {
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(handle), ANNOTATIONS_MAX);
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const annotation = pdfium.FPDFPage_GetAnnot(handle, index);
    if (annotation === 0) return [];
    try {
      const kind = COVERING.get(pdfium.FPDFAnnot_GetSubtype(annotation));
      if (kind === undefined) return [];
      return withMemory(pdfium, BOX_BYTES, (pointer) => {
        if (!pdfium.FPDFAnnot_GetRect(annotation, pointer)) return [];
        const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, pointer);
        return [{ page, kind, box: moveBox([left, top, right, bottom], toSeen) }];
      });
    } finally {
      pdfium.FPDFPage_CloseAnnot(annotation);
    }
  });
}

/** Words with two digits or more, each with the font of its first digit. */
function numberFonts({ pdfium, handle, page, toSeen }: PdfPage): NumberFont[] {
  const text = pdfium.FPDFText_LoadPage(handle);
  if (text === 0) return [];
  try {
    const count = pdfium.FPDFText_CountChars(text);
    const numbers: NumberFont[] = [];
    let from = -1;
    let word = "";
    for (let index = 0; index <= count && numbers.length < NUMBERS_MAX; index += 1) {
      const code = index === count ? 32 : pdfium.FPDFText_GetUnicode(text, index);
      const character = code > 32 && code < 0x10000 ? String.fromCodePoint(code) : "";
      if (/[\d.,]/u.test(character)) {
        from = from < 0 ? index : from;
        word += character;
        continue;
      }
      if ((word.match(/\d/gu) ?? []).length > 1)
        numbers.push({ page, text: word, ...placeOf({ pdfium, text, from, to: index, toSeen }) });
      [from, word] = [-1, ""];
    }
    return numbers;
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

interface NumberRun {
  readonly pdfium: WrappedPdfiumModule;
  readonly text: number;
  readonly from: number;
  readonly to: number;
  readonly toSeen: Affine;
}

function placeOf({ pdfium, text, from, to, toSeen }: NumberRun): Omit<NumberFont, "page" | "text"> {
  const boxOf = (index: number): number[] =>
    withMemory(pdfium, BOX_BYTES, (pointer) => {
      pdfium.FPDFText_GetLooseCharBox(text, index, pointer);
      return readFloats(pdfium, pointer);
    });
  const [left = 0, top = 0, , bottom = 0] = boxOf(from);
  const [, , right = 0] = boxOf(to - 1);
  return {
    box: moveBox([left, top, right, bottom], toSeen),
    font: fontOf(pdfium, text, from),
    size: Math.round(pdfium.FPDFText_GetFontSize(text, from) * 10) / 10,
  };
}

/** UTF-8; subsets of a font have a tag such as "ABCDEF+". */
function fontOf(pdfium: WrappedPdfiumModule, text: number, index: number): string {
  return withMemory(pdfium, NAME_BYTES, (pointer) => {
    const size = pdfium.FPDFText_GetFontInfo(text, index, pointer, NAME_BYTES, 0);
    if (size <= 1 || size > NAME_BYTES) return "";
    const name = Buffer.from(heapOf(pdfium).slice(pointer, pointer + size - 1)).toString("utf8");
    return name.replace(/^[A-Z]{6}\+/u, "");
  });
}
