// The reference: what one writes first. Every node of a rule is a closure, every rule is run on every transaction.
import type { Expression, ListOperator, Rule } from "../../src/model/rules.ts";
import { FIELDS } from "../../test/support/rules/interpreter.ts";
import type { RuleSubject, RunRules } from "../../workers/settings/rules/subject.ts";

type Value = string | number | boolean;
type Node = (subject: RuleSubject) => Value;
type Act = (subject: RuleSubject) => void;

/** Only what the mix of this benchmark uses: rules that cannot fail. */
export function compileClosures(rules: readonly Rule[]): RunRules {
  const acts = rules.map(action);
  return (subject) => {
    for (const act of acts) act(subject);
    return 0;
  };
}

function action(rule: Rule): Act {
  if ("if" in rule) {
    const condition = node(rule.if);
    const [then, otherwise] = [rule.then ?? [], rule.else ?? []].map((branch) =>
      branch.map(action),
    );
    return (subject) => {
      for (const act of (condition(subject) === true ? then : otherwise) ?? []) act(subject);
    };
  }
  if ("add_label" in rule) {
    const label = node(rule.add_label);
    return (subject) => {
      const added = label(subject) as string;
      if (subject.labels.at(-1) === added) return;
      subject.labels = [...subject.labels.filter((one) => one !== added), added];
    };
  }
  if ("remove_label" in rule) {
    const label = node(rule.remove_label);
    return (subject) => {
      const removed = label(subject);
      if (subject.labels.includes(removed as string)) {
        subject.labels = subject.labels.filter((one) => one !== removed);
      }
    };
  }
  if ("set" in rule) {
    const [field, to] = [FIELDS[rule.set], node(rule.to)];
    return (subject) => {
      subject[field] = to(subject) as string;
    };
  }
  throw new Error("The mix has no such rule");
}

function node(expression: Expression): Node {
  if (typeof expression !== "object") return () => expression;
  if ("get" in expression) {
    const field = FIELDS[expression.get];
    return (subject) => subject[field];
  }
  if ("!" in expression) {
    const operand = node(expression["!"]);
    return (subject) => operand(subject) === false;
  }
  if ("to_lower" in expression) {
    const operand = node(expression.to_lower);
    return (subject) => (operand(subject) as string).toLowerCase();
  }
  if ("has_label" in expression) {
    const operand = node(expression.has_label);
    return (subject) => subject.labels.includes(operand(subject) as string);
  }
  if ("has_mcc" in expression) {
    const operand = node(expression.has_mcc);
    return (subject) => subject.mccs.includes(operand(subject) as number);
  }
  const [entry] = Object.entries(expression);
  const [operator, operands] = entry as [ListOperator, readonly Expression[]];
  return combine(operator, operands.map(node));
}

function combine(operator: ListOperator, operands: readonly Node[]): Node {
  const [left, right] = operands;
  if (left === undefined) throw new Error("An operator without operands");
  if (operator === "&&") return (subject) => operands.every((one) => one(subject));
  if (operator === "||") return (subject) => operands.some((one) => one(subject));
  if (right === undefined) throw new Error("An operator of one operand");
  const operation = OPERATIONS.get(operator);
  if (operation === undefined) throw new Error("The mix has no such operator");
  return operation(left, right);
}

const OPERATIONS = new Map<ListOperator, (left: Node, right: Node) => Node>([
  ["==", (left, right) => (subject) => left(subject) === right(subject)],
  [">", (left, right) => (subject) => left(subject) > right(subject)],
  [
    "is_substring",
    (left, right) => (subject) => text(right, subject).includes(text(left, subject)),
  ],
  [
    "starts_with",
    (left, right) => (subject) => text(left, subject).startsWith(text(right, subject)),
  ],
  ["ends_with", (left, right) => (subject) => text(left, subject).endsWith(text(right, subject))],
]);

const text = (one: Node, subject: RuleSubject): string => one(subject) as string;
