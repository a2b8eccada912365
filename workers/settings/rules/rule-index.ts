// Finds the rules that may do something to a transaction without running them. Most conditions need a property to contain a
// constant, or a label or code to be there. Each rule waits for one key of what it needs: the label, the code, or three
// characters of the constant. It is due if the transaction has the key, so a rule that is not due would do nothing.
import type { Expression, Rule } from "../../../src/model/rules.ts";
import { asPropertyComparison } from "./property-comparison.ts";
import { ORDERINGS } from "./operators.ts";
import {
  readTextSlot,
  textSlotOf,
  slotRead,
  SLOTS_PER_PROPERTY,
  type RuleTransaction,
  type RuleValues,
} from "./transaction.ts";

export interface RuleIndex {
  /** By rule: 1 if it must run on the current transaction. */
  readonly due: Uint8Array;
  /** Begins a transaction. */
  start(transaction: RuleTransaction): void;
  /** Makes more rules due after a rule changed the transaction. */
  update(transaction: RuleTransaction, before: RuleValues): void;
}

type IndexKey = string | number;
/** Where a key is looked up: a text slot, the labels or the codes. */
type IndexedField = number | "labels" | "mccs";

/** The rules that wait for a key. */
interface IndexEntry {
  readonly rules: number[];
  /** The last transaction that had the key: its rules are made due once. */
  foundIn: number;
}

/** Characters of a constant that are looked up. */
const PART_LENGTH = 3;

export function createRuleIndex(rules: readonly Rule[]): RuleIndex {
  const fields = new Map<IndexedField, Map<IndexKey, IndexEntry>>();
  const always = new Uint8Array(rules.length);
  for (const [rule, definition] of rules.entries()) {
    const needs = needsOf(definition);
    if (needs === null) always[rule] = 1;
    for (const { field, keys } of needs ?? []) {
      const entries = fields.get(field) ?? new Map<IndexKey, IndexEntry>();
      fields.set(field, entries);
      smallestEntry(entries, keys).rules.push(rule);
    }
  }
  const due = new Uint8Array(rules.length);
  let transactionNumber = 0;

  function find(entry: IndexEntry | undefined): void {
    if (entry === undefined || entry.foundIn === transactionNumber) return;
    entry.foundIn = transactionNumber;
    for (const rule of entry.rules) due[rule] = 1;
  }

  function look(
    transaction: RuleTransaction,
    field: IndexedField,
    entries: Map<IndexKey, IndexEntry>,
  ): void {
    if (typeof field !== "number") {
      for (const key of transaction[field]) find(entries.get(key));
      return;
    }
    const text = readTextSlot(transaction, field);
    for (let end = PART_LENGTH; end <= text.length; end++) find(entries.get(partKey(text, end)));
  }

  return {
    due,
    start(transaction) {
      transactionNumber++;
      due.set(always);
      for (const [field, entries] of fields) look(transaction, field, entries);
    },
    update(transaction, before) {
      for (const [field, entries] of fields) {
        if (isChanged(transaction, before, field)) look(transaction, field, entries);
      }
    },
  };
}

function isChanged(now: RuleValues, before: RuleValues, field: IndexedField): boolean {
  if (typeof field !== "number") return now[field] !== before[field];
  const property = field - (field % SLOTS_PER_PROPERTY);
  return now.texts[property] !== before.texts[property];
}

/** A hash of the three characters before `end`; where two parts share one, a rule that does nothing is due. */
const partKey = (text: string, end: number): number =>
  (text.charCodeAt(end - 3) << 16) ^ (text.charCodeAt(end - 2) << 8) ^ text.charCodeAt(end - 1);

/** The entry of the key for which the fewest rules wait: many constants begin with the same characters. */
function smallestEntry(entries: Map<IndexKey, IndexEntry>, keys: readonly IndexKey[]): IndexEntry {
  let smallest: IndexEntry | null = null;
  for (const key of keys) {
    const entry = entries.get(key);
    if (entry === undefined) {
      const added = { rules: [], foundIn: 0 };
      entries.set(key, added);
      return added;
    }
    if (smallest === null || entry.rules.length < smallest.rules.length) smallest = entry;
  }
  if (smallest === null) throw new Error("A rule waits for no key");
  return smallest;
}

/** What a rule needs has all of these keys. */
interface Need {
  readonly field: IndexedField;
  readonly keys: readonly IndexKey[];
}

/** One of these needs must be met for the rule to do anything; null: it may act on any transaction. */
function needsOf(rule: Rule): readonly Need[] | null {
  const hasOnlyThen = "if" in rule && (rule.else ?? []).length === 0;
  return hasOnlyThen ? needsToBeTrue(rule.if) : null;
}

function needsToBeTrue(expression: Expression): readonly Need[] | null {
  if (typeof expression !== "object") return null;
  if ("&&" in expression) return needsOfFirst(expression["&&"]);
  if ("||" in expression) {
    const needs = expression["||"].map(needsToBeTrue);
    return needs.includes(null) ? null : needs.flatMap((one) => one ?? []);
  }
  if ("has_label" in expression) return needsConstant("labels", expression.has_label);
  if ("has_mcc" in expression) return needsConstant("mccs", expression.has_mcc);
  const comparison = asPropertyComparison(expression);
  if (comparison === null) return null;
  const { slot: field, constant } = comparison;
  const isIndexed = constant.length >= PART_LENGTH && !FEW_VALUES.has(field);
  return isIndexed ? [{ field, keys: partKeys(constant) }] : null;
}

/** Of the first operand that needs anything. An operand before it that can fail must run. */
function needsOfFirst(operands: readonly Expression[]): readonly Need[] | null {
  for (const operand of operands) {
    const needs = needsToBeTrue(operand);
    if (needs !== null) return needs;
    if (canFail(operand)) return null;
  }
  return null;
}

const needsConstant = (field: IndexedField, expression: Expression): readonly Need[] | null =>
  typeof expression === "object" ? null : [{ field, keys: [expression as IndexKey] }];

/** Nearly every transaction has the same values. */
const FEW_VALUES: ReadonlySet<number> = new Set(
  (["entry_type", "account_holder_type", "transaction_type"] as const).map(textSlotOf),
);

const partKeys = (text: string): readonly number[] =>
  Array.from({ length: text.length - PART_LENGTH + 1 }, (_, start) =>
    partKey(text, start + PART_LENGTH),
  );

const NEVER_FAIL: ReadonlySet<string> = new Set(["&&", "||", "!", "==", "has_label", "has_mcc"]);

/** Whether it can fail or take steps, of which none may be left. */
function canFail(expression: Expression): boolean {
  if (typeof expression !== "object" || "get" in expression) return false;
  if (slotRead(expression) !== null || asPropertyComparison(expression) !== null) return false;
  const [[operator, operand] = ["", []]] = Object.entries(expression);
  const operands = [operand as Expression | readonly Expression[]].flat() as readonly Expression[];
  if (Object.hasOwn(ORDERINGS, operator)) return !operands.every(isAmountOrNumber);
  return !NEVER_FAIL.has(operator) || operands.some(canFail);
}

const isAmountOrNumber = (expression: Expression): boolean =>
  typeof expression === "object"
    ? "get" in expression && expression.get === "amount"
    : typeof expression === "number";
