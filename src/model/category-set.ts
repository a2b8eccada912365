// Category sets: the category names that an organization uses.
import type { CategorySet } from "./categories.ts";

/** The sets that are always there; an organization may put its own words in their place. */
export const DEFAULT_SET_IDS = ["consumer", "business"] as const;

/** Sets that an organization may have, its own words in place of the default ones included. */
export const CATEGORY_SETS_MAX = 100;
/** Entries of a set, for money that arrives and for money that leaves. */
export const CATEGORY_ENTRIES_MAX = 1000;
export const CATEGORY_LENGTH_MAX = 256;
/** A set with its mapping, as compact JSON: all of an organization's are read whenever one has changed. */
export const CATEGORY_SET_BYTES_MAX = 64 * 1024;

/** Which entry of a set stands for each of our own categories; null where none is near enough. */
export interface CategoryMapping {
  readonly incoming: Readonly<Record<string, string | null>>;
  readonly outgoing: Readonly<Record<string, string | null>>;
}

/** Entries of a mapping that are to be others. Null: nothing in the set stands for the category. */
export type MappingPatch = Partial<CategoryMapping>;

/** Why an entry of a mapping cannot be set: there is no such category of ours, or no such entry in the set. */
export interface MappingProblem {
  readonly direction: keyof CategoryMapping;
  /** As it was sent. */
  readonly category: string;
  readonly problem: "unknown_category" | "not_in_set";
}

/** The words of a set, and the labelling model to which it is bound: its holders are labelled by it once it is ready. */
export interface NamedCategorySet extends CategorySet {
  /** Null or left out: none. */
  readonly model?: string | null;
}

/** A set as it is stored: with the mapping that was made for it, in which the organization may have changed entries. */
export interface StoredCategorySet extends NamedCategorySet {
  readonly org: string;
  readonly id: string;
  readonly mapping: CategoryMapping;
}

/** `full`: the organization has as many sets as it may have. `busy`: too many concurrent changes. */
export type CategorySetRefusal = "full" | "too_large" | "busy";

export interface CategorySetRefused {
  readonly ok: false;
  readonly reason: CategorySetRefusal;
}

/** A set as it was read; the revision identifies this state of it. */
export interface SeenCategorySet extends StoredCategorySet {
  readonly revision: number;
  /** The entries of the mapping that the organization has set itself. */
  readonly corrected: MappingPatch;
}
