// The enrich stage: reads a request record, then writes enriched transactions to the ledger, the batch's results and a reply.
// It may get the same record twice, after a crash or because another process has it too: every effect has a deterministic key,
// and the ledger accepts a transaction only if it was accepted later than the stored one.
import { itemOrder, nextRevision } from "../model/acceptance-order.ts";
import type { HolderSince } from "../model/account-holder.ts";
import type { BatchHead, OutsideChunk } from "../model/batch.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type {
  ChunkWrite,
  LedgerTransaction,
  ReplaceableTransaction,
  Submission,
} from "../model/ledger-transaction.ts";
import type {
  Delivered,
  EncodedResult,
  EnrichedRecord,
  EnrichmentReply,
  EnrichmentRequest,
  EnrichmentResult,
  Handled,
  PostponedRecord,
  RequestOrigin,
} from "../model/records.ts";
import { HOLDER_NOT_FOUND, type TransactionError } from "../model/transaction.ts";
import type { Priority, Workload } from "../model/workload.ts";
import { createRendezvous, type Rendezvous } from "../shared/concurrency/rendezvous.ts";
import { batchChunk, isHolderMissing } from "./batch-chunk.ts";
import { toItem } from "./item.ts";
import { STORED_ALONE_MAX, STORED_TOGETHER } from "./limits.ts";
import { type GetHolders, holderIdsOf, readHolders } from "./request-holders.ts";
import { basedOn, overrideOf, type Overrides, readSeen } from "./seen.ts";

/** What the stage needs from the pool, the store, the log and the ledger. It only passes the settings on. */
export interface EnrichPorts<TenantSettings> {
  /** Facts of each item as JSON text, and as Avro when `isEncoded`; null for one that cannot be enriched. */
  enrich(
    items: readonly EnrichItem[],
    load: Workload,
    settings: TenantSettings | null,
    isEncoded: boolean,
  ): Promise<readonly { readonly facts: string | null; readonly bytes: Uint8Array | null }[]>;
  /** The settings of the organization that change results; null: none. */
  settingsOf(org: string): Promise<TenantSettings | null>;
  /** The version that settings have; null: those of an organization that has none. */
  versionOf(settings: TenantSettings | null): string | null;
  readonly getHolders: GetHolders;
  /** As `getHolders`, but the read may start a little later, so that it can be combined with others. */
  readonly getHoldersSoon: GetHolders;
  /** Those of the transactions that are stored. */
  seenOf(org: string, ids: readonly string[]): Promise<readonly ReplaceableTransaction[]>;
  /**
   * `changed`: one of those that were seen is not the stored one any more, or the settings are not; nothing was stored.
   * `whenToWrite` is called when all but the write is done.
   */
  storeChunk(
    chunk: ChunkWrite,
    whenToWrite: () => Promise<void>,
  ): Promise<"stored" | "superseded" | "changed">;
  /** Whether chunks that are in flight at the same time are written together: where each commit writes whole pages again. */
  readonly storesTogether: boolean;
  /**
   * Removes what these submissions have stored, unless it has been replaced since, and erases their results from the chunk of a
   * batch.
   */
  withdraw(
    org: string,
    submissions: readonly Submission[],
    chunk: { readonly batchId: string; readonly chunkIndex: number } | null,
  ): Promise<void>;
  hasChunk(org: string, batchId: string, index: number): Promise<boolean>;
  /** Ends the batch when all its chunks are stored. */
  chunkStored(head: BatchHead): Promise<void>;
  /** Takes the credits that a record costs its organization, or none of them. */
  takeCredits(org: string, count: number): Promise<TakenCredits | PostponedRecord>;
  /** Makes the batch of an outside producer known. Returns why this chunk cannot be one of it, or null. */
  joinBatch(head: BatchHead, chunk: OutsideChunk): Promise<string | null>;
  /** Whether results of such requests are published by `announce`. */
  announces(origin: RequestOrigin): boolean;
  /** Publishes the results for consumers of the log. */
  announce(records: readonly EnrichedRecord[]): Promise<void>;
  reply(address: string, reply: EnrichmentReply): Promise<void>;
  nowMs(): number;
}

export interface TakenCredits {
  /** The record was not stored, and is delivered again. */
  giveBack(): void;
}

const INTERNAL_ERROR: TransactionError = {
  code: "internal_error",
  message: "The transaction could not be enriched.",
};

