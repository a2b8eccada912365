import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { LedgerlineError } from "../../shared/errors.ts";
import type { IdempotencyPort } from "./idempotency.ts";
import { fakeDeps, startServer, transactionBody } from "../../../test/support/http-server.ts";

const deps = fakeDeps([], []);
const keyed = { headers: { "Idempotency-Key": "k1" } };
const holderBody = { id: "h1", type: "consumer" };

type IdempotencyStart = Awaited<ReturnType<IdempotencyPort["begin"]>>;

/** A store of keys that records its calls, and always answers `start`. */
function recorder(start: IdempotencyStart = { kind: "new", resourceId: "resource-1" }): {
  port: IdempotencyPort;
  asked: unknown[];
} {
  const asked: unknown[] = [];
  return {
    asked,
    port: {
      begin: (...call) => {
        asked.push(["begin", ...call]);
        return Promise.resolve(start);
      },
      finish: (...call) => {
        asked.push(["finish", ...call]);
        return Promise.resolve();
      },
      finishLong: (...call) => {
        asked.push(["finishLong", ...call]);
        return Promise.resolve();
      },
      interrupt: (...call) => {
        asked.push(["interrupt", ...call]);
        return Promise.resolve();
      },
      abandon: (...call) => {
        asked.push(["abandon", ...call]);
        return Promise.resolve();
      },
    },
  };
}

test("a new key runs the request and keeps its answer under organization, route and body", async () => {
  const { port, asked } = recorder();
  await using server = await startServer({ idempotency: port });
  const answer = await server.call("POST", "/v3/account_holders", { ...keyed, body: holderBody });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Idempotency-Replayed")).toBeNull();
  const hash = createHash("sha256").update(JSON.stringify(holderBody)).digest("hex");
  const key = ["acme", "POST /v3/account_holders", "k1"];
  expect(asked).toEqual([
    ["begin", ...key, hash],
    ["finish", ...key, 200, answer.text, "h1", null],
  ]);
});

test("a kept answer is given again, marked, and nothing runs", async () => {
  const { port } = recorder({ kind: "replay", status: 400, body: '{"detail":"kept"}' });
  await using server = await startServer({
    idempotency: port,
    holders: { ...deps.holders, create: () => Promise.reject(new Error("must not run")) },
  });
  const answer = await server.call("POST", "/v3/account_holders", { ...keyed, body: holderBody });
  expect([answer.status, answer.json]).toMatchObject([400, { detail: "kept" }]);
  expect(answer.headers.get("Idempotency-Replayed")).toBe("true");
});

test("a kept answer without a body is given again without one", async () => {
  const { port } = recorder({ kind: "replay", status: 204, body: "" });
  await using server = await startServer({ idempotency: port });
  const answer = await server.call("POST", "/v3/account_holders/h1/transactions/delete", {
    ...keyed,
    body: { transaction_ids: [] },
  });
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(answer.headers.get("Idempotency-Replayed")).toBe("true");
});

test("a key that is still running is a 409, one used for another body a 422", async () => {
  await using running = await startServer({ idempotency: recorder({ kind: "running" }).port });
  const busy = await running.call("POST", "/v3/transactions", { ...keyed, body: transactionBody });
  expect([busy.status, busy.headers.get("Retry-After")]).toEqual([409, "1"]);
  await using used = await startServer({ idempotency: recorder({ kind: "mismatch" }).port });
  const other = await used.call("POST", "/v3/transactions", { ...keyed, body: transactionBody });
  expect([other.status, other.json]).toMatchObject([
    422,
    { detail: [{ loc: ["header", "Idempotency-Key"] }] },
  ]);
});

test("the same body for another id in the path is another request", async () => {
  const { port, asked } = recorder();
  await using server = await startServer({ idempotency: port });
  const body = { account_holder_id: "h1" };
  for (const id of ["a", "b"]) {
    await server.call("POST", `/v3/transactions/${id}/assign`, { ...keyed, body });
  }
  const [first, second] = asked.filter((call) => (call as string[])[0] === "begin") as string[][];
  expect(first?.slice(0, 4)).toEqual(second?.slice(0, 4));
  expect(first?.[4]).not.toBe(second?.[4]);
});

