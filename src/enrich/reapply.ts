// Applies the settings of an organization to its stored transactions: one page at a time, after the batches, continuing where
// the last process stopped. Transactions accepted meanwhile have the new settings already, so the job goes from the newest
// transaction at its beginning to the oldest, and skips those that are replaced meanwhile. It asks no clock which that is: of
// another process, or set back since, it would leave transactions out.
import type { AccountHolder } from "../model/account-holder.ts";
import type { LedgerTransaction } from "../model/ledger-transaction.ts";
import {
  type ClaimedJobPorts,
  type ClaimedJobs,
  startClaimedJobs,
} from "../shared/concurrency/claimed-jobs.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { CHUNK_TRANSACTIONS_MAX } from "../model/records.ts";
import type { StoredReapplication } from "../model/reapplication.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type { TransactionInput } from "../model/transaction.ts";
import { toItem } from "./item.ts";

/** Facts that replace those of a stored transaction, if it still has this order. */
export interface ChangedFacts extends Pick<TransactionInput, "id" | "entryType" | "currency"> {
  readonly order: string;
  readonly facts: string;
}

/** What the stage needs from the store and the pool. A claim is for one page. */
export interface ReapplyPorts<TenantSettings>
  extends Pick<
    ClaimedJobPorts<StoredReapplication>,
    "claim" | "release" | "renew" | "failed" | "nowMs"
  > {
  list(org: string, page: PageRequest): Promise<Page<LedgerTransaction>>;
  getHolders(org: string, ids: readonly string[]): Promise<readonly AccountHolder[]>;
  settingsOf(org: string): Promise<TenantSettings | null>;
  enrich(
    org: string,
    items: readonly EnrichItem[],
    settings: TenantSettings | null,
  ): Promise<readonly (string | null)[]>;
  /** Those of the transactions that are in the ledger, in any order. */
  getTransactions(org: string, ids: readonly string[]): Promise<readonly LedgerTransaction[]>;
  /** Stores those facts whose transactions still have their order. */
  storeFacts(org: string, changes: readonly ChangedFacts[]): Promise<void>;
  /** Stores the progress, and releases the claim. False: another process has claimed it since. */
  storeProgress(next: StoredReapplication, nowMs: number): Promise<boolean>;
}

/** A process that does not renew its claim for this long is dead or hangs: another one claims the page. */
const HELD_MS = 30_000;
/** Under high load a page waits for the threads for longer than a claim lasts. Two renewals may fail. */
const RENEW_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** Starts to look for reapplications and to run them. */
export function startReapplying<TenantSettings>(ports: ReapplyPorts<TenantSettings>): ClaimedJobs {
  return startClaimedJobs({
    ...ports,
    ...{ heldMs: HELD_MS, renewEveryMs: RENEW_EVERY_MS, lookEveryMs: LOOK_EVERY_MS },
    // A page is short: it is done to its end, whatever happens meanwhile.
    run: async (claimed) => {
      await advanceReapplication(ports, claimed);
    },
  });
}

/**
 * Advances a reapplication by one page; null when another process has claimed it since. The facts come first: a process that ends in
 * between has its page repeated, which changes nothing.
 */
export async function advanceReapplication<TenantSettings>(
  ports: ReapplyPorts<TenantSettings>,
  seen: StoredReapplication,
): Promise<StoredReapplication | null> {
  const page = await ports.list(seen.org, {
    createdAfter: null,
    createdBefore: null,
    after: seen.after,
    limit: CHUNK_TRANSACTIONS_MAX,
  });
  const changed = await applyTo(ports, seen.org, page.rows);
  const next: StoredReapplication = {
    ...seen,
    updatedAt: ports.nowMs(),
    status: page.next === null ? "completed" : "running",
    progress: seen.progress + page.rows.length,
    changed: seen.changed + changed,
    after: page.next ?? seen.after,
  };
  return (await ports.storeProgress(next, ports.nowMs())) ? next : null;
}

/** Replaces the facts of stored transactions by those of the settings now; returns of how many. */
async function applyTo<TenantSettings>(
  ports: ReapplyPorts<TenantSettings>,
  org: string,
  seen: readonly LedgerTransaction[],
): Promise<number> {
  const changed = new Set<string>();
  let rows = seen;
  while (rows.length > 0) {
    const changes = await changedFacts(ports, org, rows);
    await ports.storeFacts(org, changes);
    for (const { id } of changes) changed.add(id);
    rows = await revisedSince(ports, org, rows, changes);
  }
  return changed.size;
}

/**
 * Those that were corrected after they were read, and before their facts were to be replaced: what was decided about them was added
 * to facts of the former settings. A later submission has those of the new ones.
 */
async function revisedSince<TenantSettings>(
  ports: ReapplyPorts<TenantSettings>,
  org: string,
  seen: readonly LedgerTransaction[],
  changes: readonly ChangedFacts[],
): Promise<readonly LedgerTransaction[]> {
  if (changes.length === 0) return [];
  const ids = changes.map(({ id }) => id);
  const before = new Map(seen.map((row) => [row.input.id, row]));
  return (await ports.getTransactions(org, ids)).filter(({ input, createdAt, order }) => {
    const one = before.get(input.id);
    return one?.createdAt === createdAt && one.order !== order;
  });
}

async function changedFacts<TenantSettings>(
  ports: ReapplyPorts<TenantSettings>,
  org: string,
  rows: readonly LedgerTransaction[],
): Promise<ChangedFacts[]> {
  if (rows.length === 0) return [];
  const ids = new Set(rows.flatMap(({ input }) => input.accountHolderId ?? []));
  const [found, settings] = await Promise.all([
    ports.getHolders(org, [...ids]),
    ports.settingsOf(org),
  ]);
  const holders = new Map(found.map((holder) => [holder.id, holder]));
  const items = rows.map(({ input, override }) =>
    toItem(input, holders.get(input.accountHolderId ?? "") ?? null, override),
  );
  const facts = await ports.enrich(org, items, settings);
  return rows.flatMap((row, index) => {
    const now = facts[index] ?? null;
    // A transaction whose holder is being deleted is removed with it; one that cannot be enriched keeps its facts.
    const isOrphan = row.input.accountHolderId !== null && !holders.has(row.input.accountHolderId);
    if (isOrphan || now === null || now === row.facts) return [];
    const { id, entryType, currency } = row.input;
    return [{ id, order: row.order, entryType, currency, facts: now }];
  });
}
