import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createInFlight } from "./in-flight.ts";

describe("in-flight offsets", () => {
  it("commit never passes a record that is not done, and reaches the last when all are", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 }),
        fc.infiniteStream(fc.nat()),
        (numbers, choices) => {
          const offsets = numbers.toSorted((a, b) => a - b);
          const inFlight = createInFlight();
          for (const offset of offsets) inFlight.add(offset, offset);
          const open = [...offsets];
          let committed = 0;
          while (open.length > 0) {
            const [offset = 0] = open.splice((choices.next().value ?? 0) % open.length, 1);
            const last = inFlight.finish(offset);
            if (last !== null) {
              expect(last).toBeGreaterThan(committed);
              committed = last;
            }
            for (const rest of open) expect(committed).toBeLessThan(rest);
            expect(inFlight.oldestStartedAtMs()).toBe(open.length === 0 ? null : Math.min(...open));
            expect(inFlight.size).toBe(open.length);
          }
          expect(committed).toBe(offsets.at(-1));
        },
      ),
    );
  });

  it("finishing a record twice is a bug and says so", () => {
    const inFlight = createInFlight();
    inFlight.add(1, 0);
    inFlight.finish(1);
    expect(() => inFlight.finish(1)).toThrow(/not in flight/);
  });
});
