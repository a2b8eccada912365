import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterRecord, itemOrder, recordOrder } from "./acceptance-order.ts";

const place = fc.record({
  offset: fc.integer({ min: 1, max: 2 ** 50 }),
  index: fc.integer({ min: 0, max: 9998 }),
});

describe("acceptance order", () => {
  it("text order is the order of records, then of the transactions in them", () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const before = a.offset - b.offset || a.index - b.index;
        const x = itemOrder(recordOrder(a.offset), a.index);
        const y = itemOrder(recordOrder(b.offset), b.index);
        expect(Math.sign(before)).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });

  it("a deletion is after everything in its record and before everything in the next", () => {
    fc.assert(
      fc.property(place, ({ offset, index }) => {
        const deletion = afterRecord(recordOrder(offset));
        expect(deletion > itemOrder(recordOrder(offset), index)).toBe(true);
        expect(deletion < itemOrder(recordOrder(offset + 1), 0)).toBe(true);
        expect(deletion < recordOrder(offset + 1)).toBe(true);
      }),
    );
  });
});
