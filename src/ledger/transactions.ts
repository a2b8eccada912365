import type { AccountHolder } from "../model/account-holder.ts";
import { afterRecord } from "../model/acceptance-order.ts";
import type { LedgerTransaction } from "../model/ledger-transaction.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { EnrichmentResult } from "../model/records.ts";
import type { TransactionInput } from "../model/transaction.ts";

/** What the transactions need from the store, the log and the ingest stage. */
export interface TransactionPorts {
  getTransaction(org: string, id: string): Promise<LedgerTransaction | null>;
  listTransactions(
    org: string,
    accountHolderId: string | null,
    page: PageRequest,
  ): Promise<Page<LedgerTransaction>>;
  writeTombstones(
    org: string,
    ids: readonly string[],
    order: string,
    only: { readonly accountHolderId: string | null },
    absentToo: boolean,
  ): Promise<void>;
  getHolder(org: string, id: string): Promise<AccountHolder | null>;
  /** Records, before the change, that a transaction moves to another holder: its data in other places moves with it. */
  noteAssigned(
    org: string,
    transactionId: string,
    createdAt: number,
    accountHolderId: string | null,
  ): Promise<void>;
  enrichAgain(
    org: string,
    requestId: string,
    stored: {
      readonly input: TransactionInput;
      readonly createdAt: number;
      readonly order: string;
    },
  ): Promise<EnrichmentResult | null>;
  endOrder(): Promise<string>;
}

export type AssignOutcome =
  | { readonly ok: true; readonly transaction: LedgerTransaction }
  | {
      readonly ok: false;
      readonly reason:
        | "transaction_not_found"
        | "account_holder_not_found"
        | "type_mismatch"
        | "conflict";
    };

export interface Transactions {
  list(
    org: string,
    filter: { accountHolderId: string | null },
    page: PageRequest,
  ): Promise<Page<LedgerTransaction>>;
  get(org: string, id: string): Promise<LedgerTransaction | null>;
  /** False when there is no such transaction. */
  delete(org: string, id: string): Promise<boolean>;
  /**
   * Moves a transaction to another account holder of the same type and recomputes its categories. `conflict`: other callers
   * kept changing it meanwhile.
   */
  assign(
    org: string,
    id: string,
    accountHolderId: string,
    requestId: string,
  ): Promise<AssignOutcome>;
}

const ASSIGN_TRIES_MAX = 3;

export function createTransactions(ports: TransactionPorts): Transactions {
  async function tryAssign(
    org: string,
    id: string,
    accountHolderId: string,
    requestId: string,
  ): Promise<AssignOutcome> {
    const stored = await ports.getTransaction(org, id);
    if (stored === null) return { ok: false, reason: "transaction_not_found" };
    const holder = await ports.getHolder(org, accountHolderId);
    if (holder === null) return { ok: false, reason: "account_holder_not_found" };
    const before = stored.input.accountHolderId;
    const oldHolder = before === null ? null : await ports.getHolder(org, before);
    if (oldHolder !== null && oldHolder.type !== holder.type)
      return { ok: false, reason: "type_mismatch" };
    await ports.noteAssigned(org, id, stored.createdAt, accountHolderId);
    const moved = { ...stored, input: { ...stored.input, accountHolderId } };
    const result = await ports.enrichAgain(org, requestId, moved);
    if (result === null || result.error?.code === "account_holder_not_found") {
      // The recorded move did not happen: the other data of the transaction stays with its current holder.
      const now = await ports.getTransaction(org, id);
      if (now !== null) await ports.noteAssigned(org, id, now.createdAt, now.input.accountHolderId);
    }
    if (result === null) return { ok: false, reason: "conflict" };
    if (result.error?.code === "account_holder_not_found")
      return { ok: false, reason: "account_holder_not_found" };
    return { ok: true, transaction: { ...moved, ...result } };
  }

  return {
    list: (org, filter, page) => ports.listTransactions(org, filter.accountHolderId, page),
    get: ports.getTransaction,
    delete: async (org, id) => {
      if ((await ports.getTransaction(org, id)) === null) return false;
      const order = afterRecord(await ports.endOrder());
      await ports.writeTombstones(org, [id], order, { accountHolderId: null }, false);
      return true;
    },
    assign: async (org, id, accountHolderId, requestId) => {
      let outcome: AssignOutcome = { ok: false, reason: "conflict" };
      for (let tries = 0; tries < ASSIGN_TRIES_MAX; tries += 1) {
        outcome = await tryAssign(org, id, accountHolderId, requestId);
        if (outcome.ok || outcome.reason !== "conflict") return outcome;
      }
      return outcome;
    },
  };
}
