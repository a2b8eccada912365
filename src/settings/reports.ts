// Reports, as clients create them and operators settle them.
import type { Actor, AuditEntry } from "../model/audit.ts";
import type { StoredEvent } from "../model/event.ts";
import type { LedgerTransaction } from "../model/ledger-transaction.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import {
  type CorrectionDone,
  mayMove,
  type MoveRefusal,
  type NewReport,
  type NumberedPage,
  type NumberedReports,
  type OwnReportFilter,
  type Report,
  type ReportMove,
  type ReportStatus,
  type StoredCorrection,
  type ReportFilter,
  type Correcting,
} from "../model/report.ts";
import { type MovedReport, reportEvent } from "../events/events.ts";
import { type CorrectingPorts, prepareCorrection } from "./corrections.ts";

/** What reports need from the store, the threads and the dispatcher of events. */
export interface ReportPorts extends CorrectingPorts {
  insertReport(report: Report): Promise<void>;
  getReport(org: string, id: string): Promise<Report | null>;
  findReport(id: string): Promise<Report | null>;
  listReports(org: string, status: ReportStatus | null, page: PageRequest): Promise<Page<Report>>;
  numberedReports(
    org: string,
    filter: OwnReportFilter,
    page: NumberedPage,
  ): Promise<NumberedReports>;
  listAllReports(filter: ReportFilter, page: PageRequest): Promise<Page<Report>>;
  removeReport(org: string, id: string): Promise<boolean>;
  /** Writes all of it or nothing. */
  moveReport(write: {
    readonly seen: Report;
    readonly next: Report;
    readonly event: StoredEvent;
    readonly entry: AuditEntry;
    readonly correcting: Correcting | null;
  }): Promise<"moved" | "moved_before" | "overtaken" | "full">;
  listCorrections(org: string | null, page: PageRequest): Promise<Page<StoredCorrection>>;
  findCorrection(id: string): Promise<StoredCorrection | null>;
  removeCorrection(id: string, settingsVersion: string, entry: AuditEntry): Promise<boolean>;
  /** Called when an event was recorded. */
  onEvent(): void;
}

/** A report, and what an operator needs to settle it. */
export interface ReportDetails {
  readonly report: Report;
  /** The transaction as it is stored now; null when it no longer exists. */
  readonly transaction: LedgerTransaction | null;
}

export type MoveOutcome =
  | { readonly ok: true; readonly report: Report; readonly corrected: CorrectionDone | null }
  | { readonly ok: false; readonly refusal: MoveRefusal };

export interface Reports {
  /**
   * Null when there is no such transaction.
   * @param id of the report; repeating it changes nothing
   */
  create(org: string, input: NewReport, id: string): Promise<Report | null>;
  /** Newest first. */
  list(
    org: string,
    filter: { readonly status: ReportStatus | null },
    page: PageRequest,
  ): Promise<Page<Report>>;
  /** A page by its number, newest first, in parts, and how many pages there are; none behind the last one. */
  page(
    org: string,
    filter: OwnReportFilter,
    page: NumberedPage,
  ): Promise<{ readonly pages: number; readonly parts: NumberedReports["parts"] }>;
  get(org: string, id: string): Promise<Report | null>;
  /** False when there is no such report. What it has corrected stays. */
  delete(org: string, id: string): Promise<boolean>;
  /** Of all organizations, oldest first. */
  listAll(filter: ReportFilter, page: PageRequest): Promise<Page<Report>>;
  /** Of any organization. */
  details(id: string): Promise<ReportDetails | null>;
  move(id: string, move: ReportMove, by: Actor): Promise<MoveOutcome>;
  /** Newest first. */
  corrections(
    filter: { readonly org: string | null },
    page: PageRequest,
  ): Promise<Page<StoredCorrection>>;
  /** Later transactions get what the recogniser finds; what was corrected stays. False when there is no such correction. */
  dropCorrection(id: string, by: Actor): Promise<boolean>;
}

/** In each failed try, another process changed the same transaction or correction. */
const MOVE_TRIES_MAX = 10;

