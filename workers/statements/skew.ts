// How far the lines of a page are from level: by the projection profile, the sums of ink along lines of each angle, which
// change most from one to the next where they follow the text (Postl, "Detection of linear oblique structures", 1986).
import type { GreyPicture } from "./page-picture.ts";

/** Radians with the clock, as seen. */
export interface Skew {
  /** What would make the lines level, if they run across the page: at most a few degrees. */
  readonly level: number;
  /** The same if they run up or down the page: about a right angle. */
  readonly upright: number;
  /** Which of the two it is, as far as the ink shows. */
  readonly isUpright: boolean;
}

const RADIAN = Math.PI / 180;
/** A page that lies in a scanner or on a table is turned by less. */
const SKEW_MAX = 8 * RADIAN;
const COARSE = 0.5 * RADIAN;
const FINE = 0.05 * RADIAN;
/** Pixels of ink that are looked at: more change nothing. */
const INK_MAX = 40_000;
/** Width of the picture that is looked at, pixels. */
const WIDTH = 825;
/** Ink is darker than this share of the paper around it. */
const INK = 0.72;
/** Lines along the page must stand out by so much from lines across it: rules of tables run both ways. */
const UPRIGHT_MARGIN = 1.3;

interface Ink {
  readonly xs: Float32Array;
  readonly ys: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** null: there is next to nothing on the page. */
export function findSkew(picture: GreyPicture): Skew | null {
  const ink = inkOf(picture);
  if (ink === null) return null;
  const level = bestAngle(ink);
  const across = bestAngle({ xs: ink.ys, ys: ink.xs, width: ink.height, height: ink.width });
  const isUpright = across.score > level.score * UPRIGHT_MARGIN;
  return { level: -level.angle, upright: Math.PI / 2 + across.angle, isUpright };
}

/** Fewer pixels of ink, as a share: an empty page. */
const INK_MIN = 0.000_2;

function inkOf(picture: GreyPicture): Ink | null {
  const mask = maskOf(picture);
  const { width, height, marks } = mask;
  const all = marks.reduce((sum, mark) => sum + mark, 0);
  if (all < INK_MIN * width * height) return null;
  const marksOfText = withoutRules(mask);
  const xs: number[] = [];
  const ys: number[] = [];
  for (let index = 0; index < marks.length; index += 1) {
    if (marksOfText[index] !== 1) continue;
    xs.push(index % width);
    ys.push(Math.floor(index / width));
  }
  const every = Math.max(Math.ceil(xs.length / INK_MAX), 1);
  const some = (values: number[]): Float32Array =>
    Float32Array.from(values.filter((_, index) => index % every === 0));
  return { xs: some(xs), ys: some(ys), width, height };
}

interface Mask {
  readonly width: number;
  readonly height: number;
  /** 1: ink. */
  readonly marks: Uint8Array;
}

function maskOf({ width, height, pixels }: GreyPicture): Mask {
  const step = Math.max(Math.floor(width / WIDTH), 1);
  const paper = paperOf({ width, height, pixels });
  const cells = Math.ceil(width / PAPER_CELL);
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)];
  const marks = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [column * step, row * step];
      const cell = Math.floor(y / PAPER_CELL) * cells + Math.floor(x / PAPER_CELL);
      if ((pixels[y * width + x] ?? 0) < (paper[cell] ?? 0) * INK)
        marks[row * columns + column] = 1;
    }
  return { width: columns, height: rows, marks };
}

/** Longer strokes are rules and dark areas: they run along the page and across it, whatever its text does. */
const STROKE_MAX = 40;

function withoutRules({ width, height, marks }: Mask): Uint8Array {
  const text = marks.slice();
  const clear = (start: number, step: number, length: number): void => {
    let run = 0;
    for (let at = 0; at <= length; at += 1) {
      if (at < length && marks[start + at * step] === 1) {
        run += 1;
        continue;
      }
      if (run > STROKE_MAX)
        for (let back = 1; back <= run; back += 1) text[start + (at - back) * step] = 0;
      run = 0;
    }
  };
  for (let y = 0; y < height; y += 1) clear(y * width, 1, width);
  for (let x = 0; x < width; x += 1) clear(x, width, height);
  return text;
}

/** Side of the squares in which paper is looked for, pixels. */
export const PAPER_CELL = 32;

/** The brightest of each square: paper, where the square is not larger than a letter. */
export function paperOf({ width, height, pixels }: GreyPicture): Uint8Array {
  const columns = Math.ceil(width / PAPER_CELL);
  const paper = new Uint8Array(columns * Math.ceil(height / PAPER_CELL));
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / PAPER_CELL) * columns;
    for (let column = 0; column < columns; column += 1) {
      const from = y * width + column * PAPER_CELL;
      const brightest = brightestOf(pixels, from, Math.min(from + PAPER_CELL, (y + 1) * width));
      paper[row + column] = Math.max(paper[row + column] ?? 0, brightest);
    }
  }
  return paper;
}

/** A page has seven million pixels: nothing but the comparison is done for each. */
function brightestOf(pixels: Uint8Array, from: number, to: number): number {
  let brightest = 0;
  for (let at = from; at < to; at += 1) {
    const value = pixels[at] ?? 0;
    if (value > brightest) brightest = value;
  }
  return brightest;
}

function bestAngle(ink: Ink): { angle: number; score: number } {
  let best = { angle: 0, score: profileChange(ink, 0) };
  const look = (from: number, to: number, step: number): void => {
    for (let angle = from; angle <= to + step / 2; angle += step) {
      const score = profileChange(ink, angle);
      if (score > best.score) best = { angle, score };
    }
  };
  look(-SKEW_MAX, SKEW_MAX, COARSE);
  look(best.angle - COARSE, best.angle + COARSE, FINE);
  return best;
}

/** How much the sums of ink change from a line to the next, when lines are turned by the angle. */
function profileChange({ xs, ys, width, height }: Ink, angle: number): number {
  const slope = Math.tan(angle);
  const margin = Math.ceil(width * Math.tan(SKEW_MAX + COARSE)) + 1;
  const sums = new Uint32Array(Math.ceil(height) + 2 * margin);
  for (let index = 0; index < xs.length; index += 1) {
    const line = Math.round((ys[index] ?? 0) - slope * (xs[index] ?? 0)) + margin;
    sums[line] = (sums[line] ?? 0) + 1;
  }
  let change = 0;
  for (let line = 1; line < sums.length; line += 1)
    change += ((sums[line] ?? 0) - (sums[line - 1] ?? 0)) ** 2;
  return change;
}
