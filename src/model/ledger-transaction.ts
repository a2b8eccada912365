import type { BatchChunk, BatchHead } from "./batch.ts";
import type { Override } from "./tenant-settings.ts";
import type { TransactionError, TransactionInput } from "./transaction.ts";

/** A transaction as it stands in the ledger: the latest submission of its id, with what was found out about it. */
export interface LedgerTransaction {
  readonly org: string;
  readonly input: TransactionInput;
  /** Milliseconds since 1970, UTC: when this submission was accepted. */
  readonly createdAt: number;
  /** Order of acceptance, see `acceptance-order.ts`: the later submission of an id replaces the earlier. */
  readonly order: string;
  /** JSON text of `Facts`; null when `error` has the reason. */
  readonly facts: string | null;
  readonly error: TransactionError | null;
  /** The corrected fields of this submission; they take precedence over its facts. Null: none. */
  readonly override: Override | null;
}

/** The results of one chunk of one request. */
export interface ChunkWrite {
  readonly org: string;
  readonly transactions: readonly LedgerTransaction[];
  /** The stored transaction that must still be the one of this order. */
  readonly basedOn: { readonly id: string; readonly order: string } | null;
  readonly batch: { readonly head: BatchHead; readonly chunk: BatchChunk } | null;
}

/** One acceptance of a transaction for an account holder. */
export interface Submission {
  readonly id: string;
  readonly order: string;
  readonly accountHolderId: string;
}

/** The corrected fields of a stored transaction. */
export interface StoredOverride {
  readonly parts: Override;
  readonly accountHolderId: string | null;
}
