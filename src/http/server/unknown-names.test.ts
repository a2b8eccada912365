import { expect, it } from "vitest";
import { WARNING_HEADER } from "./answer.ts";
import { startServer, transactionBody } from "../../../test/support/http-server.ts";

const typo = { ...transactionBody, acount_holder_id: "h1", location: { raw_adress: "Oakland" } };
const batchOf = (data: readonly unknown[]): object => ({
  operation: "POST /v3/transactions",
  data,
});

it("unknown fields are accepted and named in a header, with the nearest known name", async () => {
  await using server = await startServer();
  const answer = await server.call("POST", "/v3/transactions", { body: typo });
  expect(answer.status).toBe(200);
  expect(answer.headers.get(WARNING_HEADER)).toBe(
    'unknown field "acount_holder_id" (did you mean "account_holder_id"?), ' +
      'unknown field "raw_adress" (did you mean "raw_address"?)',
  );
});

it("unknown query parameters are named, also where there should be none", async () => {
  await using server = await startServer();
  const list = await server.call("GET", "/v3/transactions?lmit=5");
  expect(list.status).toBe(200);
  expect(list.headers.get(WARNING_HEADER)).toBe(
    'unknown query parameter "lmit" (did you mean "limit"?)',
  );
  const one = await server.call("GET", "/v3/transactions/t1?expand=all");
  expect(one.headers.get(WARNING_HEADER)).toBe('unknown query parameter "expand"');
});

it("a request with known names only has no warning", async () => {
  await using server = await startServer();
  const full = { ...transactionBody, account_holder_id: null, location: null };
  for (const [path, body] of [
    ["/v3/transactions", { ...full, location: { raw_address: null, country: null } }],
    ["/v3/batches", batchOf([full, full])],
    ["/v3/rules", { if: { has_label: "x" }, then: [{ set: "merchant", to: "y" }] }],
    ["/v3/entities/resolve", { name: "Netflix", website: null, location: null }],
  ] as const) {
    const answer = await server.call("POST", path, { body });
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get(WARNING_HEADER), path).toBeNull();
  }
});

it("a name that is unknown in every transaction of a batch is named once", async () => {
  await using server = await startServer();
  const answer = await server.call("POST", "/v3/batches", {
    body: batchOf(Array.from({ length: 500 }, () => typo)),
  });
  expect(answer.headers.get(WARNING_HEADER)?.match(/unknown field/g)).toHaveLength(2);
});

it("warnings are bounded and visible ASCII, whatever the names are", async () => {
  await using server = await startServer();
  const names = Array.from(
    { length: 50 },
    (_, index) => `${String(index)}"\r\né\u{1f600}${"x".repeat(5_000)}`,
  );
  const body = { ...transactionBody, ...Object.fromEntries(names.map((name) => [name, 1])) };
  const answer = await server.call("POST", "/v3/transactions", { body });
  const header = answer.headers.get(WARNING_HEADER) ?? "";
  expect(answer.status).toBe(200);
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  expect(header.length).toBeLessThan(2_000);
  expect(header).toContain('unknown field "0\\"\\r\\n\\u00e9\\ud83d\\ude00xxx');
});

it("a refused request names its unknown fields too: one of them may be the missing one", async () => {
  await using server = await startServer();
  const { description, ...rest } = transactionBody;
  const body = { ...rest, descripton: description };
  const answer = await server.call("POST", "/v3/transactions", { body });
  expect(answer.status).toBe(422);
  expect(answer.headers.get(WARNING_HEADER)).toContain('(did you mean "description"?)');
});

it("a caller that prefers strict handling gets a 422 that names every place", async () => {
  await using server = await startServer();
  for (const Prefer of ["handling=strict", "respond-async, Handling=Strict; x=1"]) {
    const answer = await server.call("POST", "/v3/batches?lmit=5", {
      headers: { Prefer },
      body: batchOf([typo, transactionBody, typo]),
    });
    expect(answer.status).toBe(422);
    expect(answer.headers.get(WARNING_HEADER)).toBeNull();
    const names = (at: number) => [
      { loc: ["body", "data", at, "acount_holder_id"], type: "extra_forbidden" },
      { loc: ["body", "data", at, "location", "raw_adress"], type: "extra_forbidden" },
    ];
    expect(answer.json).toMatchObject({
      detail: [{ loc: ["query", "lmit"], type: "extra_forbidden" }, ...names(0), ...names(2)],
    });
    expect(answer.text).toContain(
      "Extra inputs are not permitted, did you mean 'account_holder_id'?",
    );
  }
  const good = await server.call("POST", "/v3/transactions", {
    headers: { Prefer: "handling=strict" },
    body: transactionBody,
  });
  expect(good.status).toBe(200);
  expect(good.headers.get("Preference-Applied")).toBe("handling=strict");
});

it("a service with LEDGERLINE_STRICT refuses unknown names of every caller", async () => {
  await using server = await startServer({ isStrict: true });
  expect((await server.call("POST", "/v3/transactions", { body: typo })).status).toBe(422);
  expect((await server.call("GET", "/v3/transactions?lmit=5")).status).toBe(422);
  expect((await server.call("GET", "/v3/transactions?limit=5")).status).toBe(200);
});
