import { expect, test } from "vitest";
import { LedgerlineError } from "../../shared/errors.ts";
import {
  chunksOf,
  CREATED_AT,
  fakeDeps,
  batch,
  FACTS,
  gate,
  startServer,
  transactionBody,
} from "../../../test/support/http-server.ts";

const deps = fakeDeps([], []);
const bodyText = JSON.stringify(transactionBody);

test("an unknown path is a 404 before any key is asked for", async () => {
  await using server = await startServer();
  for (const path of ["/v3", "/v3/rulez", "/v3/reportz", "/v3/transactions/", "/V3/batches"]) {
    const answer = await server.call("POST", path, { key: null });
    expect([answer.status, answer.json]).toMatchObject([404, { code: "route_not_found" }]);
  }
});

test("a method that is not offered is a 405 with Allow, before any key is asked for", async () => {
  await using server = await startServer();
  const answer = await server.call("PUT", "/v3/transactions", { key: null });
  expect([answer.status, answer.json]).toMatchObject([405, { code: "method_not_allowed" }]);
  expect(answer.headers.get("Allow")).toBe("GET, HEAD, OPTIONS, POST");
  const assign = await server.call("GET", "/v3/transactions/x/assign", { key: null });
  expect([assign.status, assign.headers.get("Allow")]).toEqual([405, "OPTIONS, POST"]);
});

test("OPTIONS answers 204 with Allow and grants no other origin anything", async () => {
  await using server = await startServer();
  const answer = await server.call("OPTIONS", "/v3/transactions/x", { key: null });
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(answer.headers.get("Allow")).toBe("DELETE, GET, HEAD, OPTIONS");
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
});

test("HEAD answers like GET, without the body", async () => {
  await using server = await startServer();
  const get = await server.call("GET", "/v3/transactions/t1");
  const head = await server.call("HEAD", "/v3/transactions/t1");
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(head.headers.get("Content-Length")).toBe(get.headers.get("Content-Length"));
  const results = await server.call("HEAD", "/v3/batches/b1/results");
  expect([results.status, results.text]).toEqual([200, ""]);
});

test("without a known key every operation is a 401, whatever else is wrong", async () => {
  await using server = await startServer();
  for (const key of [null, "", "revoked"]) {
    const answer = await server.call("POST", "/v3/transactions", {
      key,
      body: "not json",
      headers: { "Content-Type": "text/plain" },
    });
    const code = key === "revoked" ? "invalid_api_key" : "missing_api_key";
    expect([answer.status, answer.json]).toMatchObject([401, { code }]);
  }
});

test.each([
  ["read", 200, 403],
  ["write", 200, 200],
  ["admin", 200, 200],
  ["operator", 403, 403],
  ["operator+read", 200, 403],
])("role %s: reading %d, writing %d", async (role, reading, writing) => {
  await using server = await startServer();
  const key = `acme:${role}`;
  expect((await server.call("GET", "/v3/transactions", { key })).status).toBe(reading);
  expect((await server.call("HEAD", "/v3/transactions", { key })).status).toBe(reading);
  const post = await server.call("POST", "/v3/transactions", { key, body: transactionBody });
  expect(post.status).toBe(writing);
});

test("a role is missing before the content type is wrong", async () => {
  await using server = await startServer();
  const headers = { "Content-Type": "text/plain" };
  const answer = await server.call("POST", "/v3/batches", { key: "acme:read", body: "x", headers });
  expect(answer.status).toBe(403);
});

test.each([
  ["application/json", 200],
  ["APPLICATION/JSON; charset=UTF-8", 200],
  ['application/json;charset="utf-8"', 200],
  ["application/vnd.api+json", 200],
  ["application/json; profile=x; charset=utf8", 200],
  ["application/json; charset=latin1", 415],
  ["application/octet-stream", 415],
  ["application/x-www-form-urlencoded", 415],
  ["text/json", 415],
  ["application/jsonx", 415],
])("a body of type %s answers %d", async (type, status) => {
  await using server = await startServer();
  const headers = { "Content-Type": type };
  const answer = await server.call("POST", "/v3/transactions", { body: bodyText, headers });
  expect(answer.status).toBe(status);
});

