import { expect, test } from "vitest";
import { LedgerlineError } from "../../shared/errors.ts";
import { fakeAccess } from "../../../test/support/http-services.ts";
import {
  batch,
  fakeDeps,
  startServer,
  transactionBody,
} from "../../../test/support/http-server.ts";

const deps = fakeDeps([], []);
const { limits } = fakeAccess;
const wait = { kind: "wait", seconds: 7 } as const;
const batchBody = {
  operation: "POST /v3/transactions",
  data: [transactionBody, { ...transactionBody, id: "t2" }],
};

/** Limits that let everything through and count what was taken and given back. */
function counting() {
  const counts = { requests: 0, credits: 0, givenBack: 0 };
  const port: typeof limits = {
    ...limits,
    takeRequest: () => {
      counts.requests += 1;
      return Promise.resolve(null);
    },
    takeCredits: (_principal, count) => {
      counts.credits += count;
      return Promise.resolve(null);
    },
    giveBackCredits: (_principal, count) => {
      counts.givenBack += count;
    },
  };
  return { counts, port };
}

test("a key that asks too often is a 429 with Retry-After, before its role, its body or anything else is looked at", async () => {
  await using server = await startServer({
    limits: { ...limits, takeRequest: () => Promise.resolve(wait) },
  });
  const calls: [string, string, unknown?][] = [
    ["GET", "/v3/transactions"],
    ["POST", "/v3/transactions", "not json"],
    ["DELETE", "/v3/webhooks/w1"],
    ["GET", "/ops/organizations/acme"],
  ];
  for (const [method, path, body] of calls) {
    const answer = await server.call(method, path, body === undefined ? {} : { body });
    expect([path, answer.status, answer.headers.get("Retry-After"), answer.json]).toEqual([
      path,
      429,
      "7",
      expect.objectContaining({
        code: "rate_limited",
        detail: "Rate limit exceeded; retry in 7 s.",
      }),
    ]);
  }
  // Without a key there is no limit to count against.
  expect((await server.call("GET", "/v3/transactions", { key: null })).status).toBe(401);
  expect((await server.call("GET", "/health/live", { key: null })).status).toBe(200);
});

test("a key with too few credits is a 429 with Retry-After, and nothing is accepted", async () => {
  const refuse = (): Promise<never> => Promise.reject(new Error("it was accepted"));
  await using server = await startServer({
    limits: { ...limits, takeCredits: () => Promise.resolve(wait) },
    ingest: { enrichOne: refuse, enrichMany: refuse, submitBatch: refuse },
  });
  for (const [path, body] of [
    ["/v3/transactions", transactionBody],
    ["/v3/batches", batchBody],
  ] as const) {
    const answer = await server.call("POST", path, { body });
    expect([path, answer.status, answer.headers.get("Retry-After"), answer.json]).toEqual([
      path,
      429,
      "7",
      expect.objectContaining({ code: "credits_exhausted" }),
    ]);
  }
});

test("a batch above the maximum credits of its key is a 413 with the maximum", async () => {
  await using server = await startServer({
    limits: { ...limits, takeCredits: () => Promise.resolve({ kind: "too_many", most: 1 }) },
  });
  const answer = await server.call("POST", "/v3/batches", { body: batchBody });
  expect([answer.status, answer.headers.get("Retry-After"), answer.json]).toEqual([
    413,
    null,
    {
      detail:
        "Credit limit exceeded: this request needs 2 credits, this API key can have at most 1; send smaller batches.",
      code: "credits_above_maximum",
      request_id: "new-1",
    },
  ]);
});

test("what is accepted costs a credit for each transaction, also when its result does not come in time", async () => {
  const { counts, port } = counting();
  await using server = await startServer({ limits: port });
  await server.call("POST", "/v3/transactions", { body: transactionBody });
  await server.call("POST", "/v3/batches", { body: batchBody });
  expect(counts).toEqual({ requests: 2, credits: 3, givenBack: 0 });
  const late = new LedgerlineError("reply_timeout", "late");
  await using slow = await startServer({
    limits: port,
    ingest: { ...deps.ingest, enrichOne: () => Promise.reject(late) },
  });
  const answer = await slow.call("POST", "/v3/transactions", { body: transactionBody });
  expect([answer.status, counts.credits, counts.givenBack]).toEqual([504, 4, 0]);
});

