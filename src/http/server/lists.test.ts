import { expect, test } from "vitest";
import type { PageRequest, Position } from "../../shared/page.ts";
import { fakeDeps, startServer, type TestServer } from "../../../test/support/http-server.ts";

const deps = fakeDeps([], []);
const everything = { createdAfter: null, createdBefore: null, after: null };

/** A server that keeps what its lists were asked for. */
async function startRecorder(
  next: Position | null = null,
): Promise<TestServer & { asked: unknown[] }> {
  const asked: unknown[] = [];
  const record = (...call: unknown[]) => {
    asked.push(call);
    return Promise.resolve({ rows: [], next });
  };
  const server = await startServer({
    holders: { ...deps.holders, list: record },
    transactions: { ...deps.transactions, list: record },
    batches: { ...deps.batches, list: record },
    webhooks: { ...deps.webhooks, list: record, deliveries: record },
  });
  return Object.assign(server, { asked });
}

test("without a query a list gives its newest rows, 25 transactions or 10 of anything else", async () => {
  await using server = await startRecorder();
  const { asked } = server;
  for (const list of ["transactions", "batches", "account_holders", "webhooks"]) {
    const answer = await server.call("GET", `/v3/${list}`);
    expect(answer.json).toEqual({ next_cursor: null, data: [] });
  }
  expect(asked).toEqual([
    ["acme", { accountHolderId: null }, { limit: 25, ...everything }],
    ["acme", { status: null }, { limit: 10, ...everything }],
    ["acme", { limit: 10, ...everything }],
    ["acme", { limit: 10, ...everything }],
  ]);
});

test("filters and bounds reach the store; the last of a repeated parameter counts", async () => {
  await using server = await startRecorder();
  const { asked } = server;
  await server.call("GET", "/v3/transactions?limit=1&limit=1000&account_holder_id=a%2Fb%20c&x=1");
  await server.call("GET", "/v3/batches?status=completed&cursor=");
  const bounds =
    "created_after=2024-01-01+05:06:07.000089&created_before=2024-01-01T05:06:07+00:00";
  await server.call("GET", `/v3/account_holders?${bounds}`);
  const instant = Date.UTC(2024, 0, 1, 5, 6, 7);
  expect(asked).toEqual([
    ["acme", { accountHolderId: "a/b c" }, { limit: 1000, ...everything }],
    ["acme", { status: "completed" }, { limit: 10, ...everything }],
    ["acme", { limit: 10, createdAfter: instant + 1, createdBefore: instant, after: null }],
  ]);
});

test.each([
  ["limit=0", "limit", "greater_than_equal", "Input should be greater than or equal to 1"],
  ["limit=-5", "limit", "greater_than_equal", "Input should be greater than or equal to 1"],
  ["limit=1001", "limit", "less_than_equal", "Input should be less than or equal to 1000"],
  [
    "limit=",
    "limit",
    "int_parsing",
    "Input should be a valid integer, unable to parse string as an integer",
  ],
  [
    "limit=1.5",
    "limit",
    "int_parsing",
    "Input should be a valid integer, unable to parse string as an integer",
  ],
  ["limit=9999999999999999999999", "limit", "int_parsing", undefined],
  ["status=finished", "status", "enum", "Input should be 'processing', 'completed' or 'error'"],
  ["status=", "status", "enum", undefined],
  [
    "created_after=yesterday",
    "created_after",
    "datetime_from_date_parsing",
    "Input should be a valid datetime or date, input is too short",
  ],
  ["created_before=", "created_before", "datetime_from_date_parsing", undefined],
  ["cursor=abc", "cursor", "value_error", undefined],
])("the query %s is a 422 at its place", async (query, name, type, msg) => {
  await using server = await startRecorder();
  const { asked } = server;
  const answer = await server.call("GET", `/v3/batches?${query}`);
  expect(answer.status).toBe(422);
  const entry = { loc: ["query", name], type, ...(msg === undefined ? {} : { msg }) };
  expect(answer.json).toMatchObject({ detail: [entry] });
  expect(asked).toEqual([]);
});

test("an account holder id in a query is an id: not empty, not too long", async () => {
  await using server = await startRecorder();
  for (const id of ["", "x".repeat(257)]) {
    const answer = await server.call("GET", `/v3/transactions?account_holder_id=${id}`);
    expect(answer.json).toMatchObject({ detail: [{ loc: ["query", "account_holder_id"] }] });
  }
});

test("a page's cursor goes on where it ended, in its own list and organization only", async () => {
  const position = { createdAt: 1_714_979_289_010, tie: "t/1" };
  await using server = await startRecorder(position);
  const { asked } = server;
  const first = await server.call("GET", "/v3/transactions?limit=2");
  const cursor = (first.json as { next_cursor: string }).next_cursor;
  const query = `?limit=2&cursor=${encodeURIComponent(cursor)}`;
  const second = await server.call("GET", `/v3/transactions${query}`);
  expect(second.status).toBe(200);
  const pages = asked.map((call) => (call as [string, object, PageRequest])[2].after);
  expect(pages).toEqual([null, position]);

  const foreign = [
    await server.call("GET", `/v3/batches${query}`),
    await server.call("GET", `/v3/transactions${query}`, { key: "zeta:read" }),
    await server.call("GET", `/v3/transactions${query}x`),
  ];
  for (const answer of foreign) {
    expect([answer.status, answer.json]).toMatchObject([
      422,
      { detail: [{ loc: ["query", "cursor"], type: "value_error" }] },
    ]);
  }
  expect(asked).toHaveLength(2);
});