test.each([
  ["unavailable", 503, "3"],
  ["overloaded", 503, "3"],
  ["reply_timeout", 504, null],
] as const)("a stage that throws %s answers %d", async (code, status, retryAfter) => {
  await using server = await startServer({
    ingest: {
      ...deps.ingest,
      enrichOne: () =>
        Promise.reject(new LedgerlineError(code, "secret words", { retryAfterSeconds: 2.5 })),
    },
  });
  const answer = await server.call("POST", "/v3/transactions", { body: transactionBody });
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([status, retryAfter]);
  expect(answer.text).not.toContain("secret");
});

test("a lost key store is a 503, not a 401", async () => {
  await using server = await startServer({
    authenticate: () => Promise.reject(new LedgerlineError("unavailable", "down")),
  });
  const answer = await server.call("GET", "/v3/transactions");
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
});

test("a bug answers 500 with one sentence; the log gets the error and nothing of the request", async () => {
  await using server = await startServer({
    ingest: { ...deps.ingest, enrichOne: () => Promise.reject(new TypeError("bug")) },
  });
  const answer = await server.call("POST", "/v3/transactions?x=QUERY", {
    body: { ...transactionBody, description: "PAYLOAD" },
  });
  expect([answer.status, answer.json]).toMatchObject([500, { code: "internal_error" }]);
  expect(answer.headers.get("X-Request-ID")).toBe("new-1");
  const error = server.logs.find((entry) => entry.level === "error");
  expect(error?.fields["error"]).toBeInstanceOf(TypeError);
  expect(error?.fields["requestId"]).toBe("new-1");
  expect(JSON.stringify(server.logs)).not.toMatch(/PAYLOAD|QUERY/);
});

test("results that fail before their first byte are an error answer, later a cut connection", async () => {
  async function* failing(first: string[]): AsyncGenerator<string> {
    yield* chunksOf(first);
    throw new LedgerlineError("unavailable", "store lost");
  }
  let first: string[] = [];
  await using server = await startServer({
    batches: {
      ...deps.batches,
      results: () => Promise.resolve({ batch, chunks: failing(first) }),
    },
  });
  const early = await server.call("GET", "/v3/batches/b1/results");
  expect([early.status, early.json]).toMatchObject([503, { code: "unavailable" }]);
  first = ['{"id":"a"}'];
  await expect(server.call("GET", "/v3/batches/b1/results")).rejects.toThrow();
});

test("synchronous calls of one key beyond the limit are a 429; another key is not touched", async () => {
  const held = gate();
  const entered = gate();
  await using server = await startServer(
    {
      ingest: {
        ...deps.ingest,
        enrichOne: async () => {
          entered.open();
          await held.opened;
          return { createdAt: CREATED_AT, facts: FACTS, error: null };
        },
      },
    },
    { syncCallsPerKeyMax: 1 },
  );
  const first = server.call("POST", "/v3/transactions", { body: transactionBody });
  await entered.opened;
  const second = await server.call("POST", "/v3/transactions", { body: transactionBody });
  expect([second.status, second.headers.get("Retry-After")]).toEqual([429, "1"]);
  const other = server.call("POST", "/v3/transactions", {
    body: transactionBody,
    key: "zeta:write",
  });
  held.open();
  expect([(await first).status, (await other).status]).toEqual([200, 200]);
  const third = await server.call("POST", "/v3/transactions", { body: transactionBody });
  expect(third.status).toBe(200);
});

