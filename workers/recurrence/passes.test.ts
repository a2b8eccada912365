import { expect, it } from "vitest";
import { processorMs } from "../../test/support/processor-time.ts";
import { withLatePayments } from "./fit.ts";
import { fitPass } from "./passes.ts";

it("a hundred thousand passes of one payee cost less than seconds", () => {
  const days = Array.from({ length: 100_000 }, (_, at) => 30 * at + (at % 5));
  const payments = { places: days.map((_, at) => at), days, amounts: days.map(() => 49) };
  const before = processorMs();
  const fit = fitPass(payments, 0);
  if (fit === null) throw new Error("They are passes.");
  expect(withLatePayments(payments, fit).hits).toHaveLength(days.length);
  expect(processorMs() - before).toBeLessThan(1_000);
});

it("each day is in the period of the pass that was due next to it", () => {
  const days = [0, 31, 64, 94, 131];
  const payments = { places: [0, 1, 2, 3, 4], days, amounts: days.map(() => 49) };
  const rule = fitPass(payments, -100)?.rule;
  expect(days.map((day) => rule?.periodOf(day))).toEqual([0, 1, 2, 3, 4]);
  expect([14, 17, 47, 48, -30, 161].map((day) => rule?.periodOf(day))).toEqual([0, 1, 1, 2, -1, 5]);
});
