import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkRules } from "../../../src/rule-language/rule-check.ts";
import type { Expression, Rule } from "../../../src/model/rules.ts";
import { anyRule, anySubject, plain } from "../../../test/support/rules/arbitraries.ts";
import { runNaively } from "../../../test/support/rules/interpreter.ts";
import { compileRules } from "./compile.ts";
import type { RuleSubject } from "./subject.ts";

/** As they are stored; rules with constants that the check refuses are left out. */
function stored(rules: readonly unknown[]): readonly Rule[] {
  return rules.flatMap((rule) => {
    const checked = checkRules([rule]);
    return checked.ok ? checked.value : [];
  });
}

/** The effects of the rules, counted. */
interface Done {
  failures: number;
  /** Subjects that differ afterwards. */
  changed: number;
}

function expectTheSame(rules: readonly Rule[], subjects: readonly RuleSubject[], done: Done): void {
  const run = compileRules(rules);
  for (const subject of subjects) {
    const [one, other] = [{ ...subject }, { ...subject }];
    const expected = runNaively(rules, other);
    const failures = run(one);
    const [text, expectedText] = [JSON.stringify(one), JSON.stringify(other)];
    // Comparing texts is quick; comparing objects shows the difference.
    if (text !== expectedText || failures !== expected) {
      expect({ failures, subject: one }).toEqual({ failures: expected, subject: other });
    }
    done.failures += expected;
    if (expectedText !== JSON.stringify(subject)) done.changed++;
  }
}

const RUNS = 3_000;
/** Many runs, on machines that have much else to do. */
const TIMEOUT_MS = 60_000;

describe("compiled rules and the naive interpreter have the same results", {
  timeout: TIMEOUT_MS,
}, () => {
  test("for random rules and transactions", () => {
    const done: Done = { failures: 0, changed: 0 };
    fc.assert(
      fc.property(
        fc.array(anyRule, { minLength: 1, maxLength: 12 }),
        fc.array(anySubject, { minLength: 1, maxLength: 4 }),
        (rules, subjects) => {
          expectTheSame(stored(rules), subjects, done);
        },
      ),
      { numRuns: RUNS, seed: 7 },
    );
    // Else it would say little about what is undone, and about what is read again.
    expect(done.failures).toBeGreaterThan(RUNS / 10);
    expect(done.changed).toBeGreaterThan(RUNS);
  });

  test("for rulesets of hundreds of rules", () => {
    const done: Done = { failures: 0, changed: 0 };
    fc.assert(
      fc.property(
        fc.array(anyRule, { minLength: 100, maxLength: 300, size: "max" }),
        fc.array(anySubject, { minLength: 2, maxLength: 4 }),
        (rules, subjects) => {
          expectTheSame(stored(rules), subjects, done);
        },
      ),
      { numRuns: 40, seed: 11 },
    );
    expect(done.changed).toBeGreaterThan(40);
  });

  test("for rules that run out of steps, and all rules after them", () => {
    const description = { get: "description" } as const;
    const long: fc.Arbitrary<Expression> = fc.oneof(
      fc.constant({ "+": [description, description, "a"] }),
      fc.constant({ to_upper: { "+": [description, { get: "merchant" }] } }),
      fc.constant({ "+": [description, description, description, description] }),
    );
    const needle = fc.oneof(fc.constant(description), long);
    const heavy = fc.oneof<fc.Arbitrary<Rule>[]>(
      needle.map((left) => ({
        if: { is_substring: [left, { "+": [description, description] }] },
        then: [{ add_label: "a" }],
      })),
      long.map((made) => ({ if: { "==": [made, { get: "person" }] }, else: [{ add_mcc: 1 }] })),
      long.map((made) => ({ if: { "<": [description, made] }, then: [{ remove_mcc: 1 }] })),
      fc.constantFrom<Rule[]>(
        { set: "merchant", to: description },
        { set: "merchant", to: "b" },
        { if: true, then: [{ set: "merchant", to: "" }, { add_mcc: { "-": [1] } }] },
        { set: "merchant", to: { to_upper: { to_lower: description } } },
        { remove_label: "a" },
        { if: { has_label: "a" }, then: [{ set: "person", to: { "+": [description, "b"] } }] },
      ),
    );
    const done: Done = { failures: 0, changed: 0 };
    fc.assert(
      fc.property(
        fc.array(heavy, { minLength: 30, maxLength: 120, size: "max" }),
        fc.integer({ min: 600, max: 1030 }),
        (rules, length) => {
          expectTheSame(rules, [{ ...plain, description: "a".repeat(length) }], done);
        },
      ),
      { numRuns: 60, seed: 13 },
    );
    expect(done.failures).toBeGreaterThan(60);
  });
});
