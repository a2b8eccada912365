import fc from "fast-check";
import { expect, it } from "vitest";
import {
  addRowTo,
  fourWidth,
  packWeights,
  pairPlaceOf,
  pairWidth,
  putSums,
  sumIn,
  WEIGHT_OFFSET,
} from "./packed-weights.ts";

const ROWS_ADDED_MAX = 257;

/** Sums of all rows, once put together and once added one by one. */
function sumsOf(rows: readonly (readonly number[])[]): readonly Int32Array[] {
  const width = rows[0]?.length ?? 0;
  const packed = packWeights(Int8Array.from(rows.flat()), width);
  const own = fourWidth(width);
  const put = new Int32Array(pairWidth(width)).fill(-1);
  putSums(packed, Uint16Array.from(rows.keys()), rows.length, own, put, 0);
  const added = new Int32Array(pairWidth(width));
  for (const row of rows.keys()) addRowTo(added, packed, row, own);
  return [put, added];
}

it("rows that are added as pairs have the sums of their weights, up to 257 of them", () => {
  const weight = fc.integer({ min: -128, max: 127 });
  const rows = fc.integer({ min: 1, max: 11 }).chain((width) =>
    fc.array(fc.array(weight, { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: ROWS_ADDED_MAX,
    }),
  );
  fc.assert(
    fc.property(rows, (all) => {
      const offset = all.length * WEIGHT_OFFSET;
      for (const pairs of sumsOf(all))
        all[0]?.forEach((_, at) => {
          const sum = all.reduce((total, one) => total + (one[at] ?? 0), 0);
          expect(sumIn(pairs[pairPlaceOf(at)] ?? 0, at) - offset).toBe(sum);
        });
    }),
  );
});

it("as many of the largest weights do not run over into the other half", () => {
  const rows = Array.from({ length: ROWS_ADDED_MAX }, () => [127, -128, -128, 127]);
  for (const pairs of sumsOf(rows))
    rows[0]?.forEach((weight, at) => {
      const sum = sumIn(pairs[pairPlaceOf(at)] ?? 0, at) - ROWS_ADDED_MAX * WEIGHT_OFFSET;
      expect(sum).toBe(ROWS_ADDED_MAX * weight);
    });
});
