// Boxes of characters that a PDF gives next to what is drawn ("ActualText"). Browsers do so for glyphs that stand for another one, such as
// digits of one width. PDFium has the box of the ink for them: that of a point is tiny, that of a minus lies above the line, and a "1" is
// far from the next digit.
import type { WrappedPdfiumModule } from "@embedpdf/pdfium";
import type { Box } from "./affine.ts";
import { memoryOf } from "./pdfium.ts";

/** Above and below the line, in sizes of the type, as most fonts have it. */
const ASCENT = 0.9;
const DESCENT = 0.22;
/** Points: PDFium rounds one of the two boxes. */
const TOLERANCE = 0.01;
const DOUBLE_BYTES = 8;
const FLOAT_BYTES = 4;
const MATRIX_FLOATS = 6;
const INK_DOUBLES = 4;
/** Memory of PDFium that `lineBoxes` writes to, in bytes. */
export const LINE_BOX_BYTES = DOUBLE_BYTES * INK_DOUBLES;

/**
 * Gives the boxes of characters in their lines, one after the other: the box as PDFium has it, unless that is the one of the ink of a
 * level character. Left, top, right, bottom in points of the page, with the y axis upwards.
 * @param target place for `LINE_BOX_BYTES` in the memory of PDFium
 */
export function lineBoxes(
  pdfium: WrappedPdfiumModule,
  text: number,
  target: number,
): (index: number, box: Box) => Box {
  // Characters of a font reach from the same top to the same bottom: one of each line is looked at.
  let whole: Box | null = null;
  return (index, box) => {
    if (box[1] === whole?.[1] && box[3] === whole[3]) return box;
    const isWhole = !isInk(pdfium, [text, index], box, target);
    if (isWhole) whole = box;
    return isWhole ? box : boxAroundInk(pdfium, [text, index], box, target);
  };
}

function boxAroundInk(
  pdfium: WrappedPdfiumModule,
  character: CharacterPlace,
  box: Box,
  target: number,
): Box {
  const [text, index] = character;
  const scale = scaleOf(pdfium, character, target);
  const size = scale === null ? 0 : pdfium.FPDFText_GetFontSize(text, index) * scale;
  if (size <= 0 || !pdfium.FPDFText_GetCharOrigin(text, index, target, target + DOUBLE_BYTES))
    return box;
  const [left, top, right, bottom] = box;
  const [x = left, y = bottom] = doubles(pdfium, target, 2);
  const around: Box = [
    Math.min(left, x),
    Math.max(top, y + size * ASCENT),
    right,
    Math.min(bottom, y - size * DESCENT),
  ];
  return around.every(Number.isFinite) ? around : box;
}

/** The text of a page, and which of its characters. */
type CharacterPlace = readonly [text: number, index: number];

/** Whether the box is that of the ink, of which a space has none. */
function isInk(
  pdfium: WrappedPdfiumModule,
  [text, index]: CharacterPlace,
  box: Box,
  target: number,
): boolean {
  const at = (place: number): number => target + DOUBLE_BYTES * place;
  if (!pdfium.FPDFText_GetCharBox(text, index, at(0), at(1), at(2), at(3))) return false;
  const [left = 0, right = 0, bottom = 0, top = 0] = doubles(pdfium, target, INK_DOUBLES);
  const ink = [left, top, right, bottom];
  return right > left && box.every((edge, side) => Math.abs(edge - (ink[side] ?? 0)) < TOLERANCE);
}

/** Points of the page for one of the text; null: the character is turned. */
function scaleOf(
  pdfium: WrappedPdfiumModule,
  [text, index]: CharacterPlace,
  target: number,
): number | null {
  if (!pdfium.FPDFText_GetMatrix(text, index, target)) return null;
  const end = target + FLOAT_BYTES * MATRIX_FLOATS;
  const [a = 0, b = 0, c = 0, d = 0] = new Float32Array(memoryOf(pdfium).buffer.slice(target, end));
  return a > 0 && d > 0 && Math.abs(b) + Math.abs(c) < a * TOLERANCE ? d : null;
}

const doubles = (pdfium: WrappedPdfiumModule, target: number, count: number): Float64Array =>
  new Float64Array(memoryOf(pdfium).buffer.slice(target, target + DOUBLE_BYTES * count));
