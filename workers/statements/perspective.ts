// How a flat page lies in a photo that was taken from an angle: the projective map of a rectangle to four corners, after Heckbert,
// "Fundamentals of Texture Mapping and Image Warping", 1989, section 2.2.2.
import type { Box } from "./affine.ts";

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
