// Whether parsed JSON is a rule of the language in rules.ts, and whether it makes sense: before it is stored, so that a rule
// that is stored can only fail for reasons that lie in a transaction.
import {
  at,
  choice,
  type RawFields,
  isAbsent,
  isOneOf,
  isTooDeep,
  nonsense,
  problem,
  readFields,
  type Reader,
  readList,
  readOperator,
  readWord,
  type ShapeProblem,
  startReading,
  WORDS,
} from "./rule-reader.ts";
import {
  EDITABLE_PROPERTIES,
  type EditableProperty,
  type Expression,
  isLongerThan,
  isMcc,
  LIST_OPERATORS,
  type ListOperator,
  MCC_MAX,
  type Rule,
  RULE_LABELS_MAX,
  RULE_TEXT_LENGTH_MAX,
  SINGLE_OPERATORS,
  type SingleOperator,
  TRANSACTION_PROPERTIES,
} from "../model/rules.ts";

/**
 * `shape`: no rule of the language, to be answered with 422; the paths of the problems begin at what was checked. `type`:
 * a rule that makes no sense, to be answered with 400; `message` is one sentence that begins with the place, e.g.
 * `rules[3].then[0].to: expected text, found number`.
 */
export type RuleCheck<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly kind: "shape"; readonly problems: readonly ShapeProblem[] }
  | { readonly ok: false; readonly kind: "type"; readonly message: string };

/**
 * A whole ruleset. The rules that come back hold nothing but the fields of the language: no `id`, no unknown fields, no
 * null. `JSON.stringify` of them is what is stored, and its length is what `RULESET_BYTES_MAX` is about.
 */
export function checkRules(input: unknown): RuleCheck<readonly Rule[]> {
  const reader = startReading("rules");
  return outcome(reader, readRules(reader, input, 1));
}

/** One rule: as `checkRules`, but places in sentences begin with `rule`. */
export function checkRule(input: unknown): RuleCheck<Rule> {
  const reader = startReading("rule");
  return outcome(reader, readRule(reader, input, 1));
}

function outcome<Value>(reader: Reader, value: Value | null): RuleCheck<Value> {
  if (reader.problems.length > 0 || value === null) {
    return { ok: false, kind: "shape", problems: reader.problems };
  }
  if (reader.nonsense !== null) return { ok: false, kind: "type", message: reader.nonsense };
  return { ok: true, value };
}

// Every function below returns null for what it cannot read, after it has reported that to the reader. What is well formed
// but meaningless is read on, since problems of the shape are reported first.

const LABEL_OPERATORS = ["add_label", "remove_label"] as const;
const MCC_OPERATORS = ["add_mcc", "remove_mcc"] as const;
const RULE_OPERATORS = [
  "if",
  ...LABEL_OPERATORS,
  "set_labels",
  ...MCC_OPERATORS,
  "set_mcc",
  "set",
] as const;

function readRules(reader: Reader, input: unknown, depth: number): readonly Rule[] | null {
  return readList(reader, input, (item) => readRule(reader, item, depth));
}

function readRule(reader: Reader, input: unknown, depth: number): Rule | null {
  if (isTooDeep(reader, depth)) return null;
  const fields = readFields(reader, input, WORDS.object);
  const operator = fields && readOperator(reader, fields, RULE_OPERATORS);
  if (fields === null || operator === null) return null;
  if (operator === "if") return readIf(reader, fields, depth);
  if (operator === "set") return readSet(reader, fields, depth);
  return at(reader, operator, () => {
    const operand = fields[operator];
    if (operator === "set_labels" || operator === "set_mcc") {
      const read = operator === "set_labels" ? readLabel : readMcc;
      const values = readEntries(reader, operand, (item) => read(reader, item, depth + 1));
      return values && (under(operator, values) as Rule);
    }
    const read = isOneOf(operator, LABEL_OPERATORS) ? readLabel : readMcc;
    const value = read(reader, operand, depth + 1);
    return value === null ? null : (under(operator, value) as Rule);
  });
}

