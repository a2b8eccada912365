// How a page lies is found from its ink alone, to a tenth of a degree; where a word is, is known after any turn.
import { describe, expect, it } from "vitest";
import { chain, inverse, moveBox, turning } from "./affine.ts";
import { correctReading } from "./reading-errors.ts";
import { findSkew } from "./skew.ts";

const RADIAN = Math.PI / 180;
const SIZE = { width: 1_200, height: 1_200 };

/** Short strokes in lines, as words are, turned by so many degrees with the clock. */
function lines(degrees: number): Uint8Array {
  const [a, b, c, d, e, f] = inverse(turning(degrees * RADIAN, SIZE, SIZE));
  const pixels = new Uint8Array(SIZE.width * SIZE.height).fill(240);
  for (let y = 0; y < SIZE.height; y += 1)
    for (let x = 0; x < SIZE.width; x += 1) {
      const [u, v] = [a * x + c * y + e, b * x + d * y + f];
      const shift = (Math.floor(v / 40) * 7_919 * 104_729) % 997;
      const isPage = Math.min(u, v) > 150 && Math.max(u, v) < 1_050;
      if (isPage && v % 40 < 14 && (u + shift) % 37 < 23) pixels[y * SIZE.width + x] = 20;
    }
  return pixels;
}

describe("the skew of a page", () => {
  it.each([0, 0.4, -1.3, 3.7, -6.2])("of %d degrees is found within 0.1 degrees", (degrees) => {
    const skew = findSkew({ ...SIZE, pixels: lines(degrees) });
    expect(skew?.isUpright).toBe(false);
    expect(Math.abs((skew?.level ?? 1) / RADIAN + degrees)).toBeLessThan(0.1);
  });

  it("of a page on its side is found as a right angle and the rest", () => {
    const skew = findSkew({ ...SIZE, pixels: lines(91.5) });
    expect(skew?.isUpright).toBe(true);
    expect((skew?.upright ?? 0) / RADIAN).toBeCloseTo(88.5, 0);
  });

  it("of an empty page is not looked for", () => {
    const pixels = new Uint8Array(SIZE.width * SIZE.height).fill(200);
    expect(findSkew({ ...SIZE, pixels })).toBeNull();
  });
});

it("a box that is turned there and back is where it was", () => {
  const there = turning(0.3, { width: 100, height: 50 }, { width: 120, height: 90 });
  const same = chain(there, inverse(there));
  for (const [at, value] of moveBox([10, 20, 30, 40], same).entries())
    expect(value).toBeCloseTo([10, 20, 30, 40][at] ?? 0, 6);
});

it.each([
  ["~5.00", "-5.00"],
  ["$~1,250.00", "$-1,250.00"],
  ["|", ""],
  ["|5,5OO.00", "5,500.00"],
  ["1O/0l/2026", "10/01/2026"],
  ["12.SO", "12.50"],
  ["Oslo", "Oslo"],
  ["SO.lO", "SO.lO"],
  ["B2B", "B2B"],
  ["-", "-"],
  ["2024-01:16", "2024-01-16"],
  ["16/01:2024", "16/01/2024"],
  ["1.23:45", "1.23:45"],
  ["15,.2025", "15,2025"],
  ["15.,2025", "15,2025"],
  ["15,.20", "15,.20"],
  ["07-0ct-2025", "07-Oct-2025"],
  ["N0v", "Nov"],
  ["10ct", "10ct"],
  ["OCTO04", "OCT04"],
  ["SEPO4", "SEP04"],
  ["MAROS", "MAR05"],
  ["MARCOS", "MARCOS"],
  ["ABCO04", "ABCO04"],
  ["R0AD", "R0AD"],
])("of a recognised %s only one reading is possible: %s", (text, corrected) => {
  expect(correctReading(text)).toBe(corrected);
});
