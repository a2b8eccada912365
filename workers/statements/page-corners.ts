// The corners of a bright page on a darker table, as photos show it: straight edges between bright and dark, on all four sides.
import type { GreyPicture } from "./page-picture.ts";
import type { Corners, PicturePoint } from "./perspective.ts";

/** Longer side of the picture that is looked at, cells. */
const CELLS = 400;
/** Between the mean brightness of the page and of the table, in a row. */
const CONTRAST_MIN = 30;
/** Of the picture: a smaller bright area may be something else. */
const PAGE_SHARE_MIN = 0.4;
/** Rows and columns between these shares of the picture are looked at: corners are round, or hidden. */
const [FROM, TO] = [0.2, 0.8];
/** Of a row, in which an edge is looked for, and the cells on each side of it that are compared. */
const [OUTER, SIDE] = [0.4, 3];
/** Cells from a line within which a point is of it. */
const NEAR = 1.5;
/** Of the rows, whose points have to be of it. */
const NEAR_SHARE_MIN = 0.7;
/** Of an edge to the side of the picture, as a tangent: the text is turned by the rest. */
const SLOPE_MAX = 0.25;
/** A page whose edges all have less is not on a table: it is a window on a screen, with words around it. */
const SLOPE_MIN = 0.002;
/** How much brighter the page is than what is around it, on the whole. */
const BRIGHTER_MIN = 1.25;

/**
 * In pixels of the picture. null: no such page is in it, or it is the picture, as that of a scanner is.
 */
export function findPageCorners(picture: GreyPicture): Corners | null {
  const step = Math.max(picture.width, picture.height) / CELLS;
  const cells = pooled(picture, step);
  const { width, height } = cells;
  const across = (y: number): Uint8Array => cells.pixels.subarray(y * width, (y + 1) * width);
  const down = (x: number): Uint8Array =>
    Uint8Array.from({ length: height }, (_, y) => cells.pixels[y * width + x] ?? 0);
  const [left, right] = edgesOf(height, across);
  const [top, bottom] = edgesOf(width, down);
  if (left === null || right === null || top === null || bottom === null) return null;
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const;
  const [p, q, r, s] = corners.map(([side, level]) => crossing(side, level));
  if (p === undefined || q === undefined || r === undefined || s === undefined) return null;
  const found = [p, q, r, s] as const;
  const isWithin = found.every(
    ({ x, y }) => x > -NEAR && y > -NEAR && x < width + NEAR && y < height + NEAR,
  );
  const isUpright = [left, right, top, bottom].every(({ slope }) => Math.abs(slope) < SLOPE_MIN);
  if (!isWithin || isUpright || areaOf(found) < PAGE_SHARE_MIN * width * height) return null;
  if (!isBrighter(cells, found)) return null;
  const toPixels = ({ x, y }: PicturePoint): PicturePoint => ({
    x: (x + 0.5) * step,
    y: (y + 0.5) * step,
  });
  return [toPixels(p), toPixels(q), toPixels(r), toPixels(s)];
}

/** Whether the page is brighter than what is around it. */
function isBrighter({ width, pixels }: GreyPicture, corners: Corners): boolean {
  let [inside, within, outside, without] = [0, 0, 0, 0];
  for (const [at, value] of pixels.entries()) {
    if (isInside({ x: at % width, y: Math.floor(at / width) }, corners)) {
      inside += value;
      within += 1;
    } else {
      outside += value;
      without += 1;
    }
  }
  return inside / within > (BRIGHTER_MIN * outside) / Math.max(without, 1);
}

/** On the same side of all edges. */
const isInside = ({ x, y }: PicturePoint, corners: Corners): boolean =>
  corners.every((from, at) => {
    const to = corners[(at + 1) % corners.length] ?? from;
    return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x) >= 0;
  });

/** The means of squares. */
function pooled(picture: GreyPicture, step: number): GreyPicture {
  const [width, height] = [Math.floor(picture.width / step), Math.floor(picture.height / step)];
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      pixels[y * width + x] = meanOf(picture, x * step, y * step, step);
  return { width, height, pixels };
}

function meanOf({ width, pixels }: GreyPicture, left: number, top: number, step: number): number {
  let [sum, count] = [0, 0];
  for (let y = Math.floor(top); y < Math.floor(top + step); y += 1)
    for (let x = Math.floor(left); x < Math.floor(left + step); x += 1) {
      sum += pixels[y * width + x] ?? 0;
      count += 1;
    }
  return count === 0 ? 0 : sum / count;
}