/** Returns the handler of request records for `priority`. */
export function createEnrich<TenantSettings>(
  ports: EnrichPorts<TenantSettings>,
  priority: Priority,
): (record: Delivered<EnrichmentRequest>) => Promise<Handled> {
  const rendezvous = ports.storesTogether ? createRendezvous(STORED_TOGETHER) : null;
  return async function enrich({ value: request, order, chargedTo }) {
    const head = batchHead(request);
    const error = head === null ? null : await refusedChunk(ports, head, request);
    if (error !== null) return { reason: "invalid", error };
    if (head !== null && (await ports.hasChunk(head.org, head.id, request.chunkIndex))) {
      await withdrawOrphans(ports.getHolders, ports, request, order);
      await ports.chunkStored(head);
      return "done";
    }
    const credits = await creditsOf(ports, request, chargedTo);
    if ("waitMs" in credits) return credits;
    const { results, outcome } = await orGiveBack(
      credits,
      inCompany(rendezvous, request, (whenToWrite) =>
        enrichAndStore(ports, priority, request, order, head, whenToWrite),
      ),
    );
    // Also when it was superseded: an earlier delivery of the same record may have stored the transaction that supersedes it.
    const withdraw = (getHolders: GetHolders): Promise<void> =>
      withdrawOrphans(getHolders, ports, request, order);
    if (head === null) {
      // The reply does not depend on it, and a caller waits for the reply. Delivered again, it is not known to be stored: it costs
      // the credits then.
      const ends = [withdraw(ports.getHoldersSoon), answer(ports, request, results, outcome)];
      await orGiveBack(credits, Promise.all(ends));
      return "done";
    }
    await withdraw(ports.getHolders);
    await ports.chunkStored(head);
    await answer(ports, request, results, outcome);
    return "done";
  };
}

type WhenToWrite = () => Promise<void>;

const AT_ONCE: WhenToWrite = () => Promise.resolve();

/** Does work that others wait for before they write, and that waits for them; a record with few transactions waits for none. */
async function inCompany<Done>(
  rendezvous: Rendezvous | null,
  { transactions: { length } }: EnrichmentRequest,
  work: (whenToWrite: WhenToWrite) => Promise<Done>,
): Promise<Done> {
  if (rendezvous === null || length <= STORED_ALONE_MAX) return work(AT_ONCE);
  const participant = rendezvous.join();
  try {
    return await work(() => participant.arrive(length));
  } finally {
    participant.leave();
  }
}

const NO_CREDITS: TakenCredits = { giveBack: () => undefined };

/** Of what the API or a bank statement submitted the credits were taken before it was published. */
async function creditsOf(
  { takeCredits }: Pick<EnrichPorts<never>, "takeCredits">,
  { transactions }: EnrichmentRequest,
  chargedTo: string | undefined,
): Promise<TakenCredits | PostponedRecord> {
  return chargedTo === undefined ? NO_CREDITS : takeCredits(chargedTo, transactions.length);
}

/** Work after which, where it fails, the record is delivered again, and costs its credits again. */
async function orGiveBack<Done>(credits: TakenCredits, work: Promise<Done>): Promise<Done> {
  try {
    return await work;
  } catch (error) {
    credits.giveBack();
    throw error;
  }
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

/** Batches of the API and of bank statements are cut here; those of outside producers may contradict themselves. */
async function refusedChunk(
  ports: Pick<EnrichPorts<never>, "joinBatch">,
  head: BatchHead,
  { origin, chunkIndex, transactions }: EnrichmentRequest,
): Promise<string | null> {
  if (origin !== "kafka") return null;
  return ports.joinBatch(head, { index: chunkIndex, ids: transactions.map(({ id }) => id) });
}

function batchHead(request: EnrichmentRequest): BatchHead | null {
  if (request.batchId === null) return null;
  const { org, total, chunkCount, priority, createdAt } = request;
  return { org, id: request.batchId, total, chunkCount, priority, createdAt };
}

interface StoredResults {
  readonly results: readonly EnrichmentResult[];
  readonly outcome: EnrichmentReply["outcome"];
}

/** In each failed try another writer changed one of the transactions, or the settings. */
const TRIES_MAX = 20;
/**
 * From then on results are stored by the settings that they were made with: a program that changes rules one after the other must
 * not hold up what is submitted meanwhile.
 */
const SETTINGS_TRIES_MAX = 5;

type EnrichAndStoreInput<TenantSettings> = readonly [
  ports: EnrichPorts<TenantSettings>,
  priority: Priority,
  request: EnrichmentRequest,
  order: string,
  head: BatchHead | null,
  whenToWrite: WhenToWrite,
];

/**
 * Enriches again what was corrected meanwhile, so that no correction is replaced by a result that does not know it, and what was
 * made with settings that were changed meanwhile: a reapplication of the new ones may have read its page of the ledger already.
 */
async function enrichAndStore<TenantSettings>(
  ...asked: EnrichAndStoreInput<TenantSettings>
): Promise<StoredResults> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const done = await tryEnrichAndStore(...asked, tries);
    if (done !== "changed") return done;
  }
  throw new Error("The transactions of a record change faster than they can be enriched");
}

