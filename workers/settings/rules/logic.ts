// The operators !, && and ||. Each also finds out which atoms decide over it.
import { booleanConstant, canAnyFail, type Condition } from "./code.ts";
import { either, rarest, type Unless } from "./unless.ts";

export function not(operand: Condition): Condition {
  const { run, constant, falseUnless, trueUnless } = operand;
  if (constant !== null) return booleanConstant(!constant);
  return { ...operand, run: () => !run(), falseUnless: trueUnless, trueUnless: falseUnless };
}

export const and = (operands: readonly Condition[]): Condition => evaluateWhile(true, operands);

export const or = (operands: readonly Condition[]): Condition => evaluateWhile(false, operands);

/** `wanted` if all operands are; the first that is not ends it. */
function evaluateWhile(wanted: boolean, operands: readonly Condition[]): Condition {
  const used = deciding(wanted, operands);
  const last = used.at(-1);
  if (last === undefined) return booleanConstant(wanted);
  if (used.length === 1) return last;
  if (last.constant !== null && !canAnyFail(used.slice(0, -1))) return last;
  // One operand is enough to end it, if none before it fails.
  const firstToFail = used.findIndex((one) => one.canFail);
  const reached = firstToFail === -1 ? used : used.slice(0, firstToFail + 1);
  const ended = rarest(reached.map((one) => unless(one, !wanted)));
  const through = either(used.map((one) => unless(one, wanted)));
  return {
    type: "boolean",
    run: runWhile(wanted, used),
    constant: null,
    canFail: canAnyFail(used),
    falseUnless: wanted ? ended : through,
    trueUnless: wanted ? through : ended,
  };
}

/** Without the constants that decide nothing, and without what stands behind one that decides all. */
function deciding(wanted: boolean, operands: readonly Condition[]): readonly Condition[] {
  const used = operands.filter(({ constant }) => constant !== wanted);
  const end = used.findIndex(({ constant }) => constant !== null);
  return end === -1 ? used : used.slice(0, end + 1);
}

/** The operand has this value unless one of these is true. */
const unless = (operand: Condition, value: boolean): Unless | null =>
  value ? operand.trueUnless : operand.falseUnless;

function runWhile(wanted: boolean, operands: readonly Condition[]): () => boolean {
  const runs = operands.map(({ run }) => run);
  const [first, second] = runs;
  if (runs.length === 2 && first !== undefined && second !== undefined) {
    return wanted ? () => first() && second() : () => first() || second();
  }
  return () => {
    for (const run of runs) {
      if (run() !== wanted) return !wanted;
    }
    return wanted;
  };
}
