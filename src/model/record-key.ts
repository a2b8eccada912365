// Keys of the records that Ledgerline writes to the log. They name the organization and who waits for the record, so that a
// record whose bytes cannot be read can be answered, and a record can be scheduled before its bytes are read.

import type { BatchPriority } from "../shared/concurrency/priority.ts";

/** Key of a synchronous call's record: organization, address of the process that waits, id of the call. */
export function callRecordKey(org: string, replyAddress: string, id: string): string {
  return JSON.stringify([org, replyAddress, id]);
}

/** Key of a chunk's record: organization, batch id, index of the chunk, and the priority unless it is `default`. */
export function batchRecordKey(
  org: string,
  batchId: string,
  chunkIndex: number,
  priority: BatchPriority = "default",
): string {
  const place = [org, batchId, chunkIndex];
  return JSON.stringify(priority === "default" ? place : [...place, priority]);
}

/** Key of a bank statement's record: organization and id of the document. */
export function statementRecordKey(org: string, id: string): string {
  return JSON.stringify([org, id]);
}

/** Key of an event's record: organization and id of the resource, so that the events of a resource keep their order. */
export function eventRecordKey(org: string, resourceId: string): string {
  return JSON.stringify([org, resourceId]);
}

/** The texts in a key of Ledgerline's, undefined where there is something else; empty for a key of another producer. */
export function readRecordKey(key: string): readonly (string | undefined)[] {
  // Most keys of other producers are recognised by this, which takes far less time than an error.
  if (!key.startsWith("[")) return [];
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts)
      ? parts.map((part: unknown) => (typeof part === "string" ? part : undefined))
      : [];
  } catch {
    return [];
  }
}

/** Tenant and priority of a record by its key. Keys of other producers all belong to one tenant. */
export function scheduleOfKey(key: string): { tenant: string; priority: BatchPriority } {
  const [org = "", , , priority] = readRecordKey(key);
  return { tenant: org, priority: priority === "low" ? "low" : "default" };
}
