// The settings of an organization that change the results of its transactions.
import type { CategoryMapping } from "./category-set.ts";
import type { Categories, Counterparty, Intermediary, Location } from "./facts.ts";
import type { Rule } from "./rules.ts";
import type { AccountType, EntryType } from "./transaction.ts";

/** Fields of entities that are null unless the organization has them switched on. */
export const FEATURES = ["phone_number", "tax_number", "naics2017"] as const;
export type Feature = (typeof FEATURES)[number];

/**
 * The correction of a resolved report: lines with this clean name get the corrected parts. A part that is left out stays
 * as it was recognised.
 */
export interface Correction {
  /** The name as it stands in the line, see `cleanName` in workers/settings. */
  readonly cleanName: string;
  readonly entryType: EntryType;
  /** `categories` counts for accounts of this type alone. */
  readonly accountType: AccountType | null;
  readonly parts: CorrectedParts;
}

export interface CorrectedParts {
  readonly counterparty?: Counterparty | null;
  readonly categories?: CorrectedCategories;
  readonly location?: Location | null;
}

/** The corrected parts of a single transaction. */
export interface Override extends CorrectedParts {
  readonly intermediaries?: readonly Intermediary[];
  /** Set where the customer has corrected the transaction itself: then the parts hold for later submissions of it too. */
  readonly review?: Review;
}

/** Whether a transaction repeats, as its customer sees it. */
export type RecurrenceDecision = "recurring" | "subscription" | "one off";

/** What the customer has decided about a transaction that is not part of its facts. A field that is left out is not decided. */
export interface Review {
  readonly state?: ReviewState | null;
  readonly recurrence?: RecurrenceDecision | null;
  readonly transactionType?: "business" | "consumer" | "unknown" | null;
}

/** A review, as long as the transaction is one of this account holder. */
export interface HolderReview {
  readonly accountHolderId: string | null;
  readonly review: Review;
}

export const REVIEW_STATES = ["incomplete", "satisfied", "forced"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export interface CorrectedCategories extends Categories {
  /** The category set whose own word `general` is, for whose holders alone it counts; left out: it is one of our categories. */
  readonly set?: string;
}

export interface TenantSettings {
  /** In the order in which they run. */
  readonly rules: readonly Rule[];
  /** By the id of the set. */
  readonly mappings: Readonly<Record<string, CategoryMapping>>;
  readonly corrections: readonly Correction[];
  readonly features: readonly Feature[];
}
