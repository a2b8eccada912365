// The enrich stage: a request record in; enriched transactions in the ledger, the batch's results, a reply out.
// It may be handed the same record twice, after a crash or beside another process: every effect has a deterministic key
// and the ledger takes a transaction only if it was accepted later than what is there.
import { itemOrder, nextRevision } from "../model/acceptance-order.ts";
import type { HolderSince } from "../model/account-holder.ts";
import type { BatchChunk, BatchHead } from "../model/batch.ts";
import { enrichedTransactionText } from "../model/enriched-transaction.ts";
import type { LedgerTransaction } from "../model/ledger-transaction.ts";
import type { CorrectedParts } from "../model/tenant-settings.ts";
import type {
  Delivered,
  EncodedResult,
  EnrichedRecord,
  EnrichmentReply,
  EnrichmentRequest,
  EnrichmentResult,
  Handled,
  RequestOrigin,
} from "../model/records.ts";
import { HOLDER_NOT_FOUND, type TransactionError } from "../model/transaction.ts";
import { type EnrichItem, toItem } from "./item.ts";

export type Priority = "interactive" | "batch" | "low";

/** Whose work it is, and when it is done beside that of others. */
export interface Workload {
  readonly org: string;
  readonly priority: Priority;
}

interface ChunkWrite {
  readonly org: string;
  readonly transactions: readonly LedgerTransaction[];
  readonly basedOn: { readonly id: string; readonly order: string } | null;
  readonly batch: { readonly head: BatchHead; readonly chunk: BatchChunk } | null;
}

/** What the stage needs of the pool, the store, the log and the ledger. The settings only pass through it. */
export interface EnrichPorts<TenantSettings> {
  /** Facts of each item as JSON text, and as Avro when `isEncoded`; null for one that cannot be enriched. */
  enrich(
    items: readonly EnrichItem[],
    load: Workload,
    settings: TenantSettings | null,
    isEncoded: boolean,
  ): Promise<readonly { readonly facts: string | null; readonly bytes: Uint8Array | null }[]>;
  /** What the organization has set that changes results; null: nothing. */
  settingsOf(org: string): Promise<TenantSettings | null>;
  getHolders(org: string, ids: readonly string[]): Promise<readonly HolderSince[]>;
  /** As `getHolders`, of a moment that may come a little later than the question. */
  getHoldersSoon(org: string, ids: readonly string[]): Promise<readonly HolderSince[]>;
  /** What was corrected about a stored transaction. */
  overlayOf(org: string, id: string): Promise<CorrectedParts | null>;
  storeChunk(chunk: ChunkWrite): Promise<"stored" | "superseded">;
  /**
   * Takes back what these submissions have stored, unless it has been replaced since, and erases their results from the
   * chunk of a batch.
   */
  withdraw(
    org: string,
    submissions: readonly Submission[],
    chunk: { readonly batchId: string; readonly chunkIndex: number } | null,
  ): Promise<void>;
  hasChunk(org: string, batchId: string, index: number): Promise<boolean>;
  /** Ends the batch when all its chunks are stored. */
  chunkStored(head: BatchHead): Promise<void>;
  /** Whether anybody is told of the results of such requests by `announce`. */
  announces(origin: RequestOrigin): boolean;
  /** Tells those who read results from the log. */
  announce(records: readonly EnrichedRecord[]): Promise<void>;
  reply(address: string, reply: EnrichmentReply): Promise<void>;
  nowMs(): number;
}

type GetHolders = EnrichPorts<never>["getHolders"];

interface Submission {
  readonly id: string;
  readonly order: string;
  readonly accountHolderId: string;
}

const INTERNAL_ERROR: TransactionError = {
  code: "internal_error",
  message: "The transaction could not be enriched.",
};

