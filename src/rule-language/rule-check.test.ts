import { describe, expect, test } from "vitest";
import { checkRule, checkRules } from "./rule-check.ts";
import { EDITABLE_PROPERTIES, TRANSACTION_PROPERTIES } from "../model/rules.ts";

const merchant = { get: "merchant" };
const amount = { get: "amount" };

/** The sentence about a rule that makes no sense. */
function sentence(rule: unknown): string {
  const checked = checkRules([rule]);
  if (checked.ok || checked.kind !== "type") throw new Error(JSON.stringify(checked));
  return checked.message;
}

function problems(input: unknown): readonly (readonly [string, string])[] {
  const checked = checkRules(input);
  if (checked.ok || checked.kind !== "shape") throw new Error(JSON.stringify(checked));
  return checked.problems.map(({ path, type }) => [path.join("."), type]);
}

describe("a rule that makes sense", () => {
  test.each<[string, unknown]>([
    [
      "reads every property",
      { "==": TRANSACTION_PROPERTIES.filter((one) => one !== "amount").map((get) => ({ get })) },
    ],
    [
      "takes constants of every type",
      { "||": [true, { "==": ["", merchant] }, { "==": [-1.5, amount] }] },
    ],
    ["takes one operand of && and ||", { "&&": [{ "||": [false] }] }],
    ["orders texts and numbers", { "&&": [{ "<": ["a", merchant] }, { ">=": [amount, 1] }] }],
    ["compares conditions", { "==": [{ "!": true }, { has_label: "a" }, { has_mcc: 5814 }] }],
    [
      "calculates",
      {
        "<": [
          { "-": [amount] },
          { "*": [{ "/": [amount, 2, 3] }, { "//": [7, 2] }, { "+": [1] }] },
        ],
      },
    ],
    [
      "joins texts",
      { is_substring: [{ "+": ["a", merchant] }, { to_lower: { to_upper: { "+": [merchant] } } }] },
    ],
    ["tests texts", { "||": [{ starts_with: [merchant, "a"] }, { ends_with: ["a", merchant] }] }],
    [
      "works out labels and codes",
      { "||": [{ has_label: merchant }, { has_mcc: { "+": [1, amount] } }] },
    ],
  ])("%s", (_, condition) => {
    const rule = { if: condition, then: [{ add_label: "x" }], else: [] };
    expect(checkRules([rule])).toEqual({ ok: true, value: [rule] });
    expect(checkRule(rule)).toEqual({ ok: true, value: rule });
  });

  test("may do everything that a rule can do", () => {
    const rules = [
      { add_label: "a" },
      { remove_label: merchant },
      { set_labels: [] },
      { set_labels: ["a", merchant] },
      { add_mcc: 0 },
      { remove_mcc: 9999 },
      { set_mcc: [1, amount] },
      { set_mcc: [] },
      ...EDITABLE_PROPERTIES.map((set) => ({ set, to: "" })),
      { if: true, then: [{ if: false, else: [{ add_label: "a" }] }] },
    ];
    expect(checkRules(rules)).toEqual({ ok: true, value: rules });
    expect(checkRules([])).toEqual({ ok: true, value: [] });
  });

  test("keeps the fields of the language alone, so that a listed rule can be sent back", () => {
    const sent = {
      id: 3,
      if: { has_label: "a", note: { deep: [] }, then: 1, "==": null },
      then: [{ id: 0, set: "merchant", to: { to_lower: merchant, id: 1 }, if: null }],
      else: null,
      toString: "x",
      ["__proto__"]: { set: "logo" },
    };
    const kept = {
      if: { has_label: "a" },
      then: [{ set: "merchant", to: { to_lower: merchant } }],
    };
    const checked = checkRule(JSON.parse(JSON.stringify(sent)));
    expect(checked).toEqual({ ok: true, value: kept });
    expect(JSON.stringify(checked.ok && checked.value)).toBe(JSON.stringify(kept));
  });
});