/** position = slope · along + offset. */
interface EdgeLine {
  readonly slope: number;
  readonly offset: number;
}

/** The lines that rises of the brightness in the first part of each row are on, and falls in its last. */
function edgesOf(
  rows: number,
  rowAt: (at: number) => Uint8Array,
): readonly [EdgeLine | null, EdgeLine | null] {
  const all = Array.from({ length: rows }, (_, at) => rowAt(at));
  const middle = all.slice(Math.floor(rows * FROM), Math.ceil(rows * TO));
  const from = Math.floor(rows * FROM);
  const last = (all[0]?.length ?? 0) - 1;
  const begin = edgeOf(middle.map(risesOf), from);
  const end = edgeOf(
    middle.map((row) => risesOf(row.toReversed())),
    from,
  );
  return [begin, end === null ? null : { slope: -end.slope, offset: last - end.offset }];
}

interface Rises {
  readonly first: number | null;
  readonly largest: number | null;
}

/** Where the next cells are brighter than those before, in the outer part of a row: the first place, and that where they are by most. */
function risesOf(row: Uint8Array): Rises {
  let [first, largest, best]: [number | null, number | null, number] = [null, null, CONTRAST_MIN];
  for (let at = SIDE; at < row.length * OUTER; at += 1) {
    let rise = 0;
    for (let next = 0; next < SIDE; next += 1)
      rise += ((row[at + next] ?? 0) - (row[at - 1 - next] ?? 0)) / SIDE;
    if (rise <= CONTRAST_MIN) continue;
    first ??= at;
    if (rise > best) [best, largest] = [rise, at];
  }
  return { first, largest };
}

/** Through the first rises, unless more of the largest ones are on a line: the table may have a pattern, and the page a dark band. */
function edgeOf(rises: readonly Rises[], from: number): EdgeLine | null {
  const [first, largest] = (["first", "largest"] as const).map((kind) => {
    const points = rises.flatMap((one, at): PicturePoint[] => {
      const y = one[kind];
      return y === null ? [] : [{ x: from + at, y }];
    });
    return lineThrough(points, rises.length);
  });
  if (first === undefined || largest === undefined) return null;
  const { share, line } = largest.share > first.share ? largest : first;
  return share < NEAR_SHARE_MIN || Math.abs(line.slope) > SLOPE_MAX ? null : line;
}

/**
 * By the median of the slopes of pairs (Theil, 1950; Sen, 1968), which other points do not move, then by its own points alone.
 * @returns share of the rows whose point is on it
 */
function lineThrough(
  points: readonly PicturePoint[],
  rows: number,
): { readonly share: number; readonly line: EdgeLine } {
  const slopes = points.flatMap(({ x, y }, at) =>
    points
      .slice(at + Math.floor(points.length / 4))
      .filter((_, index) => index % 4 === 0)
      .flatMap((other) => (other.x === x ? [] : [(other.y - y) / (other.x - x)])),
  );
  const slope = medianNumber(slopes);
  const offset = medianNumber(points.map(({ x, y }) => y - slope * x));
  const near = points.filter(({ x, y }) => Math.abs(slope * x + offset - y) <= NEAR);
  return { share: near.length / rows, line: leastSquares(near) };
}

const medianNumber = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function leastSquares(points: readonly PicturePoint[]): EdgeLine {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((one) => one.x)), mean(points.map((one) => one.y))];
  const spread = points.reduce((sum, one) => sum + (one.x - x) ** 2, 0);
  const slope = points.reduce((sum, one) => sum + (one.x - x) * (one.y - y), 0) / spread;
  return { slope, offset: y - slope * x };
}

/** Of an edge that runs down, x by y, and one that runs across, y by x. */
function crossing(side: EdgeLine, level: EdgeLine): PicturePoint {
  const y = (level.slope * side.offset + level.offset) / (1 - level.slope * side.slope);
  return { x: side.slope * y + side.offset, y };
}

/** By the shoelace formula. */
const areaOf = (points: readonly PicturePoint[]): number =>
  Math.abs(
    points.reduce((sum, { x, y }, at) => {
      const next = points[(at + 1) % points.length] ?? { x, y };
      return sum + x * next.y - next.x * y;
    }, 0),
  ) / 2;
