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
          const choose = (from: number[]): number =>
            from.splice((choices.next().value ?? 0) % from.length, 1)[0] ?? 0;
          for (const offset of offsets) inFlight.received(offset);
          const waiting = [...offsets];
          const startedOffsets: number[] = [];
          while (waiting.length > 0) {
            const offset = choose(waiting);
            inFlight.started(offset, startedOffsets.push(offset));
          }
          expect([inFlight.size, inFlight.held]).toEqual([offsets.length, offsets.length]);
          const open = [...startedOffsets];
          let committed = 0;
          while (open.length > 0) {
            const oldest = startedOffsets.indexOf(open[0] ?? 0) + 1;
            expect(inFlight.oldestStartedAtMs()).toBe(oldest);
            const [offset = 0] = open.splice((choices.next().value ?? 0) % open.length, 1);
            const last = inFlight.finish(offset);
            if (last !== null) {
              expect(last).toBeGreaterThan(committed);
              committed = last;
            }
            for (const rest of open) expect(committed).toBeLessThan(rest);
            expect(inFlight.size).toBe(open.length);
          }
          expect(committed).toBe(offsets.at(-1));
          expect([inFlight.oldestStartedAtMs(), inFlight.held]).toEqual([null, 0]);
        },
      ),
    );
  });

  it("finishing a record twice throws", () => {
    const inFlight = createInFlight();
    inFlight.received(1);
    inFlight.started(1, 0);
    inFlight.finish(1);
    expect(() => inFlight.finish(1)).toThrow(/not in flight/);
    expect(() => {
      inFlight.started(1, 0);
    }).toThrow(/not received/);
  });

  it("what waits behind started records holds the commit back, and does not count as held", () => {
    const inFlight = createInFlight();
    for (const offset of [1, 2, 3]) inFlight.received(offset);
    inFlight.started(3, 0);
    expect([inFlight.finish(3), inFlight.held, inFlight.size]).toEqual([null, 1, 0]);
    inFlight.started(1, 0);
    expect([inFlight.finish(1), inFlight.held]).toEqual([1, 1]);
    inFlight.started(2, 0);
    expect([inFlight.finish(2), inFlight.held]).toEqual([3, 0]);
  });
});
