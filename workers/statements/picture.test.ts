// A page that is lit unevenly: paper gets one brightness, also next to dark ground that lies in a shadow.
import { expect, it } from "vitest";
import type { PagePicture } from "./page-picture.ts";
import { straighten } from "./picture.ts";

const SIZE = { width: 960, height: 960 };
/** Of the left half. */
const SHADOW = 0.6;
const PAPER = 240;
const GROUND = 40;
const BAND = { top: 480, bottom: 544 };

/** Lines of strokes, and in the middle a band of dark ground, as behind the headings of a table. */
function drawPage(): PagePicture {
  const pixels = Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, at) => {
    const [x, y] = [at % SIZE.width, Math.floor(at / SIZE.width)];
    const isStroke = y % 64 > 40 && x % 24 < 8 && x > 96 && x < 864;
    const isBand = y >= BAND.top && y < BAND.bottom;
    const value = isBand ? GROUND : isStroke && Math.abs(y - 512) > 120 ? 20 : PAPER;
    return x < SIZE.width / 2 ? value * SHADOW : value;
  });
  return { ...SIZE, pixels, toSeen: [1, 0, 0, 1, 0, 0] };
}

it("paper next to a dark band in a shadow is as bright as other paper", () => {
  const lit = straighten(drawPage())?.lit;
  const at = (x: number, y: number): number => lit?.pixels[y * SIZE.width + x] ?? 0;
  const far = at(200, BAND.top - 90);
  expect(far).toBeGreaterThan(PAPER);
  for (const distance of [4, 20, 40])
    for (const y of [BAND.top - distance, BAND.bottom + distance])
      expect(Math.abs(at(200, y) - far)).toBeLessThan(6);
});

it("a dark band in a shadow stays dark", () => {
  const lit = straighten(drawPage())?.lit;
  expect(lit?.pixels[512 * SIZE.width + 200]).toBeLessThan(PAPER / 3);
});