test.each([
  ["overloaded", 503],
  ["unavailable", 503],
  ["too_large", 413],
] as const)("what the stage refuses as %s costs nothing", async (code, status) => {
  const { counts, port } = counting();
  const refuse = (): Promise<never> => Promise.reject(new LedgerlineError(code, "no"));
  await using server = await startServer({
    limits: port,
    ingest: { enrichOne: refuse, enrichMany: refuse, submitBatch: refuse },
  });
  const answer = await server.call("POST", "/v3/batches", { body: batchBody });
  await server.call("POST", "/v3/transactions", { body: transactionBody });
  expect([answer.status, counts.credits, counts.givenBack]).toEqual([status, 3, 3]);
});

test("what is not understood, what is only looked at and what moves elsewhere takes no credits", async () => {
  const { counts, port } = counting();
  await using server = await startServer({ limits: port });
  await server.call("POST", "/v3/transactions", { body: { ...transactionBody, amount: -1 } });
  await server.call("POST", "/v3/batches", { body: { ...batchBody, data: [] } });
  await server.call("POST", "/v3/batches", { body: "{" });
  await server.call("GET", "/v3/transactions");
  await server.call("POST", "/v3/transactions/t1/assign", { body: { account_holder_id: "h1" } });
  expect(counts).toEqual({ requests: 5, credits: 0, givenBack: 0 });
});

test("a repetition under an idempotency key takes no credits a second time", async () => {
  const { counts, port } = counting();
  await using server = await startServer({
    limits: port,
    idempotency: {
      ...deps.idempotency,
      begin: () => Promise.resolve({ kind: "replay", status: 200, body: JSON.stringify(batch) }),
    },
  });
  const headers = { "Idempotency-Key": "k" };
  const answer = await server.call("POST", "/v3/batches", { body: batchBody, headers });
  expect([answer.status, counts.credits]).toEqual([200, 0]);
});

test("a batch that was accepted before its answer was lost is answered, and takes no credits a second time", async () => {
  const { counts, port } = counting();
  const known = { ...batch, id: "resource-1", total: 2 };
  await using server = await startServer({
    limits: port,
    batches: { ...deps.batches, get: (_org, id) => Promise.resolve({ ...known, id }) },
    ingest: { ...deps.ingest, submitBatch: () => Promise.reject(new Error("it is known")) },
  });
  const headers = { "Idempotency-Key": "k" };
  const answer = await server.call("POST", "/v3/batches", { body: batchBody, headers });
  expect([answer.status, answer.json, counts.credits]).toMatchObject([200, { id: known.id }, 0]);
});

test("a failing rate limiter answers 503: no key exceeds its limits because a store fails", async () => {
  const down = (): Promise<never> => Promise.reject(new LedgerlineError("unavailable", "down"));
  await using server = await startServer({ limits: { ...limits, takeRequest: down } });
  expect((await server.call("GET", "/v3/transactions")).status).toBe(503);
});

test("what is left of each limit of a key is in its headers, on success and on refusal", async () => {
  const requests = { quota: 400, windowSeconds: 2, remaining: 399, secondsUntilFull: 1 };
  const credits = { quota: 50_000, windowSeconds: 100, remaining: 12_000, secondsUntilFull: 76 };
  const port = { ...limits, requestLimit: () => requests, creditLimit: () => credits };
  const headersOf = ({ headers }: { readonly headers: Headers }): unknown => [
    headers.get("RateLimit-Policy"),
    headers.get("RateLimit"),
  ];
  const both = [
    '"requests";q=400;w=2, "credits";q=50000;w=100',
    '"requests";r=399;t=1, "credits";r=12000;t=76',
  ];
  await using server = await startServer({ limits: port });
  const list = await server.call("GET", "/v3/transactions");
  expect(headersOf(list)).toEqual(['"requests";q=400;w=2', '"requests";r=399;t=1']);
  const accepted = await server.call("POST", "/v3/batches", { body: batchBody });
  expect(headersOf(accepted)).toEqual(both);

  await using poor = await startServer({
    limits: { ...port, takeCredits: () => Promise.resolve({ kind: "wait", seconds: 26 }) },
  });
  const refused = await poor.call("POST", "/v3/batches", { body: batchBody });
  expect(headersOf(refused)).toEqual(both);
  expect(refused.json).toMatchObject({
    detail:
      "Credit limit exceeded: this request needs 2 credits, 12,000 are available; retry in 26 s.",
  });

  await using busy = await startServer({
    limits: { ...port, takeRequest: () => Promise.resolve(wait) },
  });
  const limited = await busy.call("GET", "/v3/transactions");
  expect(limited.json).toMatchObject({
    detail: "Rate limit exceeded: this API key may send 400 requests in 2 s; retry in 7 s.",
  });
});
