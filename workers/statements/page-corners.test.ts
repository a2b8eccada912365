// A page is taken off the table where all its edges show; what is not surely a page on a table stays as it is.
import { describe, expect, it } from "vitest";
import { layOnTable, type Table } from "../../test/support/photos.ts";
import { flattened } from "./flat-page.ts";
import { findPageCorners } from "./page-corners.ts";
import type { GreyPicture } from "./page-picture.ts";
import { type Corners, perspectiveTo, projectBox, projectPoint } from "./perspective.ts";

const PAGE_SIZE = { width: 600, height: 850 };
/** Lines of strokes on white paper. */
const PAGE: GreyPicture = {
  ...PAGE_SIZE,
  pixels: Uint8Array.from({ length: PAGE_SIZE.width * PAGE_SIZE.height }, (_, at) => {
    const [x, y] = [at % PAGE_SIZE.width, Math.floor(at / PAGE_SIZE.width)];
    return y % 30 > 20 && x % 12 < 4 && x > 60 && x < 540 && y > 60 ? 20 : 245;
  }),
};
const TABLE: Table = { width: 1_200, height: 1_600, brightness: 70, shadow: 0.5 };
const CORNERS: Corners = [
  { x: 150, y: 120 },
  { x: 1_020, y: 180 },
  { x: 1_090, y: 1_450 },
  { x: 90, y: 1_420 },
];
/** Three of the cells that are looked at. */
const DISTANCE_MAX = 12;

const distances = (found: Corners | null, corners: Corners): number[] =>
  corners.map(({ x, y }, at) => Math.hypot(x - (found?.[at]?.x ?? 0), y - (found?.[at]?.y ?? 0)));

describe("the corners of a page", () => {
  it("are found in a photo from an angle, half in a shadow", () => {
    const found = findPageCorners(layOnTable(PAGE, CORNERS, TABLE));
    expect(Math.max(...distances(found, CORNERS))).toBeLessThan(DISTANCE_MAX);
  });

  it("are found where something bright lies next to it", () => {
    const photo = layOnTable(PAGE, CORNERS, TABLE);
    const pixels = photo.pixels.map((value, at) => {
      const [x, y] = [at % photo.width, Math.floor(at / photo.width)];
      return Math.hypot(x - 20, y - 1_300) < 90 ? 250 : value;
    });
    const found = findPageCorners({ ...photo, pixels });
    expect(Math.max(...distances(found, CORNERS))).toBeLessThan(DISTANCE_MAX);
  });

  it.each([
    ["that fills the picture, as a scanner makes it", PAGE],
    ["that goes on outside of the picture", layOnTable(PAGE, shifted(300), TABLE)],
    [
      "on a table that is as bright",
      layOnTable(PAGE, CORNERS, { ...TABLE, brightness: 215, shadow: 0 }),
    ],
    ["that stands upright, as a window on a screen does", layOnTable(PAGE, upright(), TABLE)],
    ["that is small", layOnTable(PAGE, small(), TABLE)],
  ])("are not those of one %s", (_, picture) => {
    expect(findPageCorners(picture)).toBeNull();
  });
});

function shifted(by: number): Corners {
  const [p, q, r, s] = CORNERS;
  return [
    { ...p, x: p.x + by },
    { ...q, x: q.x + by },
    { ...r, x: r.x + by },
    { ...s, x: s.x + by },
  ];
}

const boxOf = (left: number, top: number, right: number, bottom: number): Corners => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];

function upright(): Corners {
  return boxOf(100, 120, 1_100, 1_480);
}

function small(): Corners {
  const [p, q, r, s] = boxOf(400, 500, 800, 1_100);
  return [p, { ...q, y: q.y + 15 }, r, s];
}

describe("a perspective", () => {
  const perspective = perspectiveTo(CORNERS, PAGE_SIZE);
  const { width, height } = PAGE_SIZE;

  it("has the corners where those of the rectangle are, and the crossing of its diagonals where they cross", () => {
    for (const [at, corner] of boxOf(0, 0, width, height).entries()) {
      const { x, y } = projectPoint(perspective, corner);
      expect(x).toBeCloseTo(CORNERS[at]?.x ?? 0, 6);
      expect(y).toBeCloseTo(CORNERS[at]?.y ?? 0, 6);
    }
    const { x, y } = projectPoint(perspective, { x: width / 2, y: height / 2 });
    const [p, q, r, s] = CORNERS;
    const along = (from: typeof p, to: typeof p): number =>
      (x - from.x) * (to.y - from.y) - (y - from.y) * (to.x - from.x);
    expect(along(p, r)).toBeCloseTo(0, 4);
    expect(along(q, s)).toBeCloseTo(0, 4);
  });

  it("has a box around all corners of the projected one", () => {
    const [left, top, right, bottom] = projectBox(perspective, [0, 0, width, height]);
    expect(left).toBeCloseTo(90, 6);
    expect(top).toBeCloseTo(120, 6);
    expect(right).toBeCloseTo(1_090, 6);
    expect(bottom).toBeCloseTo(1_450, 6);
  });

  it("flattens a photo to the page that was laid on the table", () => {
    const photo = layOnTable(PAGE, CORNERS, { ...TABLE, shadow: 0 });
    const flat = flattened(photo, CORNERS, PAGE_SIZE);
    // A tenth of the page is strokes of four pixels, whose edges two samplings move by up to one.
    const wrong = flat.pixels.filter((value, at) => Math.abs(value - (PAGE.pixels[at] ?? 0)) > 128);
    expect(wrong.length / flat.pixels.length).toBeLessThan(0.04);
  });
});
