import { afterEach, expect, test, vi } from "vitest";
import { RULE_STEPS_MAX } from "../../../src/model/rules.ts";
import { expensiveRulesets } from "../../../test/support/rules/expensive.ts";
import { compileRules } from "./compile.ts";

// The bounds that docs/decisions/0040 states, for one transaction.
// 1,300 searches fit in 51,200 bytes, or 900 in upper case; a text has 2,048 code units, in upper case 3,072.
const SEARCHED_MAX = 3_000_000;
// 12,800 labels fit in 51,200 bytes; a transaction has 100.
const COMPARED_LABELS_MAX = 1_300_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Adds up the lengths of what a method was called on. */
function lengthsOf(object: object, method: string): () => number {
  const original = Reflect.get(object, method) as (...values: unknown[]) => unknown;
  let lengths = 0;
  vi.spyOn(object as Record<string, () => unknown>, method).mockImplementation(function (
    this: { readonly length: number },
    ...values: unknown[]
  ) {
    lengths += this.length;
    return Reflect.apply(original, this, values);
  });
  return () => lengths;
}

test.each(expensiveRulesets())("bounded work of the ruleset: $name", ({ rules, subject }) => {
  const run = compileRules(rules);
  const searched = lengthsOf(String.prototype, "includes");
  const lowered = lengthsOf(String.prototype, "toLowerCase");
  const uppered = lengthsOf(String.prototype, "toUpperCase");
  const compared = lengthsOf(Array.prototype, "includes");
  run({ ...subject });
  const changedCase = lowered() + uppered();
  const work = { searched: searched(), changedCase, compared: compared() };
  // The assertions search texts too.
  vi.restoreAllMocks();
  expect(work.searched).toBeLessThan(SEARCHED_MAX);
  expect(work.changedCase).toBeLessThan(2 * RULE_STEPS_MAX);
  expect(work.compared).toBeLessThan(COMPARED_LABELS_MAX);
});
