import type { StoredReapplication } from "../domain/reapplication.ts";
import type { Collection, Store, Write } from "./collection.ts";
import { type ReapplicationRow, reapplicationSpec } from "./profile-specs.ts";

export interface ReapplicationRepository {
  /** False when another one of this organization is running. The same id again is the one that is there. */
  insert(reapplication: StoredReapplication): Promise<boolean>;
  get(org: string, id: string): Promise<StoredReapplication | null>;
  /** One that nobody works on, for whoever asks first: until then, and as long as he says `holder`. */
  claim(holder: string, nowMs: number, untilMs: number): Promise<StoredReapplication | null>;
  /** Step that writes down how far it has come, unless somebody else works on it by now: then the whole write ends. */
  progressStep(next: StoredReapplication, holder: string, untilMs: number): Write;
}

/** What `slot` says while it runs; a unique index lets an organization have one of them. */
const RUNNING_SLOT = "running";

export function createReapplicationRepository(store: Store): ReapplicationRepository {
  const reapplications: Collection<ReapplicationRow> = store.collection(reapplicationSpec);
  const get: ReapplicationRepository["get"] = async (org, id) => {
    const row = await reapplications.get({ org, id });
    return row === null ? null : toReapplication(row);
  };
  return {
    insert: async (reapplication) => {
      const row = { ...toRow(reapplication), heldUntil: 0, holder: "" };
      const outcome = await store.write([reapplications.insert(row, "fail")]);
      return outcome.ok || (await get(reapplication.org, reapplication.id)) !== null;
    },
    get,
    claim: async (holder, nowMs, untilMs) => {
      const free = { slot: RUNNING_SLOT, heldUntil: { lt: nowMs } };
      const order = { fields: ["heldUntil"], direction: "asc" } as const;
      const [row] = await reapplications.claim(
        { where: free, order, limit: 1 },
        { heldUntil: untilMs, holder },
      );
      return row === undefined ? null : toReapplication(row);
    },
    progressStep: (next, holder, untilMs) => {
      const { org, id, ...set } = toRow(next);
      const isOver = next.status === "completed";
      return reapplications.update(
        { org, id, holder },
        { ...set, heldUntil: isOver ? 0 : untilMs, holder: isOver ? "" : holder },
        "fail",
      );
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