describe("a rule that makes no sense is answered with one sentence", () => {
  test.each<[unknown, string]>([
    [{ if: { "<": ["a", 1] } }, 'rules[0].if["<"][1]: expected text, found number'],
    [{ if: { "<": [true, false] } }, 'rules[0].if["<"][0]: expected number or text, found boolean'],
    [{ if: { "&&": [true, 1] } }, 'rules[0].if["&&"][1]: expected boolean, found number'],
    [{ if: { "||": [] } }, 'rules[0].if["||"]: expected at least 1 operand, found 0'],
    [{ if: { "!": merchant } }, 'rules[0].if["!"]: expected boolean, found text'],
    [{ if: "yes" }, "rules[0].if: expected boolean, found text"],
    [{ if: { "==": [amount] } }, 'rules[0].if["=="]: expected at least 2 operands, found 1'],
    [
      { if: { "==": [merchant, merchant, amount] } },
      'rules[0].if["=="][2]: expected text, found number',
    ],
    [{ if: { ">": [1, 2, 3] } }, 'rules[0].if[">"]: expected 2 operands, found 3'],
    [{ if: { is_substring: ["a"] } }, "rules[0].if.is_substring: expected 2 operands, found 1"],
    [
      { if: { starts_with: [merchant, amount] } },
      "rules[0].if.starts_with[1]: expected text, found number",
    ],
    [{ if: { has_mcc: "5814" } }, "rules[0].if.has_mcc: expected number, found text"],
    [{ if: { has_label: 1 } }, "rules[0].if.has_label: expected text, found number"],
    [{ if: { to_lower: merchant } }, "rules[0].if: expected boolean, found text"],
    [
      { add_label: { to_upper: amount } },
      "rules[0].add_label.to_upper: expected text, found number",
    ],
    [{ add_label: { "+": ["a", 1] } }, 'rules[0].add_label["+"][1]: expected text, found number'],
    [{ add_label: { "+": [1, 1] } }, "rules[0].add_label: expected text, found number"],
    [
      { add_label: { "+": [true] } },
      'rules[0].add_label["+"][0]: expected number or text, found boolean',
    ],
    [{ add_mcc: { "*": [1] } }, 'rules[0].add_mcc["*"]: expected at least 2 operands, found 1'],
    [{ add_mcc: { "-": [] } }, 'rules[0].add_mcc["-"]: expected at least 1 operand, found 0'],
    [{ set_labels: ["a", 1] }, "rules[0].set_labels[1]: expected text, found number"],
    [{ add_label: "" }, "rules[0].add_label: expected a label, found an empty text"],
    [{ add_label: "x".repeat(1025) }, "rules[0].add_label: expected at most 1024 characters"],
    [{ set: "logo", to: "x".repeat(1025) }, "rules[0].to: expected at most 1024 characters"],
    [
      { set_labels: Array(101).fill("a") },
      "rules[0].set_labels: expected at most 100 entries, found 101",
    ],
    [
      { set_mcc: [5814, 58.5] },
      "rules[0].set_mcc[1]: expected a merchant category code, a whole number of 0 to 9999",
    ],
    [
      { if: { has_mcc: 10_000 } },
      "rules[0].if.has_mcc: expected a merchant category code, a whole number of 0 to 9999",
    ],
    [
      { set: "amount", to: "x" },
      "rules[0].set: expected logo, website, merchant, merchant_id, location, person or transaction_type, found amount",
    ],
  ])("%j", (rule, expected) => {
    expect(sentence(rule)).toBe(expected);
  });

  test("which names the place among all rules, or within the one that was sent", () => {
    const rule = { if: true, then: [{ set: "merchant", to: 1 }] };
    const checked = checkRules([{ add_label: "a" }, { add_label: "b" }, rule, { add_label: 1 }]);
    expect(checked).toMatchObject({ message: "rules[2].then[0].to: expected text, found number" });
    expect(checkRule(rule)).toMatchObject({
      message: "rule.then[0].to: expected text, found number",
    });
  });

  test("and an operand without a type is reported once, at its place", () => {
    expect(sentence({ if: { "==": [{ "+": [true] }, 1] } })).toContain('["=="][0]["+"][0]');
  });
});

