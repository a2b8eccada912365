// Headings in white on black, or in black on grey: text recognition takes the ground for ink. Areas with a ground of their own are
// drawn as print on white paper.
import { type ConnectedBox, takeConnected } from "./connected.ts";
import type { GreyPicture } from "./page-picture.ts";
import { paperOf } from "./skew.ts";

/** Side of the squares that a page is looked at in, pixels: smaller than the ground around a line of text. */
const SQUARE = 4;
/** A square is ground if none of its pixels is brighter than this share of the paper. */
const GROUND_MAX = 0.82;
/** Sides of an area, pixels: a letter of a title is smaller. */
const WIDTH_MIN = 48;
const HEIGHT_MIN = 24;
/** Of the squares of an area, and of those along its edges, so many are ground: print has more paper in it. */
const GROUND_SHARE_MIN = 0.5;
const EDGE_SHARE_MIN = 0.9;
/** How much brighter or darker than the ground print is, of 255. */
const CONTRAST_MIN = 40;
/** The edge of an area is not quite level: so many lines of squares along it may be ground in part. */
const UNEVEN_MAX = 2;
/** Pixels around an area, whose edge may be soft. */
const SOFT = SQUARE + 1;
const WHITE = 255;

/** In squares. */
type ShadedArea = ConnectedBox;

/** With all that holds together with it, which reaches a little farther. */
interface FoundArea extends ShadedArea {
  readonly whole: ShadedArea;
}

interface Squares {
  readonly columns: number;
  readonly rows: number;
  /** 1: ground. */
  readonly isGround: Uint8Array;
}

/** The same picture where it has no such areas. */
export function withoutShades<Picture extends GreyPicture>(picture: Picture): Picture {
  const paper = brightPaper(picture);
  const squares = squaresOf(picture, paper * GROUND_MAX);
  const areas = areasOf(squares).flatMap((area) => evenArea(area, squares) ?? []);
  if (areas.length === 0) return picture;
  const pixels = Uint8Array.from(picture.pixels);
  for (const area of areas) drawOnPaper({ ...picture, pixels }, area, squares, paper);
  return { ...picture, pixels };
}

function brightPaper(picture: GreyPicture): number {
  const sorted = paperOf(picture).sort();
  return sorted[Math.floor(sorted.length * 0.9)] ?? WHITE;
}

function squaresOf({ width, height, pixels }: GreyPicture, most: number): Squares {
  const [columns, rows] = [Math.floor(width / SQUARE), Math.floor(height / SQUARE)];
  const isGround = new Uint8Array(columns * rows).fill(1);
  for (let y = 0; y < rows * SQUARE; y += 1) {
    const row = Math.floor(y / SQUARE) * columns;
    for (let column = 0; column < columns; column += 1) {
      // Most squares are paper in their first line.
      if (isGround[row + column] === 0) continue;
      const from = y * width + column * SQUARE;
      isGround[row + column] = isDark(pixels, from, most) ? 1 : 0;
    }
  }
  return { columns, rows, isGround: withoutRules({ columns, rows, isGround }) };
}

/** Whether none of the pixels of one line of a square is brighter. */
function isDark(pixels: Uint8Array, from: number, most: number): boolean {
  for (let at = from; at < from + SQUARE; at += 1) if ((pixels[at] ?? 0) > most) return false;
  return true;
}

/** Only squares that are ground together with those on two sides of them: the rules of a table are thinner. */
function withoutRules({ columns, rows, isGround }: Squares): Uint8Array {
  const thick = new Uint8Array(isGround.length);
  for (let at = 0; at < columns * (rows - 1); at += 1) {
    if (isGround[at] !== 1 || at % columns === columns - 1) continue;
    const block = [at, at + 1, at + columns, at + columns + 1];
    if (block.some((index) => isGround[index] !== 1)) continue;
    for (const index of block) thick[index] = 1;
  }
  return thick;
}

/** Ground that holds together. */
function areasOf({ columns, rows, isGround }: Squares): ShadedArea[] {
  const areas: ShadedArea[] = [];
  const left = isGround.slice();
  for (let start = 0; start < left.length; start += 1)
    if (left[start] === 1)
      areas.push(takeConnected(left, start, { width: columns, height: rows }, false));
  return areas;
}

