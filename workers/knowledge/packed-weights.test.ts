import fc from "fast-check";
import { expect, it } from "vitest";
import { HALF_BITS, HALF_MASK, packWeights, WEIGHT_OFFSET } from "./packed-weights.ts";

const ROWS_ADDED_MAX = 257;

it("rows that are added as pairs have the sums of their weights, up to 257 of them", () => {
  const weight = fc.integer({ min: -128, max: 127 });
  const row = fc.integer({ min: 1, max: 7 }).chain((width) =>
    fc.array(fc.array(weight, { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: ROWS_ADDED_MAX,
    }),
  );
  fc.assert(
    fc.property(row, (rows) => {
      const width = rows[0]?.length ?? 0;
      const pairWidth = (width + 1) >> 1;
      const packed = packWeights(Int8Array.from(rows.flat()), width);
      const offset = rows.length * WEIGHT_OFFSET;
      for (let at = 0; at < width; at++) {
        let both = 0;
        for (const index of rows.keys())
          both = (both + (packed[index * pairWidth + (at >> 1)] ?? 0)) | 0;
        const half = (at & 1) === 0 ? both & HALF_MASK : both >>> HALF_BITS;
        const sum = rows.reduce((total, one) => total + (one[at] ?? 0), 0);
        expect(half - offset).toBe(sum);
      }
    }),
  );
});

it("as many of the largest weights do not run over into the other half", () => {
  const rows = Array.from({ length: ROWS_ADDED_MAX }, () => [127, -128]);
  const packed = packWeights(Int8Array.from(rows.flat()), 2);
  const both = packed.reduce((sum, pair) => (sum + pair) | 0, 0);
  expect((both & HALF_MASK) - ROWS_ADDED_MAX * WEIGHT_OFFSET).toBe(ROWS_ADDED_MAX * 127);
  expect((both >>> HALF_BITS) - ROWS_ADDED_MAX * WEIGHT_OFFSET).toBe(ROWS_ADDED_MAX * -128);
});