test.each([
  ["conflict", "abandon"],
  ["type_mismatch", "abandon"],
  ["transaction_not_found", "abandon"],
] as const)("after a refusal for %s the key is treated by %s", async (reason, end) => {
  const { port, asked } = recorder();
  await using server = await startServer({
    idempotency: port,
    transactions: { ...deps.transactions, assign: () => Promise.resolve({ ok: false, reason }) },
  });
  const body = { account_holder_id: "h1" };
  await server.call("POST", "/v3/transactions/t1/assign", { ...keyed, body });
  expect(asked.map((call) => (call as string[])[0])).toEqual(["begin", end]);
});

test.each([
  ["unavailable", 503, "interrupt"],
  ["reply_timeout", 504, "interrupt"],
  ["overloaded", 503, "abandon"],
  ["too_large", 413, "abandon"],
] as const)(
  "after %s (%d) the key is treated by %s: what may have been accepted runs again as itself only",
  async (code, status, end) => {
    const { port, asked } = recorder();
    const lost = (): Promise<void> => Promise.reject(new Error("lost"));
    for (const idempotency of [port, { ...port, [end]: lost }]) {
      await using server = await startServer({
        idempotency,
        ingest: {
          ...deps.ingest,
          enrichOne: () => Promise.reject(new LedgerlineError(code, "down")),
        },
      });
      const body = transactionBody;
      const answer = await server.call("POST", "/v3/transactions", { ...keyed, body });
      expect(answer.status).toBe(status);
    }
    expect(asked.map((call) => (call as string[])[0])).toEqual(["begin", end, "begin"]);
  },
);

test.each([
  [
    "a holder that exists (400)",
    "/v3/account_holders",
    { holders: "exists" },
    holderBody,
    "abandon",
  ],
  ["a body of the wrong form (422)", "/v3/account_holders", {}, {}, "finish"],
  ["a result without an error", "/v3/transactions", {}, transactionBody, "finish"],
  ["an unknown account holder", "/v3/transactions", { error: true }, transactionBody, "abandon"],
] as const)(
  "for %s the key is treated as its answer lasts",
  async (_name, path, made, body, end) => {
    const { port, asked } = recorder();
    const error = { code: "account_holder_not_found", message: "none" } as const;
    const failed = { createdAt: 0, facts: null, error };
    await using server = await startServer({
      idempotency: port,
      ...("holders" in made
        ? {
            holders: {
              ...deps.holders,
              create: () => Promise.resolve({ ok: false, reason: "exists" }),
            },
          }
        : {}),
      ...("error" in made
        ? { ingest: { ...deps.ingest, enrichOne: () => Promise.resolve(failed) } }
        : {}),
    });
    await server.call("POST", path, { ...keyed, body });
    expect(asked.map((call) => (call as string[])[0])).toEqual(["begin", end]);
  },
);

test("a refusal of unknown names is not kept: without strict handling the same request succeeds", async () => {
  const { port, asked } = recorder();
  await using server = await startServer({ idempotency: port });
  const body = { ...holderBody, nmae: "x" };
  const headers = { ...keyed.headers, Prefer: "handling=strict" };
  const refused = await server.call("POST", "/v3/account_holders", { headers, body });
  expect(refused.status).toBe(422);
  expect(asked.map((call) => (call as string[])[0])).toEqual(["begin", "abandon"]);
});

test("an answer that cannot be kept is sent, and logged as not kept", async () => {
  const { port } = recorder();
  await using server = await startServer({
    idempotency: { ...port, finish: () => Promise.reject(new Error("lost")) },
  });
  const answer = await server.call("POST", "/v3/transactions", { ...keyed, body: transactionBody });
  expect(answer.status).toBe(200);
  expect(server.logs.map((entry) => entry.level)).toContain("warn");
});

test.each(["", " ", "a b", "ü", "x".repeat(256)])(
  "%j is not an idempotency key: nothing starts",
  async (key) => {
    const { port, asked } = recorder();
    await using server = await startServer({ idempotency: port });
    const answer = await server.call("POST", "/v3/transactions", {
      headers: { "Idempotency-Key": key },
      body: transactionBody,
    });
    expect([answer.status, answer.json]).toMatchObject([
      422,
      { detail: [{ loc: ["header", "Idempotency-Key"] }] },
    ]);
    expect(asked).toEqual([]);
  },
);

