import { describe, expect, test } from "vitest";
import { checkRules } from "../../../src/rule-language/rule-check.ts";
import { EDITABLE_PROPERTIES, TRANSACTION_PROPERTIES } from "../../../src/model/rules.ts";
import { plain } from "../../../test/support/rules/arbitraries.ts";
import { FIELDS } from "../../../test/support/rules/interpreter.ts";
import { compileRules } from "./compile.ts";
import type { RuleSubject } from "./subject.ts";

function after(rules: readonly unknown[], changes: Partial<RuleSubject> = {}): RuleSubject {
  return outcome(rules, changes).subject;
}

function outcome(
  input: readonly unknown[],
  changes: Partial<RuleSubject> = {},
): { readonly subject: RuleSubject; readonly failures: number } {
  const checked = checkRules(input);
  if (!checked.ok) throw new Error(JSON.stringify(checked));
  const subject = { ...plain, ...changes };
  const failures = compileRules(checked.value)(subject);
  return { subject, failures };
}

/** Whether a condition is true of the plain transaction. */
function isTrue(condition: unknown, changes: Partial<RuleSubject> = {}): boolean {
  const { subject, failures } = outcome([{ if: condition, then: [{ add_label: "yes" }] }], changes);
  expect(failures).toBe(0);
  return subject.labels.includes("yes");
}

