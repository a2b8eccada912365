import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkRules } from "../../../src/domain/rule-check.ts";
import {
  EDITABLE_PROPERTIES,
  type EditableProperty,
  type Expression,
  type Rule,
  TRANSACTION_PROPERTIES,
} from "../../../src/domain/rules.ts";
import { compileRules } from "./compile.ts";
import type { RuleSubject } from "./subject.ts";

// ---------------------------------------------------------------------------------------------- the naive interpreter

// The language once more, read from its description and as plainly as can be: every rule is walked on every transaction.

class Failed extends Error {}
const fail = (): never => {
  throw new Failed();
};

type Value = string | number | boolean;

const FIELDS = {
  logo: "logo",
  website: "website",
  merchant: "merchant",
  description: "description",
  merchant_id: "merchantId",
  location: "location",
  person: "person",
  transaction_type: "transactionType",
  amount: "amount",
  entry_type: "entryType",
  account_holder_type: "accountHolderType",
  account_holder_id: "accountHolderId",
  account_holder_name: "accountHolderName",
  country: "country",
} as const;

interface Walk {
  subject: RuleSubject;
  steps: number;
}

function runNaively(rules: readonly Rule[], subject: RuleSubject): number {
  const walk: Walk = { subject, steps: 65_536 };
  let failures = 0;
  for (const rule of rules) {
    const before = { ...subject };
    try {
      act(walk, rule);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      Object.assign(subject, before);
      failures++;
    }
  }
  return failures;
}

function act(walk: Walk, rule: Rule): void {
  const { subject } = walk;
  if ("if" in rule) {
    for (const inner of (evaluate(walk, rule.if) ? rule.then : rule.else) ?? []) act(walk, inner);
  } else if ("set" in rule) {
    const text = evaluate(walk, rule.to) as string;
    if (Array.from(text).length > 1024) fail();
    take(walk, text.length);
    subject[FIELDS[rule.set]] = text;
  } else if ("add_label" in rule) {
    subject.labels = added(subject.labels, evaluate(walk, rule.add_label) as string);
  } else if ("remove_label" in rule) {
    const label = evaluate(walk, rule.remove_label);
    subject.labels = subject.labels.filter((one) => one !== label);
  } else if ("set_labels" in rule) {
    let labels: readonly string[] = [];
    const all = rule.set_labels.map((label) => evaluate(walk, label) as string);
    for (const label of all) labels = added(labels, label);
    subject.labels = labels;
  } else if ("add_mcc" in rule) {
    subject.mccs = addedMcc(subject.mccs, evaluate(walk, rule.add_mcc) as number);
  } else if ("remove_mcc" in rule) {
    const code = evaluate(walk, rule.remove_mcc);
    subject.mccs = subject.mccs.filter((one) => one !== code);
  } else {
    let mccs: readonly number[] = [];
    const all = rule.set_mcc.map((code) => evaluate(walk, code) as number);
    for (const code of all) mccs = addedMcc(mccs, code);
    subject.mccs = mccs;
  }
}

function added(labels: readonly string[], label: string): readonly string[] {
  if (label === "" || labels.includes(label)) return labels;
  if (Array.from(label).length > 1024 || labels.length >= 100) fail();
  return labels.concat(label);
}

function addedMcc(mccs: readonly number[], code: number): readonly number[] {
  if (!Number.isInteger(code) || code < 0 || code > 9999) fail();
  if (mccs.includes(code)) return mccs;
  if (mccs.length >= 100) fail();
  return mccs.concat(Math.abs(code));
}

function take(walk: Walk, count: number): void {
  walk.steps -= count;
  if (walk.steps < 0) fail();
}

const finite = (value: number): number => (Number.isFinite(value) ? value : fail());

/** Whether it is the same on every transaction. */
function isConstant(expression: Expression): boolean {
  if (typeof expression !== "object") return true;
  const [operator, operand] = only(expression);
  if (["get", "has_label", "has_mcc"].includes(operator)) return false;
  return Array.isArray(operand)
    ? (operand as Expression[]).every(isConstant)
    : isConstant(operand as Expression);
}

