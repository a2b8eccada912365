import type { Override } from "./tenant-settings.ts";
import type { RecogniserInput } from "./transaction.ts";

/** What the threads get of a transaction: the input of the recogniser, and what the tenant settings need. */
export interface EnrichItem extends RecogniserInput {
  /** Null or left out: no account holder. */
  readonly holder?: ItemHolder | null;
  /** The corrected fields of this transaction; null or left out: none. */
  readonly override?: Override | null;
  /** The labelling model that was asked for; null or left out: none. */
  readonly model?: string | null;
}

/** The account of a transaction. Without an account holder in the ledger it has a type, and so a category set. */
export interface ItemHolder {
  readonly id: string | null;
  readonly name: string | null;
  /** The set that the holder names, or the default set of its type. */
  readonly categorySetId: string;
}
