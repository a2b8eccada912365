// Reports about transactions of a deleted account holder are removed with it. Their events stay, without the customer's words:
// an event that is still being delivered must have a body.
import type { HolderRemoval } from "../model/account-holder.ts";
import type { StoredEvent } from "../model/event.ts";
import { mayMove, type Report, REPORT_STATUSES, type ReportStatus } from "../model/report.ts";
import { type MovedReport, reportEvent } from "../events/events.ts";

export interface ReportErasurePorts {
  /** Up to `limit` reports about transactions of the holder. */
  reportsOfHolder(org: string, accountHolderId: string, limit: number): Promise<readonly Report[]>;
  /** The holder of a transaction that is in the ledger; undefined when it is not. */
  holderOf(org: string, transactionId: string): Promise<string | null | undefined>;
  /** Assigns reports about the transaction to this holder. */
  reassign(org: string, transactionId: string, accountHolderId: string | null): Promise<void>;
  getEvents(org: string, eventIds: readonly string[]): Promise<readonly StoredEvent[]>;
  /** Removes the report and replaces the bodies of these events: both or none. */
  removeWithEvents(report: Report, events: readonly StoredEvent[]): Promise<void>;
}

const ERASED_AT_ONCE = 100;

/** Returns a function that erases the reports of a holder that is being removed. It is idempotent. */
export function createReportErasure(
  ports: ReportErasurePorts,
): (removal: Pick<HolderRemoval, "org" | "id">) => Promise<void> {
  return async ({ org, id }) => {
    for (;;) {
      const reports = await ports.reportsOfHolder(org, id, ERASED_AT_ONCE);
      if (reports.length === 0) return;
      for (const report of reports) {
        const holder = await ports.holderOf(org, report.transactionId);
        if (holder !== undefined && holder !== id) {
          // Its assignment to this holder failed, or it was assigned to another one since.
          await ports.reassign(org, report.transactionId, holder);
          continue;
        }
        const redacted = redactedEvents(report);
        const stored = await ports.getEvents(org, [...redacted.keys()]);
        const events = stored.map((event) => ({
          ...event,
          body: redacted.get(event.eventId) ?? event.body,
        }));
        await ports.removeWithEvents(report, events);
      }
    }
  };
}

/** Bodies of all possible events of the report, by their ids. */
function redactedEvents(report: Report): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  for (const from of REPORT_STATUSES) {
    for (const to of REPORT_STATUSES) {
      if (!mayMove(from, to)) continue;
      const { eventId, body } = reportEvent(redacted(report, to), from);
      bodies.set(eventId, body);
    }
  }
  return bodies;
}

function redacted(report: Report, status: ReportStatus): MovedReport {
  const words = { description: "", fields: [], rejectionReason: null };
  if (status === "open") throw new Error("No report is moved to open");
  return { ...report, ...words, status };
}