test("a batch with a key is made under the id that is kept with the key", async () => {
  const ids: string[] = [];
  await using server = await startServer({
    ingest: {
      ...deps.ingest,
      submitBatch: (org, requestId, inputs, options) => {
        ids.push(options.id);
        return deps.ingest.submitBatch(org, requestId, inputs, options);
      },
    },
  });
  const body = { operation: "POST /v3/transactions", data: [transactionBody] };
  await server.call("POST", "/v3/batches", { ...keyed, body });
  await server.call("POST", "/v3/batches", { body });
  expect(ids[0]).toBe("resource-1");
  expect(ids[1]).not.toBe("resource-1");
});

test("a key on a request that only reads is not looked at", async () => {
  const { port, asked } = recorder();
  await using server = await startServer({ idempotency: port });
  expect((await server.call("GET", "/v3/transactions", keyed)).status).toBe(200);
  expect(asked).toEqual([]);
});

const listed = {
  transaction_id: "t",
  description: "RENT",
  date: "2026-11-20",
  amount: 6.5,
  entry_type: "debit",
  iso_currency_code: "USD",
};
const LIST_KEY = ["acme", "POST /v2/transactions", "k1"];

test("a list of results is kept whole before it is sent, with the account holders that it is about", async () => {
  const { port, asked } = recorder();
  await using server = await startServer({ idempotency: port });
  const body = ["h1", "h2", "h1", null].map((id) => ({ ...listed, account_holder_id: id }));
  const answer = await server.call("POST", "/v2/transactions", { ...keyed, body });
  expect(answer.status).toBe(200);
  const [, finish] = asked as [unknown, [string, string, string, string, number, Uint8Array[]]];
  expect(finish).toMatchObject(["finishLong", ...LIST_KEY, 200, expect.anything(), ["h1", "h2"]]);
  const parts = ReadableStream.from<Uint8Array>(finish[5]);
  const replay = { kind: "replayLong", status: 200, parts } as const;
  await using later = await startServer({ idempotency: recorder(replay).port });
  const again = await later.call("POST", "/v2/transactions", { ...keyed, body });
  expect([again.status, again.text]).toEqual([200, answer.text]);
  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  expect(again.headers.get("Content-Type")).toBe("application/json");
});

test("a repetition is refused as a read is where answers fill the memory for them, and the first answer never", async () => {
  const answerBytesInFlightMax = 0;
  const body = [{ ...listed, account_holder_id: null }];
  await using first = await startServer(
    { idempotency: recorder().port },
    { answerBytesInFlightMax },
  );
  expect((await first.call("POST", "/v2/transactions", { ...keyed, body })).status).toBe(200);
  async function* unread(): AsyncGenerator<Uint8Array> {
    yield await Promise.reject<Uint8Array>(new Error("must not be read"));
  }
  for (const start of [
    { kind: "replayLong", status: 200, parts: unread() },
    { kind: "replay", status: 200, body: JSON.stringify("x".repeat(20_000)) },
  ] as const) {
    await using server = await startServer(
      { idempotency: recorder(start).port },
      { answerBytesInFlightMax },
    );
    const refused = await server.call("POST", "/v2/transactions", { ...keyed, body });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
  }
});

test.each([
  ["a result of it failed", 200, { error: true }],
  ["what repeats cannot be read", 503, { lost: true }],
] as const)("a list is not kept when %s: it runs again as itself only", async (_, status, made) => {
  const { port, asked } = recorder();
  const error = { code: "internal_error", message: "failed" } as const;
  const failed = { createdAt: 0, results: [{ facts: null, error }] };
  const lost = () => Promise.reject(new LedgerlineError("unavailable", "down"));
  await using server = await startServer({
    idempotency: port,
    ...("lost" in made ? { recurrence: { ...deps.recurrence, groups: lost } } : {}),
    ...("error" in made
      ? { ingest: { ...deps.ingest, enrichMany: () => Promise.resolve(failed) } }
      : {}),
  });
  const body = [{ ...listed, account_holder_id: "h1" }];
  const answer = await server.call("POST", "/v2/transactions", { ...keyed, body });
  expect(answer.status).toBe(status);
  expect(asked.map((call) => (call as string[])[0])).toEqual(["begin", "interrupt"]);
});

test("what an operator asks to be explained is not stored under a key", async () => {
  const { port, asked } = recorder();
  await using server = await startServer({ idempotency: port });
  const body = { description: "RENT", amount: 1, entry_type: "outgoing", currency: "USD" };
  const headers = { ...keyed.headers, "X-Api-Key": "operator" };
  await server.call("POST", "/ops/explain", { headers, body });
  expect(asked).toEqual([]);
});
