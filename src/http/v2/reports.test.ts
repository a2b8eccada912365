import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { CREATED_AT_TEXT, startServer } from "../../../test/support/http-server.ts";
import { fakeSettings, report } from "../../../test/support/http-services.ts";
import type { NewReport, ReportStatus } from "../../model/report.ts";
import { REPORTED_FIELDS } from "./report-schemas.ts";

const { reports } = fakeSettings;
const TEXT = "the right one";

/** A server that keeps what its reports are asked for. */
async function startRecorder() {
  const asked: unknown[] = [];
  const server = await startServer({
    reports: {
      ...reports,
      create: (...call) => {
        asked.push(call);
        return reports.create(...call);
      },
      page: (...call) => {
        asked.push(call);
        return reports.page(...call);
      },
    },
  });
  return Object.assign(server, { asked });
}

/** The input that a report of this body is created with. */
async function inputOf(body: object): Promise<NewReport> {
  await using server = await startRecorder();
  const answer = await server.call("POST", "/v2/report", { body });
  expect([answer.status, answer.json]).toMatchObject([200, {}]);
  const [[, input] = []] = server.asked as [string, NewReport][];
  if (input === undefined) throw new Error("Nothing was created");
  return input;
}

/** A row for each field: its right value, and the v3 field that is wrong. */
test.each([
  ["logo", TEXT, "entities.counterparty.logo"],
  ["website", TEXT, "entities.counterparty.website"],
  ["location", TEXT, "location.raw_address"],
  ["merchant", TEXT, "entities.counterparty.name"],
  ["merchant_id", TEXT, "entities.counterparty.id"],
  ["labels", ["books", "rent"], "categories.general"],
  ["person", TEXT, "entities.counterparty.name"],
  ["recurrence", TEXT, "recurrence"],
  ["recurrence_group_id", TEXT, "recurrence_group_id"],
  ["mcc", [0, 9999], "entities.counterparty.mccs"],
])("the right value of %s, %j, is kept, and %s is wrong in v3", async (field, right, v3Field) => {
  expect(await inputOf({ transaction_id: "t1", [field]: right })).toEqual({
    transactionId: "t1",
    description: "",
    fields: [v3Field],
    expected: { [field]: right },
    webhookUrl: null,
  });
});

test("every field that can be reported has a row above", () => {
  expect(Object.keys(REPORTED_FIELDS)).toHaveLength(10);
});

test("null counts as left out, and two names of one v3 field are one", async () => {
  const sent = { merchant: "A", person: "B", website: null, labels: null, mcc: null, notes: null };
  expect(await inputOf({ transaction_id: "t1", ...sent, webhook_url: null })).toEqual({
    transactionId: "t1",
    description: "",
    fields: ["entities.counterparty.name"],
    expected: { merchant: "A", person: "B" },
    webhookUrl: null,
  });
});

test("notes are the description of v3, and names that are not known change nothing", async () => {
  const sent = { notes: "Wrong.", webhook_url: "https://hooks.example.com/r", colour: "blue" };
  expect(await inputOf({ transaction_id: "t1", ...sent })).toEqual({
    transactionId: "t1",
    description: "Wrong.",
    fields: [],
    expected: {},
    webhookUrl: "https://hooks.example.com/r",
  });
});

const shown = {
  id: "p1",
  status: "open",
  created_at: CREATED_AT_TEXT,
  transaction_id: "t1",
  webhook_url: report.webhookUrl,
  fields: { merchant: "Heron Street", labels: '["books","rent"]' },
  notes: report.description,
};

test("a report is shown in the words of v2, with lists as JSON text", async () => {
  await using server = await startServer();
  const one = await server.call("GET", "/v2/report/p1");
  expect([one.status, one.json]).toEqual([200, shown]);
  const page = await server.call("GET", "/v2/report");
  expect([page.status, page.json]).toEqual([200, { pages: 1, reports: [shown] }]);
});