/** A property, as it is or in one case. */
function isRead(expression: Expression): boolean {
  if (typeof expression !== "object") return false;
  const [operator, operand] = only(expression);
  if (operator === "get") return true;
  const isCase = operator === "to_lower" || operator === "to_upper";
  return isCase && typeof operand === "object" && "get" in (operand as object);
}

function only(expression: object): [string, unknown] {
  const [entry] = Object.entries(expression);
  if (entry === undefined) throw new Error("An expression without an operator");
  return entry;
}

function evaluate(walk: Walk, expression: Expression): Value {
  if (typeof expression !== "object") return expression;
  const [operator, operand] = only(expression);
  if (operator === "get") return walk.subject[FIELDS[operand as keyof typeof FIELDS]];
  if (!Array.isArray(operand))
    return evaluateOne(walk, expression, operator, operand as Expression);
  const operands = operand as readonly Expression[];
  if (operator === "&&") return operands.every((each) => evaluate(walk, each));
  if (operator === "||") return operands.some((each) => evaluate(walk, each));
  const values = operands.map((each) => evaluate(walk, each));
  if (operator === "is_substring") {
    const [needle, text] = values as [string, string];
    const [first, second] = operands as [Expression, Expression];
    const isFree = isConstant(first) && (isConstant(second) || isRead(second));
    if (!isFree) take(walk, text.length * (1 + Math.floor(needle.length / 256)));
    return text.includes(needle);
  }
  if (operator === "+" && typeof values[0] === "string") {
    const joined = values.join("");
    if (joined.length > 4096) fail();
    if (!operands.every(isConstant)) take(walk, joined.length);
    return joined;
  }
  return combine(operator, values);
}

function evaluateOne(walk: Walk, whole: Expression, operator: string, operand: Expression): Value {
  const value = evaluate(walk, operand);
  if (operator === "!") return !value;
  if (operator === "has_label") return walk.subject.labels.includes(value as string);
  if (operator === "has_mcc") return walk.subject.mccs.includes(value as number);
  const text = value as string;
  const made = operator === "to_lower" ? text.toLowerCase() : text.toUpperCase();
  if (!isConstant(operand) && !isRead(whole)) take(walk, made.length);
  return made;
}

function combine(operator: string, values: readonly Value[]): Value {
  const [first, second] = values;
  const numbers = values as readonly number[];
  const order = (): number =>
    typeof first === "string"
      ? byCodePoint(first, second as string)
      : (first as number) - (second as number);
  const [head = 0, ...rest] = numbers;
  switch (operator) {
    case "==":
      return values.every((value) => value === first);
    case "<":
      return order() < 0;
    case "<=":
      return order() <= 0;
    case ">":
      return order() > 0;
    case ">=":
      return order() >= 0;
    case "starts_with":
      return (first as string).startsWith(second as string);
    case "ends_with":
      return (first as string).endsWith(second as string);
    case "+":
      return numbers.reduce((sum, value) => finite(sum + value), 0);
    case "-":
      return rest.length === 0
        ? 0 - head
        : rest.reduce((left, value) => finite(left - value), head);
    case "*":
      return rest.reduce((left, value) => finite(left * value), head);
    case "/":
      return rest.reduce((left, value) => finite(left / value), head);
    case "//":
      return rest.reduce((left, value) => finite(Math.floor(left / value)), head);
    default:
      throw new Error(`No operator ${operator}`);
  }
}

function byCodePoint(left: string, right: string): number {
  const points = (text: string): number[] => Array.from(text, (point) => point.codePointAt(0) ?? 0);
  const [one, other] = [points(left), points(right)];
  const place = one.findIndex((point, index) => point !== other[index]);
  if (place === -1) return one.length - other.length;
  return (one[place] ?? 0) - (other[place] ?? -1);
}

// ------------------------------------------------------------------------------------------------- rules and subjects

const plain: RuleSubject = {
  description: "POS Starbucks Seattle",
  amount: 12.5,
  entryType: "outgoing",
  accountHolderType: "consumer",
  accountHolderId: "holder-1",
  accountHolderName: "Ada Lovelace",
  country: "US",
  logo: "",
  website: "starbucks.com",
  merchant: "Starbucks",
  merchantId: "",
  location: "Seattle",
  person: "",
  transactionType: "consumer",
  labels: ["cafes"],
  mccs: [5814],
};

