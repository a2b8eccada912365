import fc from "fast-check";
import { expect, it } from "vitest";
import { createConcurrencyLimiter } from "./tenant-limiter.ts";

it("a tenant alone gets its maximum, and later ones find some left", () => {
  const limiter = createConcurrencyLimiter({ inFlightMax: 16, inFlightPerTenantMax: 8 });
  const startAll = (tenant: string): number => {
    let count = 0;
    for (; limiter.mayStart(tenant); count += 1) limiter.started(tenant);
    return count;
  };
  expect(["a", "b", "c", "d", "e", "f"].map(startAll)).toEqual([8, 4, 2, 1, 1, 0]);
  limiter.ended("a");
  expect([limiter.mayStart("a"), limiter.mayStart("f")]).toEqual([false, true]);
});

it("never more than the maximum are in flight, and all of it is free once all have ended", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean()));
  fc.assert(
    fc.property(steps, (all) => {
      const limiter = createConcurrencyLimiter({ inFlightMax: 5, inFlightPerTenantMax: 4 });
      const open: string[] = [];
      for (const [tenant, isStarting] of all) {
        if (isStarting && limiter.mayStart(tenant)) {
          limiter.started(tenant);
          open.push(tenant);
        }
        const [first] = isStarting ? [] : open.splice(0, 1);
        if (first !== undefined) limiter.ended(first);
        expect(limiter.inFlight).toBe(open.length);
        expect(open.length).toBeLessThanOrEqual(5);
        expect(open.filter((one) => one === "a").length).toBeLessThanOrEqual(4);
      }
      for (const tenant of open) limiter.ended(tenant);
      for (let count = 0; count < 4; count += 1) {
        expect(limiter.mayStart("d")).toBe(true);
        limiter.started("d");
      }
    }),
  );
});
