// Compiles rules to closures that change the transaction.
import {
  type Expression,
  isLongerThan,
  isMcc,
  type Rule,
  RULE_LABELS_MAX,
  RULE_TEXT_LENGTH_MAX,
} from "../../../src/model/rules.ts";
import { compileBoolean, compileNumber, compileText, type Evaluate } from "./expression.ts";
import {
  RULE_FAILED,
  textSlotOf,
  takeSteps,
  type RuleTransaction,
  writeLabels,
  writeMccs,
  writeText,
} from "./transaction.ts";

/** Throws RULE_FAILED if it fails. */
export type Action = (transaction: RuleTransaction) => void;

export function compileAction(rule: Rule): Action {
  if ("if" in rule) return compileIf(rule.if, rule.then ?? [], rule.else ?? []);
  if ("set" in rule) {
    const slot = textSlotOf(rule.set);
    const text = compileWritten(rule.to);
    return (transaction) => {
      writeText(transaction, slot, text(transaction));
    };
  }
  return "add_label" in rule || "remove_label" in rule || "set_labels" in rule
    ? compileLabels(rule)
    : compileMccs(rule);
}

function compileIf(
  condition: Expression,
  thenRules: readonly Rule[],
  elseRules: readonly Rule[],
): Action {
  const isTrue = compileBoolean(condition);
  const thenActions = thenRules.map(compileAction);
  const elseActions = elseRules.map(compileAction);
  return (transaction) => {
    for (const act of isTrue(transaction) ? thenActions : elseActions) act(transaction);
  };
}

type LabelRule = Extract<
  Rule,
  | { readonly add_label: unknown }
  | { readonly remove_label: unknown }
  | { readonly set_labels: unknown }
>;

function compileLabels(rule: LabelRule): Action {
  if ("remove_label" in rule) {
    const label = compileText(rule.remove_label);
    return (transaction) => {
      writeLabels(transaction, removeItem(transaction.labels, label(transaction)));
    };
  }
  if ("add_label" in rule) {
    const label = compileWritten(rule.add_label);
    return (transaction) => {
      writeLabels(transaction, withLabel(transaction.labels, label(transaction)));
    };
  }
  const labels = rule.set_labels.map(compileWritten);
  return (transaction) => {
    const texts = labels.map((label) => label(transaction));
    writeLabels(transaction, texts.reduce(withLabel, NO_LABELS));
  };
}

type MccRule = Extract<
  Rule,
  { readonly add_mcc: unknown } | { readonly remove_mcc: unknown } | { readonly set_mcc: unknown }
>;

function compileMccs(rule: MccRule): Action {
  if ("remove_mcc" in rule) {
    const mcc = compileNumber(rule.remove_mcc);
    return (transaction) => {
      writeMccs(transaction, removeItem(transaction.mccs, mcc(transaction)));
    };
  }
  if ("add_mcc" in rule) {
    const mcc = compileNumber(rule.add_mcc);
    return (transaction) => {
      writeMccs(transaction, withMcc(transaction.mccs, mcc(transaction)));
    };
  }
  const mccs = rule.set_mcc.map(compileNumber);
  return (transaction) => {
    const codes = mccs.map((mcc) => mcc(transaction));
    writeMccs(transaction, codes.reduce(withMcc, NO_MCCS));
  };
}

const NO_LABELS: readonly string[] = [];
const NO_MCCS: readonly number[] = [];

/** A text that is written to the transaction. */
function compileWritten(expression: Expression): Evaluate<string> {
  const evaluate = compileText(expression);
  return (transaction) => {
    const text = evaluate(transaction);
    takeSteps(transaction, text.length);
    if (isLongerThan(text, RULE_TEXT_LENGTH_MAX)) throw RULE_FAILED;
    return text;
  };
}

/** The last label is the category: a label that is there already moves to the end. */
function withLabel(labels: readonly string[], label: string): readonly string[] {
  if (label === "" || labels.at(-1) === label) return labels;
  return withOneMore(removeItem(labels, label), label);
}

function withMcc(mccs: readonly number[], mcc: number): readonly number[] {
  if (!isMcc(mcc)) throw RULE_FAILED;
  // Adding 0 turns the negative zero of arithmetic into zero.
  return mccs.includes(mcc) ? mccs : withOneMore(mccs, mcc + 0);
}

function withOneMore<Item>(items: readonly Item[], item: Item): readonly Item[] {
  if (items.length >= RULE_LABELS_MAX) throw RULE_FAILED;
  return [...items, item];
}

function removeItem<Item>(items: readonly Item[], item: Item): readonly Item[] {
  return items.includes(item) ? items.filter((one) => one !== item) : items;
}
