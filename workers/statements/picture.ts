// Pictures of pages: decoded, turned so that their lines are level, and lit evenly. By sharp (libvips).
import sharp, { type Sharp } from "sharp";
import type { StatementFault } from "../../src/model/bank-statement.ts";
import { type Box, chain, IDENTITY, inverse, scaling, turning } from "./affine.ts";
import { flattened } from "./flat-page.ts";
import { findPageCorners } from "./page-corners.ts";
import { type GreyPicture, type PagePicture, PICTURE_SIDE, scaleWithin } from "./page-picture.ts";
import { type Corners, perspectiveTo, type PicturePoint, scaledCorners } from "./perspective.ts";
import { findSkew, PAPER_CELL, paperOf } from "./skew.ts";

/** Pixels of a picture that is sent: two of the largest cameras' of today. A larger one is refused before it is decoded. */
const PICTURE_PIXELS_MAX = 100_000_000;
/** Small pictures are enlarged by no more: there is nothing to find between their pixels. */
const ENLARGED_MAX = 3;

// A thread does one thing after the other; what is remembered between pictures would only take memory.
sharp.concurrency(1);
sharp.cache(false);

const grey = (picture: GreyPicture): Sharp =>
  sharp(picture.pixels, { raw: { width: picture.width, height: picture.height, channels: 1 } });

async function toGrey(image: Sharp): Promise<GreyPicture> {
  const { data, info } = await image
    .toColourspace("b-w")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/**
 * Decodes a PNG or JPEG file, turned as its EXIF data asks, on white paper, in the size that text is recognised in.
 * Never throws for what the bytes are.
 * @param side pixels of the shorter one
 */
export async function decodePicture(
  bytes: Uint8Array,
  side = PICTURE_SIDE,
): Promise<PagePicture | { readonly fault: StatementFault }> {
  const image = sharp(bytes, { failOn: "error", limitInputPixels: PICTURE_PIXELS_MAX });
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > PICTURE_PIXELS_MAX) return { fault: "too_many_pixels" };
    const wanted = Math.min(side / Math.min(width, height), ENLARGED_MAX);
    const scale = scaleWithin(wanted, width, height);
    const oriented = image.autoOrient().flatten({ background: "white" });
    const wide = await orientedWidth(bytes);
    const scaled = (factor: number): Promise<GreyPicture> =>
      toGrey(oriented.clone().resize({ width: Math.max(Math.round(wide * factor), 1) }));
    const picture = await scaled(scale);
    const corners = findPageCorners(picture);
    return corners === null
      ? { ...picture, toSeen: scaling(1 / scale) }
      : await flatPage({ corners, scale, side, scaled });
  } catch {
    return { fault: "damaged" };
  }
}

interface PhotoOfPage {
  /** In pixels of the picture of this scale. */
  readonly corners: Corners;
  readonly scale: number;
  /** Pixels of the shorter side that the page shall have. */
  readonly side: number;
  readonly scaled: (factor: number) => Promise<GreyPicture>;
}

/** The page alone, from the front: from a picture that is larger by as much as the page is smaller than it. */
async function flatPage({ corners, scale, side, scaled }: PhotoOfPage): Promise<PagePicture> {
  const { width, height } = sizeWithin(corners);
  const factor = scaleWithin(side / Math.min(width, height), width, height);
  const larger = Math.min(Math.max(factor, 1) * scale, ENLARGED_MAX) / scale;
  const size = { width: Math.round(width * factor), height: Math.round(height * factor) };
  return {
    ...flattened(await scaled(scale * larger), scaledCorners(corners, larger), size),
    toSeen: IDENTITY,
    perspective: perspectiveTo(scaledCorners(corners, 1 / scale), size),
  };
}

/** Of the longer ones of opposite sides. */
function sizeWithin([p, q, r, s]: Corners): { readonly width: number; readonly height: number } {
  const length = (a: PicturePoint, b: PicturePoint): number => Math.hypot(a.x - b.x, a.y - b.y);
  return {
    width: Math.max(length(p, q), length(s, r)),
    height: Math.max(length(p, s), length(q, r)),
  };
}