/** The rectangle that is ground along all its edges; null: it is a letter, a rule or the table under a photo. */
function evenArea(whole: ShadedArea, squares: Squares): FoundArea | null {
  let { left, top, right, bottom } = whole;
  const isLarge = (): boolean =>
    (right - left) * SQUARE >= WIDTH_MIN && (bottom - top) * SQUARE >= HEIGHT_MIN;
  if (!isLarge()) return null;
  const isUneven = (part: ShadedArea): boolean => groundShare(part, squares) < EDGE_SHARE_MIN;
  for (let line = 0; line < UNEVEN_MAX; line += 1) {
    if (isUneven({ left, top, right, bottom: top + 1 })) top += 1;
    if (isUneven({ left, top: bottom - 1, right, bottom })) bottom -= 1;
    if (isUneven({ left, top, right: left + 1, bottom })) left += 1;
    if (isUneven({ left: right - 1, top, right, bottom })) right -= 1;
  }
  const edges = [
    { left, top, right, bottom: top + 1 },
    { left, top: bottom - 1, right, bottom },
    { left, top, right: left + 1, bottom },
    { left: right - 1, top, right, bottom },
  ];
  const area = { left, top, right, bottom, whole };
  const isGround = groundShare(area, squares) >= GROUND_SHARE_MIN;
  return isLarge() && isGround && !edges.some(isUneven) ? area : null;
}

function groundShare(
  { left, top, right, bottom }: ShadedArea,
  { columns, isGround }: Squares,
): number {
  let ground = 0;
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) ground += isGround[y * columns + x] ?? 0;
  return ground / Math.max((right - left) * (bottom - top), 1);
}

function drawOnPaper(picture: GreyPicture, area: FoundArea, squares: Squares, paper: number): void {
  const { width, height, pixels } = picture;
  const [left, right] = [area.left * SQUARE, area.right * SQUARE];
  const [top, bottom] = [area.top * SQUARE, area.bottom * SQUARE];
  const ground = groundOf(picture, area, squares);
  const isInverted = isPrintBright(picture, area, ground);
  const from = { x: area.whole.left * SQUARE - SOFT, y: area.whole.top * SQUARE - SOFT };
  const to = { x: area.whole.right * SQUARE + SOFT, y: area.whole.bottom * SQUARE + SOFT };
  for (let y = Math.max(from.y, 0); y < Math.min(to.y, height); y += 1)
    for (let x = Math.max(from.x, 0); x < Math.min(to.x, width); x += 1) {
      const at = y * width + x;
      const value = pixels[at] ?? 0;
      const isInside = x >= left && x < right && y >= top && y < bottom;
      if (!isInside) pixels[at] = Math.max(value, paper);
      else if (isInverted)
        pixels[at] = paper * (1 - Math.max(value - ground, 0) / Math.max(paper - ground, 1));
      else pixels[at] = Math.min((value * paper) / Math.max(ground, 1), paper);
    }
}

/** The middle brightness of the squares of an area that are ground. */
function groundOf(
  { width, pixels }: GreyPicture,
  area: ShadedArea,
  { columns, isGround }: Squares,
): number {
  const counts = new Uint32Array(WHITE + 1);
  let count = 0;
  for (let row = area.top; row < area.bottom; row += 1)
    for (let column = area.left; column < area.right; column += 1) {
      if (isGround[row * columns + column] !== 1) continue;
      const value = pixels[row * SQUARE * width + column * SQUARE] ?? 0;
      counts[value] = (counts[value] ?? 0) + 1;
      count += 1;
    }
  let below = 0;
  return counts.findIndex((of) => (below += of) * 2 >= count);
}

function isPrintBright({ width, pixels }: GreyPicture, area: ShadedArea, ground: number): boolean {
  let brighter = 0;
  for (let y = area.top * SQUARE; y < area.bottom * SQUARE; y += 1)
    for (let x = area.left * SQUARE; x < area.right * SQUARE; x += 1) {
      const difference = (pixels[y * width + x] ?? 0) - ground;
      if (Math.abs(difference) > CONTRAST_MIN) brighter += Math.sign(difference);
    }
  return brighter > 0;
}
