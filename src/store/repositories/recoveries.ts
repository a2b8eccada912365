import type { StoredRecovery } from "../../model/webhook.ts";
import type { Store, Write } from "../collection.ts";
import { type RecoveryRow, recoverySpec } from "../specs/webhook-specs.ts";

export interface RecoveryRepository {
  insert(recovery: StoredRecovery): Promise<void>;
  get(org: string, webhookId: string, id: string): Promise<StoredRecovery | null>;
  /** One of this webhook that is not completed. */
  runningOf(org: string, webhookId: string): Promise<StoredRecovery | null>;
  /** Those that are not completed, oldest first. */
  running(limit: number): Promise<readonly StoredRecovery[]>;
  /** Step that stores the progress, unless another process did meanwhile: then the whole write ends. */
  progressStep(seen: StoredRecovery, now: StoredRecovery): Write;
  /** Removes up to `limit` that were asked for before then and are completed; returns how many. */
  removeCompleted(beforeMs: number, limit: number): Promise<number>;
}

export function createRecoveryRepository(store: Store): RecoveryRepository {
  const recoveries = store.collection<RecoveryRow>(recoverySpec);
  return {
    insert: async (recovery) => {
      await store.write([recoveries.insert(toRow(recovery), "ignore")]);
    },
    get: async (org, webhookId, id) => {
      const row = await recoveries.get({ org, webhookId, id });
      return row === null ? null : toRecovery(row);
    },
    runningOf: async (org, webhookId) => {
      const where = { status: "running", org, webhookId } as const;
      const [row] = await recoveries.find({ where, limit: 1 });
      return row === undefined ? null : toRecovery(row);
    },
    running: async (limit) => {
      const rows = await recoveries.find({
        where: { status: "running" },
        order: { fields: ["createdAt"], direction: "asc" },
        limit,
      });
      return rows.map(toRecovery);
    },
    progressStep: (seen, now) => {
      const { org, webhookId, id, resent, afterAt, afterId } = toRow(seen);
      const next = toRow(now);
      return recoveries.update(
        { org, webhookId, id, status: "running", resent, afterAt, afterId },
        {
          status: next.status,
          resent: next.resent,
          afterAt: next.afterAt,
          afterId: next.afterId,
        },
        "fail",
      );
    },
    removeCompleted: async (beforeMs, limit) => {
      const where = { status: "completed", createdAt: { lt: beforeMs } } as const;
      const outcome = await store.write([recoveries.delete(where, limit)]);
      return outcome.ok ? (outcome.changed[0] ?? 0) : 0;
    },
  };
}

function toRow({ after, ...recovery }: StoredRecovery): RecoveryRow {
  return { ...recovery, afterAt: after?.createdAt ?? null, afterId: after?.eventId ?? null };
}

function toRecovery({ afterAt, afterId, ...recovery }: RecoveryRow): StoredRecovery {
  const after =
    afterAt === null || afterId === null ? null : { createdAt: afterAt, eventId: afterId };
  return { ...recovery, after };
}
