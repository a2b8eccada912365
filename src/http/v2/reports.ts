import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  ExpectedValue,
  NewReport,
  NumberedPage,
  OwnReportFilter,
  Report,
  ReportStatus,
} from "../../model/report.ts";
import { errorAnswer, JSON_TYPE, jsonAnswer, ofHolder } from "../server/answer.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { unprocessable } from "../server/validation.ts";
import {
  reportPath,
  submittedReport,
  v2Report,
  v2ReportPage,
  v2ReportQuery,
  type V2ReportStatus,
} from "./report-schemas.ts";

export interface V2ReportsPort {
  /** Null when there is no such transaction. Repeating it with the same id adds nothing. */
  create(org: string, input: NewReport, id: string): Promise<Report | null>;
  /** Newest first. */
  page(
    org: string,
    filter: OwnReportFilter,
    page: NumberedPage,
  ): Promise<{ readonly pages: number; readonly parts: AsyncIterable<readonly Report[]> }>;
  get(org: string, id: string): Promise<Report | null>;
}

export interface V2ReportServices {
  readonly reports: V2ReportsPort;
  readonly webhooks: {
    /** Why events are not sent to a URL, as a sentence that does not repeat it, or null. */
    urlProblem(url: string): string | null;
  };
}

const tag = "Reports";
const NOT_FOUND = "Report not found";
const NO_TRANSACTION = "Transaction not found";

export const v2ReportRoutes: readonly Route<V2ReportServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v2/report",
    operationId: "create_enrichment_report",
    summary: "Report the fields of a transaction that are wrong, with their right values",
    tag,
    request: { path: nothing, query: nothing, body: submittedReport },
    success: v2Report,
    errors: { 404: NO_TRANSACTION },
    async handle({ reports, webhooks }: V2ReportServices, { principal, body, resourceId }) {
      const { webhookUrl } = body;
      const problem = webhookUrl === null ? null : webhooks.urlProblem(webhookUrl);
      if (problem !== null) {
        const loc = ["body", "webhook_url"];
        return unprocessable([{ loc, msg: `Value error, ${problem}`, type: "value_error" }]);
      }
      const created = await reports.create(principal.org, body, resourceId());
      return created === null
        ? errorAnswer("transaction_not_found", NO_TRANSACTION)
        : ofHolder(jsonAnswer(200, resource(created)), created.accountHolderId);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v2/report",
    operationId: "list_enrichment_reports",
    summary: "List reports by pages, newest first",
    tag,
    request: { path: nothing, query: v2ReportQuery, body: null },
    success: v2ReportPage,
    errors: {},
    async handle({ reports }: V2ReportServices, { principal, query }) {
      const filter = {
        status: query.status == null ? null : STATUS_OF[query.status],
        transactionId: query.transaction_id ?? null,
      };
      const asked = { page: query.page, perPage: query.per_page };
      const { pages, parts } = await reports.page(principal.org, filter, asked);
      return {
        kind: "stream",
        status: 200,
        headers: { "Content-Type": JSON_TYPE },
        opening: `{"pages":${String(pages)},"reports":[`,
        chunks: texts(parts),
        closing: "]}",
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v2/report/{id}",
    operationId: "get_enrichment_report",
    summary: "Get a report",
    tag,
    request: { path: reportPath, query: nothing, body: null },
    success: v2Report,
    errors: { 404: NOT_FOUND },
    async handle({ reports }: V2ReportServices, { principal, path }) {
      const found = await reports.get(principal.org, path.id);
      return found === null
        ? errorAnswer("report_not_found", NOT_FOUND)
        : jsonAnswer(200, resource(found));
    },
  }),
];

const STATUS_OF: Readonly<Record<V2ReportStatus, ReportStatus>> = {
  open: "open",
  pending: "pending",
  resolved: "resolved",
  invalid: "rejected",
};
const SHOWN_STATUS: Readonly<Record<ReportStatus, V2ReportStatus>> = {
  open: "open",
  pending: "pending",
  resolved: "resolved",
  rejected: "invalid",
};

/** In parts, because ten thousand reports may be many MB. */
async function* texts(parts: AsyncIterable<readonly Report[]>): AsyncIterable<string> {
  for await (const part of parts) {
    yield part.map((report) => JSON.stringify(resource(report))).join(",");
    await nextTurn();
  }
}

function resource(report: Report): object {
  const expected = Object.entries(report.expected);
  return {
    id: report.id,
    status: SHOWN_STATUS[report.status],
    created_at: new Date(report.createdAt).toISOString(),
    transaction_id: report.transactionId,
    webhook_url: report.webhookUrl,
    fields:
      expected.length === 0
        ? null
        : Object.fromEntries(expected.map(([field, right]) => [field, fieldText(right)])),
    notes: report.description === "" ? null : report.description,
  };
}

/** The contract has texts alone: a list becomes its JSON. */
const fieldText = (right: ExpectedValue): string =>
  typeof right === "string" ? right : JSON.stringify(right);
