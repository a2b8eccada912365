import { describe, expect, it } from "vitest";
import { createRandom } from "../../test/support/random.ts";
import { errorInterval } from "./intervals.ts";

describe("the interval of errors", () => {
  it("is nothing where nothing was wrong, or where four of five were right", () => {
    expect(errorInterval([], 0)).toEqual({ low: 0, high: 0 });
    expect(errorInterval([0, 0], 0)).toEqual({ low: 0, high: 0 });
    expect(errorInterval([0, 0, 0, 0, 0, 0, 0, 0, 3], 0)).toEqual({ low: 0, high: 0 });
  });

  it("is wider than the errors where they are few, and symmetric", () => {
    const { low, high } = errorInterval([-0.2, -0.1], 0);
    expect(high).toBeGreaterThan(0.2);
    expect(low).toBe(-high);
  });

  it.each([1, 2, 3, 5, 8, 9, 15, 19])("holds the next of %d errors in 8 of 10 cases", (count) => {
    const random = createRandom(count);
    // The sum of twelve uniform numbers is nearly normal.
    const normal = (): number =>
      Array.from({ length: 12 }, () => random.integer(0, 1_000) / 1_000 - 0.5).reduce(
        (sum, one) => sum + one,
        0,
      );
    let held = 0;
    for (let run = 0; run < 4_000; run++) {
      const { low, high } = errorInterval(Array.from({ length: count }, normal), 0);
      const next = normal();
      if (low <= next && next <= high) held += 1;
    }
    expect(held / 4_000).toBeGreaterThan(0.78);
    expect(held / 4_000).toBeLessThan(0.92);
  });
});