describe("an invalid rule", () => {
  test.each<[string, unknown, readonly (readonly [string, string])[]]>([
    ["no list", {}, [["", "list_type"]]],
    [
      "no objects",
      [1, null, "a", []],
      [0, 1, 2, 3].map((at) => [String(at), "model_attributes_type"]),
    ],
    ["no operator", [{}, { id: 1 }, { iff: true }], [0, 1, 2].map((at) => [String(at), "missing"])],
    [
      "no operator but null",
      [{ if: null }, { set: null, to: "x" }],
      [
        ["0", "missing"],
        ["1", "missing"],
      ],
    ],
    ["two operators", [{ if: true, set: "merchant", to: "x" }], [["0", "value_error"]]],
    [
      "two operators of an expression",
      [{ if: { "!": true, has_label: "a" } }],
      [["0.if", "value_error"]],
    ],
    ["an unknown operator", [{ if: { matches: ["a", "b"] } }], [["0.if", "missing"]]],
    ["an operator of the prototype", [{ if: { constructor: [] } }], [["0.if", "missing"]]],
    [
      "no text to set",
      [{ set: "merchant" }, { set: "merchant", to: null }],
      [
        ["0.to", "missing"],
        ["1.to", "missing"],
      ],
    ],
    ["an unknown property to set", [{ set: "colour", to: "x" }], [["0.set", "enum"]]],
    [
      "a property that is not a word",
      [{ if: { "==": [{ get: 1 }, 1] } }],
      [["0.if.==.0.get", "string_type"]],
    ],
    [
      "an unknown property to get",
      [{ add_label: { get: "toString" } }],
      [["0.add_label.get", "enum"]],
    ],
    ["operands that are not a list", [{ if: { "&&": true } }], [["0.if.&&", "list_type"]]],
    ["a list that is an operand", [{ if: { "!": [true] } }], [["0.if.!", "value_error"]]],
    ["null for an operand", [{ if: { "==": [null, 1] } }], [["0.if.==.0", "value_error"]]],
    ["labels that are not a list", [{ set_labels: "a" }], [["0.set_labels", "list_type"]]],
    [
      "branches that are not a list",
      [{ if: true, then: { add_label: "a" } }],
      [["0.then", "list_type"]],
    ],
    [
      "a text that UTF-8 cannot carry",
      JSON.parse(
        '[{"set": "website", "to": "\\ud800"}, {"if": {"has_label": {"+": ["a", "\\udc00"]}}}]',
      ),
      [
        ["0.to", "string_unicode"],
        ["1.if.has_label.+.1", "string_unicode"],
      ],
    ],
    [
      "a number that no double can hold",
      JSON.parse('[{"add_mcc": 1e999}]'),
      [["0.add_mcc", "finite_number"]],
    ],
  ])("%s", (_, input, expected) => {
    expect(problems(input)).toEqual(expected);
  });

  test("is reported with all its places, before any meaningless rule", () => {
    const rule = { if: 1, then: [{ set: "colour", to: [] }], else: [{ add_label: { get: 5 } }] };
    expect(problems([rule, 5])).toEqual([
      ["0.then.0.set", "enum"],
      ["0.then.0.to", "value_error"],
      ["0.else.0.add_label.get", "string_type"],
      ["1", "model_attributes_type"],
    ]);
  });

  test("is reported without quoting what was sent", () => {
    const checked = checkRules([
      { secret: "secret" },
      { set: "secret" },
      { add_label: { get: "secret" } },
    ]);
    expect(JSON.stringify(checked)).not.toContain("secret");
  });

  test("is reported a hundred times at most", () => {
    expect(problems(Array(5_000).fill({}))).toHaveLength(100);
    expect(problems([{ set_labels: Array(5_000).fill(null) }, {}, {}])).toHaveLength(100);
  });
});

describe("nesting", () => {
  const nested = (levels: number): unknown => {
    let condition: unknown = true;
    for (let level = 1; level < levels; level++) condition = { "!": condition };
    return { if: condition };
  };

  test("is allowed as deep as the limit", () => {
    expect(checkRule(nested(31)).ok).toBe(true);
    expect(checkRule(nested(32))).toMatchObject({
      kind: "shape",
      problems: [{ type: "value_error" }],
    });
  });

  test("beyond the limit is a problem and no end of the process", () => {
    let rule: unknown = { add_label: "a" };
    for (let level = 0; level < 200_000; level++) rule = { if: true, then: [rule] };
    expect(checkRules([rule])).toMatchObject({ ok: false, kind: "shape" });
    expect(checkRules([nested(200_000)])).toMatchObject({ ok: false, kind: "shape" });
  });
});
