import fc from "fast-check";
import { expect, test } from "vitest";
import { type CalibrationCurve, interpolate } from "./calibration.ts";

const curve: CalibrationCurve = [
  [0.2, 0.1],
  [0.4, 0.5],
  [0.8, 0.9],
];

test("a point of the curve has the value of the point", () => {
  expect(curve.map(([stated]) => interpolate(curve, stated))).toEqual([0.1, 0.5, 0.9]);
});

test("between two points the curve is straight", () => {
  expect(interpolate(curve, 0.3)).toBeCloseTo(0.3, 10);
  expect(interpolate(curve, 0.7)).toBeCloseTo(0.8, 10);
});

test("outside of the curve the value is that of its end", () => {
  expect(interpolate(curve, 0)).toBe(0.1);
  expect(interpolate(curve, 1)).toBe(0.9);
  expect(interpolate([[0.5, 0.7]], 0.1)).toBe(0.7);
  expect(interpolate([[0.5, 0.7]], 0.9)).toBe(0.7);
});

test("without points a probability stays as it is", () => {
  expect(interpolate([], 0.37)).toBe(0.37);
});

test("two points at one place give a finite value", () => {
  const step: CalibrationCurve = [
    [0.2, 0.1],
    [0.5, 0.3],
    [0.5, 0.6],
    [0.8, 0.9],
  ];
  expect(interpolate(step, 0.5)).toBeCloseTo(0.3, 10);
  expect(interpolate(step, 0.65)).toBeCloseTo(0.75, 10);
});

test("of a curve that does not fall a higher probability is never worth less", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(share, share), { maxLength: 8 }),
      share,
      share,
      (points, a, b) => {
        const ascending = (values: readonly number[]): number[] =>
          [...values].sort((x, y) => x - y);
        const stated = ascending(points.map(([one]) => one));
        const correct = ascending(points.map(([, one]) => one));
        const rising: CalibrationCurve = stated.map((one, at) => [one, correct[at] ?? 0]);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const tolerance = 1e-9;
        expect(interpolate(rising, low)).toBeLessThanOrEqual(interpolate(rising, high) + tolerance);
      },
    ),
  );
});
