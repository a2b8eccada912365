// The URL that a customer gave with a report gets the events of that report. It is part of the report and no webhook: it is not
// listed, does not count as one, cannot be changed, and ends with the report. The dispatcher sees it as a webhook.
import { REPORT_EVENT_TYPES } from "../model/event.ts";
import { mayMove, type Report, REPORT_STATUSES } from "../model/report.ts";
import { reportEndpointId, reportOfEndpoint, type StoredWebhook } from "../model/webhook.ts";
import { newHealth } from "./endpoint-health.ts";
import { WINDOW_MS } from "./schedule.ts";

/**
 * How long after the last move of a report its URL is kept for deliveries: until they have ended, and the writes of the last
 * attempts with them, also where the clocks of two machines differ.
 */
const KEPT_MS = WINDOW_MS + 3_600_000;

export interface EndpointPorts {
  getWebhook(org: string, id: string): Promise<StoredWebhook | null>;
  getReport(org: string, id: string): Promise<Report | null>;
  getReports(org: string, ids: readonly string[]): Promise<readonly Report[]>;
  nowMs(): number;
}

/** What the dispatcher reads of webhooks and of the URLs of reports. */
export function createEndpointReader({ getWebhook, getReport, getReports, nowMs }: EndpointPorts) {
  return {
    getWebhook: async (org: string, id: string): Promise<StoredWebhook | null> => {
      const reportId = reportOfEndpoint(id);
      if (reportId === null) return getWebhook(org, id);
      const report = await getReport(org, reportId);
      return report === null ? null : reportEndpoint(report, nowMs());
    },
    /** Of these reports, those that have one. */
    reportEndpoints: async (
      org: string,
      reportIds: readonly string[],
    ): Promise<readonly StoredWebhook[]> => {
      const reports = await getReports(org, reportIds);
      const endpoints = reports.map((report) => reportEndpoint(report, nowMs()));
      return endpoints.filter((endpoint) => endpoint !== null);
    },
  };
}

/** Null: the report has no URL, or its last delivery has ended. */
function reportEndpoint(report: Report, nowMs: number): StoredWebhook | null {
  const { org, id, webhookUrl, status, createdAt, updatedAt } = report;
  if (webhookUrl === null) return null;
  const isFinal = !REPORT_STATUSES.some((next) => mayMove(status, next));
  if (isFinal && nowMs >= updatedAt + KEPT_MS) return null;
  return {
    org,
    id: reportEndpointId(id),
    createdAt,
    // It never changes.
    revision: 0,
    url: webhookUrl,
    events: REPORT_EVENT_TYPES,
    enabled: true,
    ordered: false,
    ca: null,
    tokens: [],
    secrets: [],
    health: newHealth(createdAt),
  };
}
