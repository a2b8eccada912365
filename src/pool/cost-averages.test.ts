import { expect, it } from "vitest";
import { createCostAverages } from "./cost-averages.ts";

it("an average follows what items cost now, each organization for itself", () => {
  const costs = createCostAverages();
  expect(costs.msPerItem("a")).toBe(0);
  costs.add("a", 250, 5);
  expect(costs.msPerItem("a")).toBeCloseTo(0.02);
  for (let slice = 0; slice < 2_000; slice += 1) costs.add("a", 2, 10);
  expect(costs.msPerItem("a")).toBeGreaterThan(4);
  expect(costs.msPerItem("b")).toBe(0);
});

it("organizations that were not seen for long are evicted", () => {
  const costs = createCostAverages();
  costs.add("first", 1, 1);
  costs.add("second", 1, 1);
  for (let count = 0; count < 9_998; count += 1) costs.add(`org-${String(count)}`, 1, 1);
  costs.add("first", 1, 1);
  costs.add("one more", 1, 1);
  expect([costs.msPerItem("first"), costs.msPerItem("second")]).toEqual([1, 0]);
});
