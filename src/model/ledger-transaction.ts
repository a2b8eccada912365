import type { CorrectedParts } from "./tenant-settings.ts";
import type { TransactionError, TransactionInput } from "./transaction.ts";

/** A transaction as it stands in the ledger: the latest submission of its id, with what was found out about it. */
export interface LedgerTransaction {
  readonly org: string;
  readonly input: TransactionInput;
  /** Milliseconds since 1970, UTC: when this submission was accepted. */
  readonly createdAt: number;
  /** Order of acceptance, see `acceptance-order.ts`: the later submission of an id replaces the earlier. */
  readonly order: string;
  /** JSON text of `Facts`; null when `error` says why there are none. */
  readonly facts: string | null;
  readonly error: TransactionError | null;
  /** What was said to be right about this submission, which counts more than whatever it is enriched to; null: nothing. */
  readonly override: CorrectedParts | null;
}