/** Returns the handler of request records that works at `priority`. */
export function createEnrich<TenantSettings>(
  ports: EnrichPorts<TenantSettings>,
  priority: Priority,
): (record: Delivered<EnrichmentRequest>) => Promise<Handled> {
  return async function enrich({ value: request, order }) {
    const head = batchHead(request);
    if (head !== null && (await ports.hasChunk(head.org, head.id, request.chunkIndex))) {
      await withdrawOrphans(ports.getHolders, ports, request, order);
      await ports.chunkStored(head);
      return "done";
    }
    const { results, outcome } = await enrichAndStore(ports, priority, request, order, head);
    // Also when it was superseded: it may be what an earlier hand-over has stored that stands in the way.
    const withdraw = (getHolders: GetHolders): Promise<void> =>
      withdrawOrphans(getHolders, ports, request, order);
    if (head === null) {
      // Nothing in the reply depends on it, and somebody waits for the reply.
      await Promise.all([withdraw(ports.getHoldersSoon), answer(ports, request, results, outcome)]);
      return "done";
    }
    await withdraw(ports.getHolders);
    await ports.chunkStored(head);
    await answer(ports, request, results, outcome);
    return "done";
  };
}

async function answer(
  ports: Pick<EnrichPorts<never>, "reply">,
  { replyTo, chunkIndex }: EnrichmentRequest,
  results: readonly EnrichmentResult[],
  outcome: EnrichmentReply["outcome"],
): Promise<void> {
  if (replyTo === null) return;
  await ports.reply(replyTo.address, { id: replyTo.id, chunkIndex, outcome, results });
}

/** The reply to a call whose record cannot be processed. */
export function failedReply(id: string): EnrichmentReply {
  const results = [{ facts: null, error: INTERNAL_ERROR }];
  return { id, chunkIndex: 0, outcome: "stored", results };
}

function batchHead(request: EnrichmentRequest): BatchHead | null {
  if (request.batchId === null) return null;
  const { org, total, chunkCount, priority, createdAt } = request;
  return { org, id: request.batchId, total, chunkCount, priority, createdAt };
}

async function enrichAndStore<TenantSettings>(
  ports: EnrichPorts<TenantSettings>,
  priority: Priority,
  request: EnrichmentRequest,
  order: string,
  head: BatchHead | null,
): Promise<{ results: readonly EnrichmentResult[]; outcome: EnrichmentReply["outcome"] }> {
  const [holders, settings, overlay] = await Promise.all([
    readHolders(ports.getHolders, request, order),
    ports.settingsOf(request.org),
    readOverlay(ports, request),
  ]);
  const results = await enrichTransactions(ports, priority, request, holders, settings, overlay);
  const announce = async (): Promise<void> => {
    if (ports.announces(request.origin)) {
      await ports.announce(enrichedRecords(request, order, results));
    }
  };
  // Before it is stored: a chunk that is there is not enriched again, so what follows it could be lost in a crash.
  if (request.basedOn === null) await announce();
  const outcome = await ports.storeChunk({
    org: request.org,
    transactions: ledgerTransactions(request, order, results, overlay),
    basedOn: basedOn(request),
    batch: head === null ? null : { head, chunk: batchChunk(request, results, ports.nowMs()) },
  });
  if (outcome === "stored" && request.basedOn !== null) await announce();
  return { results, outcome };
}

/**
 * Takes back what the chunk has stored for account holders that are gone. Whoever deletes a holder hides it first and
 * then removes its transactions, so whatever is stored under a holder that is still there afterwards is either seen by
 * that removal or taken back here; a chunk that is handed over again after a crash comes by here too.
 */
async function withdrawOrphans(
  getHolders: GetHolders,
  ports: Pick<EnrichPorts<never>, "withdraw">,
  request: EnrichmentRequest,
  order: string,
): Promise<void> {
  if (request.transactions.every(({ accountHolderId }) => accountHolderId === null)) return;
  const holders = await readHolders(getHolders, request, order);
  const orphans: Submission[] = [];
  request.transactions.forEach(({ id, accountHolderId }, index) => {
    if (accountHolderId === null || holders.has(accountHolderId)) return;
    orphans.push({ id, order: submissionOrder(request, order, index), accountHolderId });
  });
  if (orphans.length === 0) return;
  const { org, batchId, chunkIndex } = request;
  await ports.withdraw(org, orphans, batchId === null ? null : { batchId, chunkIndex });
}

