// Where a point of one picture of a page is in another: turned, moved, scaled.

/** [a, b, c, d, e, f]: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Affine = readonly [number, number, number, number, number, number];

/** Left, top, right, bottom. */
export type Box = readonly [number, number, number, number];

export const IDENTITY: Affine = [1, 0, 0, 1, 0, 0];

export const scaling = (factor: number): Affine => [factor, 0, 0, factor, 0, 0];

/** First `first`, then `second`. */
export function chain(first: Affine, second: Affine): Affine {
  const [a, b, c, d, e, f] = first;
  const [p, q, r, s, t, u] = second;
  return [
    p * a + r * b,
    q * a + s * b,
    p * c + r * d,
    q * c + s * d,
    p * e + r * f + t,
    q * e + s * f + u,
  ];
}

/** The way back. The matrix of a picture that was turned and scaled always has one. */
export function inverse([a, b, c, d, e, f]: Affine): Affine {
  const determinant = a * d - b * c;
  const [p, q, r, s] = [d / determinant, -b / determinant, -c / determinant, a / determinant];
  return [p, q, r, s, -(p * e + r * f), -(q * e + s * f)];
}

/** The smallest upright box around the moved one. Each character of a page is moved, so it makes no lists. */
export function moveBox([left, top, right, bottom]: Box, [a, b, c, d, e, f]: Affine): Box {
  return [
    Math.min(a * left, a * right) + Math.min(c * top, c * bottom) + e,
    Math.min(b * left, b * right) + Math.min(d * top, d * bottom) + f,
    Math.max(a * left, a * right) + Math.max(c * top, c * bottom) + e,
    Math.max(b * left, b * right) + Math.max(d * top, d * bottom) + f,
  ];
}

/** A turn by `angle` (radians, with the clock as seen) about the middle of a picture that grows from one size to the other. */
export function turning(
  angle: number,
  from: { readonly width: number; readonly height: number },
  to: { readonly width: number; readonly height: number },
): Affine {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [x, y] = [from.width / 2, from.height / 2];
  return [
    cos,
    sin,
    -sin,
    cos,
    to.width / 2 - (cos * x - sin * y),
    to.height / 2 - (sin * x + cos * y),
  ];
}
