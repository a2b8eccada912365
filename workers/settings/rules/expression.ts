// Expressions to code. What is the same on every transaction is worked out, and what compares a property with a constant
// becomes an atom.
import type { Expression, ListOperator } from "../../../src/model/rules.ts";
import {
  type AnyCode,
  atomCondition,
  booleanConstant,
  type Condition,
  condition,
  constantsOf,
  type Ground,
  type NumberCode,
  numberCode,
  numberConstant,
  type TextCode,
  textConstant,
  workedOut,
} from "./code.ts";
import { equal, orderNumbers, orderTexts } from "./comparison.ts";
import { and, not, or } from "./logic.ts";
import {
  ARITHMETIC,
  type Arithmetic,
  NUMBER_ORDER,
  type Order,
  TEXT_TESTS,
  type TextTest,
} from "./operations.ts";
import { changeCase, concatenate, readText, testTexts } from "./texts.ts";

/** @param expression one that `checkRules` has passed, and of this type; others are bugs */
export function compileText(ground: Ground, expression: Expression): TextCode {
  return asText(compile(ground, expression));
}

export function compileNumber(ground: Ground, expression: Expression): NumberCode {
  return asNumber(compile(ground, expression));
}

export function compileCondition(ground: Ground, expression: Expression): Condition {
  return asCondition(compile(ground, expression));
}

function compile(ground: Ground, expression: Expression): AnyCode {
  if (typeof expression === "string") return textConstant(expression);
  if (typeof expression === "number") return numberConstant(expression);
  if (typeof expression === "boolean") return booleanConstant(expression);
  if ("get" in expression) {
    const property = expression.get;
    return property === "amount" ? readAmount(ground) : readText(ground, property, null);
  }
  if ("!" in expression) return not(compileCondition(ground, expression["!"]));
  if ("to_lower" in expression) {
    return changeCase(ground, "to_lower", compileText(ground, expression.to_lower));
  }
  if ("to_upper" in expression) {
    return changeCase(ground, "to_upper", compileText(ground, expression.to_upper));
  }
  if ("has_label" in expression) {
    return hasLabel(ground, compileText(ground, expression.has_label));
  }
  if ("has_mcc" in expression) return hasMcc(ground, compileNumber(ground, expression.has_mcc));
  const [[operator, operands] = NO_OPERATION] = Object.entries(expression);
  return combine(
    ground,
    operator as ListOperator,
    (operands as readonly Expression[]).map((operand) => compile(ground, operand)),
  );
}

const NO_OPERATION = ["==", []] as const;

function combine(ground: Ground, operator: ListOperator, operands: readonly AnyCode[]): AnyCode {
  const [left, right] = operands;
  if (operator === "&&") return and(operands.map(asCondition));
  if (operator === "||") return or(operands.map(asCondition));
  if (operator === "==") return equal(ground, operands);
  if (isTextTest(operator)) return testTexts(ground, operator, asText(left), asText(right));
  if (isOrder(operator)) {
    return left?.type === "text"
      ? orderTexts(ground, operator, left, asText(right))
      : orderNumbers(operator, asNumber(left), asNumber(right));
  }
  if (left?.type === "text") return concatenate(ground, operands.map(asText));
  return calculate(operator, operands.map(asNumber));
}

function isTextTest(operator: ListOperator): operator is TextTest {
  return Object.hasOwn(TEXT_TESTS, operator);
}

function isOrder(operator: ListOperator): operator is Order {
  return Object.hasOwn(NUMBER_ORDER, operator);
}

function readAmount({ transaction: { now } }: Ground): NumberCode {
  return { ...numberCode(() => now.amount, false), isAmount: true };
}

function calculate(operator: Arithmetic, operands: readonly NumberCode[]): NumberCode {
  const combineTwo = ARITHMETIC[operator];
  // One alone is taken from, or added to, nothing.
  const all = operands.length === 1 ? [numberConstant(0), ...operands] : operands;
  const constants = constantsOf(all);
  if (constants !== null) {
    return workedOut(() => constants.reduce(combineTwo), numberConstant, numberCode);
  }
  const [first = numberConstant(0), ...others] = all;
  const more = others.map(({ run }) => run);
  return numberCode(() => {
    let value = first.run();
    for (const run of more) value = combineTwo(value, run());
    return value;
  }, true);
}

function hasLabel({ board, transaction }: Ground, label: TextCode): Condition {
  if (label.constant !== null) {
    return atomCondition(board, transaction.labelSource.atom(label.constant));
  }
  const { now } = transaction;
  return condition(() => now.labels.includes(label.run()), label.canFail);
}

function hasMcc({ board, transaction }: Ground, code: NumberCode): Condition {
  if (code.constant !== null) {
    return atomCondition(board, transaction.mccSource.atom(code.constant));
  }
  const { now } = transaction;
  return condition(() => now.mccs.includes(code.run()), code.canFail);
}

const asText = (code: AnyCode | undefined): TextCode =>
  code?.type === "text" ? code : illTyped("text");
const asNumber = (code: AnyCode | undefined): NumberCode =>
  code?.type === "number" ? code : illTyped("number");
const asCondition = (code: AnyCode): Condition =>
  code.type === "boolean" ? code : illTyped("boolean");

function illTyped(expected: string): never {
  throw new TypeError(`A rule was not checked before it was stored: expected ${expected}`);
}
