import { expect, test } from "vitest";
import type { HttpDeps } from "../http.ts";
import { auditEntry } from "../../../test/support/http-services.ts";
import { CREATED_AT_TEXT, startServer } from "../../../test/support/http-server.ts";

const ADMIN = { key: "acme:admin" };

/** A server that keeps what its audit was asked for. */
async function startRecorder() {
  const asked: unknown[] = [];
  const audit: HttpDeps["audit"] = {
    list: (...call) => {
      asked.push(call);
      return Promise.resolve({ rows: [auditEntry], next: { createdAt: 5, tie: "n1" } });
    },
  };
  const server = await startServer({ audit });
  return Object.assign(server, { asked });
}

test("an admin sees who changed what in the organization", async () => {
  await using server = await startRecorder();
  const answer = await server.call("GET", "/v3/audit", ADMIN);
  const { next_cursor: cursor, data } = answer.json as { next_cursor: string; data: unknown };
  expect([answer.status, data]).toEqual([
    200,
    [
      {
        id: "n1",
        created_at: CREATED_AT_TEXT,
        action: "webhook.deleted",
        subject: "w1",
        key_id: "k1",
        request_id: "q1",
        details: { host: "example.com" },
      },
    ],
  ]);
  const query = `limit=3&action=rule.changed&created_after=1970-01-01&cursor=${cursor}`;
  expect((await server.call("GET", `/v3/audit?${query}`, ADMIN)).status).toBe(200);
  const first = { limit: 10, createdAfter: null, createdBefore: null, after: null };
  const after = { createdAt: 5, tie: "n1" };
  expect(server.asked).toEqual([
    ["acme", { action: null }, first],
    ["acme", { action: "rule.changed" }, { ...first, limit: 3, createdAfter: 0, after }],
  ]);
});
