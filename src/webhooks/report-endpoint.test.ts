import { expect, it } from "vitest";
import type { Report } from "../model/report.ts";
import type { StoredWebhook } from "../model/webhook.ts";
import { createEndpointReader } from "./report-endpoint.ts";
import { WINDOW_MS } from "./schedule.ts";

const HOUR_MS = 3_600_000;
const URL = "https://hooks.example.com/reports";

const report: Report = {
  org: "o",
  id: "r",
  transactionId: "t",
  description: "",
  fields: [],
  expected: {},
  webhookUrl: URL,
  createdAt: 1,
  updatedAt: 5,
  status: "open",
  rejectionReason: null,
  accountHolderId: null,
};

function readerOf(stored: Report | null, nowMs = 10) {
  const asked: string[] = [];
  const reader = createEndpointReader({
    getWebhook: (_org, id) => {
      asked.push(`webhook ${id}`);
      return Promise.resolve(null);
    },
    getReport: (_org, id) => {
      asked.push(`report ${id}`);
      return Promise.resolve(stored);
    },
    getReports: () => Promise.resolve(stored === null ? [] : [stored]),
    nowMs: () => nowMs,
  });
  return { reader, asked };
}

/** The same endpoint, by its id and as that of an event. */
async function endpointOf(stored: Report | null, nowMs?: number): Promise<StoredWebhook | null> {
  const { reader } = readerOf(stored, nowMs);
  const [ofEvent = null] = await reader.reportEndpoints("o", ["r"]);
  const byId = await reader.getWebhook("o", "report:r");
  expect(byId).toEqual(ofEvent);
  return byId;
}

it("only an id of a report's URL is looked up as one", async () => {
  const { reader, asked } = readerOf(report);
  expect(await reader.getWebhook("o", "7b0c")).toBeNull();
  await reader.getWebhook("o", "report:7b0c");
  expect(asked).toEqual(["webhook 7b0c", "report 7b0c"]);
});

it("it gets every event of reports, enabled and without secrets, from the creation of the report", async () => {
  expect(await endpointOf(report)).toMatchObject({
    ...{ org: "o", id: "report:r", createdAt: 1, url: URL, enabled: true, ordered: false },
    ...{ tokens: [], secrets: [], ca: null },
    events: ["reports.resolved", "reports.rejected", "reports.pending"],
  });
});

it("a report that does not exist, or has no URL, has none", async () => {
  expect(await endpointOf(null)).toBeNull();
  expect(await endpointOf({ ...report, webhookUrl: null })).toBeNull();
});

it.each(["resolved", "rejected"] as const)(
  "it outlives every delivery of a report that is %s, and no more",
  async (status) => {
    const final = { ...report, status };
    expect(await endpointOf(final, 5 + WINDOW_MS)).not.toBeNull();
    expect(await endpointOf(final, 4 + WINDOW_MS + HOUR_MS)).not.toBeNull();
    expect(await endpointOf(final, 5 + WINDOW_MS + HOUR_MS)).toBeNull();
  },
);

it.each(["open", "pending"] as const)("a report that is %s keeps it", async (status) => {
  expect(await endpointOf({ ...report, status }, 1_000 * WINDOW_MS)).not.toBeNull();
});
