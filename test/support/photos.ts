// Photos of pages that lie on a table, taken from an angle.
import sharp from "sharp";
import {
  type Corners,
  type Perspective,
  perspectiveTo,
  type PicturePoint,
  projectPoint,
} from "../../workers/statements/perspective.ts";
import type { GreyPicture } from "../../workers/statements/page-picture.ts";
import { renderPage } from "../../workers/statements/render-pdf.ts";
import { createRandom } from "./random.ts";
import { SCANNER_SIDE } from "./scans.ts";

export interface Table {
  readonly width: number;
  readonly height: number;
  /** 0 is black. */
  readonly brightness: number;
  /** Share of the light that is lost in the darkest corner, 0 to 1. */
  readonly shadow: number;
}

/** Where a point of the photo is on the page: the adjugate of the matrix, which is its inverse but for a factor. */
function backOf([a, b, c, d, e, f, g, h]: Perspective): (point: PicturePoint) => PicturePoint {
  return ({ x, y }) => {
    const depth = (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d);
    return {
      x: ((e - f * h) * x + (c * h - b) * y + (b * f - c * e)) / depth,
      y: ((f * g - d) * x + (a - c * g) * y + (c * d - a * f)) / depth,
    };
  };
}

/** The page within the corners, on a table of a pattern; in a shadow that falls on both. */
export function layOnTable(page: GreyPicture, corners: Corners, table: Table): GreyPicture {
  const { width, height, brightness, shadow } = table;
  const back = backOf(perspectiveTo(corners, page));
  const random = createRandom(width);
  const pixels = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const on = back({ x, y });
    const isPage = on.x >= 0 && on.y >= 0 && on.x < page.width && on.y < page.height;
    const printed = page.pixels[Math.floor(on.y) * page.width + Math.floor(on.x)] ?? 0;
    const wood = brightness + 12 * Math.sin(y / 23) + random.next() * 8;
    return (isPage ? printed : wood) * (1 - shadow * ((x / width + y / height) / 2) ** 2);
  });
  return { width, height, pixels };
}

/** A JPEG file of the first page of a PDF, and where a point of the page (points from its upper left corner) is in it. */
export async function photographPage(
  pdf: Uint8Array,
  corners: Corners,
  table: Table,
): Promise<{
  readonly bytes: Uint8Array;
  readonly placeOf: (point: PicturePoint) => PicturePoint;
}> {
  const page = await renderPage(pdf, "", 1, SCANNER_SIDE);
  if ("fault" in page) throw new Error(page.fault);
  const { width, height, pixels } = layOnTable(page, corners, table);
  const photo = sharp(pixels, { raw: { width, height, channels: 1 } }).toColourspace("b-w");
  const perspective = perspectiveTo(corners, page);
  const [scale] = page.toSeen;
  return {
    bytes: new Uint8Array(await photo.jpeg({ quality: 80 }).toBuffer()),
    placeOf: ({ x, y }) => projectPoint(perspective, { x: x / scale, y: y / scale }),
  };
}
