import fc from "fast-check";
import { expect, it } from "vitest";
import { createNumberHeap } from "./number-heap.ts";

it("the least number is always known, whatever was added and removed, equal ones too", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: -20, max: 20 }), { freq: 3 })), (moves) => {
      const heap = createNumberHeap();
      let sorted: number[] = [];
      for (const move of moves) {
        if (move === null) {
          heap.removeLeast();
          sorted = sorted.slice(1);
        } else {
          heap.add(move);
          sorted = [...sorted, move].sort((a, b) => a - b);
        }
        expect([heap.least, heap.size]).toEqual([sorted[0] ?? Infinity, sorted.length]);
      }
    }),
    { numRuns: 500 },
  );
});
