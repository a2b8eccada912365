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
  /** Squares of a part of the picture, row by row. 1: at least one of its pixels is ink. */
  squares(part: InkPart): Uint8Array;
}

/** A part of a picture that is looked at in squares, all of which are within it. */
interface InkPart {
  /** Pixels. */
  readonly x: number;
  readonly y: number;
  /** Of a square, pixels. */
  readonly side: number;
  /** Squares. */
  readonly columns: number;
  readonly rows: number;
}

/** Ink is darker than this share of the paper around it: also a point of a small type, which compression makes grey. */
const INK = 0.72;

/** Darker ink alone: a comma that touches a digit is apart from it. */
export const DARK_INK = 0.5;

/** @param share of the brightness of the paper around it, below which a pixel is ink */
export function openInk(picture: GreyPicture, share = INK): InkPage {
  const { width, height, pixels } = picture;
  const most = Float64Array.from(paperOf(picture), (paper) => paper * share);
  const cells = Math.ceil(width / PAPER_CELL);
  return {
    width,
    height,
    squares: ({ x, y, side, columns, rows }) => {
      const squares = new Uint8Array(columns * rows);
      for (let v = 0; v < rows * side; v += 1) {
        const [row, cell] = [
          Math.floor(v / side) * columns,
          Math.floor((y + v) / PAPER_CELL) * cells,
        ];
        const line = (y + v) * width + x;
        for (let u = 0; u < columns * side; u += 1)
          if ((pixels[line + u] ?? 0) < (most[cell + Math.floor((x + u) / PAPER_CELL)] ?? 0))
            squares[row + Math.floor(u / side)] = 1;
      }
      return squares;
    },
  };
}

/** The marks within a box, from left to right. Those that reach beyond it are cut off. */
export function marksWithin(ink: InkPage, [left, top, right, bottom]: Box, step = 1): InkMark[] {
  const from = { x: Math.max(Math.floor(left), 0), y: Math.max(Math.floor(top), 0) };
  const width = Math.floor((Math.min(Math.ceil(right), ink.width) - from.x) / step);
  const height = Math.floor((Math.min(Math.ceil(bottom), ink.height) - from.y) / step);
  if (width < 1 || height < 1) return [];
  const cells = ink.squares({ ...from, side: step, columns: width, rows: height });
  return marksOf(cells, width, height)
    .map((mark) => ({
      left: from.x + mark.left * step,
      top: from.y + mark.top * step,
      right: from.x + mark.right * step,
      bottom: from.y + mark.bottom * step,
    }))
    .sort((a, b) => a.left - b.left);
}

/** Takes one mark after the other out of the cells. */
function marksOf(cells: Uint8Array, width: number, height: number): InkMark[] {
  const marks: InkMark[] = [];
  for (let start = 0; start < cells.length; start += 1)
    if (cells[start] === 1) marks.push(takeConnected(cells, start, { width, height }, true));
  return marks;
}
