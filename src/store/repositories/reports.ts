import type { Page, PageRequest } from "../../shared/page.ts";
import type {
  NumberedPage,
  NumberedReports,
  OwnReportFilter,
  Report,
  ReportStatus,
  ReportFilter,
} from "../../model/report.ts";
import type { Collection, Store, Where, Write } from "../collection.ts";
import { bounded, readPage } from "./pages.ts";
import { type ReportRow, reportSpec } from "../specs/settings-specs.ts";

export interface ReportRepository {
  /** The same id again changes nothing. */
  insert(report: Report): Promise<void>;
  get(org: string, id: string): Promise<Report | null>;
  /** Those that are there. */
  getMany(org: string, ids: readonly string[]): Promise<readonly Report[]>;
  /** Of whatever organization it is. */
  find(id: string): Promise<Report | null>;
  /** Newest first. */
  list(org: string, status: ReportStatus | null, page: PageRequest): Promise<Page<Report>>;
  /** A page by its number, newest first. It reads the reports of all pages before it, a part at a time. */
  numbered(org: string, filter: OwnReportFilter, page: NumberedPage): Promise<NumberedReports>;
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
    get: async (org, id) => {
      const row = await reports.get({ org, id });
      return row === null ? null : toReport(row);
    },
    getMany: async (org, ids) => {
      const rows = await reports.find({ where: { org, id: { in: ids } }, limit: ids.length });
      return rows.map(toReport);
    },
    find: async (id) => {
      const [row] = await reports.find({ where: { id }, limit: 1 });
      return row === undefined ? null : toReport(row);
    },
    numbered: async (org, filter, { page, perPage }) => {
      const where = whereOf(org, filter);
      const { count } = await reports.aggregate(where, "createdAt", "createdAt");
      const from = page * perPage;
      // Of a page behind the last one, nothing is read.
      return { count, parts: partsOf(reports, where, from, from < count ? from + perPage : 0) };
    },
    list: (org, status, page) => pageOf(reports, { org, status }, page, "desc"),
    listAll: (filter, page) => pageOf(reports, filter, bounded(page), "asc"),
    remove: async (org, id) => {
      const outcome = await store.write([reports.delete({ org, id })]);
      return outcome.ok && (outcome.changed[0] ?? 0) > 0;
    },
    ofHolder: async (org, accountHolderId, limit) =>
      (await reports.find({ where: { org, accountHolderId }, limit })).map(toReport),
    reassign: async (org, transactionId, accountHolderId) => {
      await store.apply([reports.update({ org, transactionId }, { accountHolderId }, "ignore")]);
    },
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
  return readPage<ReportRow, Report>(reports, where, page, "id", toReport, direction);
}

const toReport = ({ expected = {}, webhookUrl = null, ...row }: ReportRow): Report => ({
  ...row,
  expected,
  webhookUrl,
});

const whereOf = (org: string, { status, transactionId }: OwnReportFilter): Where<ReportRow> => ({
  org,
  ...(status === null ? {} : { status }),
  ...(transactionId === null ? {} : { transactionId }),
});

/** Rows read together, some MB at most. */
const PART = 500;

/** Reports number `from` to `end`, newest first. */
async function* partsOf(
  reports: Collection<ReportRow>,
  where: Where<ReportRow>,
  from: number,
  end: number,
): AsyncIterable<readonly Report[]> {
  let last: ReportRow | undefined;
  for (let read = 0; read < end; ) {
    const limit = Math.min(PART, end - read);
    const rows: ReportRow[] = await reports.find({
      where,
      order: { fields: ["createdAt", "id"], direction: "desc" },
      ...(last === undefined ? {} : { after: [last.createdAt, last.id] }),
      limit,
    });
    const shown = rows.slice(Math.max(0, from - read));
    if (shown.length > 0) yield shown.map(toReport);
    if (rows.length < limit) return;
    read += rows.length;
    last = rows.at(-1);
  }
}
