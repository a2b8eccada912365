import fc from "fast-check";
import { expect, it } from "vitest";
import type { Rule } from "../../model/rules.ts";
import { failuresByRule, needlessRules, rulesByLine, type TestRules } from "./attribute.ts";
import type { TestedLine } from "./read-transactions.ts";

// A model with one property and five names: a rule renames `from` to `to`, and a rule on `bad` fails.
const NAMES = ["a", "b", "c", "d", "bad"] as const;
type Step = readonly [from: string, to: string];

const ruleOf = ([from, to]: Step): Rule => ({
  if: { "==": [{ get: "merchant" }, from] },
  then: [{ set: "merchant", to }],
});

const lineOf = (description: string, line: number): TestedLine => ({
  ...{ line, description, amount: 1, entryType: "outgoing", currency: "USD" },
  ...{ accountType: "consumer", country: null, rawAddress: null, accountHolderId: null },
});

function worldOf(steps: readonly Step[]) {
  const rules = steps.map(ruleOf);
  const stepOf = new Map(rules.map((rule, index) => [rule, steps[index]] as const));
  const applied = (name: string, some: readonly Rule[]): { name: string; failures: number } => {
    let failures = 0;
    let now = name;
    for (const rule of some) {
      const [from = "", to = ""] = stepOf.get(rule) ?? [];
      if (now === from && to === "bad") failures += 1;
      else if (now === from) now = to;
    }
    return { name: now, failures };
  };
  const run: TestRules = (lines, some) => {
    const all = lines.map(({ description }) => applied(description, some));
    const failures = all.reduce((sum, one) => sum + one.failures, 0);
    return Promise.resolve({ facts: all.map(({ name }) => name), failures });
  };
  return { rules, applied, run };
}

const step = fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES));
const arbitrary = {
  steps: fc.array(step, { maxLength: 12 }),
  names: fc.array(fc.constantFrom(...NAMES), { maxLength: 6 }),
};

it("a rule is named for a line only if it did something there, and a line that changed has one", async () => {
  await fc.assert(
    fc.asyncProperty(arbitrary.steps, arbitrary.names, async (steps, names) => {
      const { rules, applied, run } = worldOf(steps);
      const lines = names.map(lineOf);
      const changed = lines.map((line) => {
        const before = line.description;
        return { line, before, after: applied(before, rules).name };
      });
      const found = await rulesByLine(run, rules, changed);
      for (const { line, before, after } of changed) {
        const by = found.get(line) ?? [];
        expect(by.length > 0).toBe(before !== after);
        for (const rule of by) {
          const without = applied(before, rules.slice(0, rule)).name;
          expect(applied(before, rules.slice(0, rule + 1)).name).not.toBe(without);
        }
      }
    }),
  );
});

it("the needless rules can all be left out at once, and no other candidate with them", async () => {
  await fc.assert(
    fc.asyncProperty(arbitrary.steps, arbitrary.names, async (steps, names) => {
      const { rules, run } = worldOf(steps);
      const lines = names.map(lineOf);
      const { facts } = await run(lines, rules);
      const candidates = [...rules.keys()];
      const needless = await needlessRules(run, rules, candidates, lines, facts);
      const rest = rules.filter((_, rule) => !needless.has(rule));
      expect((await run(lines, rest)).facts).toEqual(facts);
    }),
  );
});

it("a rule that another one undoes is not needless", async () => {
  const { rules, run } = worldOf([
    ["a", "b"],
    ["b", "a"],
    ["c", "d"],
  ]);
  const lines = ["a", "b"].map(lineOf);
  const { facts } = await run(lines, rules);
  expect(facts).toEqual(["a", "a"]);
  expect([...(await needlessRules(run, rules, [0, 2], lines, facts))]).toEqual([0, 2]);
  expect([...(await needlessRules(run, rules, [1, 2], lines, facts))]).toEqual([2]);
});

it("every failure is counted to the rule that failed", async () => {
  await fc.assert(
    fc.asyncProperty(arbitrary.steps, arbitrary.names, async (steps, names) => {
      const { rules, run } = worldOf(steps);
      const lines = names.map(lineOf);
      const { failures } = await run(lines, rules);
      const found = await failuresByRule(run, rules, lines, failures);
      let before = 0;
      for (const rule of rules.keys()) {
        const { failures: after } = await run(lines, rules.slice(0, rule + 1));
        expect(found.get(rule) ?? 0).toBe(after - before);
        before = after;
      }
    }),
  );
});

it("a thousand rules of which a line wants one take few runs", async () => {
  const { rules, applied, run } = worldOf(
    Array.from({ length: 1_000 }, (_, i) => (i === 617 ? ["a", "b"] : ["c", "d"])),
  );
  let ran = 0;
  const counting: TestRules = (lines, some) => {
    ran += 1;
    return run(lines, some);
  };
  const line = lineOf("a", 1);
  const changed = [{ line, before: "a", after: applied("a", rules).name }];
  expect((await rulesByLine(counting, rules, changed)).get(line)).toEqual([617]);
  expect(ran).toBeLessThanOrEqual(10);
});
