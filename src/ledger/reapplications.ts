// Asking for what is set to be applied to the stored transactions; `src/enrich/reapply.ts` does it.
import type { Reapplication, StoredReapplication } from "../domain/reapplication.ts";

export interface ReapplicationPorts {
  countTransactions(org: string, untilMs: number): Promise<number>;
  insertReapplication(reapplication: StoredReapplication): Promise<boolean>;
  getReapplication(org: string, id: string): Promise<StoredReapplication | null>;
  /** Called when there is something to do. */
  begun(): void;
  nowMs(): number;
}

export interface Reapplications {
  /** Begins one. Repeating it with the same id begins no second one. `running`: another one of the organization is. */
  begin(org: string, id: string): Promise<Reapplication | "running">;
  get(org: string, id: string): Promise<Reapplication | null>;
}

export function createReapplications(ports: ReapplicationPorts): Reapplications {
  return {
    begin: async (org, id) => {
      const nowMs = ports.nowMs();
      const begun: StoredReapplication = {
        org,
        id,
        createdAt: nowMs,
        updatedAt: nowMs,
        status: "running",
        total: await ports.countTransactions(org, nowMs),
        progress: 0,
        changed: 0,
        after: null,
      };
      if (!(await ports.insertReapplication(begun))) return "running";
      ports.begun();
      return (await ports.getReapplication(org, id)) ?? begun;
    },
    get: ports.getReapplication,
  };
}