// Few letters, so that constants are often found, contain each other and differ in case alone. Some change their length
// with their case, or stand in another order by code unit than by code point.
const LETTERS = ["a", "b", "A", "B", "ß", "Σ", "İ", "\u{1F600}", "\uE000", "\uD83D"];
const word = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom("a", "b", "A"), maxLength: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 5 }) },
);
const label = fc.constantFrom("a", "b", "ab", "A", "cafes");
const mcc = fc.constantFrom(0, 1, 5814, 9999);
const someNumber = fc.constantFrom(0, 1, -1, 2, 0.5, 7, 5814, 10_000, 1e308);
// Few properties most of the time, so that a rule often reads what another wrote.
const TEXT_PROPERTIES = TRANSACTION_PROPERTIES.filter((name) => name !== "amount");
const readable = fc.oneof(
  fc.constantFrom<(typeof TEXT_PROPERTIES)[number]>("merchant", "website", "description", "person"),
  fc.constantFrom(...TEXT_PROPERTIES),
);
const editable = fc.oneof(
  fc.constantFrom<EditableProperty>("merchant", "website", "person"),
  fc.constantFrom(...EDITABLE_PROPERTIES),
);

/** The type checker takes no computed key for one of a union. */
const under =
  (operator: string) =>
  (operand: unknown): never =>
    ({ [operator]: operand }) as never;

interface Language {
  text: Expression;
  number: Expression;
  condition: Expression;
  rule: Rule;
}

const { rule: anyRule } = fc.letrec<Language>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { weight: 3, arbitrary: word },
    { weight: 4, arbitrary: readable.map((get) => ({ get })) },
    { weight: 2, arbitrary: readable.map((get) => ({ to_lower: { get } })) },
    { weight: 1, arbitrary: tie("text").map(under("to_upper")) },
    { weight: 1, arbitrary: tie("text").map(under("to_lower")) },
    {
      weight: 2,
      arbitrary: fc.array(tie("text"), { minLength: 1, maxLength: 3 }).map(under("+")),
    },
  ),
  number: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { weight: 3, arbitrary: someNumber },
    { weight: 3, arbitrary: fc.constant({ get: "amount" } as const) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom("+", "-", "*", "/", "//"),
          fc.array(tie("number"), { minLength: 2, maxLength: 3 }),
        )
        .map(([operator, operands]) => under(operator)(operands)),
    },
    { weight: 1, arbitrary: tie("number").map((operand) => under("-")([operand])) },
  ),
  condition: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    {
      weight: 6,
      arbitrary: fc
        .tuple(readable, fc.constantFrom("", "to_lower", "to_upper"), word)
        .chain(([get, fold, constant]) => {
          const read = fold === "" ? { get } : under(fold)({ get });
          return fc
            .constantFrom("==", "is_substring", "starts_with", "ends_with")
            .map((operator) =>
              under(operator)(operator === "is_substring" ? [constant, read] : [read, constant]),
            );
        }),
    },
    { weight: 2, arbitrary: label.map((has_label) => ({ has_label })) },
    { weight: 1, arbitrary: mcc.map((has_mcc) => ({ has_mcc })) },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: tie("text").map(under("has_label")) },
    { weight: 1, arbitrary: tie("number").map(under("has_mcc")) },
    { weight: 2, arbitrary: tie("condition").map(under("!")) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(
          fc.constantFrom("&&", "||"),
          fc.array(tie("condition"), { minLength: 1, maxLength: 3 }),
        )
        .map(([operator, operands]) => under(operator)(operands)),
    },
    {
      weight: 2,
      arbitrary: fc
        .oneof(
          fc.array(tie("text"), { minLength: 2, maxLength: 3 }),
          fc.array(tie("number"), { minLength: 2, maxLength: 3 }),
          fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
        )
        .map(under("==")),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom("<", "<=", ">", ">="),
          fc.oneof(fc.tuple(tie("text"), tie("text")), fc.tuple(tie("number"), tie("number"))),
        )
        .map(([operator, operands]) => under(operator)(operands)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom("is_substring", "starts_with", "ends_with"),
          fc.tuple(tie("text"), tie("text")),
        )
        .map(([operator, operands]) => under(operator)(operands)),
    },
  ),
  rule: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 1, arbitrary: fc.oneof(label, tie("text")).map(under("add_label")) },
    { weight: 1, arbitrary: fc.oneof(label, tie("text")).map(under("remove_label")) },
    {
      weight: 1,
      arbitrary: fc.array(fc.oneof(label, tie("text")), { maxLength: 3 }).map(under("set_labels")),
    },
    { weight: 1, arbitrary: fc.oneof(mcc, tie("number")).map(under("add_mcc")) },
    { weight: 1, arbitrary: fc.oneof(mcc, tie("number")).map(under("remove_mcc")) },
    { weight: 1, arbitrary: fc.array(mcc, { maxLength: 3 }).map(under("set_mcc")) },
    {
      weight: 3,
      arbitrary: fc.tuple(editable, tie("text")).map(([set, to]) => ({ set, to }) as never),
    },
    {
      weight: 10,
      arbitrary: fc
        .record({
          if: tie("condition"),
          then: fc.option(fc.array(tie("rule"), { maxLength: 3 }), { nil: null, freq: 9 }),
          else: fc.option(fc.array(tie("rule"), { maxLength: 2 }), { nil: null, freq: 2 }),
        })
        .map((one) => one as never),
    },
  ),
}));

