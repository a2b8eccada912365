// Applies what an organization has set to the transactions it has stored already: a page at a time behind the batches,
// going on where the last process ended. What is accepted meanwhile has the new settings anyhow, so the walk goes from the
// newest transaction of its beginning to the oldest, and what is replaced on the way is left alone.
import type { AccountHolder } from "../model/account-holder.ts";
import type { LedgerTransaction } from "../model/ledger-transaction.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { CHUNK_TRANSACTIONS_MAX } from "../model/records.ts";
import type { StoredReapplication } from "../model/reapplication.ts";
import { type EnrichItem, toItem } from "./item.ts";

/** Facts that replace those of a stored transaction, as long as it is the one of this order. */
export interface ChangedFacts {
  readonly id: string;
  readonly order: string;
  readonly facts: string;
}

/** What the stage needs of the store and the pool. */
export interface ReapplyPorts<TenantSettings> {
  /** A page of one that nobody works on, until then; of several the one that has waited longest. */
  claim(nowMs: number, untilMs: number): Promise<StoredReapplication | null>;
  list(org: string, page: PageRequest): Promise<Page<LedgerTransaction>>;
  getHolders(org: string, ids: readonly string[]): Promise<readonly AccountHolder[]>;
  settingsOf(org: string): Promise<TenantSettings | null>;
  enrich(
    org: string,
    items: readonly EnrichItem[],
    settings: TenantSettings | null,
  ): Promise<readonly (string | null)[]>;
  /** Holds a page that was claimed until then, unless another process has claimed it since. */
  renew(claimed: StoredReapplication, untilMs: number): Promise<void>;
  /** Stores changed facts and how far it has come, and gives it back. False: somebody else works on it by now. */
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
  /** Stops behind the page that is in work. */
  close(): Promise<void>;
}

/** A process that does not renew its claim for this long is dead or hangs: another one claims the page. */
const HELD_MS = 30_000;
/** Under a flood a page waits for its threads for longer than a claim lasts. Two renewals may fail. */
const RENEW_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** Starts to look for reapplications and to do them. */
export function startReapplying<TenantSettings>(ports: ReapplyPorts<TenantSettings>): Reapplier {
  let isClosing = false;
  let running: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
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
      await advance(ports, claimed);
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

/** Takes a reapplication one page further; null when it is somebody else's by now. */
export async function advance<TenantSettings>(
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
  const items = rows.map(({ input, overlay }) =>
    toItem(input, holders.get(input.accountHolderId ?? "") ?? null, overlay),
  );
  const facts = await ports.enrich(org, items, settings);
  return rows.flatMap((row, index) => {
    const now = facts[index] ?? null;
    // One whose holder is being deleted goes with it; one that cannot be enriched keeps what it has.
    const isOrphan = row.input.accountHolderId !== null && !holders.has(row.input.accountHolderId);
    if (isOrphan || now === null || now === row.facts) return [];
    return [{ id: row.input.id, order: row.order, facts: now }];
  });
}
