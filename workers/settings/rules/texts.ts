// Operators on texts.
import {
  canAnyFail,
  constantsOf,
  type Ground,
  type TextCode,
  textCode,
  textConstant,
} from "./code.ts";
import { atomCondition, booleanConstant, type Condition, condition, workedOut } from "./code.ts";
import { type Fold, FOLDS, join, searchSteps, TEXT_TESTS, type TextTest } from "./operations.ts";
import type { TextProperty } from "./transaction.ts";

/** A property, as it is or in one case. */
export function readText(
  { transaction }: Ground,
  property: TextProperty,
  fold: Fold | null,
): TextCode {
  const source = transaction.source(property, fold);
  return { ...textCode(() => source.text, false), reads: { property, fold } };
}

export function changeCase(ground: Ground, fold: Fold, operand: TextCode): TextCode {
  const change = FOLDS[fold];
  const { run, constant, reads } = operand;
  if (constant !== null) return textConstant(change(constant));
  if (reads?.fold === null) return readText(ground, reads.property, fold);
  return textCode(() => {
    const text = run();
    ground.transaction.takeSteps(text.length);
    return change(text);
  }, true);
}

export function concatenate({ transaction }: Ground, operands: readonly TextCode[]): TextCode {
  const constants = constantsOf(operands);
  if (constants !== null) return workedOut(() => join(constants), textConstant, textCode);
  const runs = operands.map(({ run }) => run);
  return textCode(() => {
    const joined = join(runs.map((run) => run()));
    transaction.takeSteps(joined.length);
    return joined;
  }, true);
}

export function testTexts(
  ground: Ground,
  test: TextTest,
  left: TextCode,
  right: TextCode,
): Condition {
  const isTrue = TEXT_TESTS[test];
  const isSearch = test === "is_substring";
  if (left.constant !== null && right.constant !== null) {
    return booleanConstant(isTrue(left.constant, right.constant));
  }
  const [{ reads }, { constant }] = isSearch ? [right, left] : [left, right];
  if (reads !== null && constant !== null) {
    if (constant === "") return booleanConstant(true);
    const source = ground.transaction.source(reads.property, reads.fold);
    return atomCondition(ground.board, source.atom(test, constant));
  }
  if (!isSearch) {
    return condition(() => isTrue(left.run(), right.run()), canAnyFail([left, right]));
  }
  return condition(() => {
    const needle = left.run();
    const text = right.run();
    ground.transaction.takeSteps(searchSteps(needle, text));
    return isTrue(needle, text);
  }, true);
}