const text = fc.oneof(word, fc.constantFrom("", "ab", "abAB", "aΣ bΣ", "\u{1F600}a"));
const anySubject: fc.Arbitrary<RuleSubject> = fc.record({
  description: text,
  amount: fc.constantFrom(0, 1, 2, 0.5, 7, 5814, 1e308),
  entryType: fc.constantFrom("incoming", "outgoing"),
  accountHolderType: fc.constantFrom("consumer", "business", "unknown", ""),
  accountHolderId: text,
  accountHolderName: text,
  country: fc.constantFrom("", "US"),
  logo: text,
  website: text,
  merchant: text,
  merchantId: text,
  location: text,
  person: text,
  transactionType: fc.constantFrom("consumer", "business", "unknown"),
  labels: fc.uniqueArray(label, { maxLength: 2 }),
  mccs: fc.uniqueArray(mcc, { maxLength: 2 }),
});

/** As they are stored. Constants that a check refuses are beside the point here. */
function stored(rules: readonly unknown[]): readonly Rule[] {
  return rules.flatMap((rule) => {
    const checked = checkRules([rule]);
    return checked.ok ? checked.value : [];
  });
}

/** What the rules did to the subjects. */
interface Done {
  failures: number;
  /** Subjects that read something else afterwards. */
  changed: number;
}