test.each<[ReportStatus, string]>([
  ["open", "open"],
  ["pending", "pending"],
  ["resolved", "resolved"],
  ["rejected", "invalid"],
])("%s is shown as %s, and is found by that word", async (status, word) => {
  const asked: unknown[] = [];
  await using server = await startServer({
    reports: {
      ...reports,
      get: () => Promise.resolve({ ...report, status }),
      page: (_org, filter) => {
        asked.push(filter.status);
        return Promise.resolve({ pages: 0, parts: Readable.from([]) });
      },
    },
  });
  expect((await server.call("GET", "/v2/report/p1")).json).toMatchObject({ status: word });
  const list = await server.call("GET", `/v2/report?status=${word}`);
  expect([list.json, asked]).toEqual([{ pages: 0, reports: [] }, [status]]);
});

test("a report of v3 without words and values has neither fields nor notes", async () => {
  const bare = { ...report, description: "", expected: {}, webhookUrl: null };
  await using server = await startServer({
    reports: { ...reports, get: () => Promise.resolve(bare) },
  });
  const answer = await server.call("GET", "/v2/report/p1");
  const none = { fields: null, notes: null, webhook_url: null };
  expect(answer.json).toEqual({ ...shown, ...none });
});

test("a list has 1000 reports on its first page unless another is asked for", async () => {
  await using server = await startRecorder();
  await server.call("GET", "/v2/report");
  const query = "page=3&per_page=10000&transaction_id=t%2F1&status=pending";
  await server.call("GET", `/v2/report?${query}`);
  expect(server.asked).toEqual([
    ["acme", { status: null, transactionId: null }, { page: 0, perPage: 1000 }],
    ["acme", { status: "pending", transactionId: "t/1" }, { page: 3, perPage: 10_000 }],
  ]);
});

test.each(["page=-1", "page=x", "per_page=0", "per_page=10001", "status=rejected", "page=1.5"])(
  "a list is refused with %s",
  async (query) => {
    await using server = await startRecorder();
    const answer = await server.call("GET", `/v2/report?${query}`);
    const loc = ["query", query.slice(0, query.indexOf("="))];
    expect([answer.status, answer.json]).toMatchObject([422, { detail: [{ loc }] }]);
    expect(server.asked).toEqual([]);
  },
);

test.each([
  [{ merchant: "x" }, ["body", "transaction_id"]],
  [{ transaction_id: "" }, ["body", "transaction_id"]],
  [{ transaction_id: "t1", merchant: 5 }, ["body", "merchant"]],
  [{ transaction_id: "t1", merchant: "x".repeat(1025) }, ["body", "merchant"]],
  [{ transaction_id: "t1", labels: "books" }, ["body", "labels"]],
  [{ transaction_id: "t1", labels: ["books", null] }, ["body", "labels", 1]],
  [{ transaction_id: "t1", mcc: [1.5] }, ["body", "mcc", 0]],
  [{ transaction_id: "t1", mcc: [10_000] }, ["body", "mcc", 0]],
  [{ transaction_id: "t1", notes: "x".repeat(1025) }, ["body", "notes"]],
  [{ transaction_id: "t1", webhook_url: "" }, ["body", "webhook_url"]],
])("%j is refused, and nothing is created", async (body, loc) => {
  await using server = await startRecorder();
  const answer = await server.call("POST", "/v2/report", { body });
  expect([answer.status, answer.json]).toMatchObject([422, { detail: [{ loc }] }]);
  expect(server.asked).toEqual([]);
});

test("a URL that a webhook may not have is refused with its reason, and nothing is created", async () => {
  await using server = await startRecorder();
  const body = { transaction_id: "t1", webhook_url: "http://10.0.0.1/" };
  const refused = await server.call("POST", "/v2/report", { body });
  const error = {
    loc: ["body", "webhook_url"],
    msg: "Value error, The URL must begin with https://.",
    type: "value_error",
  };
  expect([refused.status, refused.json]).toMatchObject([422, { detail: [error] }]);
  expect(server.asked).toEqual([]);
});

test("an unknown transaction and an unknown report are a 404 with a detail", async () => {
  await using server = await startServer({
    reports: { ...reports, create: () => Promise.resolve(null), get: () => Promise.resolve(null) },
  });
  const created = await server.call("POST", "/v2/report", { body: { transaction_id: "none" } });
  expect([created.status, created.json]).toMatchObject([
    404,
    { detail: "Transaction not found", code: "transaction_not_found" },
  ]);
  const found = await server.call("GET", "/v2/report/none");
  expect([found.status, found.json]).toMatchObject([
    404,
    { detail: "Report not found", code: "report_not_found" },
  ]);
});
