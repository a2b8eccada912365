// Reapplications: what an organization has set, applied again to the transactions that are stored.

/** How long one is kept that has ended. */
export const REAPPLICATION_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export interface Reapplication {
  readonly id: string;
  /** Milliseconds since 1970, UTC; transactions accepted until then are looked at. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: "running" | "completed";
  /** Transactions that were stored when it began. */
  readonly total: number;
  /** Transactions that were looked at. */
  readonly progress: number;
  /** Transactions whose result has changed. */
  readonly changed: number;
}

/** A reapplication with how far it has come. */
export interface StoredReapplication extends Reapplication {
  readonly org: string;
  /** The place of the last transaction that was looked at; null before the first. */
  readonly after: { readonly createdAt: number; readonly tie: string } | null;
}
