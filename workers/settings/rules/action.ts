// Rules to code: what one does to a transaction, and when it does nothing at all.
import {
  type Expression,
  isLongerThan,
  isMcc,
  type Rule,
  RULE_LABELS_MAX,
  RULE_TEXT_LENGTH_MAX,
} from "../../../src/model/rules.ts";
import type { Ground } from "./code.ts";
import { compileCondition, compileNumber, compileText } from "./expression.ts";
import { RULE_FAILED } from "./operations.ts";
import { either, NEVER, rarest, type Unless } from "./unless.ts";

export interface Action {
  /** Fails by throwing RULE_FAILED. */
  readonly run: () => void;
  /** It changes nothing, and does not fail, unless one of these is true. Null: it may on any transaction. */
  readonly idleUnless: Unless | null;
}

const NOTHING: Action = { run: () => undefined, idleUnless: NEVER };

/** @param rule one that `checkRules` has passed */
export function compileAction(ground: Ground, rule: Rule): Action {
  if ("if" in rule) return compileIf(ground, rule.if, rule.then ?? [], rule.else ?? []);
  return { run: compileWrite(ground, rule), idleUnless: null };
}

function compileIf(
  ground: Ground,
  expression: Expression,
  thenRules: readonly Rule[],
  elseRules: readonly Rule[],
): Action {
  const { run: isTrue, canFail, falseUnless, trueUnless } = compileCondition(ground, expression);
  const then = compileBlock(ground, thenRules);
  const otherwise = compileBlock(ground, elseRules);
  return {
    run: branch(isTrue, then.run, otherwise.run),
    idleUnless: rarest([
      either([falseUnless, otherwise.idleUnless]),
      either([trueUnless, then.idleUnless]),
      canFail ? null : either([then.idleUnless, otherwise.idleUnless]),
    ]),
  };
}

/** By itself, so that what runs holds on to nothing else. */
function branch(isTrue: () => boolean, then: () => void, otherwise: () => void): () => void {
  return () => {
    if (isTrue()) then();
    else otherwise();
  };
}

function compileBlock(ground: Ground, rules: readonly Rule[]): Action {
  const actions = rules.map((rule) => compileAction(ground, rule));
  const [first] = actions;
  if (first === undefined) return NOTHING;
  if (actions.length === 1) return first;
  const runs = actions.map(({ run }) => run);
  return {
    run: () => {
      for (const run of runs) run();
    },
    idleUnless: either(actions.map(({ idleUnless }) => idleUnless)),
  };
}

function compileWrite(ground: Ground, rule: Exclude<Rule, { if: Expression }>): () => void {
  const { transaction } = ground;
  const { now } = transaction;
  if ("set" in rule) {
    const set = transaction.setter(rule.set);
    const run = compileWritten(ground, rule.to);
    return () => {
      set(run());
    };
  }
  if ("add_label" in rule) {
    const run = compileWritten(ground, rule.add_label);
    return () => {
      transaction.setLabels(withLabel(now.labels, run()));
    };
  }
  if ("remove_label" in rule) {
    const { run } = compileText(ground, rule.remove_label);
    return () => {
      transaction.setLabels(without(now.labels, run()));
    };
  }
  if ("set_labels" in rule) {
    const runs = rule.set_labels.map((label) => compileWritten(ground, label));
    return () => {
      transaction.setLabels(runs.map((run) => run()).reduce(withLabel, NO_LABELS));
    };
  }
  if ("add_mcc" in rule) {
    const { run } = compileNumber(ground, rule.add_mcc);
    return () => {
      transaction.setMccs(withMcc(now.mccs, run()));
    };
  }
  if ("remove_mcc" in rule) {
    const { run } = compileNumber(ground, rule.remove_mcc);
    return () => {
      transaction.setMccs(without(now.mccs, run()));
    };
  }
  const runs = rule.set_mcc.map((code) => compileNumber(ground, code).run);
  return () => {
    transaction.setMccs(runs.map((run) => run()).reduce(withMcc, NO_MCCS));
  };
}

const NO_LABELS: readonly string[] = [];
const NO_MCCS: readonly number[] = [];

/** A text that is written to the transaction. */
function compileWritten(ground: Ground, expression: Expression): () => string {
  const { takeSteps } = ground.transaction;
  const { run } = compileText(ground, expression);
  return () => {
    const text = run();
    takeSteps(text.length);
    if (isLongerThan(text, RULE_TEXT_LENGTH_MAX)) throw RULE_FAILED;
    return text;
  };
}

/** The last label is the category: one that is there already is put behind the others. */
function withLabel(labels: readonly string[], label: string): readonly string[] {
  if (label === "" || labels.at(-1) === label) return labels;
  return withOneMore(without(labels, label), label);
}

function withMcc(mccs: readonly number[], code: number): readonly number[] {
  if (!isMcc(code)) throw RULE_FAILED;
  // Arithmetic makes a negative zero too.
  return mccs.includes(code) ? mccs : withOneMore(mccs, code + 0);
}

function withOneMore<Item>(items: readonly Item[], item: Item): readonly Item[] {
  if (items.length >= RULE_LABELS_MAX) throw RULE_FAILED;
  return [...items, item];
}

function without<Item>(items: readonly Item[], item: Item): readonly Item[] {
  return items.includes(item) ? items.filter((one) => one !== item) : items;
}
