// Headings on a dark or grey ground become print on white paper; all other ink stays.
import { expect, it } from "vitest";
import type { GreyPicture } from "./page-picture.ts";
import { withoutShades } from "./shaded-areas.ts";

type Part = readonly [left: number, top: number, width: number, height: number, value: number];

function drawPicture(...parts: readonly Part[]): GreyPicture {
  const [width, height] = [400, 200];
  const pixels = new Uint8Array(width * height).fill(250);
  for (const [left, top, wide, high, value] of parts)
    for (let y = top; y < top + high; y += 1)
      pixels.fill(value, y * width + left, y * width + left + wide);
  return { width, height, pixels };
}

const at = ({ width, pixels }: GreyPicture, x: number, y: number): number =>
  pixels[y * width + x] ?? -1;

it("white print on a dark ground becomes dark print on paper, up to the edges of the ground", () => {
  const picture = drawPicture([41, 42, 201, 47, 30], [100, 58, 20, 14, 245]);
  const drawn = withoutShades(picture);
  expect([at(drawn, 110, 65), at(drawn, 60, 65), at(drawn, 20, 65)]).toEqual([5, 250, 250]);
  for (const [x, y] of [
    [41, 42],
    [241, 88],
  ] as const)
    expect(at(drawn, x, y)).toBe(250);
  expect(at(picture, 60, 65)).toBe(30);
});

it("black print on a grey ground stays dark, and its ground becomes paper", () => {
  const drawn = withoutShades(drawPicture([40, 40, 200, 48, 128], [100, 58, 20, 14, 10]));
  expect(at(drawn, 60, 65)).toBe(250);
  expect(at(drawn, 110, 65)).toBeLessThan(30);
});

it("a ground in a table is found though the rules of the table begin at it", () => {
  const rules = [0, 1, 2].map((row): Part => [40, 88 + row * 40, 200, 4, 0]);
  const sides = [40, 236].map((left): Part => [left, 40, 4, 132, 0]);
  const drawn = withoutShades(drawPicture([40, 40, 200, 48, 128], ...rules, ...sides));
  expect(at(drawn, 60, 65)).toBe(250);
  expect(at(drawn, 120, 129)).toBe(0);
});

it("a ground whose edge is not quite level is found", () => {
  const steps = Array.from(
    { length: 8 },
    (_, step): Part => [40 + step * 40, 40 + step, 40, 48, 30],
  );
  expect(at(withoutShades(drawPicture(...steps)), 60, 65)).toBe(250);
});

it("large letters, pictures of other forms and what lies around the paper of a photo stay", () => {
  const letter: readonly Part[] = [
    [40, 40, 20, 90, 0],
    [40, 40, 60, 20, 0],
    [80, 40, 20, 90, 0],
  ];
  const table: readonly Part[] = [
    [0, 0, 400, 12, 90],
    [0, 0, 12, 200, 90],
    [388, 0, 12, 200, 90],
  ];
  for (const parts of [letter, table]) {
    const picture = drawPicture(...parts);
    expect(withoutShades(picture)).toBe(picture);
  }
});
