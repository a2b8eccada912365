import type { Page, PageRequest } from "../../shared/page.ts";
import type { Report, ReportStatus, ReportFilter } from "../../model/report.ts";
import type { Collection, Store, Write } from "../collection.ts";
import { bounded, readPage } from "./pages.ts";
import { type ReportRow, reportSpec } from "../specs/settings-specs.ts";

export interface ReportRepository {
  /** The same id again changes nothing. */
  insert(report: Report): Promise<void>;
  get(org: string, id: string): Promise<Report | null>;
  /** Of whatever organization it is. */
  find(id: string): Promise<Report | null>;
  /** Newest first. */
  list(org: string, status: ReportStatus | null, page: PageRequest): Promise<Page<Report>>;
  /** Oldest first: those that have been waiting longest. */
  listAll(filter: ReportFilter, page: PageRequest): Promise<Page<Report>>;
  /** False when there is none. */
  remove(org: string, id: string): Promise<boolean>;
  /** Up to `limit` reports about transactions of the holder. */
  ofHolder(org: string, accountHolderId: string, limit: number): Promise<readonly Report[]>;
  /** Notes that the transaction has another holder, or none. */
  reassign(org: string, transactionId: string, accountHolderId: string | null): Promise<void>;
  removeStep(report: Pick<Report, "org" | "id">): Write;
  /** Step that moves a report, and ends its write when it was moved or deleted since it was read. */
  moveStep(seen: Report, next: Report): Write;
}

export function createReportRepository(store: Store): ReportRepository {
  const reports = store.collection<ReportRow>(reportSpec);
  return {
    insert: async (report) => {
      await store.write([reports.insert(report, "ignore")]);
    },
    get: (org, id) => reports.get({ org, id }),
    find: async (id) => (await reports.find({ where: { id }, limit: 1 }))[0] ?? null,
    list: (org, status, page) => pageOf(reports, { org, status }, page, "desc"),
    listAll: (filter, page) => pageOf(reports, filter, bounded(page), "asc"),
    remove: async (org, id) => {
      const outcome = await store.write([reports.delete({ org, id })]);
      return outcome.ok && (outcome.changed[0] ?? 0) > 0;
    },
    ofHolder: (org, accountHolderId, limit) =>
      reports.find({ where: { org, accountHolderId }, limit }),
    reassign: (org, transactionId, accountHolderId) =>
      store.apply([reports.update({ org, transactionId }, { accountHolderId }, "ignore")]),
    removeStep: ({ org, id }) => reports.delete({ org, id }),
    moveStep: (seen, { status, rejectionReason, updatedAt }) => {
      const { org, id } = seen;
      const next = { status, rejectionReason, updatedAt };
      return reports.update({ org, id, status: seen.status }, next, "fail");
    },
  };
}

function pageOf(
  reports: Collection<ReportRow>,
  { org, status }: ReportFilter,
  page: PageRequest,
  direction: "asc" | "desc",
): Promise<Page<Report>> {
  const where = { ...(org === null ? {} : { org }), ...(status === null ? {} : { status }) };
  return readPage<ReportRow, Report>(reports, where, page, "id", (row) => row, direction);
}