function readIf(reader: Reader, fields: RawFields, depth: number): Rule | null {
  const condition = at(reader, "if", () => readTyped(reader, fields["if"], depth + 1, ["boolean"]));
  const branch = (key: "then" | "else"): readonly Rule[] | undefined | null =>
    isAbsent(fields, key)
      ? undefined
      : at(reader, key, () => readRules(reader, fields[key], depth + 1));
  const then = branch("then");
  const otherwise = branch("else");
  if (condition === null || then === null || otherwise === null) return null;
  return {
    if: condition.expression,
    ...(then === undefined ? {} : { then }),
    ...(otherwise === undefined ? {} : { else: otherwise }),
  };
}

function readSet(reader: Reader, fields: RawFields, depth: number): Rule | null {
  const property = at(reader, "set", () => readEditable(reader, fields["set"]));
  const value = at(reader, "to", () => {
    if (isAbsent(fields, "to")) return problem(reader, WORDS.missing);
    const to = readTyped(reader, fields["to"], depth + 1, ["text"]);
    if (to !== null) checkLength(reader, to.expression);
    return to;
  });
  return property === null || value === null ? null : { set: property, to: value.expression };
}

/** An unknown property makes the rule invalid; one that cannot be set makes it meaningless. */
function readEditable(reader: Reader, input: unknown): EditableProperty | null {
  if (isOneOf(input, TRANSACTION_PROPERTIES) && !isOneOf(input, EDITABLE_PROPERTIES)) {
    nonsense(reader, `expected ${choice(EDITABLE_PROPERTIES)}, found ${input}`);
    // Only the reported sentence matters.
    return "merchant";
  }
  return readWord(reader, input, EDITABLE_PROPERTIES);
}

function readLabel(reader: Reader, input: unknown, depth: number): Expression | null {
  const label = readTyped(reader, input, depth, ["text"]);
  if (label === null) return null;
  if (label.expression === "") nonsense(reader, "expected a label, found an empty text");
  checkLength(reader, label.expression);
  return label.expression;
}

function readMcc(reader: Reader, input: unknown, depth: number): Expression | null {
  const code = readTyped(reader, input, depth, ["number"]);
  if (code === null) return null;
  if (typeof code.expression === "number" && !isMcc(code.expression)) {
    nonsense(
      reader,
      `expected a merchant category code, a whole number of 0 to ${String(MCC_MAX)}`,
    );
  }
  return code.expression;
}

function readEntries(
  reader: Reader,
  input: unknown,
  read: (item: unknown) => Expression | null,
): readonly Expression[] | null {
  const entries = readList(reader, input, read);
  if (entries !== null && entries.length > RULE_LABELS_MAX) {
    const found = String(entries.length);
    nonsense(reader, `expected at most ${String(RULE_LABELS_MAX)} entries, found ${found}`);
  }
  return entries;
}

function checkLength(reader: Reader, expression: Expression): void {
  if (typeof expression === "string" && isLongerThan(expression, RULE_TEXT_LENGTH_MAX)) {
    nonsense(reader, `expected at most ${String(RULE_TEXT_LENGTH_MAX)} characters`);
  }
}

type ValueType = "text" | "number" | "boolean";

/** `type` is null where an operand is meaningless, which has been reported. */
interface Typed {
  readonly expression: Expression;
  readonly type: ValueType | null;
}

interface Signature {
  readonly min: number;
  readonly max: number;
  /** All operands are of one of these types, and all of the same. */
  readonly operands: readonly ValueType[];
  /** null: the type of the operands. */
  readonly result: ValueType | null;
}

const LOGIC: Signature = { min: 1, max: Infinity, operands: ["boolean"], result: "boolean" };
const ORDER: Signature = { min: 2, max: 2, operands: ["number", "text"], result: "boolean" };
const PRODUCT: Signature = { min: 2, max: Infinity, operands: ["number"], result: "number" };
const TEXTS: Signature = { min: 2, max: 2, operands: ["text"], result: "boolean" };