function expectTheSame(rules: readonly Rule[], subjects: readonly RuleSubject[], done: Done): void {
  const run = compileRules(rules);
  for (const subject of subjects) {
    const [one, other] = [{ ...subject }, { ...subject }];
    const expected = runNaively(rules, other);
    const failures = run(one);
    const [text, expectedText] = [JSON.stringify(one), JSON.stringify(other)];
    // Comparing texts is quick; comparing objects says what differs.
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

describe("compiled rules do what rules do that are walked one by one", {
  timeout: TIMEOUT_MS,
}, () => {
  test("whatever the rules and the transactions are", () => {
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

  test("on as many rules as an organization may have", () => {
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

  test("where they run out of steps, and so do those behind them", () => {
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
      fc.constantFrom<Rule[]>(
        { set: "merchant", to: description },
        { set: "merchant", to: "b" },
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

// ------------------------------------------------------------------------------------------------------ one at a time

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
  test("every property is read from its place", () => {
    for (const [index, property] of TRANSACTION_PROPERTIES.entries()) {
      const field = FIELDS[property];
      const value = property === "amount" ? index : `value ${String(index)}`;
      const changes = { [field]: value } as Partial<RuleSubject>;
      expect(isTrue({ "==": [{ get: property }, value] }, changes)).toBe(true);
      expect(isTrue({ "==": [{ get: property }, value] })).toBe(false);
    }
  });

  test("every property that can be set is set in its place, and nothing else", () => {
    for (const property of EDITABLE_PROPERTIES) {
      expect(after([{ set: property, to: "new" }])).toEqual({
        ...plain,
        [FIELDS[property]]: "new",
      });
    }
  });

  test("rules see what those before them did, and only that", () => {
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

  test("a rule that fails leaves nothing behind, and the next one runs", () => {
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

  test("lists stay the same lists where nothing is changed", () => {
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
    ["a code that is none", { add_mcc: { get: "amount" } }],
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

  test("lengths count as people count: an emoji is one character", () => {
    const person = "\u{1F600}".repeat(1024);
    expect(
      after([{ set: "person", to: { get: "description" } }], { description: person }).person,
    ).toBe(person);
    const { failures } = outcome([{ add_label: { get: "description" } }], {
      description: `${person}x`,
    });
    expect(failures).toBe(1);
  });

  test("texts may have 4096 code units together, and not one more", () => {
    const location = "x".repeat(4095);
    const joined = (end: string): unknown => ({
      if: { ends_with: [{ "+": [{ get: "location" }, end] }, end] },
      then: [{ add_label: "joined" }],
    });
    expect(outcome([joined("a")], { location }).subject.labels).toContain("joined");
    expect(outcome([joined("ab")], { location }).failures).toBe(1);
  });

  test("the hundred-and-first label fails, as long as none is removed", () => {
    const labels = Array.from({ length: 100 }, (_, index) => `label ${String(index)}`);
    expect(outcome([{ add_label: "label 5" }], { labels }).failures).toBe(0);
    const { subject, failures } = outcome(
      [{ add_label: "one" }, { remove_label: "label 5" }, { add_label: "one" }],
      { labels },
    );
    expect(failures).toBe(1);
    expect(subject.labels).toHaveLength(100);
  });

  test("what cannot change a condition is not evaluated", () => {
    const fails = { "==": [1, { "/": [1, 0] }] };
    expect(isTrue({ "||": [true, fails] })).toBe(true);
    expect(isTrue({ "&&": [{ has_label: "x" }, fails] })).toBe(false);
    expect(isTrue({ "||": [{ has_label: "cafes" }, fails] })).toBe(true);
    expect(outcome([{ if: { "&&": [fails, { has_label: "x" }] } }]).failures).toBe(1);
    expect(outcome([{ if: { "&&": [fails, false] } }]).failures).toBe(1);
  });

  test("constants that differ are not the same as anything, also beside what can fail", () => {
    const positive = { "<": [0, { "+": [{ get: "amount" }, { get: "amount" }] }] };
    expect(isTrue({ "==": [true, false, positive] })).toBe(false);
    const fails = { "<": [0, { "/": [1, 0] }] };
    expect(outcome([{ if: { "==": [true, false, fails] } }]).failures).toBe(1);
  });

  test.each<[string, unknown]>([
    ["sums", { "==": [{ "+": [1, 2, { get: "amount" }] }, 15.5] }],
    ["one less several", { "==": [{ "-": [{ get: "amount" }, 2, 0.5] }, 10] }],
    ["the negative of one", { "==": [{ "-": [{ get: "amount" }] }, -12.5] }],
    ["products", { "==": [{ "*": [2, { get: "amount" }] }, 25] }],
    ["quotients in turn", { "==": [{ "/": [{ get: "amount" }, 5, 2] }, 1.25] }],
    [
      "quotients that are rounded down",
      { "==": [{ "//": [{ "-": [{ get: "amount" }] }, 5] }, -3] },
    ],
    ["texts one behind the other", { "==": [{ "+": [{ get: "merchant" }, "!"] }, "Starbucks!"] }],
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
    ["emoji behind all other letters", { "<": ["\uFF5A", "\u{1F600}"] }],
    ["halves of emoji by what stands behind them", { "<": ["\uD83DA", "\uD83Da"] }],
    ["a half of an emoji before all of it", { "<": ["\uD83Da", "\uD83D\uDE00"] }],
    ["emoji by their second half", { "<": ["\uD83D\uDE00", "\uD83D\uDE01"] }],
    ["texts by their first difference", { "<": [{ get: "merchant" }, "Starc"] }],
    ["a text behind its beginning", { ">": [{ get: "merchant" }, "Star"] }],
    ["codes", { has_mcc: { "+": [5800, 14] } }],
  ])("%s", (_, condition) => {
    expect(isTrue(condition)).toBe(true);
  });

  test("a transaction is not affected by the one before it", () => {
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

  test("no rules do nothing", () => {
    expect(outcome([])).toEqual({ subject: plain, failures: 0 });
  });
});
