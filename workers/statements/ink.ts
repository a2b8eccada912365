// Marks of ink on a picture of a page: letters, points and strokes as they stand, whatever text recognition made of them.
import type { Box } from "./affine.ts";
import { takeConnected } from "./connected.ts";
import type { GreyPicture } from "./page-picture.ts";
import { PAPER_CELL, paperOf } from "./skew.ts";

/** Ink that holds together. Pixels of the picture; right and bottom are behind the last one. */
export interface InkMark {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Which pixels of a picture are ink. */
export interface InkPage {
  readonly width: number;
  readonly height: number;
  isInk(x: number, y: number): boolean;
}

/** Ink is darker than this share of the paper around it: also a point of a small type, which compression makes grey. */
const INK = 0.72;

/** Darker ink alone: a comma that touches a digit is apart from it. */
export const DARK_INK = 0.5;

/** @param share of the brightness of the paper around it, below which a pixel is ink */
export function openInk(picture: GreyPicture, share = INK): InkPage {
  const { width, height, pixels } = picture;
  const paper = paperOf(picture);
  const columns = Math.ceil(width / PAPER_CELL);
  return {
    width,
    height,
    isInk: (x, y) => {
      const cell = Math.floor(y / PAPER_CELL) * columns + Math.floor(x / PAPER_CELL);
      return (pixels[y * width + x] ?? 0) < (paper[cell] ?? 0) * share;
    },
  };
}

/** The marks within a box, from left to right. Those that reach beyond it are cut off. */
export function marksWithin(ink: InkPage, [left, top, right, bottom]: Box, step = 1): InkMark[] {
  const from = { x: Math.max(Math.floor(left), 0), y: Math.max(Math.floor(top), 0) };
  const width = Math.floor((Math.min(Math.ceil(right), ink.width) - from.x) / step);
  const height = Math.floor((Math.min(Math.ceil(bottom), ink.height) - from.y) / step);
  if (width < 1 || height < 1) return [];
  const cells = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (hasInk(ink, from.x + x * step, from.y + y * step, step)) cells[y * width + x] = 1;
  return marksOf(cells, width, height)
    .map((mark) => ({
      left: from.x + mark.left * step,
      top: from.y + mark.top * step,
      right: from.x + mark.right * step,
      bottom: from.y + mark.bottom * step,
    }))
    .sort((a, b) => a.left - b.left);
}

function hasInk(ink: InkPage, x: number, y: number, step: number): boolean {
  for (let v = 0; v < step; v += 1)
    for (let u = 0; u < step; u += 1) if (ink.isInk(x + u, y + v)) return true;
  return false;
}

/** Takes one mark after the other out of the cells. */
function marksOf(cells: Uint8Array, width: number, height: number): InkMark[] {
  const marks: InkMark[] = [];
  for (let start = 0; start < cells.length; start += 1)
    if (cells[start] === 1) marks.push(takeConnected(cells, start, { width, height }, true));
  return marks;
}
