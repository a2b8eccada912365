// The picture of a page, as it goes from decoding to text recognition.
import type { StatementScope } from "../../src/model/bank-statement.ts";
import type { Affine } from "./affine.ts";
import type { Perspective } from "./perspective.ts";

export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  /** One byte each, 0 is black, a row after the other. */
  readonly pixels: Uint8Array;
}

export interface PagePicture extends GreyPicture {
  /** From its pixels to the coordinates of the page as it is seen: points for a PDF, pixels for a picture. */
  readonly toSeen: Affine;
  /** Of a photo that was flattened: from there to the coordinates of the photo. */
  readonly perspective?: Perspective;
}

/**
 * Shorter side that text is recognised best at, pixels. A4 at 267 dots per inch: scans have less, but points and strokes of a
 * small type are lost where a picture is not enlarged, and a photo shows the table around the page.
 */
export const PICTURE_SIDE = 2_200;
/** What a check of the first page alone has to answer soon is printed in larger type. */
const HEADER_SIDE = 1_650;

/** Shorter side of the picture in which so much of a document is read, pixels. */
export const pictureSide = (scope: StatementScope): number =>
  scope === "header" ? HEADER_SIDE : PICTURE_SIDE;

/** Long strips become smaller, so that the memory of a thread has a bound. */
const RECOGNISED_PIXELS_MAX = 12_000_000;

/** The factor, or a smaller one with which the picture stays within the pixels that are recognised. */
export const scaleWithin = (factor: number, width: number, height: number): number =>
  Math.min(factor, Math.sqrt(RECOGNISED_PIXELS_MAX / (width * height)));
