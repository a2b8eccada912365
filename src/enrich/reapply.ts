// Applies the settings of an organization to its stored transactions: one page at a time, after the batches, continuing where
// the last process stopped. Transactions accepted meanwhile have the new settings already, so the job goes from the newest
// transaction at its beginning to the oldest, and skips those that are replaced meanwhile.
import type { AccountHolder } from "../model/account-holder.ts";
import type { LedgerTransaction } from "../model/ledger-transaction.ts";
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

/** What the stage needs from the store and the pool. */
export interface ReapplyPorts<TenantSettings> {
  /** Claims a page of a reapplication without a valid claim, until then; of several, the one that has waited longest. */
  claim(nowMs: number, untilMs: number): Promise<StoredReapplication | null>;
  /** Ends the claims of earlier processes; null where other processes may be running. */
  readonly release: (() => Promise<void>) | null;
  list(org: string, page: PageRequest): Promise<Page<LedgerTransaction>>;
  getHolders(org: string, ids: readonly string[]): Promise<readonly AccountHolder[]>;
  settingsOf(org: string): Promise<TenantSettings | null>;
  enrich(
    org: string,
    items: readonly EnrichItem[],
    settings: TenantSettings | null,
  ): Promise<readonly (string | null)[]>;
  /** Extends a claim until then, unless another process has claimed the page since. */
  renew(claimed: StoredReapplication, untilMs: number): Promise<void>;
  /** Stores changed facts and the progress, and releases the claim. False: another process has claimed it since. */
  store(
    next: StoredReapplication,
    changes: readonly ChangedFacts[],
    nowMs: number,
  ): Promise<boolean>;
  failed(error: unknown): void;
  nowMs(): number;
}

export interface Reapplier {
  /** Looks for work now, instead of at the next interval. */
  wake(): void;
  /** Stops after the current page. */
  close(): Promise<void>;
}

/** A process that does not renew its claim for this long is dead or hangs: another one claims the page. */
const HELD_MS = 30_000;
/** Under high load a page waits for the threads for longer than a claim lasts. Two renewals may fail. */
const RENEW_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** Starts to look for reapplications and to run them. */
export function startReapplying<TenantSettings>(ports: ReapplyPorts<TenantSettings>): Reapplier {
  let isClosing = false;
  let isReleased = false;
  let running: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
    if (!isReleased) await ports.release?.();
    isReleased = true;
    while (!isClosing) {
      const nowMs = ports.nowMs();
      const claimed = await ports.claim(nowMs, nowMs + HELD_MS);
      if (claimed === null) return;
      await advanceHeld(claimed);
    }
  }

  async function advanceHeld(claimed: StoredReapplication): Promise<void> {
    const renew = (): void => {
      void ports.renew(claimed, ports.nowMs() + HELD_MS).catch(ports.failed);
    };
    const timer = setInterval(renew, RENEW_EVERY_MS);
    try {
      await advanceReapplication(ports, claimed);
    } finally {
      clearInterval(timer);
    }
  }

  const look = (): void => {
    running = running.then(work).catch(ports.failed);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    wake: look,
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Advances a reapplication by one page; null when another process has claimed it since. */
export async function advanceReapplication<TenantSettings>(
  ports: ReapplyPorts<TenantSettings>,
  seen: StoredReapplication,
): Promise<StoredReapplication | null> {
  const page = await ports.list(seen.org, {
    createdAfter: null,
    createdBefore: seen.createdAt + 1,
    after: seen.after,
    limit: CHUNK_TRANSACTIONS_MAX,
  });
  const changes = await changedFacts(ports, seen.org, page.rows);
  const next: StoredReapplication = {
    ...seen,
    updatedAt: ports.nowMs(),
    status: page.next === null ? "completed" : "running",
    progress: seen.progress + page.rows.length,
    changed: seen.changed + changes.length,
    after: page.next ?? seen.after,
  };
  return (await ports.store(next, changes, ports.nowMs())) ? next : null;
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
