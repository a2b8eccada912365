// Drawn pages as a scanner or a camera returns them: noise, dust, skew, perspective, shadow, compression.
import sharp, { type Sharp } from "sharp";
import { renderPage } from "../../../workers/statements/render-pdf.ts";
import { createRandom, type Random } from "../random.ts";
import { pdfOfPictures, type ScannedPicture, SCANNER_SIDE } from "../scans.ts";

export const MEDIA = ["text", "watermark", "scan", "skew", "photo", "jpeg"] as const;
export type StatementMedium = (typeof MEDIA)[number];

/** Media of one picture, for statements of one page. */
export const isPicture = (medium: StatementMedium): boolean =>
  medium === "photo" || medium === "jpeg";

interface Grey {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const PAPER = 245;
const DESK = 96;

/** @param pages of the file */
export async function toMedium(
  pdf: Uint8Array,
  pages: number,
  medium: StatementMedium,
  seed: number,
): Promise<Uint8Array> {
  if (medium === "text" || medium === "watermark") return pdf;
  const random = createRandom(seed);
  const pictures: ScannedPicture[] = [];
  for (let page = 1; page <= pages; page += 1)
    pictures.push(await takePicture(await drawPage(pdf, page), medium, random));
  const [first] = pictures;
  if (first === undefined) throw new Error("A statement has a page.");
  return isPicture(medium) ? new Uint8Array(first.bytes) : pdfOfPictures(pictures);
}

async function drawPage(pdf: Uint8Array, page: number): Promise<Grey> {
  const drawn = await renderPage(pdf, "", page, SCANNER_SIDE);
  if ("fault" in drawn) throw new Error(drawn.fault);
  return drawn;
}

async function takePicture(
  page: Grey,
  medium: StatementMedium,
  random: Random,
): Promise<ScannedPicture> {
  if (medium === "scan")
    return toJpeg(
      await turned(withDust(page, random), 0.3, random),
      { noise: 7, quality: 65, blur: 0.5 },
      random,
    );
  if (medium === "skew")
    return toJpeg(await turned(page, 3, random), { noise: 7, quality: 60, blur: 0.5 }, random);
  if (medium === "jpeg") {
    const small = await resized(page, 1_250);
    return toJpeg(small, { noise: 4, quality: 50, blur: 0 }, random);
  }
  return toJpeg(
    shaded(inPerspective(page, random), random),
    { noise: 5, quality: 62, blur: 0.7 },
    random,
  );
}

const asSharp = ({ width, height, pixels }: Grey): Sharp =>
  sharp(pixels, { raw: { width, height, channels: 1 } });

async function toGreyPixels(picture: Sharp): Promise<Grey> {
  const { data, info } = await picture
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** By up to so many degrees in each direction. */
const turned = (page: Grey, most: number, random: Random): Promise<Grey> =>
  toGreyPixels(asSharp(page).rotate((random.next() * 2 - 1) * most, { background: "#eee" }));

const resized = (page: Grey, width: number): Promise<Grey> =>
  toGreyPixels(asSharp(page).resize({ width }));

interface Camera {
  /** Largest change of the brightness of a pixel. */
  readonly noise: number;
  /** Of JPEG. */
  readonly quality: number;
  /** Pixels. */
  readonly blur: number;
}

async function toJpeg(
  page: Grey,
  { noise, quality, blur }: Camera,
  random: Random,
): Promise<ScannedPicture> {
  const soft = blur > 0 ? await toGreyPixels(asSharp(page).blur(blur)) : page;
  const pixels = soft.pixels.map((value) => {
    const changed = Math.min(value, PAPER) + (random.next() + random.next() - 1) * noise;
    return Math.min(Math.max(changed, 0), 255);
  });
  const bytes = await asSharp({ ...soft, pixels })
    .toColourspace("b-w")
    .jpeg({ quality })
    .toBuffer();
  return { bytes, width: soft.width, height: soft.height };
}

/** Specks of up to three pixels, as on the glass of a scanner. */
function withDust(page: Grey, random: Random): Grey {
  const pixels = Uint8Array.from(page.pixels);
  for (let speck = 0; speck < 120; speck += 1) {
    const [x, y] = [random.integer(0, page.width - 4), random.integer(0, page.height - 4)];
    const size = random.integer(1, 3);
    for (let v = 0; v < size; v += 1)
      for (let u = 0; u < size; u += 1) pixels[(y + v) * page.width + x + u] = 90;
  }
  return { ...page, pixels };
}

/** A soft shadow of what holds the camera, and less light towards one side. */
function shaded(page: Grey, random: Random): Grey {
  const { width, height } = page;
  const [towards, edge, depth] = [
    random.next() * 2 * Math.PI,
    0.55 + random.next() * 0.3,
    0.25 + random.next() * 0.2,
  ];
  const [cos, sin] = [Math.cos(towards), Math.sin(towards)];
  const pixels = page.pixels.map((value, at) => {
    const [x, y] = [(at % width) / width - 0.5, Math.floor(at / width) / height - 0.5];
    const along = x * cos + y * sin + 0.5;
    const shadow = depth / (1 + Math.exp((edge - along) * 22));
    return Math.min(value * (1 - 0.12 * along) * (1 - shadow), 255);
  });
  return { ...page, pixels };
}

type Corner = readonly [x: number, y: number];

/** How far a corner may lie from where it would be from straight above, as a share of the width. */
const CORNER_MOVE = 0.018;
const DESK_MARGIN = 0.05;

/** The page seen from slightly aside, on a desk: each pixel is taken from where its projection lies on the page. */
function inPerspective(page: Grey, random: Random): Grey {
  const margin = Math.round(page.width * DESK_MARGIN);
  const [width, height] = [page.width + 2 * margin, page.height + 2 * margin];
  const move = (): number => (random.next() * 2 - 1) * CORNER_MOVE * page.width;
  const corners = [
    [margin, margin],
    [width - margin, margin],
    [width - margin, height - margin],
    [margin, height - margin],
  ].map(([x = 0, y = 0]): Corner => [x + move(), y + move()]);
  const toPage = projection(corners, page);
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [u, v] = toPage(x, y);
      pixels[y * width + x] = sampleAt(page, u, v) ?? DESK + ((x * 7 + y * 13) % 11);
    }
  return { width, height, pixels };
}

/** Between four pixels. null: outside of the page. */
function sampleAt({ width, height, pixels }: Grey, x: number, y: number): number | null {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return null;
  const [u, v] = [x - left, y - top];
  const at = top * width + left;
  const above = (pixels[at] ?? 0) * (1 - u) + (pixels[at + 1] ?? 0) * u;
  const below = (pixels[at + width] ?? 0) * (1 - u) + (pixels[at + width + 1] ?? 0) * u;
  return above * (1 - v) + below * v;
}

/**
 * The projective map that takes four corners to those of the page.
 * @param corners from the top left one, with the clock
 */
function projection(corners: readonly Corner[], page: Grey): (x: number, y: number) => Corner {
  const targets: readonly Corner[] = [
    [0, 0],
    [page.width, 0],
    [page.width, page.height],
    [0, page.height],
  ];
  const rows = corners.flatMap(([x, y], at) => {
    const [u, v] = targets[at] ?? [0, 0];
    return [
      [x, y, 1, 0, 0, 0, -x * u, -y * u, u],
      [0, 0, 0, x, y, 1, -x * v, -y * v, v],
    ];
  });
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = solve(rows);
  return (x, y) => {
    const depth = g * x + h * y + 1;
    return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
  };
}

/** Linear equations by elimination; the last number of each row is its right side. */
function solve(equations: readonly (readonly number[])[]): number[] {
  const rows = equations.map((row) => [...row]);
  const count = rows.length;
  for (let at = 0; at < count; at += 1) {
    const from = rows.slice(at).toSorted((p, q) => Math.abs(q[at] ?? 0) - Math.abs(p[at] ?? 0));
    rows.splice(at, count - at, ...from);
    const pivot = rows[at] ?? [];
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = (row[at] ?? 0) / (pivot[at] ?? 1);
      rows[other] = row.map((value, index) => value - factor * (pivot[index] ?? 0));
    }
  }
  return rows.map((row, at) => (row[count] ?? 0) / (row[at] ?? 1));
}