export function createReports(ports: ReportPorts): Reports {
  return {
    create: async (org, input, id) => {
      const transaction = await ports.getTransaction(org, input.transactionId);
      if (transaction === null) {
        // A repeated request may find its transaction deleted, but not its report.
        return ports.getReport(org, id);
      }
      const now = ports.nowMs();
      const state = { status: "open", rejectionReason: null } as const;
      const { accountHolderId } = transaction.input;
      const made = { org, id, accountHolderId, createdAt: now, updatedAt: now };
      const report: Report = { ...input, ...state, ...made };
      await ports.insertReport(report);
      if (accountHolderId !== null && (await ports.getHolder(org, accountHolderId)) === null) {
        // The deletion of its holder may have looked for reports before this one existed.
        await ports.removeReport(org, id);
        return null;
      }
      return (await ports.getReport(org, id)) ?? report;
    },
    list: (org, filter, page) => ports.listReports(org, filter.status, page),
    page: async (org, filter, page) => {
      const { count, parts } = await ports.numberedReports(org, filter, page);
      return { pages: Math.ceil(count / page.perPage), parts };
    },
    get: ports.getReport,
    delete: ports.removeReport,
    listAll: ports.listAllReports,
    details: async (id) => {
      const report = await ports.findReport(id);
      if (report === null) return null;
      const transaction = await ports.getTransaction(report.org, report.transactionId);
      return { report, transaction };
    },
    move: async (id, move, by) => {
      for (let tries = 0; tries < MOVE_TRIES_MAX; tries += 1) {
        const outcome = await tryMove(ports, id, move, by);
        if (outcome !== "again") return outcome;
      }
      return refused({ reason: "busy" });
    },
    corrections: ({ org }, page) => ports.listCorrections(org, page),
    dropCorrection: async (id, by) => {
      const seen = await ports.findCorrection(id);
      if (seen === null) return false;
      const entry = entryOf(ports, by, seen.org, "correction.dropped", id, {});
      return ports.removeCorrection(id, ports.newId(), entry);
    },
  };
}

const refused = (refusal: MoveRefusal): MoveOutcome => ({ ok: false, refusal });

async function tryMove(
  ports: ReportPorts,
  id: string,
  move: ReportMove,
  by: Actor,
): Promise<MoveOutcome | "again"> {
  const seen = await ports.findReport(id);
  if (seen === null) return refused({ reason: "not_found" });
  if (!mayMove(seen.status, move.status)) return refused({ reason: "final", status: seen.status });
  const fields = move.status === "resolved" ? move.corrected : null;
  const prepared = fields === null ? NOTHING : await prepareCorrection(ports, seen, fields);
  if (!prepared.ok) return refused({ reason: "not_correctable", problem: prepared.problem });
  const next: MovedReport = {
    ...seen,
    status: move.status,
    rejectionReason: move.status === "rejected" ? move.rejectionReason : null,
    updatedAt: ports.nowMs(),
  };
  const { done, correcting } = prepared;
  const entry = entryOf(ports, by, seen.org, "report.moved", id, {
    from: seen.status,
    to: next.status,
    ...(fields === null ? {} : { corrected: Object.keys(fields).join(",") }),
    ...(done === null ? {} : { transaction: done.transaction, correction: done.correctionId }),
  });
  const write = { seen, next, event: reportEvent(next, seen.status), entry, correcting };
  const outcome = await ports.moveReport(write);
  if (outcome === "full") return refused({ reason: "corrections_full" });
  if (outcome !== "moved") return "again";
  ports.onEvent();
  return { ok: true, report: next, corrected: done };
}

const NOTHING = { ok: true, correcting: null, done: null } as const;

function entryOf(
  ports: Pick<ReportPorts, "newId" | "nowMs">,
  by: Actor,
  org: string,
  action: AuditEntry["action"],
  subject: string,
  details: AuditEntry["details"],
): AuditEntry {
  return { ...by, org, id: ports.newId(), createdAt: ports.nowMs(), action, subject, details };
}
