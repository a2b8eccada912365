// Compiles expressions to closures. `checkRules` checked their types, so operands are cast and not checked again.
import type { Expression, ListOperator } from "../../../src/model/rules.ts";
import { asPropertyComparison, compilePropertyComparison } from "./property-comparison.ts";
import { ARITHMETIC, compareTexts, joinTexts, ORDERINGS, TEXT_TESTS } from "./operators.ts";
import {
  createTransaction,
  readTextSlot,
  RULE_FAILED,
  slotRead,
  takeSteps,
  type RuleTransaction,
} from "./transaction.ts";

type RuleValue = string | number | boolean;
/** Throws RULE_FAILED if it fails. */
export type Evaluate<Result extends RuleValue> = (transaction: RuleTransaction) => Result;

export const compileText = (expression: Expression): Evaluate<string> =>
  compile(expression) as Evaluate<string>;
export const compileNumber = (expression: Expression): Evaluate<number> =>
  compile(expression) as Evaluate<number>;
export const compileBoolean = (expression: Expression): Evaluate<boolean> =>
  compile(expression) as Evaluate<boolean>;

function compile(expression: Expression): Evaluate<RuleValue> {
  if (typeof expression !== "object") return () => expression;
  const slot = slotRead(expression);
  if (slot !== null) return (transaction) => readTextSlot(transaction, slot);
  const comparison = asPropertyComparison(expression);
  if (comparison !== null) return compilePropertyComparison(comparison);
  const evaluate = compileOperation(expression);
  return isConstant(expression) ? evaluatedNow(evaluate) : evaluate;
}

/** Whether it is the same for every transaction. */
function isConstant(expression: Expression): boolean {
  if (typeof expression !== "object") return true;
  if ("get" in expression || "has_label" in expression || "has_mcc" in expression) return false;
  return Object.values(expression)
    .flat()
    .every((operand) => isConstant(operand as Expression));
}

/** Constants take no steps; one that fails fails on every transaction. */
function evaluatedNow(evaluate: Evaluate<RuleValue>): Evaluate<RuleValue> {
  try {
    const value = evaluate({ ...createTransaction(), stepsLeft: Infinity });
    return () => value;
  } catch (error) {
    if (error !== RULE_FAILED) throw error;
    return () => {
      throw RULE_FAILED;
    };
  }
}

function compileOperation(expression: Exclude<Expression, RuleValue>): Evaluate<RuleValue> {
  if ("get" in expression) return ({ amount }) => amount;
  if ("!" in expression) {
    const isTrue = compileBoolean(expression["!"]);
    return (transaction) => !isTrue(transaction);
  }
  if ("to_lower" in expression)
    return changeCase(expression.to_lower, (text) => text.toLowerCase());
  if ("to_upper" in expression)
    return changeCase(expression.to_upper, (text) => text.toUpperCase());
  if ("has_label" in expression) {
    const label = compileText(expression.has_label);
    return (transaction) => transaction.labels.includes(label(transaction));
  }
  if ("has_mcc" in expression) {
    const mcc = compileNumber(expression.has_mcc);
    return (transaction) => transaction.mccs.includes(mcc(transaction));
  }
  const [[operator, operands] = NO_OPERATION] = Object.entries(expression);
  return compileList(operator as ListOperator, operands as readonly Expression[]);
}

const NO_OPERATION = ["&&", []] as const;

function changeCase(operand: Expression, change: (text: string) => string): Evaluate<string> {
  const text = compileText(operand);
  return (transaction) => {
    const before = text(transaction);
    takeSteps(transaction, before.length);
    return change(before);
  };
}

function compileList(
  operator: ListOperator,
  expressions: readonly Expression[],
): Evaluate<RuleValue> {
  const operands = expressions.map(compile);
  if (operator === "&&" || operator === "||") return compileLogic(operands, operator === "||");
  if (operator === "==") return compileEqual(operands);
  if (isKeyOf(TEXT_TESTS, operator)) {
    return compileTextTest(operator, expressions, operands as Evaluate<string>[]);
  }
  return isKeyOf(ORDERINGS, operator)
    ? compileOrdering(operator, operands)
    : compileArithmetic(operator, operands);
}

const isKeyOf = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table =>
  Object.hasOwn(table, key);

/** The first operand with the value `deciding` decides; those behind it are not evaluated. */
function compileLogic(
  operands: readonly Evaluate<RuleValue>[],
  deciding: boolean,
): Evaluate<boolean> {
  return (transaction) => {
    for (const operand of operands) if (operand(transaction) === deciding) return deciding;
    return !deciding;
  };
}

/** All operands are evaluated before any is compared. */
function compileEqual(operands: readonly Evaluate<RuleValue>[]): Evaluate<boolean> {
  const [left, right] = operands;
  if (operands.length === 2 && left !== undefined && right !== undefined) {
    return (transaction) => left(transaction) === right(transaction);
  }
  return (transaction) => {
    const [first, ...others] = operands.map((operand) => operand(transaction));
    return others.every((value) => value === first);
  };
}

/** A search for a constant in a property takes no steps. */
const isFreeSearch = ([needle = "", text = ""]: readonly Expression[]): boolean =>
  isConstant(needle) && (slotRead(text) !== null || isConstant(text));

/** A search for a long text takes the steps again for each part of this length. */
const NEEDLE_PART = 256;

function compileTextTest(
  operator: keyof typeof TEXT_TESTS,
  expressions: readonly Expression[],
  [left = noText, right = noText]: readonly Evaluate<string>[],
): Evaluate<boolean> {
  const isTrue = TEXT_TESTS[operator];
  if (operator !== "is_substring" || isFreeSearch(expressions)) {
    return (transaction) => isTrue(left(transaction), right(transaction));
  }
  return (transaction) => {
    const needle = left(transaction);
    const text = right(transaction);
    takeSteps(transaction, text.length * (1 + Math.floor(needle.length / NEEDLE_PART)));
    return text.includes(needle);
  };
}

const noText = (): string => "";

function compileOrdering(
  operator: keyof typeof ORDERINGS,
  [leftOperand = noText, rightOperand = noText]: readonly Evaluate<RuleValue>[],
): Evaluate<boolean> {
  const isOrdered = ORDERINGS[operator];
  return (transaction) => {
    const left = leftOperand(transaction);
    const right = rightOperand(transaction);
    if (typeof left !== "string") return isOrdered((left as number) - (right as number));
    const other = right as string;
    takeSteps(transaction, Math.min(left.length, other.length));
    return isOrdered(compareTexts(left, other));
  };
}

function compileArithmetic(
  operator: keyof typeof ARITHMETIC,
  operands: readonly Evaluate<RuleValue>[],
): Evaluate<RuleValue> {
  const calculate = ARITHMETIC[operator];
  return (transaction) => {
    const values = operands.map((operand) => operand(transaction));
    if (typeof values[0] !== "string") {
      // A single operand is added to, or subtracted from, zero.
      const numbers = values as number[];
      return numbers.length === 1 ? calculate(0, numbers[0] ?? 0) : numbers.reduce(calculate);
    }
    const joined = joinTexts(values as string[]);
    takeSteps(transaction, joined.length);
    return joined;
  };
}
