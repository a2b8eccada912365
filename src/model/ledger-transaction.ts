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

/** A transaction of a ledger as far as what recurs in it is concerned. */
export interface WalkedTransaction
  extends Pick<
    TransactionInput,
    "id" | "date" | "amount" | "entryType" | "currency" | "description"
  > {
  /** JSON text of `Facts`; null: it could not be enriched. */
  readonly facts: string | null;
  /** The category among the facts. */
  readonly label: string | null;
  /** Whether its customer has decided something about it. */
  readonly isCorrected: boolean;
}

/** The results of one chunk of one request. */
export interface ChunkWrite {
  readonly org: string;
  readonly transactions: readonly LedgerTransaction[];
  /**
   * The version of the settings by which the results were made, null: the organization had none. It must still be this one. Left
   * out: any.
   */
  readonly settings?: string | null;
  /** The stored transaction that must still be the one of this order. */
  readonly basedOn: StoredPlace | null;
  /** Stored transactions that are replaced, by what was decided about them then: each must still be the one of this order. */
  readonly seen: readonly StoredPlace[];
  /**
   * The ids of which the stored transaction was read: any other must not have been corrected. Null: none was read, since the
   * organization had no settings, and then it must still have none.
   */
  readonly read: ReadonlySet<string> | null;
  readonly batch: { readonly head: BatchHead; readonly chunk: BatchChunk } | null;
}

/** Which acceptance of a transaction is stored, and after which correction. */
export interface StoredPlace {
  readonly id: string;
  readonly order: string;
}

/** One acceptance of a transaction for an account holder. */
export interface Submission {
  readonly id: string;
  readonly order: string;
  readonly accountHolderId: string;
}

/** What has to be known of a stored transaction to replace it. */
export interface ReplaceableTransaction extends StoredPlace {
  readonly accountHolderId: string | null;
  /** Its corrected fields; null: none. */
  readonly override: Override | null;
}
