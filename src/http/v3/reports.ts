import type { Page, PageRequest } from "../../shared/page.ts";
import {
  type NewReport,
  type Report,
  reportResource,
  type ReportStatus,
} from "../../model/report.ts";
import { errorAnswer, jsonAnswer, noContent, ofHolder } from "../server/answer.ts";
import type { Cursors } from "../server/cursor.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { answerPage } from "./lists.ts";
import { newReport, report, reportPage, reportQuery } from "./report-schemas.ts";
import { idPath } from "./schemas.ts";

export interface ReportsPort {
  /** Null when there is no such transaction. Repeating it with the same id adds nothing. */
  create(org: string, input: NewReport, id: string): Promise<Report | null>;
  list(
    org: string,
    filter: { readonly status: ReportStatus | null },
    page: PageRequest,
  ): Promise<Page<Report>>;
  get(org: string, id: string): Promise<Report | null>;
  /** False when there is no such report. */
  delete(org: string, id: string): Promise<boolean>;
}

interface ReportServices {
  readonly reports: ReportsPort;
  readonly cursors: Cursors;
}

const tag = "Reports";
const NOT_FOUND = "Report not found";
const NO_TRANSACTION = "Transaction not found";

export const reportRoutes: readonly Route<ReportServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v3/reports",
    operationId: "create_report",
    summary: "Report what is wrong about a transaction",
    tag,
    request: { path: nothing, query: nothing, body: newReport },
    success: report,
    errors: { 404: NO_TRANSACTION },
    async handle({ reports }: ReportServices, { principal, body, resourceId }) {
      const created = await reports.create(principal.org, body, resourceId());
      return created === null
        ? errorAnswer("transaction_not_found", NO_TRANSACTION)
        : ofHolder(jsonAnswer(200, reportResource(created)), created.accountHolderId);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/reports",
    operationId: "list_reports",
    summary: "List reports, newest first",
    tag,
    request: { path: nothing, query: reportQuery, body: null },
    success: reportPage,
    errors: {},
    handle({ reports, cursors }: ReportServices, { principal, query }) {
      const filter = { status: query.status ?? null };
      return answerPage(cursors, principal, query, {
        name: "reports",
        read: (page) => reports.list(principal.org, filter, page),
        write: (row) => JSON.stringify(reportResource(row)),
      });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/reports/{id}",
    operationId: "get_report",
    summary: "Get a report",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: report,
    errors: { 404: NOT_FOUND },
    async handle({ reports }: ReportServices, { principal, path }) {
      const found = await reports.get(principal.org, path.id);
      return found === null
        ? errorAnswer("report_not_found", NOT_FOUND)
        : jsonAnswer(200, reportResource(found));
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v3/reports/{id}",
    operationId: "delete_report",
    summary: "Delete a report in any status; its corrections stay",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: null,
    errors: { 404: NOT_FOUND },
    async handle({ reports }: ReportServices, { principal, path }) {
      const deleted = await reports.delete(principal.org, path.id);
      return deleted ? noContent() : errorAnswer("report_not_found", NOT_FOUND);
    },
  }),
];
