import { expect, test } from "vitest";
import {
  batch,
  chunksOf,
  CREATED_AT,
  CREATED_AT_TEXT,
  fakeDeps,
  startServer,
  stored,
  transactionBody,
} from "../../../test/support/http-server.ts";
import * as schemas from "../v3/schemas.ts";

const deps = fakeDeps([], []);

test("POST /v3/transactions answers with what was found out, spliced from the worker's text", async () => {
  const asked: unknown[] = [];
  await using server = await startServer({
    ingest: {
      ...deps.ingest,
      enrichOne: (...call) => {
        asked.push(call);
        return deps.ingest.enrichOne(...call);
      },
    },
  });
  const answer = await server.call("POST", "/v3/transactions", {
    body: { ...transactionBody, location: { raw_address: "Main St", country: "US" }, more: 1 },
    headers: { "X-Request-ID": "abc" },
  });
  expect(answer.status).toBe(200);
  expect(answer.text).toBe(
    `{"created_at":"${CREATED_AT_TEXT}","id":"t1","entities":null,` +
      `"categories":{"general":"rent","accounting":null},"location":null,"error":null}`,
  );
  expect(schemas.enrichedTransaction.safeParse(answer.json).success).toBe(true);
  const input = {
    id: "t1",
    description: "RENT",
    date: "2024-02-29",
    amount: 12.5,
    entryType: "outgoing",
    currency: "EUR",
    accountHolderId: null,
    location: { rawAddress: "Main St", country: "US" },
  };
  expect(asked).toEqual([["acme", "abc", input]]);
});

test("an enriched transaction with an error shows no facts", async () => {
  const error = { code: "account_holder_not_found", message: "no such holder" } as const;
  await using server = await startServer({
    ingest: {
      ...deps.ingest,
      enrichOne: () => Promise.resolve({ createdAt: CREATED_AT, facts: '{"entities":1}', error }),
    },
  });
  const { json } = await server.call("POST", "/v3/transactions", { body: transactionBody });
  expect(json).toEqual({
    created_at: CREATED_AT_TEXT,
    id: "t1",
    entities: null,
    categories: null,
    location: null,
    confidence: null,
    error,
  });
});

test("a transaction is shown with its input and its facts, in a list and by its id", async () => {
  await using server = await startServer();
  const shown = {
    id: "t1",
    description: "RENT",
    date: "2024-02-29",
    amount: 12.5,
    entry_type: "outgoing",
    currency: "EUR",
    created_at: CREATED_AT_TEXT,
    account_holder_id: "h1",
    entities: null,
    categories: { general: "rent", accounting: null },
    location: null,
    error: null,
  };
  const one = await server.call("GET", "/v3/transactions/t1");
  expect(one.json).toEqual(shown);
  expect(schemas.transaction.safeParse(one.json).success).toBe(true);
  const list = await server.call("GET", "/v3/transactions");
  expect(list.json).toEqual({ next_cursor: null, data: [shown] });
  const assigned = await server.call("POST", "/v3/transactions/t1/assign", {
    body: { account_holder_id: "h1" },
  });
  expect([assigned.status, assigned.json]).toEqual([200, shown]);
});

test.each([
  ["transaction_not_found", 404, "Transaction not found"],
  ["account_holder_not_found", 404, "Account holder not found"],
  ["type_mismatch", 400, "The old and the new account holder are of different type"],
  ["conflict", 409, "The transaction was changed at the same time"],
] as const)("assign refused for %s answers %d", async (reason, status, detail) => {
  await using server = await startServer({
    transactions: { ...deps.transactions, assign: () => Promise.resolve({ ok: false, reason }) },
  });
  const answer = await server.call("POST", "/v3/transactions/t1/assign", {
    body: { account_holder_id: "h2" },
  });
  expect([answer.status, answer.json]).toMatchObject([status, { detail }]);
});

test("deleting answers 204 without a body", async () => {
  const asked: unknown[] = [];
  await using server = await startServer({
    holders: {
      ...deps.holders,
      deleteTransactions: (...call) => {
        asked.push(call);
        return Promise.resolve(true);
      },
    },
  });
  for (const path of ["/v3/transactions/t1", "/v3/account_holders/h1"]) {
    const answer = await server.call("DELETE", path);
    expect([answer.status, answer.text]).toEqual([204, ""]);
  }
  const answer = await server.call("POST", "/v3/account_holders/h1/transactions/delete", {
    body: { transaction_ids: ["a", "b"] },
  });
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(asked).toEqual([["acme", "h1", ["a", "b"]]]);
});

