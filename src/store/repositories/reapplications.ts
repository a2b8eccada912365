import type { AuditEntry } from "../../model/audit.ts";
import { REAPPLICATION_KEPT_MS, type StoredReapplication } from "../../model/reapplication.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { Collection, Store, Write } from "../collection.ts";
import { createAuditRepository } from "./audit.ts";
import { readPage } from "./pages.ts";
import { type ReapplicationRow, reapplicationSpec } from "../specs/settings-specs.ts";

export interface ReapplicationRepository {
  /**
   * False when another one of this organization is running. The same id again is the one that is there. The entry is written
   * with a new one.
   */
  insert(reapplication: StoredReapplication, entry: AuditEntry): Promise<boolean>;
  get(org: string, id: string): Promise<StoredReapplication | null>;
  /** The one of this organization that runs. */
  running(org: string): Promise<StoredReapplication | null>;
  /** Newest first. */
  list(org: string, page: PageRequest): Promise<Page<StoredReapplication>>;
  /** Claims an unclaimed one for `holder` until `untilMs`, the one that has waited longest. */
  claim(holder: string, nowMs: number, untilMs: number): Promise<StoredReapplication | null>;
  /** Extends a claim until then, as long as it is the one of this holder. */
  renew(claimed: StoredReapplication, holder: string, untilMs: number): Promise<boolean>;
  /**
   * Step that stores the progress and releases the claim, unless another process has claimed it since: then the whole write
   * ends.
   */
  progressStep(next: StoredReapplication, holder: string, nowMs: number): Write;
  /** Releases all claims; for the only process on a store, about the processes before it. */
  release(): Promise<void>;
  /** Removes up to `limit` of all organizations whose retention has ended by `nowMs`. Returns how many. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
}

/** Value of `slot` while it runs; a unique index lets an organization have one of them. */
const RUNNING_SLOT = "running";
/** More than ever run at a time: the others wait until their claims end. */
const RELEASED_MAX = 1_000;

export function createReapplicationRepository(store: Store): ReapplicationRepository {
  const reapplications: Collection<ReapplicationRow> = store.collection(reapplicationSpec);
  const audit = createAuditRepository(store);
  const get: ReapplicationRepository["get"] = async (org, id) => {
    const row = await reapplications.get({ org, id });
    return row === null ? null : toReapplication(row);
  };
  return {
    insert: async (reapplication, entry) => {
      const row = { ...toRow(reapplication), heldUntil: 0, holder: "" };
      const outcome = await store.write([reapplications.insert(row, "fail"), audit.step(entry)]);
      return outcome.ok || (await get(reapplication.org, reapplication.id)) !== null;
    },
    get,
    running: async (org) => {
      const [row] = await reapplications.find({ where: { org, slot: RUNNING_SLOT }, limit: 1 });
      return row === undefined ? null : toReapplication(row);
    },
    list: (org, page) => readPage(reapplications, { org }, page, "id", toReapplication),
    claim: async (holder, nowMs, untilMs) => {
      const free = { slot: RUNNING_SLOT, heldUntil: { lte: nowMs } };
      const order = { fields: ["heldUntil"], direction: "asc" } as const;
      const [row] = await reapplications.claim(
        { where: free, order, limit: 1 },
        { heldUntil: untilMs, holder },
      );
      return row === undefined ? null : toReapplication(row);
    },
    renew: async ({ org, id }, holder, untilMs) => {
      const held = { org, id, holder };
      const step = reapplications.update(held, { heldUntil: untilMs }, "fail");
      return (await store.write([step])).ok;
    },
    progressStep: (next, holder, nowMs) => {
      const { org, id, ...set } = toRow(next);
      return reapplications.update(
        { org, id, holder },
        { ...set, heldUntil: nowMs, holder: "" },
        "fail",
      );
    },
    release: async () => {
      const held = { slot: RUNNING_SLOT, heldUntil: { gte: 0 } };
      const rows = await reapplications.find({ where: held, limit: RELEASED_MAX });
      const free = { heldUntil: 0, holder: "" };
      await store.apply(
        rows.map(({ org, id }) => reapplications.update({ org, id }, free, "ignore")),
      );
    },
    removeExpired: async (nowMs, limit) => {
      const beforeMs = nowMs - REAPPLICATION_KEPT_MS;
      const ended = { status: "completed", updatedAt: { lt: beforeMs } } as const;
      const outcome = await store.write([reapplications.delete(ended, limit)]);
      return outcome.ok ? (outcome.changed[0] ?? 0) : 0;
    },
  };
}

function toRow({
  after,
  ...reapplication
}: StoredReapplication): Omit<ReapplicationRow, "heldUntil" | "holder"> {
  return {
    ...reapplication,
    slot: reapplication.status === "running" ? RUNNING_SLOT : reapplication.id,
    afterAt: after?.createdAt ?? null,
    afterTie: after?.tie ?? null,
  };
}

function toReapplication(row: ReapplicationRow): StoredReapplication {
  const { org, id, createdAt, updatedAt, status, total, progress, changed } = row;
  const { afterAt, afterTie } = row;
  const after =
    afterAt === null || afterTie === null ? null : { createdAt: afterAt, tie: afterTie };
  return { org, id, createdAt, updatedAt, status, total, progress, changed, after };
}
