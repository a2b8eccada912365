// The transaction that rules run on: its current values, and the snapshot that undoes a failed rule.
import {
  EDITABLE_PROPERTIES,
  type Expression,
  RULE_STEPS_MAX,
  type TransactionProperty,
} from "../../../src/model/rules.ts";
import type { RuleSubject } from "./subject.ts";

/** One object for all failures: a rule that fails on every transaction must not cost a stack trace each time. */
export const RULE_FAILED = new Error("A rule failed");

export interface RuleValues {
  /** By slot. Null: the text in lower or upper case was not needed yet. */
  readonly texts: readonly (string | null)[];
  readonly labels: readonly string[];
  readonly mccs: readonly number[];
}

export interface RuleTransaction extends RuleValues {
  texts: (string | null)[];
  labels: readonly string[];
  mccs: readonly number[];
  amount: number;
  /** Of `RULE_STEPS_MAX`. */
  stepsLeft: number;
  /** The values before the first write of the current rule; null: it wrote nothing yet. */
  snapshot: RuleValues | null;
  isChanged: boolean;
}

type TextProperty = Exclude<TransactionProperty, "amount">;

const FIELDS = {
  logo: "logo",
  website: "website",
  merchant: "merchant",
  description: "description",
  merchant_id: "merchantId",
  location: "location",
  person: "person",
  transaction_type: "transactionType",
  entry_type: "entryType",
  account_holder_type: "accountHolderType",
  account_holder_id: "accountHolderId",
  account_holder_name: "accountHolderName",
  country: "country",
} as const satisfies Readonly<Record<TextProperty, keyof RuleSubject>>;

const PROPERTIES = Object.keys(FIELDS) as readonly TextProperty[];

/** Each property has three slots: the text, the text in lower case, the text in upper case. */
export const SLOTS_PER_PROPERTY = 3;
const LOWER = 1;
const UPPER = 2;

export const textSlotOf = (property: TextProperty): number =>
  PROPERTIES.indexOf(property) * SLOTS_PER_PROPERTY;

const LOADED = PROPERTIES.map((property) => [textSlotOf(property), FIELDS[property]] as const);
const STORED = EDITABLE_PROPERTIES.map((name) => [textSlotOf(name), FIELDS[name]] as const);

/** The slot of an expression that only reads a property, unchanged or in one case; null: it does something else. */
export function slotRead(expression: Expression): number | null {
  if (typeof expression !== "object") return null;
  if ("get" in expression) return expression.get === "amount" ? null : textSlotOf(expression.get);
  const [operand, offset] =
    "to_lower" in expression
      ? [expression.to_lower, LOWER]
      : "to_upper" in expression
        ? [expression.to_upper, UPPER]
        : [null, 0];
  if (typeof operand !== "object" || operand === null || !("get" in operand)) return null;
  return operand.get === "amount" ? null : textSlotOf(operand.get) + offset;
}

export function createTransaction(): RuleTransaction {
  return {
    texts: Array.from({ length: PROPERTIES.length * SLOTS_PER_PROPERTY }, () => null),
    labels: [],
    mccs: [],
    amount: 0,
    stepsLeft: RULE_STEPS_MAX,
    snapshot: null,
    isChanged: false,
  };
}

export function loadTransaction(transaction: RuleTransaction, subject: RuleSubject): void {
  for (const [slot, field] of LOADED) putText(transaction, slot, subject[field]);
  transaction.labels = subject.labels;
  transaction.mccs = subject.mccs;
  transaction.amount = subject.amount;
  transaction.stepsLeft = RULE_STEPS_MAX;
  transaction.snapshot = null;
  transaction.isChanged = false;
}

export function storeTransaction(transaction: RuleTransaction, subject: RuleSubject): void {
  if (!transaction.isChanged) return;
  for (const [slot, field] of STORED) subject[field] = readTextSlot(transaction, slot);
  subject.labels = transaction.labels;
  subject.mccs = transaction.mccs;
}

export function readTextSlot({ texts }: RuleTransaction, slot: number): string {
  const known = texts[slot];
  if (known !== undefined && known !== null) return known;
  const offset = slot % SLOTS_PER_PROPERTY;
  const text = texts[slot - offset] ?? "";
  // Neither depends on the locale of the process.
  const changed = offset === LOWER ? text.toLowerCase() : text.toUpperCase();
  texts[slot] = changed;
  return changed;
}

export function writeText(transaction: RuleTransaction, slot: number, text: string): void {
  if (transaction.texts[slot] === text) return;
  takeSnapshot(transaction);
  putText(transaction, slot, text);
}

function putText({ texts }: RuleTransaction, slot: number, text: string): void {
  texts[slot] = text;
  texts[slot + LOWER] = null;
  texts[slot + UPPER] = null;
}

export function writeLabels(transaction: RuleTransaction, labels: readonly string[]): void {
  if (isSameList(transaction.labels, labels)) return;
  takeSnapshot(transaction);
  transaction.labels = labels;
}

export function writeMccs(transaction: RuleTransaction, mccs: readonly number[]): void {
  if (isSameList(transaction.mccs, mccs)) return;
  takeSnapshot(transaction);
  transaction.mccs = mccs;
}

function isSameList<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function takeSnapshot(transaction: RuleTransaction): void {
  const { texts, labels, mccs } = transaction;
  transaction.isChanged = true;
  transaction.snapshot ??= { texts: texts.slice(), labels, mccs };
}

export function takeSteps(transaction: RuleTransaction, count: number): void {
  transaction.stepsLeft -= count;
  if (transaction.stepsLeft < 0) throw RULE_FAILED;
}

/** Undoes the current rule. It takes the steps of the texts that are restored; if none are left, later rules fail. */
export function undo(transaction: RuleTransaction): void {
  const { snapshot, texts } = transaction;
  if (snapshot === null) return;
  for (const [slot] of STORED) {
    if (snapshot.texts[slot] === texts[slot]) continue;
    transaction.stepsLeft -= snapshot.texts[slot]?.length ?? 0;
  }
  Object.assign(transaction, { ...snapshot, snapshot: null });
}
