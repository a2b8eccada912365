// The enrich stage: a request record in; enriched transactions in the ledger, the batch's results, a reply out.
// It may be handed the same record twice, after a crash or beside another process: every effect has a deterministic key
// and the ledger takes a transaction only if it was accepted later than what is there.
import { itemOrder, nextRevision } from "../domain/acceptance-order.ts";
import type { HolderSince } from "../domain/account-holder.ts";
import type { BatchChunk, BatchHead } from "../domain/batch.ts";
import { enrichedTransactionText } from "../domain/enriched-transaction.ts";
import { LedgerlineError } from "../domain/errors.ts";
import type { LedgerTransaction } from "../domain/ledger-transaction.ts";
import type {
  Delivered,
  EnrichmentReply,
  EnrichmentRequest,
  EnrichmentResult,
  Handled,
} from "../domain/records.ts";
import type { AccountType, EntryType, TransactionError } from "../domain/transaction.ts";

export type Priority = "interactive" | "batch";

interface EnrichItem {
  readonly description: string;
  readonly amount: number;
  readonly entryType: EntryType;
  readonly currency: string;
  readonly accountType: AccountType | null;
  readonly rawAddress: string | null;
  readonly country: string | null;
}

interface ChunkWrite {
  readonly org: string;
  readonly holders: readonly HolderSince[];
  readonly transactions: readonly LedgerTransaction[];
  readonly basedOn: { readonly id: string; readonly order: string } | null;
  readonly batch: { readonly head: BatchHead; readonly chunk: BatchChunk } | null;
}

/** What the stage needs of the pool, the store, the log and the ledger. */
export interface EnrichPorts {
  enrich(items: readonly EnrichItem[], priority: Priority): Promise<readonly (string | null)[]>;
  getHolders(org: string, ids: readonly string[]): Promise<readonly HolderSince[]>;
  storeChunk(chunk: ChunkWrite): Promise<"stored" | "holders_changed" | "superseded">;
  hasChunk(org: string, batchId: string, index: number): Promise<boolean>;
  /** Ends the batch when all its chunks are stored. */
  chunkStored(head: BatchHead): Promise<void>;
  reply(address: string, reply: EnrichmentReply): Promise<void>;
  nowMs(): number;
}

/** Holders that keep changing under a chunk this often make it wait for its next turn instead. */
const HOLDERS_CHANGED_MAX = 5;

const INTERNAL_ERROR: TransactionError = {
  code: "internal_error",
  message: "The transaction could not be enriched.",
};

/** Returns the handler of request records that works at `priority`. */
export function createEnrich(
  ports: EnrichPorts,
  priority: Priority,
): (record: Delivered<EnrichmentRequest>) => Promise<Handled> {
  return async function enrich({ value: request, order }) {
    const head = batchHead(request);
    if (head !== null && (await ports.hasChunk(head.org, head.id, request.chunkIndex))) {
      await ports.chunkStored(head);
      return "done";
    }
    const { results, outcome } = await enrichAndStore(ports, priority, request, order, head);
    if (head !== null) await ports.chunkStored(head);
    if (request.replyTo !== null) {
      const { address, id } = request.replyTo;
      await ports.reply(address, { id, chunkIndex: request.chunkIndex, outcome, results });
    }
    return "done";
  };
}

/** The reply to a call whose record cannot be processed. */
export function failedReply(id: string): EnrichmentReply {
  const results = [{ facts: null, error: INTERNAL_ERROR }];
  return { id, chunkIndex: 0, outcome: "stored", results };
}

function batchHead(request: EnrichmentRequest): BatchHead | null {
  if (request.batchId === null) return null;
  const { org, total, chunkCount, createdAt } = request;
  return { org, id: request.batchId, total, chunkCount, createdAt };
}

