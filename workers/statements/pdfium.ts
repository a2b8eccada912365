// PDFium compiled to WebAssembly: its memory, and the life of an open document. Everything that is allocated is freed.
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import type { StatementFault } from "../../src/model/bank-statement.ts";
import type { Affine } from "./affine.ts";
import { isTrap, isOutOfMemory } from "./trap.ts";

/** Pages of one document that are read; more are refused. */
const STATEMENT_PAGES_MAX = 300;
/** Longest side of a page, points: that of the PDF standard. A larger page has neither text nor picture. */
const PAGE_SIDE_MAX = 14_400;

const ERROR_PASSWORD = 4;
const INT_BYTES = 4;
/** PDFium gives device coordinates as whole numbers: in hundredths of a point they are exact enough. */
const DEVICE_SCALE = 100;
/** Points between the three corners that give the matrix of a page. */
const CORNER = 1_000;

export interface OpenPdf {
  readonly pdfium: WrappedPdfiumModule;
  readonly document: number;
  readonly pages: number;
}

let loaded: Promise<WrappedPdfiumModule> | null = null;

async function load(): Promise<WrappedPdfiumModule> {
  const pdfium = await init({});
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** The memory of PDFium: another array after it has grown, so it is never kept. */
export const memoryOf = ({ pdfium }: WrappedPdfiumModule): Uint8Array =>
  (pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;

/** Longer passwords do not exist in a PDF, and would not fit on the stack of the module. In bytes. */
const PASSWORD_BYTES_MAX = 127;

/**
 * Opens a document while `use` reads it. Never throws for what the bytes are: a document that cannot be opened has a fault.
 * @param password empty: none
 */
export async function withPdf<Result>(
  bytes: Uint8Array,
  password: string,
  use: (pdf: OpenPdf) => Result,
): Promise<Result | { readonly fault: StatementFault }> {
  loaded ??= load();
  const pdfium = await loaded;
  try {
    return openPdf(pdfium, bytes, password, use);
  } catch (error) {
    if (!isTrap(error)) throw error;
    loaded = null;
    return { fault: isOutOfMemory(error) ? "memory_limit" : "damaged" };
  }
}

function openPdf<Result>(
  pdfium: WrappedPdfiumModule,
  bytes: Uint8Array,
  password: string,
  use: (pdf: OpenPdf) => Result,
): Result | { readonly fault: StatementFault } {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const pointer = malloc(bytes.length);
  if (pointer === 0) return { fault: "memory_limit" };
  memoryOf(pdfium).set(bytes, pointer);
  const known = Buffer.byteLength(password) > PASSWORD_BYTES_MAX ? "" : password;
  const document = pdfium.FPDF_LoadMemDocument(pointer, bytes.length, known);
  if (document === 0) {
    const isLocked = pdfium.FPDF_GetLastError() === ERROR_PASSWORD;
    free(pointer);
    if (!isLocked) return { fault: "damaged" };
    return { fault: password === "" ? "password_needed" : "password_wrong" };
  }
  const pages = pdfium.FPDF_GetPageCount(document);
  const close = (): void => {
    pdfium.FPDF_CloseDocument(document);
    free(pointer);
  };
  if (pages < 1 || pages > STATEMENT_PAGES_MAX) {
    close();
    return { fault: pages < 1 ? "damaged" : "too_many_pages" };
  }
  const result = use({ pdfium, document, pages });
  close();
  return result;
}

export interface OpenPage {
  readonly handle: number;
  /** Points, as the page is seen. */
  readonly width: number;
  readonly height: number;
}

/** null: there is no such page, or no page can have its size. */
export function withPage<Result>(
  { pdfium, document }: OpenPdf,
  page: number,
  use: (page: OpenPage) => Result,
): Result | null {
  const handle = pdfium.FPDF_LoadPage(document, page - 1);
  if (handle === 0) return null;
  const width = pdfium.FPDF_GetPageWidthF(handle);
  const height = pdfium.FPDF_GetPageHeightF(handle);
  const isPossible = [width, height].every((side) => side >= 1 && side <= PAGE_SIDE_MAX);
  const result = isPossible ? use({ handle, width, height }) : null;
  pdfium.FPDF_ClosePage(handle);
  return result;
}

/** Whether nothing is drawn on the page: no picture of it is needed. */
export const isEmptyPage = (pdfium: WrappedPdfiumModule, { handle }: OpenPage): boolean =>
  pdfium.FPDFPage_CountObjects(handle) === 0 && pdfium.FPDFPage_GetAnnotCount(handle) === 0;

/** From the coordinates of the page's content, whose y grows upwards, to points from the top left corner as it is seen. */
export function toSeenPoints(
  pdfium: WrappedPdfiumModule,
  { handle, width, height }: OpenPage,
): Affine {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const target = malloc(2 * INT_BYTES);
  const [sizeX, sizeY] = [Math.round(width * DEVICE_SCALE), Math.round(height * DEVICE_SCALE)];
  const at = (x: number, y: number): [number, number] => {
    pdfium.FPDF_PageToDevice(handle, 0, 0, sizeX, sizeY, 0, x, y, target, target + INT_BYTES);
    const [seenX = 0, seenY = 0] = new Int32Array(memoryOf(pdfium).buffer, target, 2);
    return [seenX / DEVICE_SCALE, seenY / DEVICE_SCALE];
  };
  try {
    const [e, f] = at(0, 0);
    const [rightX, rightY] = at(CORNER, 0);
    const [upX, upY] = at(0, CORNER);
    const per = (distance: number): number => distance / CORNER;
    return [per(rightX - e), per(rightY - f), per(upX - e), per(upY - f), e, f];
  } finally {
    free(target);
  }
}