test("moving a transaction takes a slot of its key like any synchronous call", async () => {
  const held = gate();
  const entered = gate();
  await using server = await startServer(
    {
      transactions: {
        ...deps.transactions,
        assign: async (...call) => {
          entered.open();
          await held.opened;
          return deps.transactions.assign(...call);
        },
      },
    },
    { syncCallsPerKeyMax: 1 },
  );
  const body = { account_holder_id: "h1" };
  const first = server.call("POST", "/v3/transactions/t1/assign", { body });
  await entered.opened;
  for (const path of ["/v3/transactions/t2/assign", "/v3/transactions"]) {
    const second = await server.call("POST", path, { body: { ...transactionBody, ...body } });
    expect([second.status, second.headers.get("Retry-After")]).toEqual([429, "1"]);
  }
  held.open();
  expect((await first).status).toBe(200);
  expect((await server.call("POST", "/v3/transactions/t1/assign", { body })).status).toBe(200);
});

test("a slot is given back after a failure", async () => {
  await using server = await startServer(
    { ingest: { ...deps.ingest, enrichOne: () => Promise.reject(new Error("bug")) } },
    { syncCallsPerKeyMax: 1 },
  );
  for (let index = 0; index < 3; index += 1) {
    const answer = await server.call("POST", "/v3/transactions", { body: transactionBody });
    expect(answer.status).toBe(500);
  }
});

test("every answer carries a request id: the caller's when it is harmless, else a new one", async () => {
  await using server = await startServer({}, { bodyBytesMax: 10 });
  const idOf = async (sent: string, path = "/v3/batches", body?: unknown): Promise<unknown> => {
    const method = body === undefined ? "GET" : "POST";
    const answer = await server.call(method, path, { headers: { "X-Request-ID": sent }, body });
    return [answer.status, answer.headers.get("X-Request-ID")];
  };
  expect(await idOf("a.B_c-9")).toEqual([200, "a.B_c-9"]);
  expect(await idOf("x".repeat(128))).toEqual([200, "x".repeat(128)]);
  expect(await idOf("x".repeat(129))).toEqual([200, "new-1"]);
  expect(await idOf("a b")).toEqual([200, "new-2"]);
  expect(await idOf("mine", "/nowhere")).toEqual([404, "mine"]);
  expect(await idOf("mine", "/v3/transactions", bodyText)).toEqual([413, "mine"]);
});

test("each request leaves one line: who, what, how long, how much; no id, query or payload", async () => {
  await using server = await startServer();
  await server.call("POST", "/v3/transactions?limit=SECRET", { body: transactionBody });
  await server.call("GET", "/v3/transactions/SECRET");
  await server.call("GET", "/SECRET", { key: "SECRET" });
  await server.close();
  expect(server.logs.map((entry) => entry.fields)).toEqual([
    {
      requestId: "new-1",
      route: "/v3/transactions",
      method: "POST",
      status: 200,
      ms: expect.any(Number) as number,
      org: "acme",
      keyId: "key-acme:write",
      bytesIn: bodyText.length,
      bytesOut: expect.any(Number) as number,
      aborted: false,
    },
    expect.objectContaining({ route: "/v3/transactions/{id}", method: "GET", bytesIn: 0 }),
    expect.objectContaining({ route: "unmatched", status: 404, org: null, keyId: null }),
  ]);
  expect(JSON.stringify(server.logs)).not.toContain("SECRET");
  expect(server.metrics).toEqual([
    "POST /v3/transactions 200",
    "GET /v3/transactions/{id} 200",
    "GET unmatched 404",
  ]);
});

test("answers carry the security headers, are not cached, and name no framework", async () => {
  await using server = await startServer();
  const { headers } = await server.call("GET", "/v3/transactions/t1");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Content-Security-Policy")).toContain("default-src 'self'");
  expect(headers.get("Content-Security-Policy")).not.toContain("upgrade-insecure-requests");
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("X-Powered-By")).toBeNull();
  expect(headers.get("ETag")).toBeNull();
});
