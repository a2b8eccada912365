// What an operator says is right about a transaction: written to it, and remembered for later lines of the same name.
import type { AccountHolder } from "../model/account-holder.ts";
import { nextRevision } from "../model/acceptance-order.ts";
import { businessCategories, type CategorySet, consumerCategories } from "../model/categories.ts";
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
} from "../model/report.ts";
import type { AccountType, TransactionInput } from "../model/transaction.ts";

/** What is asked of the threads. */
export interface CorrectionQuery {
  readonly input: TransactionInput;
  /** Null without a holder. */
  readonly accountType: AccountType | null;
  readonly corrected: CorrectedFields;
  /** What is told about it now; null: nothing, because it could not be enriched. */
  readonly facts: Facts | null;
  readonly features: readonly Feature[];
  /** Null where the holder's words are our own. */
  readonly mapping: StoredCategorySet["mapping"] | null;
  /** The category set whose own word the corrected category is; null: none is corrected, or it is one of ours. */
  readonly wordOf: string | null;
}

/** What corrections need of the store and the threads. */
export interface CorrectingPorts {
  getTransaction(org: string, id: string): Promise<LedgerTransaction | null>;
  getHolder(org: string, id: string): Promise<AccountHolder | null>;
  /** The set of this id that the organization has made; null when it has made none. */
  getCategorySet(org: string, id: string): Promise<StoredCategorySet | null>;
  getFeatures(org: string): Promise<readonly Feature[]>;
  getCorrection(org: string, id: string): Promise<StoredCorrection | null>;
  /** The id of the correction for this; what is corrected twice is one correction. */
  correctionId(org: string, of: Omit<Correction, "parts">): string;
  /** Null when the line cannot be enriched. */
  correctLine(query: CorrectionQuery): Promise<CorrectedLine | null>;
  nowMs(): number;
  newId(): string;
}

/** What a report that is resolved changes beside itself. */
export interface Correcting {
  /** Null: it is not there any more. */
  readonly transaction: {
    readonly seen: LedgerTransaction;
    readonly next: LedgerTransaction;
  } | null;
  /** Null: nothing is remembered. */
  readonly correction: {
    /** Null: it is the first for this. */
    readonly seen: StoredCorrection | null;
    readonly next: StoredCorrection;
    readonly settingsVersion: string;
  } | null;
}

export type PreparedCorrection =
  | { readonly ok: true; readonly correcting: Correcting; readonly done: CorrectionDone }
  | { readonly ok: false; readonly problem: CorrectionProblem };

const NOTHING_LEFT: PreparedCorrection = {
  ok: true,
  correcting: { transaction: null, correction: null },
  done: { transaction: false, cleanName: "", correctionId: null },
};

/** Works out what is to be written; nothing is changed yet. */
export async function prepareCorrection(
  ports: CorrectingPorts,
  { org, transactionId }: Report,
  fields: CorrectedFields,
): Promise<PreparedCorrection> {
  const seen = await ports.getTransaction(org, transactionId);
  if (seen === null) return NOTHING_LEFT;
  const { input } = seen;
  const holder =
    input.accountHolderId === null ? null : await ports.getHolder(org, input.accountHolderId);
  const set = holder === null ? null : await setOf(ports, holder);
  const accountType = holder?.type ?? null;
  const checked = withCategory(fields, input, accountType, set);
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
    overlay: { ...seen.overlay, ...line.parts },
    // A submission that was accepted later keeps its right to replace it; one that is handed over again does not.
    order: nextRevision(seen.order),
  };
  const correction = await correctionOf(ports, org, line, input, accountType);
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

/** A set that the holder names but that is not there counts as not named. */
async function setOf(
  { getCategorySet }: CorrectingPorts,
  { org, type, categoryId }: AccountHolder,
): Promise<StoredCategorySet | null> {
  const named = categoryId === null ? null : await getCategorySet(org, categoryId);
  return named ?? getCategorySet(org, type);
}

interface CheckedFields {
  /** With the category as it is spelled in our own list or in the holder's set. */
  readonly fields: CorrectedFields;
  /** Id of the set where it is a word of that alone. */
  readonly wordOf: string | null;
}

/** The fields, or why they cannot be right. */
function withCategory(
  fields: CorrectedFields,
  { entryType }: TransactionInput,
  accountType: AccountType | null,
  set: StoredCategorySet | null,
): CheckedFields | CorrectionProblem {
  const { category, accounting } = fields;
  if (category === undefined && accounting === undefined) return { fields, wordOf: null };
  if (accountType === null) return "no_category";
  if (accountType !== "business" && accounting != null) return "no_accounting";
  if (category == null) return { fields, wordOf: null };
  const wanted = category.toLowerCase();
  const spelledIn = (names: readonly string[]): string | undefined =>
    names.find((name) => name.toLowerCase() === wanted);
  const ours = spelledIn(OWN[accountType][entryType]);
  if (ours !== undefined) return { fields: { ...fields, category: ours }, wordOf: null };
  const theirs = set === null ? undefined : spelledIn(set[entryType]);
  if (set === null || theirs === undefined) return "unknown_category";
  return { fields: { ...fields, category: theirs }, wordOf: set.id };
}

const OWN: Readonly<Record<AccountType, CategorySet>> = {
  consumer: consumerCategories,
  business: businessCategories,
};

/** What is remembered: the parts that are named now, over those of before. */
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
    // What lines of several holders have taught is nobody's own.
    accountHolderId:
      seen === null || seen.accountHolderId === accountHolderId ? accountHolderId : null,
    createdAt: seen?.createdAt ?? now,
    updatedAt: now,
    revision: (seen?.revision ?? 0) + 1,
    parts: { ...seen?.parts, ...ofName(parts) },
  };
  return { seen, next, settingsVersion: ports.newId() };
}

/** What is said of every line of the name: later ones are of other shops. */
function ofName({ location, ...parts }: CorrectedParts): CorrectedParts {
  if (location === undefined) return parts;
  if (location?.structured == null) return { ...parts, location };
  const structured = { ...location.structured, store_number: null };
  return { ...parts, location: { ...location, structured } };
}