async function orientedWidth(bytes: Uint8Array): Promise<number> {
  const { autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata();
  return autoOrient.width;
}

/** A smaller skew, in radians, does not disturb the recognition: lines stay within the height of a letter. */
const SKEW_MIN = 0.0009;

export interface StraightPicture {
  /** Evenly lit, as it lies. */
  readonly lit: PagePicture;
  /** Turns that make its lines level, the most likely one first. Radians with the clock, as seen. */
  readonly turns: readonly number[];
}

/** Finds how a page lies, within 0.1 degrees. null: it is empty. */
export function straighten(picture: PagePicture): StraightPicture | null {
  const lit = { ...picture, pixels: evenLight(picture) };
  const skew = findSkew(lit);
  if (skew === null) return null;
  const { level, upright, isUpright } = skew;
  const [first, other] = isUpright ? [upright, level] : [level, upright];
  return { lit, turns: [first, first + Math.PI, other, other + Math.PI] };
}

/** @param angle radians with the clock, as seen */
export async function turnPicture(picture: PagePicture, angle: number): Promise<PagePicture> {
  if (Math.abs(angle) < SKEW_MIN) return picture;
  const degrees = (angle * 180) / Math.PI;
  const turned = await toGrey(grey(picture).rotate(degrees, { background: "white" }));
  const back = inverse(turning(angle, picture, turned));
  return { ...picture, ...turned, toSeen: chain(back, picture.toSeen) };
}

/**
 * A part of the picture, enlarged. The box is in pixels of the picture.
 * @param softness pixels of the picture that are mixed with their neighbours; 0: none
 */
export async function enlargePart(
  picture: GreyPicture,
  [left, top, right, bottom]: Box,
  factor: number,
  softness = 0,
): Promise<GreyPicture | null> {
  const from = { x: Math.max(Math.floor(left), 0), y: Math.max(Math.floor(top), 0) };
  const width = Math.min(Math.ceil(right), picture.width) - from.x;
  const height = Math.min(Math.ceil(bottom), picture.height) - from.y;
  if (width < 1 || height < 1) return null;
  const enlarged = grey(picture)
    .extract({ left: from.x, top: from.y, width, height })
    .resize({ width: width * factor, kernel: "cubic" });
  return toGrey(softness > 0 ? enlarged.blur(softness * factor) : enlarged);
}

const WHITE = 255;
/** Paper darker than this share of the brightest is print, such as a header in white on black, and stays as it is. */
const SHADOW_MIN = 0.45;
/** Less than this share of the paper in shadow: the light is even, as that of a scanner. */
const SHADOW_SHARE_MIN = 0.05;
const SHADOW = 0.88;

/** Divides by the brightness of the paper around each pixel, where a shadow or a lamp makes it uneven. */
function evenLight(picture: PagePicture): Uint8Array {
  const { width, height, pixels } = picture;
  const paper = paperOf(picture);
  const sorted = paper.toSorted();
  const bright = sorted[Math.floor(sorted.length * 0.9)] ?? WHITE;
  const isShadow = (value: number): boolean =>
    value < bright * SHADOW && value > bright * SHADOW_MIN;
  if (bright < 1 || paper.filter(isShadow).length < paper.length * SHADOW_SHARE_MIN) return pixels;
  const columns = Math.ceil(width / PAPER_CELL);
  const rows = Math.ceil(height / PAPER_CELL);
  const smooth = smoothed(withoutDark(paper, columns, bright), columns, rows);
  const lit = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const around = brightnessAt(
        smooth,
        columns,
        rows,
        x / PAPER_CELL - 0.5,
        y / PAPER_CELL - 0.5,
      );
      lit[y * width + x] = Math.min(((pixels[y * width + x] ?? 0) * WHITE) / around, WHITE);
    }
  return lit;
}

/** Squares of dark ground that lie over each other; a band behind the headings of a table is one or two of them high. */
const DARK_SQUARES_MAX = 4;

/**
 * With the paper above and below in the place of dark squares: in a shadow, as bright as the brightest paper they would darken the
 * paper around them. Higher areas than a band of headings are as bright as that: a photo, or the table under a page.
 */
const withoutDark = (paper: Uint8Array, columns: number, bright: number): Uint8Array =>
  paper.map((value, at) => {
    if (value > bright * SHADOW_MIN) return value;
    const nearest = (step: number): number => {
      for (let squares = 1; squares <= DARK_SQUARES_MAX; squares += 1) {
        const other = paper[at + squares * step] ?? 0;
        if (other > bright * SHADOW_MIN) return other;
      }
      return 0;
    };
    const [above, below] = [nearest(-columns), nearest(columns)];
    return above > 0 && below > 0 ? (above + below) / 2 : bright;
  });

/** Each square is the mean of those around it: a square that is full of print does not stand out. */
const smoothed = (cells: Uint8Array, columns: number, rows: number): Float32Array =>
  Float32Array.from(cells, (_, index) => {
    const [x, y] = [index % columns, Math.floor(index / columns)];
    let [sum, count] = [0, 0];
    for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, rows - 1); v += 1)
      for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, columns - 1); u += 1) {
        sum += cells[v * columns + u] ?? 0;
        count += 1;
      }
    return sum / count;
  });

function brightnessAt(
  cells: Float32Array,
  columns: number,
  rows: number,
  x: number,
  y: number,
): number {
  const left = Math.min(Math.max(Math.floor(x), 0), columns - 1);
  const top = Math.min(Math.max(Math.floor(y), 0), rows - 1);
  const right = Math.min(left + 1, columns - 1);
  const bottom = Math.min(top + 1, rows - 1);
  const [u, v] = [Math.min(Math.max(x - left, 0), 1), Math.min(Math.max(y - top, 0), 1)];
  const at = (column: number, row: number): number => cells[row * columns + column] ?? WHITE;
  const above = at(left, top) * (1 - u) + at(right, top) * u;
  const below = at(left, bottom) * (1 - u) + at(right, bottom) * u;
  return Math.max(above * (1 - v) + below * v, 1);
}