async function tryEnrichAndStore<TenantSettings>(
  ...[ports, priority, request, order, head, whenToWrite, tries]: readonly [
    ...EnrichAndStoreInput<TenantSettings>,
    tries: number,
  ]
): Promise<StoredResults | "changed"> {
  const settingsRead = ports.settingsOf(request.org);
  const [holders, settings, { overrides, seen, read }] = await Promise.all([
    readHolders(ports.getHolders, request.org, holderIdsOf(request), order),
    settingsRead,
    settingsRead.then((found) => readSeen(ports, request, found !== null || tries > 0)),
  ]);
  const results = await enrichTransactions(ports, priority, request, holders, settings, overrides);
  const announce = async (): Promise<void> => {
    if (ports.announces(request.origin)) {
      await ports.announce(enrichedRecords(request, order, results));
    }
  };
  // Before it is stored: a stored chunk is not enriched again, so a crash could lose what follows it.
  if (request.basedOn === null) await announce();
  const chunk = {
    org: request.org,
    transactions: ledgerTransactions(request, order, results, overrides),
    ...(tries < SETTINGS_TRIES_MAX ? { settings: ports.versionOf(settings) } : {}),
    basedOn: basedOn(request),
    seen,
    read,
    batch:
      head === null ? null : { head, chunk: batchChunk(request, results, holders, ports.nowMs()) },
  };
  const outcome = await ports.storeChunk(chunk, whenToWrite);
  if (outcome === "changed") return outcome;
  if (outcome === "stored" && request.basedOn !== null) await announce();
  return { results, outcome };
}

/**
 * Removes what the chunk has stored for account holders that were deleted. A deletion first hides the holder and then removes
 * its transactions. So a transaction that is stored for a holder that still exists afterwards is seen by a later removal, and
 * any other is removed here. A chunk that is redelivered after a crash gets here too.
 */
async function withdrawOrphans(
  getHolders: GetHolders,
  ports: Pick<EnrichPorts<never>, "withdraw">,
  request: EnrichmentRequest,
  order: string,
): Promise<void> {
  const ids = holderIdsOf(request);
  if (ids.length === 0) return;
  const holders = await readHolders(getHolders, request.org, ids, order);
  if (holders.size === ids.length) return;
  const orphans: Submission[] = [];
  request.transactions.forEach(({ id, accountHolderId }, index) => {
    if (accountHolderId === null || holders.has(accountHolderId)) return;
    orphans.push({ id, order: submissionOrder(request, order, index), accountHolderId });
  });
  const { org, batchId, chunkIndex } = request;
  await ports.withdraw(org, orphans, batchId === null ? null : { batchId, chunkIndex });
}

async function enrichTransactions<TenantSettings>(
  ports: EnrichPorts<TenantSettings>,
  priority: Priority,
  request: EnrichmentRequest,
  holders: ReadonlyMap<string, HolderSince>,
  settings: TenantSettings | null,
  overrides: Overrides,
): Promise<readonly EncodedResult[]> {
  // Looked up once each: the first look-up of a text is the expensive one.
  const ofTransactions = request.transactions.map(({ accountHolderId }) =>
    accountHolderId === null ? null : holders.get(accountHolderId)?.holder,
  );
  const items: EnrichItem[] = [];
  request.transactions.forEach((input, index) => {
    const holder = ofTransactions[index];
    if (holder !== undefined) items.push(toItem(input, holder, overrideOf(overrides, input)));
  });
  const isEncoded = ports.announces(request.origin);
  const enriched = await ports.enrich(items, workload(request, priority), settings, isEncoded);
  let next = 0;
  return ofTransactions.map((holder) => {
    if (holder === undefined) return withoutFacts(HOLDER_NOT_FOUND);
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

/** What is written to the ledger: all transactions except those whose holder is missing, which change nothing. */
function ledgerTransactions(
  request: EnrichmentRequest,
  order: string,
  results: readonly EnrichmentResult[],
  overrides: Overrides,
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
      facts: result.facts,
      error: result.error,
      override: overrideOf(overrides, input),
    });
  });
  return rows;
}

/** A change to a stored transaction keeps the order of the submission that it was made from. */
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
