// ledgerline audit: who changed what an organization is governed by.
import type { AuditAction, AuditEntry } from "../model/audit.ts";
import { alignColumns } from "./columns.ts";
import { safeText } from "./explain/table.ts";

export interface AuditCommandDeps {
  /** The newest first; `action` null: all of them. */
  listAudit(org: string, action: AuditAction | null, limit: number): Promise<readonly AuditEntry[]>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Which entries are to be printed, and how. */
export interface AuditListing {
  readonly org: string;
  readonly action: AuditAction | null;
  readonly limit: number;
  readonly isJson: boolean;
}

/** One line each: when, what, to what, by whom. */
export async function listAudit(
  deps: AuditCommandDeps,
  { org, action, limit, isJson }: AuditListing,
): Promise<number> {
  const entries = await deps.listAudit(org, action, limit);
  const lines = isJson ? entries.map(jsonOf) : alignColumns([HEAD, ...entries.map(cellsOf)]);
  for (const line of lines) deps.stdout.write(`${line}\n`);
  if (entries.length >= limit)
    deps.stderr.write(`There may be more than these ${String(limit)}: see --limit.\n`);
  return 0;
}

const HEAD = ["AT", "ACTION", "SUBJECT", "KEY", "REQUEST", "DETAILS"];

function cellsOf({ createdAt, action, subject, keyId, requestId, details }: AuditEntry): string[] {
  const words = Object.entries(details).map(([name, value]) => `${name}=${String(value)}`);
  const cells = [action, subject, keyId ?? "-", requestId ?? "-", words.join(" ")];
  return [new Date(createdAt).toISOString(), ...cells.map(safeText)];
}

/** As the API answers it. */
function jsonOf({ id, createdAt, action, subject, keyId, requestId, details }: AuditEntry): string {
  return JSON.stringify({
    id,
    created_at: new Date(createdAt).toISOString(),
    action,
    subject,
    key_id: keyId,
    request_id: requestId,
    details,
  });
}
