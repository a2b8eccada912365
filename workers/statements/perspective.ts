// How a flat page lies in a photo that was taken from an angle: the projective map of a rectangle to four corners, after Heckbert,
// "Fundamentals of Texture Mapping and Image Warping", 1989, section 2.2.2.
import type { Box } from "./affine.ts";
import type { GreyPicture } from "./page-picture.ts";

export interface PicturePoint {
  readonly x: number;
  readonly y: number;
}

/** Left above, right above, right below, left below. */
export type Corners = readonly [PicturePoint, PicturePoint, PicturePoint, PicturePoint];

export function scaledCorners([p, q, r, s]: Corners, factor: number): Corners {
  const scaled = ({ x, y }: PicturePoint): PicturePoint => ({ x: x * factor, y: y * factor });
  return [scaled(p), scaled(q), scaled(r), scaled(s)];
}

/** [a … h]: x' = (a·x + b·y + c) / (g·x + h·y + 1), y' = (d·x + e·y + f) / (g·x + h·y + 1). */
export type Perspective = readonly [
  ...[number, number, number, number],
  ...[number, number, number, number],
];

/** From a rectangle of this size to the corners, which are those of a convex shape. */
export function perspectiveTo(
  [p, q, r, s]: Corners,
  { width, height }: { readonly width: number; readonly height: number },
): Perspective {
  const [right, below] = [
    { x: q.x - r.x, y: q.y - r.y },
    { x: s.x - r.x, y: s.y - r.y },
  ];
  const skew = { x: p.x - q.x + r.x - s.x, y: p.y - q.y + r.y - s.y };
  const area = right.x * below.y - below.x * right.y;
  const g = (skew.x * below.y - below.x * skew.y) / area;
  const h = (right.x * skew.y - skew.x * right.y) / area;
  return [
    (q.x - p.x + g * q.x) / width,
    (s.x - p.x + h * s.x) / height,
    p.x,
    (q.y - p.y + g * q.y) / width,
    (s.y - p.y + h * s.y) / height,
    p.y,
    g / width,
    h / height,
  ];
}

export function projectPoint(
  [a, b, c, d, e, f, g, h]: Perspective,
  { x, y }: PicturePoint,
): PicturePoint {
  const depth = g * x + h * y + 1;
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth };
}

/** The smallest upright box around the projected one. */
export function projectBox(perspective: Perspective, [left, top, right, bottom]: Box): Box {
  const corners = [left, right].flatMap((x) =>
    [top, bottom].map((y) => projectPoint(perspective, { x, y })),
  );
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** What a picture shows within the corners, as a rectangle of this size; between its pixels by their distance. */
export function flattened(
  { pixels, ...from }: GreyPicture,
  corners: Corners,
  size: { readonly width: number; readonly height: number },
): GreyPicture {
  const [a, b, c, d, e, f, g, h] = perspectiveTo(corners, size);
  const flat = new Uint8Array(size.width * size.height);
  const [rightmost, lowest] = [from.width - 1.001, from.height - 1.001];
  for (let v = 0; v < size.height; v += 1)
    for (let u = 0; u < size.width; u += 1) {
      const depth = g * u + h * v + 1;
      const x = Math.min(Math.max((a * u + b * v + c) / depth, 0), rightmost);
      const y = Math.min(Math.max((d * u + e * v + f) / depth, 0), lowest);
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const [dx, dy] = [x - left, y - top];
      const at = top * from.width + left;
      const above = (pixels[at] ?? 0) * (1 - dx) + (pixels[at + 1] ?? 0) * dx;
      const below =
        (pixels[at + from.width] ?? 0) * (1 - dx) + (pixels[at + from.width + 1] ?? 0) * dx;
      flat[v * size.width + u] = above * (1 - dy) + below * dy + 0.5;
    }
  return { ...size, pixels: flat };
}
