// The picture of a page of a PDF, for text recognition.
import type { StatementFault } from "../../src/model/bank-statement.ts";
import { IDENTITY, scaling } from "./affine.ts";
import { memoryOf, type OpenPage, type OpenPdf, withPage, withPdf } from "./pdfium.ts";
import { PICTURE_SIDE, type PagePicture, scaleWithin } from "./page-picture.ts";

/** An inch of a small page becomes no more pixels than this: enlarged further it gains nothing. */
const PIXELS_PER_POINT_MAX = 400 / 72;
const FORMAT_GREY = 1;
const WHITE = 0xff_ff_ff_ff;
const FLAG_ANNOTATIONS = 0x01;
const FLAG_GREY = 0x08;

/**
 * Draws one page in grey. A page that cannot be drawn is empty: one of many may be damaged.
 * @param page from 1
 * @param side pixels of the shorter one
 */
export const renderPage = (
  bytes: Uint8Array,
  password: string,
  page: number,
  side = PICTURE_SIDE,
): Promise<PagePicture | { readonly fault: StatementFault }> =>
  withPdf(bytes, password, (pdf) => withPage(pdf, page, (open) => draw(pdf, open, side)) ?? EMPTY);

const EMPTY: PagePicture = {
  ...{ width: 1, height: 1, pixels: new Uint8Array([0xff]) },
  toSeen: IDENTITY,
};

function draw(
  { pdfium }: OpenPdf,
  { handle, width, height }: OpenPage,
  side: number,
): PagePicture | null {
  const wanted = Math.min(side / Math.min(width, height), PIXELS_PER_POINT_MAX);
  const scale = scaleWithin(wanted, width, height);
  const size = {
    width: Math.max(Math.round(width * scale), 1),
    height: Math.max(Math.round(height * scale), 1),
  };
  const bitmap = pdfium.FPDFBitmap_CreateEx(size.width, size.height, FORMAT_GREY, 0, 0);
  if (bitmap === 0) return null;
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, size.width, size.height, WHITE);
    const flags = FLAG_ANNOTATIONS | FLAG_GREY;
    pdfium.FPDF_RenderPageBitmap(bitmap, handle, 0, 0, size.width, size.height, 0, flags);
    const stride = pdfium.FPDFBitmap_GetStride(bitmap);
    const from = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const memory = memoryOf(pdfium);
    const pixels = new Uint8Array(size.width * size.height);
    for (let y = 0; y < size.height; y += 1)
      pixels.set(
        memory.subarray(from + y * stride, from + y * stride + size.width),
        y * size.width,
      );
    return { ...size, pixels, toSeen: scaling(1 / scale) };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}
