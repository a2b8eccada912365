import { expect, test } from "vitest";
import { exponential } from "./exponential.ts";

test("it is the exponential function, to thirteen digits, of what is not above 0", () => {
  for (let value = 0; value > -42.9; value -= 0.0137)
    expect(Math.abs(exponential(value) / Math.exp(value) - 1)).toBeLessThan(1e-13);
});

test("1 of nothing, and 0 of what is too far below it", () => {
  expect(exponential(0)).toBe(1);
  expect(exponential(-0)).toBe(1);
  for (const value of [-43, -1000, -Infinity]) expect(exponential(value)).toBe(0);
});
