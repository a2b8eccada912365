// The removal of a document with its file and what was read from it, for its submitter, with its account holder, and of what a
// crash left. A document is hidden first, so that a crash in between leaves nothing that can be seen; the retention job goes on.
import { statementEvent } from "../events/events.ts";
import type { StoredEvent } from "../model/event.ts";
import type { StatementDocument, StatementKey } from "../model/statement-document.ts";
import type { StatementRepository } from "../model/statement-repository.ts";
import { SUBMISSION_MAX_MS } from "./limits.ts";

export interface RemovalPorts
  extends Pick<StatementRepository, "hide" | "leftBehind" | "ofHolder" | "has"> {
  deleteFile(key: StatementKey): Promise<void>;
  /** Answers that idempotency keys keep about it. */
  eraseAnswers(key: StatementKey): Promise<void>;
  removeRows(key: StatementKey, events: readonly StoredEvent[]): Promise<void>;
  getEvents(org: string, eventIds: readonly string[]): Promise<readonly StoredEvent[]>;
  listFiles(): AsyncIterable<StatementKey & { readonly storedAt: number }>;
  nowMs(): number;
}

export interface StatementRemovals {
  /** False when there is no such document. */
  remove(org: string, id: string): Promise<boolean>;
  /** Removes what is there of a document, whatever its state. */
  discard(key: StatementKey): Promise<void>;
  /**
   * Removes the documents of a holder that is being removed. Their events stay without the name of the file: an event that is
   * still being delivered must have a body.
   */
  removeOfHolder(holder: { readonly org: string; readonly id: string }): Promise<void>;
  /**
   * Removes up to `limit` documents whose removal or submission a crash interrupted, and returns how many.
   * @param nowMs the time by which expired rows are deleted
   */
  removeLeftBehind(nowMs: number, limit: number): Promise<number>;
  /** Once an hour, erases files that have no document: those of data that a backup replaced. Returns 0. */
  removeFilesWithoutDocument(): Promise<number>;
}

const REMOVED_AT_ONCE = 100;
const FILES_EVERY_MS = 3_600_000;

export function createStatementRemovals(ports: RemovalPorts): StatementRemovals {
  let filesLookedAt = -Infinity;

  async function discard(key: StatementKey, events: readonly StoredEvent[] = []): Promise<void> {
    await ports.deleteFile(key);
    await ports.eraseAnswers(key);
    await ports.removeRows(key, events);
  }

  return {
    remove: async (org, id) => {
      if (!(await ports.hide(org, id))) return false;
      await discard({ org, id });
      return true;
    },
    discard,
    removeOfHolder: async ({ org, id: holderId }) => {
      for (;;) {
        const found = await ports.ofHolder(org, holderId, REMOVED_AT_ONCE);
        if (found.length === 0) return;
        for (const { id } of found) {
          await ports.hide(org, id);
          await discard({ org, id }, await redactedEvents(ports, { org, id }));
        }
      }
    },
    removeLeftBehind: async (nowMs, limit) => {
      const found = await ports.leftBehind(nowMs - SUBMISSION_MAX_MS, limit);
      for (const { org, id } of found) await discard({ org, id });
      return found.length;
    },
    removeFilesWithoutDocument: async () => {
      const now = ports.nowMs();
      if (now - filesLookedAt < FILES_EVERY_MS) return 0;
      filesLookedAt = now;
      for await (const { org, id, storedAt } of ports.listFiles()) {
        // A document is stored before its file.
        if (storedAt < now - SUBMISSION_MAX_MS && !(await ports.has(org, id)))
          await ports.deleteFile({ org, id });
      }
      return 0;
    },
  };
}

async function redactedEvents(
  { getEvents }: Pick<RemovalPorts, "getEvents">,
  key: StatementKey,
): Promise<readonly StoredEvent[]> {
  const bare: StatementDocument = {
    ...key,
    name: null,
    createdAt: 0,
    status: "processed",
    size: 0,
    pages: 0,
    accountHolderId: null,
    accountType: null,
    currency: null,
    failure: null,
    batchId: null,
  };
  const possible = [
    statementEvent(bare, 0),
    statementEvent({ ...bare, status: "failed", failure: "internal_error" }, 0),
  ];
  const bodies = new Map(possible.map(({ eventId, body }) => [eventId, body]));
  const stored = await getEvents(key.org, [...bodies.keys()]);
  return stored.map((event) => ({ ...event, body: bodies.get(event.eventId) ?? event.body }));
}