/** The holders that the chunk names, without those created after it was accepted: an earlier holder of that id was meant. */
async function readHolders(
  getHolders: GetHolders,
  request: EnrichmentRequest,
  order: string,
): Promise<ReadonlyMap<string, HolderSince>> {
  const ids = new Set<string>();
  for (const { accountHolderId } of request.transactions)
    if (accountHolderId !== null) ids.add(accountHolderId);
  const found = await getHolders(request.org, [...ids]);
  return new Map(found.filter(({ since }) => since < order).map((seen) => [seen.holder.id, seen]));
}

/**
 * What was corrected about the stored transaction that the request changes. One that is corrected, or submitted anew,
 * behind this look has another order by then, and nothing is stored.
 */
async function readOverlay(
  ports: Pick<EnrichPorts<never>, "overlayOf">,
  request: EnrichmentRequest,
): Promise<CorrectedParts | null> {
  const based = basedOn(request);
  return based === null ? null : ports.overlayOf(request.org, based.id);
}

async function enrichTransactions<TenantSettings>(
  ports: EnrichPorts<TenantSettings>,
  priority: Priority,
  request: EnrichmentRequest,
  holders: ReadonlyMap<string, HolderSince>,
  settings: TenantSettings | null,
  overlay: CorrectedParts | null,
): Promise<readonly EncodedResult[]> {
  const missing = (id: string | null): boolean => id !== null && !holders.has(id);
  const items = request.transactions
    .filter(({ accountHolderId }) => !missing(accountHolderId))
    .map((input) =>
      toItem(input, holders.get(input.accountHolderId ?? "")?.holder ?? null, overlay),
    );
  const isEncoded = ports.announces(request.origin);
  const enriched = await ports.enrich(items, workload(request, priority), settings, isEncoded);
  let next = 0;
  return request.transactions.map(({ accountHolderId }) => {
    if (missing(accountHolderId)) return withoutFacts(HOLDER_NOT_FOUND);
    const { facts = null, bytes = null } = enriched[next] ?? {};
    next += 1;
    return facts === null
      ? withoutFacts(INTERNAL_ERROR)
      : { facts, error: null, factsBytes: bytes };
  });
}

function workload({ org, priority }: EnrichmentRequest, ofTopic: Priority): Workload {
  return { org, priority: ofTopic === "batch" && priority === "low" ? "low" : ofTopic };
}

function withoutFacts(error: TransactionError): EncodedResult {
  return { facts: null, error, factsBytes: null };
}

/** What goes into the ledger: everything but transactions whose holder is missing, which change nothing. */
function ledgerTransactions(
  request: EnrichmentRequest,
  order: string,
  results: readonly EnrichmentResult[],
  overlay: CorrectedParts | null,
): LedgerTransaction[] {
  const rows: LedgerTransaction[] = [];
  request.transactions.forEach((input, index) => {
    const result = results[index];
    if (result === undefined || isHolderMissing(result)) return;
    rows.push({
      org: request.org,
      input,
      createdAt: request.createdAt,
      order: submissionOrder(request, order, index),
      ...result,
      overlay,
    });
  });
  return rows;
}

const isHolderMissing = (result: EnrichmentResult): boolean =>
  result.error?.code === HOLDER_NOT_FOUND.code;

/** A change to a stored transaction stays in the place of the submission that it was made from. */
function submissionOrder(request: EnrichmentRequest, order: string, index: number): string {
  return request.basedOn === null ? itemOrder(order, index) : nextRevision(request.basedOn);
}

function enrichedRecords(
  request: EnrichmentRequest,
  order: string,
  results: readonly EncodedResult[],
): EnrichedRecord[] {
  const { org, requestId, batchId, createdAt } = request;
  return request.transactions.map((input, index) => ({
    org,
    requestId,
    batchId,
    createdAt,
    order: submissionOrder(request, order, index),
    input,
    result: results[index] ?? withoutFacts(INTERNAL_ERROR),
  }));
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
    accountHolderIds: request.transactions.map(({ accountHolderId }, index) => {
      const result = results[index];
      return result === undefined || isHolderMissing(result) ? null : accountHolderId;
    }),
  };
}
