import { expect, test } from "vitest";
import type { NewReport } from "../../model/report.ts";
import { CREATED_AT_TEXT, startServer } from "../../../test/support/http-server.ts";
import { fakeSettings, report } from "../../../test/support/http-services.ts";

const { reports } = fakeSettings;
const newReport = { transaction_id: "t1", description: "It was another.", fields: ["merchant"] };
const shown = { ...newReport, created_at: CREATED_AT_TEXT, status: "open", rejection_reason: null };

test("a report is made under a new id, and shown with every field that clients need", async () => {
  await using server = await startServer();
  const answer = await server.call("POST", "/v3/reports", { body: { ...newReport, more: 1 } });
  expect([answer.status, answer.json]).toEqual([200, { ...shown, id: "new-2" }]);
});

test("repeated under its idempotency key it has the id of the first time", async () => {
  await using server = await startServer();
  const headers = { "Idempotency-Key": "once" };
  const answer = await server.call("POST", "/v3/reports", { body: newReport, headers });
  expect(answer.json).toMatchObject({ id: "resource-1" });
});

test("a report without words and without fields is one", async () => {
  const asked: NewReport[] = [];
  const create: typeof reports.create = (org, input, id) => {
    asked.push(input);
    return reports.create(org, input, id);
  };
  await using server = await startServer({ reports: { ...reports, create } });
  const body = { transaction_id: "t1", description: "", fields: [] };
  expect(await server.call("POST", "/v3/reports", { body })).toMatchObject({ status: 200 });
  const none = { expected: {}, webhookUrl: null };
  expect(asked).toEqual([{ transactionId: "t1", description: "", fields: [], ...none }]);
});

test("what is about no transaction of the organization is a 404", async () => {
  const create = () => Promise.resolve(null);
  await using server = await startServer({ reports: { ...reports, create } });
  expect(await server.call("POST", "/v3/reports", { body: newReport })).toMatchObject({
    status: 404,
    json: { detail: "Transaction not found" },
  });
});

test.each([
  [{ transaction_id: undefined }, ["body", "transaction_id"]],
  [{ transaction_id: "" }, ["body", "transaction_id"]],
  [{ description: undefined }, ["body", "description"]],
  [{ description: "x".repeat(1025) }, ["body", "description"]],
  [{ description: null }, ["body", "description"]],
  [{ fields: undefined }, ["body", "fields"]],
  [{ fields: "merchant" }, ["body", "fields"]],
  [{ fields: Array.from({ length: 51 }, () => "x") }, ["body", "fields"]],
  [{ fields: ["merchant", ""] }, ["body", "fields", 1]],
  [{ fields: ["x".repeat(257)] }, ["body", "fields", 0]],
])("%j is refused, with the place that is wrong", async (wrong, loc) => {
  await using server = await startServer();
  const answer = await server.call("POST", "/v3/reports", { body: { ...newReport, ...wrong } });
  expect([answer.status, answer.json]).toMatchObject([422, { detail: [{ loc }] }]);
});

test("reports are listed by state and time, and one by one", async () => {
  const asked: unknown[] = [];
  const list: typeof reports.list = (...call) => {
    asked.push(call);
    return Promise.resolve({ rows: [report], next: { createdAt: 1, tie: "p1" } });
  };
  await using server = await startServer({ reports: { ...reports, list } });
  const path = "/v3/reports?status=rejected&limit=1&created_after=2024-01-01T00:00:00Z";
  const page = (await server.call("GET", path)).json as { next_cursor: string; data: unknown };
  const row = { ...shown, transaction_id: "t1", description: report.description, id: "p1" };
  expect(page.data).toEqual([row]);
  await server.call("GET", `/v3/reports?cursor=${page.next_cursor}`);
  expect(asked).toMatchObject([
    ["acme", { status: "rejected" }, { limit: 1, createdAfter: Date.UTC(2024, 0) }],
    ["acme", { status: null }, { limit: 10, after: { createdAt: 1, tie: "p1" } }],
  ]);
  expect((await server.call("GET", "/v3/reports?status=lost")).status).toBe(422);
  expect((await server.call("GET", "/v3/reports/p9")).json).toEqual({ ...row, id: "p9" });
});

test("a report that is not there is a 404, also to delete", async () => {
  await using server = await startServer({
    reports: {
      ...reports,
      get: () => Promise.resolve(null),
      delete: (_org, id) => Promise.resolve(id === "there"),
    },
  });
  for (const method of ["GET", "DELETE"])
    expect(await server.call(method, "/v3/reports/p1")).toMatchObject({
      status: 404,
      json: { detail: "Report not found" },
    });
  expect((await server.call("DELETE", "/v3/reports/there")).status).toBe(204);
});
