// Corrections of a transaction by an operator: written to it, and stored for later transactions with the same name.
import type { AccountHolder } from "../model/account-holder.ts";
import { nextRevision } from "../model/acceptance-order.ts";
import { businessCategories, type CategorySet, consumerCategories } from "../model/categories.ts";
import { labelText, labelsIn } from "../model/labels.ts";
import type { StoredCategorySet } from "../model/category-set.ts";
import type { Facts } from "../model/facts.ts";
import type { LedgerTransaction } from "../model/ledger-transaction.ts";
import type { CorrectedParts, Correction, Feature } from "../model/tenant-settings.ts";
import type {
  CorrectedFields,
  CorrectedLine,
  CorrectionDone,
  CorrectionProblem,
  Report,
  StoredCorrection,
  Correcting,
} from "../model/report.ts";
import type { AccountType, EntryType, TransactionInput } from "../model/transaction.ts";

/** A query about a correction to the threads. */
export interface CorrectionQuery {
  readonly input: TransactionInput;
  /** Null without a holder. */
  readonly accountType: AccountType | null;
  readonly corrected: CorrectedFields;
  /** The current facts; null: none, because it could not be enriched. */
  readonly facts: Facts | null;
  readonly features: readonly Feature[];
  /** Null when the holder uses the built-in categories. */
  readonly mapping: StoredCategorySet["mapping"] | null;
  /** The category set that the corrected category is an own name of; null: none is corrected, or it is a built-in one. */
  readonly wordOf: string | null;
}

/** The same as a query to a thread. */
export const toThreadQuery = ({ input, accountType, ...asked }: CorrectionQuery) => ({
  kind: "correct" as const,
  line: {
    description: input.description,
    amount: input.amount,
    entryType: input.entryType,
    currency: input.currency,
    accountType,
    rawAddress: input.location?.rawAddress ?? null,
    country: input.location?.country ?? null,
  },
  ...asked,
});

/** What corrections need from the store and the threads. */
export interface CorrectingPorts {
  getTransaction(org: string, id: string): Promise<LedgerTransaction | null>;
  getHolder(org: string, id: string): Promise<AccountHolder | null>;
  /** The stored set with this id; null when the organization has not stored it. */
  getCategorySet(org: string, id: string): Promise<StoredCategorySet | null>;
  getFeatures(org: string): Promise<readonly Feature[]>;
  getCorrection(org: string, id: string): Promise<StoredCorrection | null>;
  /** The id of the correction for this; correcting it twice gives one correction. */
  correctionId(org: string, of: Omit<Correction, "parts">): string;
  /** Null when the descriptor cannot be enriched. */
  correctLine(query: CorrectionQuery): Promise<CorrectedLine | null>;
  nowMs(): number;
  newId(): string;
}

export type PreparedCorrection =
  | { readonly ok: true; readonly correcting: Correcting; readonly done: CorrectionDone }
  | { readonly ok: false; readonly problem: CorrectionProblem };

const NOTHING_LEFT: PreparedCorrection = {
  ok: true,
  correcting: { transaction: null, correction: null },
  done: { transaction: false, cleanName: "", correctionId: null },
};

/** Computes what must be written; changes nothing yet. */
export async function prepareCorrection(
  ports: CorrectingPorts,
  { org, transactionId }: Report,
  fields: CorrectedFields,
): Promise<PreparedCorrection> {
  const seen = await ports.getTransaction(org, transactionId);
  if (seen === null) return NOTHING_LEFT;
  const corrected = await correctTransaction(ports, seen, fields, "also ours");
  if (!corrected.ok) return corrected;
  const { line, next, accountType } = corrected;
  const correction = await correctionOf(ports, org, line, seen.input, accountType);
  return {
    ok: true,
    correcting: { transaction: { seen, next }, correction },
    done: {
      transaction: true,
      cleanName: line.cleanName,
      correctionId: correction?.next.id ?? null,
    },
  };
}

/** A transaction with corrected fields; nothing is changed yet. */
export type CorrectedTransaction =
  | {
      readonly ok: true;
      readonly line: CorrectedLine & { readonly ok: true };
      readonly next: LedgerTransaction;
      readonly accountType: AccountType | null;
    }
  | { readonly ok: false; readonly problem: CorrectionProblem };

/**
 * Which categories may be corrected: also ours of an account holder with a set, which are shown as what the set has for them, since
 * the correction holds for other lines too; or only those that the account holder has.
 */
type AllowedCategories = "also ours" | "of the holder";

/** Computes what a stored transaction becomes with these fields. */
export async function correctTransaction(
  ports: Omit<CorrectingPorts, "getTransaction" | "getCorrection" | "correctionId" | "nowMs">,
  seen: LedgerTransaction,
  fields: CorrectedFields,
  allowed: AllowedCategories,
): Promise<CorrectedTransaction> {
  const { org, input } = seen;
  const holder =
    input.accountHolderId === null ? null : await ports.getHolder(org, input.accountHolderId);
  const set = holder === null ? null : await setOf(ports, holder);
  const accountType = holder?.type ?? null;
  const checked = withCategory(fields, input, accountType, set, allowed);
  if (typeof checked === "string") return { ok: false, problem: checked };
  const line = await ports.correctLine({
    input,
    accountType,
    corrected: checked.fields,
    facts: seen.facts === null ? null : (JSON.parse(seen.facts) as Facts),
    features: await ports.getFeatures(org),
    mapping: set?.mapping ?? null,
    wordOf: checked.wordOf,
  });
  if (line === null) return { ok: false, problem: "unreadable" };
  if (!line.ok) return line;
  const next: LedgerTransaction = {
    ...seen,
    facts: JSON.stringify(line.facts),
    error: null,
    override: { ...seen.override, ...line.parts },
    // A submission that was accepted later can still replace it; a redelivered one cannot.
    order: nextRevision(seen.order),
  };
  return { ok: true, line, next, accountType };
}

