// The language of rules once more, read from its description and as plainly as can be: every rule is walked on every
// transaction.
import { EDITABLE_PROPERTIES, type Expression, type Rule } from "../../../src/model/rules.ts";
import type { RuleSubject } from "../../../workers/settings/rules/subject.ts";

class Failed extends Error {}
const fail = (): never => {
  throw new Failed();
};

type Value = string | number | boolean;

/** Where the subject has a property of the language. */
export const FIELDS = {
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

/** Runs all rules on the subject, as `RunRules`. */
export function runNaively(rules: readonly Rule[], subject: RuleSubject): number {
  const walk: Walk = { subject, steps: 65_536 };
  let failures = 0;
  for (const rule of rules) {
    const before = { ...subject };
    try {
      act(walk, rule);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      takeBack(walk, before);
      failures++;
    }
  }
  return failures;
}

function takeBack(walk: Walk, before: RuleSubject): void {
  const { subject } = walk;
  const changed = EDITABLE_PROPERTIES.map((name) => FIELDS[name]).filter(
    (field) => subject[field] !== before[field],
  );
  for (const field of changed) walk.steps -= before[field].length;
  Object.assign(subject, before);
}

function act(walk: Walk, rule: Rule): void {
  const { subject } = walk;
  if ("if" in rule) {
    for (const inner of (evaluate(walk, rule.if) ? rule.then : rule.else) ?? []) act(walk, inner);
  } else if ("set" in rule) {
    subject[FIELDS[rule.set]] = written(walk, rule.to);
  } else if ("add_label" in rule) {
    subject.labels = added(subject.labels, written(walk, rule.add_label));
  } else if ("remove_label" in rule) {
    const label = evaluate(walk, rule.remove_label);
    subject.labels = subject.labels.filter((one) => one !== label);
  } else if ("set_labels" in rule) {
    let labels: readonly string[] = [];
    const all = rule.set_labels.map((label) => written(walk, label));
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

/** A text that is written to the transaction. */
function written(walk: Walk, expression: Expression): string {
  const text = evaluate(walk, expression) as string;
  take(walk, text.length);
  return Array.from(text).length > 1024 ? fail() : text;
}

function added(labels: readonly string[], label: string): readonly string[] {
  if (label === "") return labels;
  const others = labels.filter((one) => one !== label);
  if (others.length >= 100) fail();
  return others.concat(label);
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
  if (!operands.every(isConstant)) compared(walk, operator, values);
  return combine(operator, values);
}

function compared(walk: Walk, operator: string, [left, right]: readonly Value[]): void {
  const isOrder = [">", ">=", "<", "<="].includes(operator);
  if (!isOrder || typeof left !== "string" || typeof right !== "string") return;
  take(walk, Math.min(left.length, right.length));
}

function evaluateOne(walk: Walk, whole: Expression, operator: string, operand: Expression): Value {
  const value = evaluate(walk, operand);
  if (operator === "!") return !value;
  if (operator === "has_label") return walk.subject.labels.includes(value as string);
  if (operator === "has_mcc") return walk.subject.mccs.includes(value as number);
  const text = value as string;
  if (!isConstant(operand) && !isRead(whole)) take(walk, text.length);
  return operator === "to_lower" ? text.toLowerCase() : text.toUpperCase();
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