const SIGNATURES: Readonly<Record<ListOperator, Signature>> = {
  "&&": LOGIC,
  "||": LOGIC,
  "==": { min: 2, max: Infinity, operands: ["text", "number", "boolean"], result: "boolean" },
  "+": { min: 1, max: Infinity, operands: ["number", "text"], result: null },
  "-": { ...PRODUCT, min: 1 },
  "*": PRODUCT,
  "/": PRODUCT,
  "//": PRODUCT,
  "<": ORDER,
  "<=": ORDER,
  ">": ORDER,
  ">=": ORDER,
  is_substring: TEXTS,
  starts_with: TEXTS,
  ends_with: TEXTS,
};

const OPERATORS = ["get", ...LIST_OPERATORS, ...SINGLE_OPERATORS] as const;

function readExpression(reader: Reader, input: unknown, depth: number): Typed | null {
  if (isTooDeep(reader, depth)) return null;
  if (typeof input === "string") {
    // As everywhere in the API: half of a pair could neither be stored nor answered as it came.
    return input.isWellFormed()
      ? { expression: input, type: "text" }
      : problem(reader, WORDS.unicode);
  }
  if (typeof input === "boolean") return { expression: input, type: "boolean" };
  if (typeof input === "number") {
    // JSON has numbers that no double can hold.
    if (!Number.isFinite(input)) return problem(reader, WORDS.finite);
    return { expression: input, type: "number" };
  }
  const fields = readFields(reader, input, WORDS.expression);
  const operator = fields && readOperator(reader, fields, OPERATORS);
  if (fields === null || operator === null) return null;
  return at(reader, operator, () => {
    const operand = fields[operator];
    if (operator === "get") return readGet(reader, operand);
    if (isOneOf(operator, LIST_OPERATORS)) return readOperands(reader, operator, operand, depth);
    return readOperand(reader, operator, operand, depth);
  });
}

/** Reports an expression that has none of these types. */
function readTyped(
  reader: Reader,
  input: unknown,
  depth: number,
  types: readonly ValueType[],
): Typed | null {
  const typed = readExpression(reader, input, depth);
  if (typed === null || typed.type === null || types.includes(typed.type)) return typed;
  nonsense(reader, `expected ${choice(types)}, found ${typed.type}`);
  return { expression: typed.expression, type: null };
}

function readGet(reader: Reader, input: unknown): Typed | null {
  const property = readWord(reader, input, TRANSACTION_PROPERTIES);
  if (property === null) return null;
  return { expression: { get: property }, type: property === "amount" ? "number" : "text" };
}

function readOperands(
  reader: Reader,
  operator: ListOperator,
  input: unknown,
  depth: number,
): Typed | null {
  const { min, max, operands, result } = SIGNATURES[operator];
  let common: ValueType | null = null;
  const read = readList(reader, input, (item) => {
    const operand = readTyped(reader, item, depth + 1, common === null ? operands : [common]);
    common ??= operand?.type ?? null;
    return operand?.expression ?? null;
  });
  if (read === null) return null;
  if (read.length < min || read.length > max) {
    const bound = max === min ? String(min) : `at least ${String(min)}`;
    const found = String(read.length);
    nonsense(reader, `expected ${bound} operand${min === 1 ? "" : "s"}, found ${found}`);
  }
  return { expression: under(operator, read) as Expression, type: result ?? common };
}

function readOperand(
  reader: Reader,
  operator: SingleOperator,
  input: unknown,
  depth: number,
): Typed | null {
  const inner = depth + 1;
  switch (operator) {
    case "!":
      return typedAs("boolean", operator, readTyped(reader, input, inner, ["boolean"]));
    case "to_lower":
    case "to_upper":
      return typedAs("text", operator, readTyped(reader, input, inner, ["text"]));
    case "has_label": {
      const label = readLabel(reader, input, inner);
      return label === null ? null : { expression: { has_label: label }, type: "boolean" };
    }
    case "has_mcc": {
      const code = readMcc(reader, input, inner);
      return code === null ? null : { expression: { has_mcc: code }, type: "boolean" };
    }
  }
}

function typedAs(type: ValueType, operator: SingleOperator, operand: Typed | null): Typed | null {
  return operand && { expression: under(operator, operand.expression) as Expression, type };
}

/** The type checker takes no computed key for one of a union: the caller names the type. */
function under(operator: string, operand: Expression | readonly Expression[]): unknown {
  return { [operator]: operand };
}
