// What expressions are compiled to.
import type { Board } from "./board.ts";
import { type Fold, RULE_FAILED } from "./operations.ts";
import type { TextProperty, Transaction } from "./transaction.ts";
import { NEVER, type Unless, unlessAtom } from "./unless.ts";

/** What code reads and writes. */
export interface Ground {
  readonly board: Board;
  readonly transaction: Transaction;
}

export interface Code<Value> {
  /** Fails by throwing RULE_FAILED. */
  readonly run: () => Value;
  /** What it is on every transaction; null: that depends. */
  readonly constant: Value | null;
  readonly canFail: boolean;
}

export interface TextCode extends Code<string> {
  readonly type: "text";
  /** The property that it reads, as it is or in one case, where it does nothing else. */
  readonly reads: { readonly property: TextProperty; readonly fold: Fold | null } | null;
}

export interface NumberCode extends Code<number> {
  readonly type: "number";
  /** It reads the amount and does nothing else. */
  readonly isAmount: boolean;
}

export interface Condition extends Code<boolean> {
  readonly type: "boolean";
  readonly falseUnless: Unless | null;
  readonly trueUnless: Unless | null;
}

export type AnyCode = TextCode | NumberCode | Condition;

export function textCode(run: () => string, mayFail: boolean): TextCode {
  return { type: "text", run, constant: null, canFail: mayFail, reads: null };
}

export function textConstant(constant: string): TextCode {
  return { ...textCode(() => constant, false), constant };
}

export function numberCode(run: () => number, mayFail: boolean): NumberCode {
  return { type: "number", run, constant: null, canFail: mayFail, isAmount: false };
}

export function numberConstant(constant: number): NumberCode {
  return { ...numberCode(() => constant, false), constant };
}

export function condition(run: () => boolean, mayFail: boolean): Condition {
  const nothingKnown = { falseUnless: null, trueUnless: null };
  return { type: "boolean", run, constant: null, canFail: mayFail, ...nothingKnown };
}

export function booleanConstant(constant: boolean): Condition {
  return {
    ...condition(() => constant, false),
    constant,
    falseUnless: constant ? null : NEVER,
    trueUnless: constant ? NEVER : null,
  };
}

export function atomCondition({ truth, chance }: Board, atom: number): Condition {
  const run = (): boolean => truth[atom] === true;
  return { ...condition(run, false), falseUnless: unlessAtom(atom, chance(atom)) };
}

/** Operands that are the same on every transaction are worked out now; where that fails, it fails on each of them. */
export function workedOut<Value, Made extends AnyCode>(
  work: () => Value,
  constant: (value: Value) => Made,
  code: (run: () => never, mayFail: boolean) => Made,
): Made {
  try {
    return constant(work());
  } catch (error) {
    if (error !== RULE_FAILED) throw error;
    return code(() => {
      throw RULE_FAILED;
    }, true);
  }
}

export function canAnyFail(codes: readonly Code<unknown>[]): boolean {
  return codes.some(({ canFail }) => canFail);
}

/** The constants of all, null where one is none. */
export function constantsOf<Value>(codes: readonly Code<Value>[]): readonly Value[] | null {
  const values: Value[] = [];
  for (const { constant } of codes) {
    if (constant === null) return null;
    values.push(constant);
  }
  return values;
}
