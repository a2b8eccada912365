// Text of a page that a person does not see: drawn invisibly, as a scanner lays what it recognised over its picture, or covered by a
// picture. Anyone can write it, and it need not be what the picture shows.
import type { WrappedPdfiumModule } from "@embedpdf/pdfium";
import { type Box, moveBox } from "./affine.ts";
import { memoryOf, type OpenPage, type OpenPdf, toSeenPoints } from "./pdfium.ts";

/** Kinds of objects, and modes in which text is drawn, by their numbers in PDFium. */
const KIND = { text: 1, image: 3, form: 5 } as const;
/** Invisible, and as a clipping path alone. */
const UNSEEN_MODES: ReadonlySet<number> = new Set([3, 7]);
/** Forms within forms; deeper ones are drawn by no known writer. */
const DEPTH_MAX = 8;
const OBJECTS_MAX = 200_000;
/** Share of the page. */
const COVER_MIN = 0.7;
/** Share of a picture's pixels, and of 255: a stamp or a watermark hides nothing. */
const OPAQUE_SHARE_MIN = 0.9;
const OPAQUE_MIN = 250;
const FORMAT_WITH_ALPHA = 4;
const PIXEL_BYTES = 4;
const FLOAT_BYTES = 4;

interface ObjectWalk {
  readonly pdf: OpenPdf;
  readonly page: OpenPage;
  readonly hidden: Set<number>;
  /** Visible text objects that were drawn so far. */
  shown: number[];
  objects: number;
}

/** The text objects of a page that a person does not see, as PDFium numbers them. */
export function hiddenTextObjects(pdf: OpenPdf, page: OpenPage): ReadonlySet<number> {
  const { pdfium } = pdf;
  const walk: ObjectWalk = { pdf, page, hidden: new Set(), shown: [], objects: 0 };
  const { handle } = page;
  const count = pdfium.FPDFPage_CountObjects(handle);
  for (let index = 0; index < count && walk.objects < OBJECTS_MAX; index += 1)
    visit(walk, pdfium.FPDFPage_GetObject(handle, index), 0);
  return walk.hidden;
}

function visit(walk: ObjectWalk, object: number, depth: number): void {
  const { pdfium } = walk.pdf;
  walk.objects += 1;
  const kind = pdfium.FPDFPageObj_GetType(object);
  if (kind === KIND.text) {
    if (UNSEEN_MODES.has(pdfium.FPDFTextObj_GetTextRenderMode(object))) walk.hidden.add(object);
    else walk.shown.push(object);
  } else if (kind === KIND.image) {
    // Within a form its place is not that on the page.
    if (depth > 0 || walk.shown.length === 0 || !isCover(walk, object)) return;
    for (const text of walk.shown) walk.hidden.add(text);
    walk.shown = [];
  } else if (kind === KIND.form && depth < DEPTH_MAX) visitForm(walk, object, depth);
}

function visitForm(walk: ObjectWalk, form: number, depth: number): void {
  const { pdfium } = walk.pdf;
  const count = pdfium.FPDFFormObj_CountObjects(form);
  for (let index = 0; index < count && walk.objects < OBJECTS_MAX; index += 1)
    visit(walk, pdfium.FPDFFormObj_GetObject(form, index), depth + 1);
}

/** Whether a picture lies over the page, and nothing behind it shows through. */
function isCover({ pdf, page }: ObjectWalk, image: number): boolean {
  const { pdfium } = pdf;
  if (pdfium.FPDFPageObj_HasTransparency(image)) return false;
  const box = boundsOf(pdfium, image);
  if (box === null) return false;
  const [left, top, right, bottom] = moveBox(box, toSeenPoints(pdfium, page));
  const width = Math.min(right, page.width) - Math.max(left, 0);
  const height = Math.min(bottom, page.height) - Math.max(top, 0);
  const isLarge = width > 0 && height > 0;
  return (
    isLarge &&
    width * height >= COVER_MIN * page.width * page.height &&
    isOpaque(pdf, page.handle, image)
  );
}

function boundsOf(pdfium: WrappedPdfiumModule, object: number): Box | null {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const target = malloc(4 * FLOAT_BYTES);
  try {
    const [left, bottom, right, top] = [0, 1, 2, 3].map((at) => target + at * FLOAT_BYTES);
    if (!pdfium.FPDFPageObj_GetBounds(object, left ?? 0, bottom ?? 0, right ?? 0, top ?? 0))
      return null;
    const [x = 0, y = 0, x2 = 0, y2 = 0] = new Float32Array(memoryOf(pdfium).buffer, target, 4);
    return [x, y, x2, y2];
  } finally {
    free(target);
  }
}

/** With its mask; a picture that cannot be drawn hides nothing. */
function isOpaque({ pdfium, document }: OpenPdf, page: number, image: number): boolean {
  const bitmap = pdfium.FPDFImageObj_GetRenderedBitmap(document, page, image);
  if (bitmap === 0) return false;
  try {
    if (pdfium.FPDFBitmap_GetFormat(bitmap) !== FORMAT_WITH_ALPHA) return true;
    const [width, height] = [
      pdfium.FPDFBitmap_GetWidth(bitmap),
      pdfium.FPDFBitmap_GetHeight(bitmap),
    ];
    const stride = pdfium.FPDFBitmap_GetStride(bitmap);
    const from = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const memory = memoryOf(pdfium);
    let opaque = 0;
    for (let at = 0; at < width * height; at += 1) {
      const pixel = from + Math.floor(at / width) * stride + (at % width) * PIXEL_BYTES;
      if ((memory[pixel + PIXEL_BYTES - 1] ?? 0) >= OPAQUE_MIN) opaque += 1;
    }
    return opaque >= OPAQUE_SHARE_MIN * width * height;
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}
