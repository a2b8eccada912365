// ==, and what comes before what.
import {
  type AnyCode,
  atomCondition,
  booleanConstant,
  canAnyFail,
  type Condition,
  condition,
  type Ground,
  type NumberCode,
  type TextCode,
} from "./code.ts";
import { not } from "./logic.ts";
import { NUMBER_ORDER, type Order, TEXT_ORDER } from "./operations.ts";

/** All operands are evaluated before any is compared. */
export function equal(ground: Ground, operands: readonly AnyCode[]): Condition {
  const others = operands.filter(({ constant }) => constant === null);
  const constants = operands.flatMap(({ constant }) => (constant === null ? [] : [constant]));
  const [constant] = constants;
  const [other] = others;
  const areSame = constants.every((one) => one === constant);
  if (!areSame && !canAnyFail(others)) return booleanConstant(false);
  if (other === undefined) return booleanConstant(true);
  if (areSame && constant !== undefined && others.length === 1) {
    const known = equalsConstant(ground, other, constant);
    if (known !== null) return known;
  }
  const runs = operands.map(({ run }) => run);
  const mayFail = canAnyFail(operands);
  return condition(() => {
    const [first, ...more] = runs.map((run) => run());
    return more.every((value) => value === first);
  }, mayFail);
}

function equalsConstant(
  { board, transaction }: Ground,
  code: AnyCode,
  constant: string | number | boolean,
): Condition | null {
  if (code.type === "boolean") return constant === true ? code : not(code);
  if (code.type === "text") {
    if (code.reads === null || typeof constant !== "string") return null;
    const source = transaction.source(code.reads.property, code.reads.fold);
    return atomCondition(board, source.atom("==", constant));
  }
  if (!code.isAmount || typeof constant !== "number") return null;
  return atomCondition(board, transaction.amountSource.atom(constant));
}

export function orderNumbers(order: Order, left: NumberCode, right: NumberCode): Condition {
  const isOrdered = NUMBER_ORDER[order];
  if (left.constant !== null && right.constant !== null) {
    return booleanConstant(isOrdered(left.constant, right.constant));
  }
  return condition(() => isOrdered(left.run(), right.run()), canAnyFail([left, right]));
}

export function orderTexts(
  { transaction }: Ground,
  order: Order,
  left: TextCode,
  right: TextCode,
): Condition {
  const isOrdered = TEXT_ORDER[order];
  if (left.constant !== null && right.constant !== null) {
    return booleanConstant(isOrdered(left.constant, right.constant));
  }
  return condition(() => {
    const [one, other] = [left.run(), right.run()];
    transaction.takeSteps(Math.min(one.length, other.length));
    return isOrdered(one, other);
  }, true);
}
