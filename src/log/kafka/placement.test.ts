import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANYWHERE_RECORDS_MAX, choosePartition, homePartitions } from "./placement.ts";

const LITTLE = 4;
const MUCH = ANYWHERE_RECORDS_MAX + 1;
const org = fc.string();
const lagsOf = fc.array(fc.nat(1_000), { minLength: 2, maxLength: 24 });

describe("placement of batches in partitions", () => {
  it("an organization that floods leaves partitions free, and others are placed there", () => {
    fc.assert(
      fc.property(org, org, fc.integer({ min: 2, max: 24 }), (flooding, calm, partitions) => {
        const lags = new Array<number>(partitions).fill(0);
        for (let count = 0; count < 4 * partitions; count += 1) {
          const placement = { lags, org: flooding, waitingRecords: MUCH, count };
          const at = choosePartition({ ...placement, priority: "default" });
          lags[at] = (lags[at] ?? 0) + 100;
        }
        const at = choosePartition({
          ...{ lags, org: calm, waitingRecords: LITTLE, count: 0 },
          priority: "default",
        });
        expect(lags[at]).toBe(0);
      }),
    );
  });

  it("low batches leave partitions to the default ones of their organization, where it has several", () => {
    fc.assert(
      fc.property(org, fc.integer({ min: 4, max: 24 }), (name, partitions) => {
        const lags = new Array<number>(partitions).fill(0);
        const placement = { lags, org: name, waitingRecords: MUCH, count: 0 };
        lags[choosePartition({ ...placement, priority: "low" })] = 100;
        expect(lags[choosePartition({ ...placement, priority: "default" })]).toBe(0);
      }),
    );
  });

  it("the partition is always one that exists, of the smallest lag among those allowed", () => {
    fc.assert(
      fc.property(lagsOf, org, fc.nat(), fc.nat(2 * MUCH), (lags, name, count, waitingRecords) => {
        const at = choosePartition({ lags, org: name, priority: "default", waitingRecords, count });
        const allowed =
          waitingRecords > ANYWHERE_RECORDS_MAX
            ? homePartitions(name, lags.length)
            : [...lags.keys()];
        expect(allowed).toContain(at);
        expect(lags[at]).toBe(Math.min(...allowed.map((one) => lags[one] ?? Infinity)));
      }),
    );
  });

  it("equal partitions are taken in turn, and one partition is enough", () => {
    const placement = { org: "o", priority: "default", waitingRecords: LITTLE } as const;
    const lags = [0, 0, 0];
    const places = [0, 1, 2, 3].map((count) => choosePartition({ ...placement, lags, count }));
    expect(places).toEqual([0, 1, 2, 0]);
    for (const priority of ["default", "low"] as const) {
      const alone = { ...placement, priority, waitingRecords: MUCH, lags: [9], count: 7 };
      expect(choosePartition(alone)).toBe(0);
    }
  });
});
