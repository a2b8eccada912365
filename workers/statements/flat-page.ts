// A page that was photographed from an angle, as it is from the front.
import type { GreyPicture } from "./page-picture.ts";
import { type Corners, perspectiveTo } from "./perspective.ts";

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