test("a missing resource is a 404 that names its kind", async () => {
  await using server = await startServer({
    holders: {
      ...deps.holders,
      get: () => Promise.resolve(null),
      delete: () => Promise.resolve(false),
      deleteTransactions: () => Promise.resolve(false),
    },
    transactions: {
      ...deps.transactions,
      get: () => Promise.resolve(null),
      delete: () => Promise.resolve(false),
    },
    batches: {
      ...deps.batches,
      get: () => Promise.resolve(null),
      results: () => Promise.resolve(null),
    },
  });
  const detailOf = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await server.call(method, path, { body });
    return [answer.status, answer.json];
  };
  const holderMissing = [
    404,
    { code: "account_holder_not_found", detail: "Account holder not found" },
  ];
  const transactionMissing = [
    404,
    { code: "transaction_not_found", detail: "Transaction not found" },
  ];
  const batchMissing = [404, { code: "batch_not_found", detail: "Batch not found" }];
  expect(await detailOf("GET", "/v3/account_holders/x")).toMatchObject(holderMissing);
  expect(await detailOf("DELETE", "/v3/account_holders/x")).toMatchObject(holderMissing);
  const ids = { transaction_ids: [] };
  expect(await detailOf("POST", "/v3/account_holders/x/transactions/delete", ids)).toMatchObject(
    holderMissing,
  );
  expect(await detailOf("GET", "/v3/transactions/x")).toMatchObject(transactionMissing);
  expect(await detailOf("DELETE", "/v3/transactions/x")).toMatchObject(transactionMissing);
  expect(await detailOf("GET", "/v3/batches/x")).toMatchObject(batchMissing);
  expect(await detailOf("GET", "/v3/batches/x/results")).toMatchObject(batchMissing);
});

test("an account holder is created, shown and listed with all its fields", async () => {
  await using server = await startServer();
  const created = await server.call("POST", "/v3/account_holders", {
    body: { id: "h9", type: "business", name: null, category_id: "mine" },
  });
  expect(created.status).toBe(200);
  expect(created.json).toEqual({
    id: "h9",
    type: "business",
    name: null,
    category_id: "mine",
    created_at: CREATED_AT_TEXT,
  });
  expect(schemas.accountHolder.safeParse(created.json).success).toBe(true);
  const one = await server.call("GET", "/v3/account_holders/h1");
  expect(one.json).toMatchObject({ id: "h1", type: "consumer" });
  const list = await server.call("GET", "/v3/account_holders");
  expect(schemas.accountHolderPage.safeParse(list.json).success).toBe(true);
});

test("an account holder that exists is a 400", async () => {
  await using server = await startServer({
    holders: { ...deps.holders, create: () => Promise.resolve({ ok: false, reason: "exists" }) },
  });
  const answer = await server.call("POST", "/v3/account_holders", {
    body: { id: "h1", type: "consumer" },
  });
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ detail: "Account holder with this id already exists" });
});

test("a batch is accepted under a new id, shown and listed", async () => {
  await using server = await startServer();
  const created = await server.call("POST", "/v3/batches", {
    body: { operation: "POST /v3/transactions", data: [transactionBody, transactionBody] },
  });
  expect(created.status).toBe(200);
  expect(created.json).toMatchObject({ id: "new-2", total: 2, status: "processing" });
  expect(schemas.batch.safeParse(created.json).success).toBe(true);
  const one = await server.call("GET", "/v3/batches/b1");
  expect(one.json).toMatchObject({ id: "b1", operation: "POST /v3/transactions" });
  const list = await server.call("GET", "/v3/batches");
  expect(schemas.batchPage.safeParse(list.json).success).toBe(true);
});

test("batch results are the chunks in their order, and an empty list before the end", async () => {
  let chunks: string[] = [];
  await using server = await startServer({
    batches: {
      ...deps.batches,
      results: () => Promise.resolve({ batch, chunks: chunksOf(chunks) }),
    },
  });
  const before = await server.call("GET", "/v3/batches/b1/results");
  expect(before.json).toEqual({ id: "b1", total: 1, status: "processing", results: [] });
  chunks = ['{"id":"a"},{"id":"b"}', '{"id":"c"}'];
  const after = await server.call("GET", "/v3/batches/b1/results");
  expect(after.text).toBe(
    '{"id":"b1","total":1,"status":"processing","results":[{"id":"a"},{"id":"b"},{"id":"c"}]}',
  );
});

test("ids of any text travel through paths: slashes, percent signs, NUL, emoji", async () => {
  const ids: string[] = [];
  await using server = await startServer({
    transactions: {
      ...deps.transactions,
      get: (_org, id) => {
        ids.push(id);
        return Promise.resolve({ ...stored, input: { ...stored.input, id } });
      },
    },
  });
  const sent = ["a/b", "100%", "ü", "\u{1f600}", "a b", "nul\u0000", "..", "T?#&", "x".repeat(256)];
  for (const id of sent) {
    const answer = await server.call("GET", `/v3/transactions/${encodeURIComponent(id)}`);
    // "." and ".." are resolved by fetch before they are sent.
    if (id !== "..") expect(answer.json).toMatchObject({ id });
  }
  expect(ids).toEqual(sent.filter((id) => id !== ".."));
});