/** A set that the holder names but that does not exist counts as not named. */
async function setOf(
  { getCategorySet }: Pick<CorrectingPorts, "getCategorySet">,
  { org, type, statedType, categoryId }: AccountHolder,
): Promise<StoredCategorySet | null> {
  for (const id of [categoryId, statedType, type]) {
    const set = id == null ? null : await getCategorySet(org, id);
    if (set !== null) return set;
  }
  return null;
}

interface CheckedFields {
  /** With the category as it is spelled in the built-in list or in the holder's set. */
  readonly fields: CorrectedFields;
  /** Id of the set if the category is a name of that set only. */
  readonly wordOf: string | null;
}

/** The fields, or why they are invalid. */
function withCategory(
  fields: CorrectedFields,
  { entryType }: TransactionInput,
  accountType: AccountType | null,
  set: StoredCategorySet | null,
  allowed: AllowedCategories,
): CheckedFields | CorrectionProblem {
  const { category, accounting } = fields;
  if (category === undefined && accounting === undefined) return { fields, wordOf: null };
  if (accountType === null) return "no_category";
  if (accountType !== "business" && accounting != null) return "no_accounting";
  if (category == null) return { fields, wordOf: null };
  const own = OWN[accountType][entryType];
  const found = spelledCategory(category, own, entryType, set, allowed);
  return found === null
    ? "unknown_category"
    : { fields: { ...fields, category: found.category }, wordOf: found.wordOf };
}

/** A category as the built-in list or the set of the holder has it; null: neither does. */
function spelledCategory(
  wanted: string,
  own: readonly string[],
  entryType: EntryType,
  set: StoredCategorySet | null,
  allowed: AllowedCategories,
): { readonly category: string; readonly wordOf: string | null } | null {
  const ours = spelledIn(own, wanted);
  const theirs = set === null ? undefined : spelledIn(set[entryType], wanted);
  if (ours !== undefined && (allowed === "also ours" || isShownAs(set, entryType, ours, theirs)))
    return { category: ours, wordOf: null };
  const category = theirs ?? severalSpelledIn(set?.[entryType] ?? own, wanted);
  return category === null ? null : { category, wordOf: set?.id ?? null };
}

/** Whether one of our categories has this name for the account holder. */
const isShownAs = (
  set: StoredCategorySet | null,
  entryType: EntryType,
  ours: string,
  theirs: string | undefined,
): boolean => set === null || (theirs !== undefined && set.mapping[entryType][ours] === theirs);

/** The name as the list has it; undefined: it does not. */
function spelledIn(names: readonly string[], wanted: string): string | undefined {
  const lower = wanted.toLowerCase();
  return names.find((name) => name.toLowerCase() === lower);
}

/** Several labels in one text, each as the list has it; null: it does not have each. */
function severalSpelledIn(names: readonly string[], text: string): string | null {
  const wanted = labelsIn(text);
  const spelled = wanted.flatMap((label) => spelledIn(names, label) ?? []);
  return spelled.length === wanted.length ? labelText(spelled) : null;
}

const OWN: Readonly<Record<AccountType, CategorySet>> = {
  consumer: consumerCategories,
  business: businessCategories,
};

/** The learned correction: the fields named now, over those of the earlier correction. */
async function correctionOf(
  ports: CorrectingPorts,
  org: string,
  { cleanName, parts }: CorrectedLine & { readonly ok: true },
  { entryType, accountHolderId }: TransactionInput,
  accountType: AccountType | null,
): Promise<Correcting["correction"]> {
  if (cleanName === "") return null;
  const key = { cleanName, entryType, accountType };
  const id = ports.correctionId(org, key);
  const seen = await ports.getCorrection(org, id);
  const now = ports.nowMs();
  const next: StoredCorrection = {
    ...key,
    org,
    id,
    // A correction that was learned from descriptors of several holders belongs to none of them.
    accountHolderId:
      seen === null || seen.accountHolderId === accountHolderId ? accountHolderId : null,
    createdAt: seen?.createdAt ?? now,
    updatedAt: now,
    revision: (seen?.revision ?? 0) + 1,
    parts: { ...seen?.parts, ...ofName(parts) },
  };
  return { seen, next, settingsVersion: ports.newId() };
}

/** The fields that hold for every descriptor with the name, without the store number: later ones are from other shops. */
function ofName({ location, ...parts }: CorrectedParts): CorrectedParts {
  if (location === undefined) return parts;
  if (location?.structured == null) return { ...parts, location };
  const structured = { ...location.structured, store_number: null };
  return { ...parts, location: { ...location, structured } };
}
