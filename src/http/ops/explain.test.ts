import { expect, test } from "vitest";
import { fakeDeps, startServer } from "../../../test/support/http-server.ts";
import { createOpsServer } from "../http.ts";

const body = {
  description: "SQ *BLUE BOTTLE",
  amount: 6.5,
  entry_type: "outgoing",
  currency: "USD",
  account_type: "business",
  location: { raw_address: "Main St", country: "US" },
} as const;
const key = "acme:operator";

test("an operator is answered with the explanation as it came", async () => {
  const asked: unknown[] = [];
  await using server = await startServer({
    explain: (item) => {
      asked.push(item);
      return Promise.resolve('{"text":"SQ *BLUE BOTTLE"}');
    },
  });
  const answer = await server.call("POST", "/ops/explain", { key, body });
  expect([answer.status, answer.text]).toEqual([200, '{"text":"SQ *BLUE BOTTLE"}']);
  expect(asked).toEqual([
    {
      description: "SQ *BLUE BOTTLE",
      amount: 6.5,
      entryType: "outgoing",
      currency: "USD",
      accountType: "business",
      rawAddress: "Main St",
      country: "US",
    },
  ]);
});

test("without a type of account it is a consumer's, and the place may be left out", async () => {
  const asked: unknown[] = [];
  await using server = await startServer({
    explain: (item) => {
      asked.push([item.accountType, item.rawAddress, item.country]);
      return Promise.resolve("{}");
    },
  });
  const { description, amount, entry_type, currency } = body;
  const least = { description, amount, entry_type, currency };
  await server.call("POST", "/ops/explain", { key, body: least });
  expect(asked).toEqual([["consumer", null, null]]);
});

test("fields break the same rules as those of a transaction", async () => {
  await using server = await startServer();
  const wrong = { ...body, amount: -1, currency: "XXX", entry_type: "both", account_type: "joint" };
  const answer = await server.call("POST", "/ops/explain", {
    key,
    body: { ...wrong, description: "x".repeat(1025) },
  });
  expect(answer.status).toBe(422);
  const { detail } = answer.json as { readonly detail: readonly { readonly loc: unknown[] }[] };
  expect(detail.map(({ loc }) => loc.join(".")).toSorted()).toEqual([
    "body.account_type",
    "body.amount",
    "body.currency",
    "body.description",
    "body.entry_type",
  ]);
});

test("nothing is kept under an idempotency key: the same key asks again", async () => {
  let begun = 0;
  const { idempotency } = fakeDeps([], []);
  await using server = await startServer({
    idempotency: {
      ...idempotency,
      begin: (...call) => {
        begun++;
        return idempotency.begin(...call);
      },
    },
  });
  const headers = { "Idempotency-Key": "once" };
  expect((await server.call("POST", "/ops/explain", { key, body, headers })).status).toBe(200);
  expect(begun).toBe(0);
});

test("a line the recogniser fails on is a 500, a process without one a 501", async () => {
  await using failing = await startServer({ explain: () => Promise.resolve(null) });
  expect((await failing.call("POST", "/ops/explain", { key, body })).status).toBe(500);
  await using without = await startServer({ explain: null });
  const answer = await without.call("POST", "/ops/explain", { key, body });
  expect(answer.status).toBe(501);
  expect(answer.text).toContain("role enrich");
});

test("a process that only enriches answers operators alone", async () => {
  const server = createOpsServer(fakeDeps([], []), { closeGraceMs: 0 });
  const { port } = await server.listen("127.0.0.1", 0);
  const post = (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${String(port)}${path}`, {
      method: "POST",
      headers: { "X-Api-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await post("/ops/explain")).status).toBe(200);
  expect((await post("/v3/transactions")).status).toBe(404);
  const closed = server.close();
  server.closeAllConnections();
  await closed;
});
