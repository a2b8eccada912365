// Requests to apply the settings to the stored transactions; `src/enrich/reapply.ts` does it.
import type { Actor, AuditEntry } from "../model/audit.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { Reapplication, StoredReapplication } from "../model/reapplication.ts";

export interface ReapplicationPorts {
  countTransactions(org: string): Promise<number>;
  /** Writes the entry with it. */
  insertReapplication(reapplication: StoredReapplication, entry: AuditEntry): Promise<boolean>;
  getReapplication(org: string, id: string): Promise<StoredReapplication | null>;
  listReapplications(org: string, page: PageRequest): Promise<Page<StoredReapplication>>;
  /** The running one. */
  getRunning(org: string): Promise<StoredReapplication | null>;
  /** Called when there is something to do. */
  begun(): void;
  nowMs(): number;
  newId(): string;
}

export interface Reapplications {
  /**
   * Starts one. Repeating it with the same id does not start a second one. `running`: another one of the organization is
   * running.
   */
  begin(org: string, id: string, by: Actor): Promise<Reapplication | "running">;
  get(org: string, id: string): Promise<Reapplication | null>;
  /** Newest first. */
  list(org: string, page: PageRequest): Promise<Page<Reapplication>>;
}

export function createReapplications(ports: ReapplicationPorts): Reapplications {
  return {
    begin: async (org, id, by) => {
      // Counting takes a while on a large ledger, so a request that is refused does not do it.
      const running = await ports.getRunning(org);
      if (running !== null) return running.id === id ? running : "running";
      const nowMs = ports.nowMs();
      const begun: StoredReapplication = {
        org,
        id,
        createdAt: nowMs,
        updatedAt: nowMs,
        status: "running",
        total: await ports.countTransactions(org),
        progress: 0,
        changed: 0,
        after: null,
      };
      const entry: AuditEntry = {
        ...by,
        org,
        id: ports.newId(),
        createdAt: nowMs,
        action: "reapplication.created",
        subject: id,
        details: {},
      };
      if (!(await ports.insertReapplication(begun, entry))) return "running";
      ports.begun();
      return (await ports.getReapplication(org, id)) ?? begun;
    },
    get: ports.getReapplication,
    list: ports.listReapplications,
  };
}