describe("the language", () => {
  test("each property is read from its field", () => {
    for (const [index, property] of TRANSACTION_PROPERTIES.entries()) {
      const field = FIELDS[property];
      const value = property === "amount" ? index : `value ${String(index)}`;
      const changes = { [field]: value } as Partial<RuleSubject>;
      expect(isTrue({ "==": [{ get: property }, value] }, changes)).toBe(true);
      expect(isTrue({ "==": [{ get: property }, value] })).toBe(false);
    }
  });

  test("setting a property changes its field and no other", () => {
    for (const property of EDITABLE_PROPERTIES) {
      expect(after([{ set: property, to: "new" }])).toEqual({
        ...plain,
        [FIELDS[property]]: "new",
      });
    }
  });

  test("a rule sees the changes of the rules before it, not of those after it", () => {
    const marked = after([
      { if: { "==": [{ get: "merchant" }, "Peet's"] }, then: [{ add_label: "too early" }] },
      { if: { has_label: "cafes" }, then: [{ set: "merchant", to: "Peet's" }] },
      { if: { "==": [{ get: "merchant" }, "Peet's"] }, then: [{ add_label: "in time" }] },
      { if: { is_substring: ["eet", { get: "merchant" }] }, then: [{ add_mcc: 1 }] },
      { if: { "==": [{ get: "merchant" }, "Starbucks"] }, then: [{ add_label: "too late" }] },
      { if: { has_mcc: 1 }, then: [{ remove_label: "cafes" }] },
    ]);
    expect(marked.labels).toEqual(["in time"]);
    expect(marked.mccs).toEqual([5814, 1]);
  });

  test("a rule that fails is undone, and the next one runs", () => {
    const failing = {
      if: { "!": { has_label: "x" } },
      then: [
        { set: "merchant", to: "gone" },
        { set_labels: ["gone"] },
        { set_mcc: [1, 2] },
        {
          if: { has_label: "gone" },
          then: [{ add_mcc: { "/": [1, { "-": [12.5, { get: "amount" }] }] } }],
        },
      ],
    };
    const next = { if: { has_label: "cafes" }, then: [{ set: "person", to: { get: "merchant" } }] };
    const { subject, failures } = outcome([failing, next, failing]);
    expect(failures).toBe(2);
    expect(subject).toEqual({ ...plain, person: "Starbucks" });
    expect(subject.labels).toBe(plain.labels);
    expect(subject.mccs).toBe(plain.mccs);
  });

  test("a list whose items do not change stays the same array", () => {
    const { labels, mccs } = after([
      { add_label: "cafes" },
      { remove_label: "other" },
      { set_labels: ["cafes", "cafes", { get: "person" }] },
      { add_mcc: 5814 },
      { remove_mcc: 1 },
      { set_mcc: [5814] },
    ]);
    expect(labels).toBe(plain.labels);
    expect(mccs).toBe(plain.mccs);
  });

  test.each([
    ["a number divided by zero", { add_mcc: { "/": [1, 0] } }],
    ["a number divided by zero and rounded", { add_mcc: { "//": [{ get: "amount" }, 0] } }],
    ["a sum that is too large", { add_mcc: { "*": [1e308, { get: "amount" }] } }],
    ["an invalid code", { add_mcc: { get: "amount" } }],
    ["a code below 0", { set_mcc: [1, { "-": [1] }] }],
    ["a code above 9999", { add_mcc: { "+": [9999, 1] } }],
    ["a label that is too long", { add_label: { get: "location" } }],
    ["a text that is too long", { set: "person", to: { get: "location" } }],
    [
      "texts that are too long together",
      { if: { "==": ["", { "+": Array(4).fill({ get: "location" }) }] } },
    ],
  ])("%s fails", (_, rule) => {
    const { subject, failures } = outcome([rule], { location: "x".repeat(1025) });
    expect(failures).toBe(1);
    expect({ ...subject, location: plain.location }).toEqual(plain);
  });

  test("lengths are counted in code points: an emoji is one character", () => {
    const person = "\u{1F600}".repeat(1024);
    expect(
      after([{ set: "person", to: { get: "description" } }], { description: person }).person,
    ).toBe(person);
    const { failures } = outcome([{ add_label: { get: "description" } }], {
      description: `${person}x`,
    });
    expect(failures).toBe(1);
  });

  test("joined texts have at most 4096 code units", () => {
    const location = "x".repeat(4095);
    const joined = (end: string): unknown => ({
      if: { ends_with: [{ "+": [{ get: "location" }, end] }, end] },
      then: [{ add_label: "joined" }],
    });
    expect(outcome([joined("a")], { location }).subject.labels).toContain("joined");
    expect(outcome([joined("ab")], { location }).failures).toBe(1);
  });

  test("adding a label fails at 100 labels, until one is removed", () => {
    const labels = Array.from({ length: 100 }, (_, index) => `label ${String(index)}`);
    expect(outcome([{ add_label: "label 5" }], { labels }).failures).toBe(0);
    const { subject, failures } = outcome(
      [{ add_label: "one" }, { remove_label: "label 5" }, { add_label: "one" }],
      { labels },
    );
    expect(failures).toBe(1);
    expect(subject.labels).toHaveLength(100);
  });

  test("a label that is added again moves to the end", () => {
    const { labels } = after([
      { add_label: "treats" },
      { if: { has_label: "cafes" }, then: [{ add_label: "cafes" }] },
    ]);
    expect(labels).toEqual(["treats", "cafes"]);
    expect(after([{ set_labels: ["a", "b", "a"] }]).labels).toEqual(["b", "a"]);
  });

  test("undoing a failed rule takes steps, so failing rules run out of them", () => {
    const description = "x".repeat(1024);
    const failing = { if: true, then: [{ set: "logo", to: "" }, { add_mcc: { "-": [1] } }] };
    const { subject, failures } = outcome(
      [
        { set: "logo", to: { get: "description" } },
        ...Array.from({ length: 70 }, () => failing),
        { set: "merchant", to: "too late" },
      ],
      { description },
    );
    expect(failures).toBe(71);
    expect(subject).toEqual({ ...plain, description, logo: description });
  });

  test("operands that cannot change the result are not evaluated", () => {
    const fails = { "==": [1, { "/": [1, 0] }] };
    expect(isTrue({ "||": [true, fails] })).toBe(true);
    expect(isTrue({ "&&": [{ has_label: "x" }, fails] })).toBe(false);
    expect(isTrue({ "||": [{ has_label: "cafes" }, fails] })).toBe(true);
    expect(outcome([{ if: { "&&": [fails, { has_label: "x" }] } }]).failures).toBe(1);
    expect(outcome([{ if: { "&&": [fails, false] } }]).failures).toBe(1);
  });

  test("constants that differ are unequal, and operands that fail still fail", () => {
    const positive = { "<": [0, { "+": [{ get: "amount" }, { get: "amount" }] }] };
    expect(isTrue({ "==": [true, false, positive] })).toBe(false);
    const fails = { "<": [0, { "/": [1, 0] }] };
    expect(outcome([{ if: { "==": [true, false, fails] } }]).failures).toBe(1);
  });

  test.each<[string, unknown]>([
    ["sums", { "==": [{ "+": [1, 2, { get: "amount" }] }, 15.5] }],
    ["differences of several", { "==": [{ "-": [{ get: "amount" }, 2, 0.5] }, 10] }],
    ["the negative of one", { "==": [{ "-": [{ get: "amount" }] }, -12.5] }],
    ["products", { "==": [{ "*": [2, { get: "amount" }] }, 25] }],
    ["quotients in turn", { "==": [{ "/": [{ get: "amount" }, 5, 2] }, 1.25] }],
    [
      "quotients that are rounded down",
      { "==": [{ "//": [{ "-": [{ get: "amount" }] }, 5] }, -3] },
    ],
    ["joined texts", { "==": [{ "+": [{ get: "merchant" }, "!"] }, "Starbucks!"] }],
    ["three of the same", { "==": ["Starbucks", { get: "merchant" }, { "+": ["Star", "bucks"] }] }],
    ["not three of the same", { "!": { "==": [{ get: "amount" }, 12.5, 1] } }],
    ["booleans", { "==": [false, { has_label: "x" }] }],
    ["a needle and its text, in this order", { is_substring: ["buck", { get: "merchant" }] }],
    ["a text and its start, in this order", { starts_with: [{ get: "merchant" }, "Star"] }],
    ["a text and its end, in this order", { ends_with: [{ get: "merchant" }, "bucks"] }],
    ["case", { "!": { is_substring: ["BUCK", { get: "merchant" }] } }],
    ["upper case", { is_substring: ["BUCK", { to_upper: { get: "merchant" } }] }],
    ["lower case", { is_substring: ["pos star", { to_lower: { get: "description" } }] }],
    ["the empty text, which is in every text", { is_substring: ["", { get: "person" }] }],
    ["emoji after all other letters", { "<": ["\uFF5A", "\u{1F600}"] }],
    ["emoji by their second half", { "<": ["\uD83D\uDE00", "\uD83D\uDE01"] }],
    ["texts by their first difference", { "<": [{ get: "merchant" }, "Starc"] }],
    ["a text after its own prefix", { ">": [{ get: "merchant" }, "Star"] }],
    ["codes", { has_mcc: { "+": [5800, 14] } }],
  ])("%s", (_, condition) => {
    expect(isTrue(condition)).toBe(true);
  });

  test("a transaction is not affected by the transaction before it", () => {
    const checked = checkRules([
      {
        if: { is_substring: ["coffee", { to_lower: { get: "description" } }] },
        then: [{ add_label: "coffee" }],
      },
      { if: { has_label: "coffee" }, then: [{ set: "merchant", to: "Coffee" }] },
      { if: { "==": [{ get: "merchant" }, "Coffee"] }, then: [{ add_mcc: 1 }] },
    ]);
    if (!checked.ok) throw new Error("not rules");
    const run = compileRules(checked.value);
    const coffee = { ...plain, description: "COFFEE 1" };
    for (let round = 0; round < 3; round++) {
      const [one, other] = [{ ...coffee }, { ...plain }];
      run(one);
      run(other);
      expect(one.mccs).toEqual([5814, 1]);
      expect(other).toEqual(plain);
    }
  });

  test("an empty ruleset changes nothing", () => {
    expect(outcome([])).toEqual({ subject: plain, failures: 0 });
  });
});
