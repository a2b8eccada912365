import type { AuditAction, AuditEntry } from "../../model/audit.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { Store, Write } from "../collection.ts";
import { readPage } from "./pages.ts";
import { type AuditRow, auditSpec } from "../specs/specs.ts";

export interface AuditRepository {
  /** Step that belongs into the write of the change itself: an entry is there if and only if the change is. */
  step(entry: AuditEntry): Write;
  /** Writes an entry about a change outside the store. */
  insert(entry: AuditEntry): Promise<void>;
  get(org: string, id: string): Promise<AuditEntry | null>;
  /** Newest first; `action` null: all of them. */
  list(
    org: string,
    filter: { readonly action: AuditAction | null },
    page: PageRequest,
  ): Promise<Page<AuditEntry>>;
  /** Removes up to `limit` entries of all organizations from before `beforeMs`. Returns how many. */
  removeOlder(beforeMs: number, limit: number): Promise<number>;
}

export function createAuditRepository(store: Store): AuditRepository {
  const entries = store.collection<AuditRow>(auditSpec);
  return {
    step: (entry) => entries.insert(entry, "ignore"),
    insert: async (entry) => {
      await store.write([entries.insert(entry, "ignore")]);
    },
    get: (org, id) => entries.get({ org, id }),
    list: (org, { action }, page) => {
      const where = action === null ? { org } : { org, action };
      return readPage(entries, where, page, "id", (row) => row);
    },
    removeOlder: async (beforeMs, limit) => {
      const outcome = await store.write([entries.delete({ createdAt: { lt: beforeMs } }, limit)]);
      return outcome.ok ? (outcome.changed[0] ?? 0) : 0;
    },
  };
}