async function enrichAndStore(
  ports: EnrichPorts,
  priority: Priority,
  request: EnrichmentRequest,
  order: string,
  head: BatchHead | null,
): Promise<{ results: readonly EnrichmentResult[]; outcome: EnrichmentReply["outcome"] }> {
  for (let tries = 0; tries < HOLDERS_CHANGED_MAX; tries += 1) {
    const holders = await readHolders(ports, request, order);
    const results = await enrichTransactions(ports, priority, request, holders);
    const stored = await ports.storeChunk({
      org: request.org,
      holders: [...holders.values()],
      transactions: ledgerTransactions(request, order, results),
      basedOn: basedOn(request),
      batch: head === null ? null : { head, chunk: batchChunk(request, results, ports.nowMs()) },
    });
    if (stored === "superseded") return { results, outcome: "superseded" };
    if (stored === "stored") return { results, outcome: "stored" };
    // A holder was deleted or changed between reading it and storing: the chunk is enriched again as things are now.
  }
  throw new LedgerlineError("unavailable", "The account holders of a chunk keep changing.");
}

/** The holders that the chunk names, without those created after it was accepted: an earlier holder of that id was meant. */
async function readHolders(
  ports: EnrichPorts,
  request: EnrichmentRequest,
  order: string,
): Promise<ReadonlyMap<string, HolderSince>> {
  const ids = new Set<string>();
  for (const { accountHolderId } of request.transactions)
    if (accountHolderId !== null) ids.add(accountHolderId);
  const found = await ports.getHolders(request.org, [...ids]);
  return new Map(found.filter(({ since }) => since < order).map((seen) => [seen.holder.id, seen]));
}

async function enrichTransactions(
  ports: EnrichPorts,
  priority: Priority,
  request: EnrichmentRequest,
  holders: ReadonlyMap<string, HolderSince>,
): Promise<readonly EnrichmentResult[]> {
  const missing = (id: string | null): boolean => id !== null && !holders.has(id);
  const items: EnrichItem[] = [];
  for (const {
    accountHolderId,
    description,
    amount,
    entryType,
    currency,
    location,
  } of request.transactions) {
    if (missing(accountHolderId)) continue;
    const accountType = holders.get(accountHolderId ?? "")?.holder.type ?? null;
    const rawAddress = location?.rawAddress ?? null;
    items.push({
      description,
      amount,
      entryType,
      currency,
      accountType,
      rawAddress,
      country: location?.country ?? null,
    });
  }
  const facts = await ports.enrich(items, priority);
  let next = 0;
  return request.transactions.map(({ accountHolderId }) => {
    if (missing(accountHolderId)) return { facts: null, error: holderNotFound() };
    const found = facts[next] ?? null;
    next += 1;
    return { facts: found, error: found === null ? INTERNAL_ERROR : null };
  });
}

function holderNotFound(): TransactionError {
  return {
    code: "account_holder_not_found",
    message: "The account holder of the transaction does not exist.",
  };
}

/** What goes into the ledger: everything but transactions whose holder is missing, which change nothing. */
function ledgerTransactions(
  request: EnrichmentRequest,
  order: string,
  results: readonly EnrichmentResult[],
): LedgerTransaction[] {
  const rows: LedgerTransaction[] = [];
  request.transactions.forEach((input, index) => {
    const result = results[index];
    if (result === undefined || result.error?.code === "account_holder_not_found") return;
    rows.push({
      org: request.org,
      input,
      createdAt: request.createdAt,
      // A change to a stored transaction stays in the place of the submission that it was made from.
      order: request.basedOn === null ? itemOrder(order, index) : nextRevision(request.basedOn),
      ...result,
    });
  });
  return rows;
}

function basedOn(request: EnrichmentRequest): { id: string; order: string } | null {
  const first = request.transactions[0];
  return request.basedOn === null || first === undefined
    ? null
    : { id: first.id, order: request.basedOn };
}

function batchChunk(
  request: EnrichmentRequest,
  results: readonly EnrichmentResult[],
  nowMs: number,
): BatchChunk {
  const createdAt = new Date(request.createdAt).toISOString();
  const texts = request.transactions.map((input, index) => {
    const result = results[index];
    return enrichedTransactionText(
      input.id,
      createdAt,
      result?.facts ?? null,
      result?.error ?? null,
    );
  });
  return {
    index: request.chunkIndex,
    length: texts.length,
    storedAt: nowMs,
    results: texts.join(","),
  };
}
