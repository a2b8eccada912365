import { expect, test } from "vitest";
import { fakeDeps, startServer, transactionBody } from "../../../test/support/http-server.ts";
import { transactionInput } from "../v3/schemas.ts";
import { parsePart } from "./validation.ts";

const deps = fakeDeps([], []);
const LONE_SURROGATE = "a\ud800";

function errorsOf(change: Readonly<Record<string, unknown>>): unknown {
  const value: unknown = JSON.parse(
    JSON.stringify({ ...transactionBody, ...change }).replace('"INFINITE"', "1e999"),
  );
  const parsed = parsePart("body", transactionInput, value);
  return parsed.ok ? parsed.value : parsed.errors;
}

test.each([
  ["id", undefined, "missing", "Field required"],
  ["id", null, "string_type", "Input should be a valid string"],
  ["id", 7, "string_type", "Input should be a valid string"],
  ["id", "", "string_too_short", "String should have at least 1 character"],
  ["id", "x".repeat(257), "string_too_long", "String should have at most 256 characters"],
  [
    "description",
    "x".repeat(1025),
    "string_too_long",
    "String should have at most 1024 characters",
  ],
  ["account_holder_id", "", "string_too_short", "String should have at least 1 character"],
  ["amount", "12", "float_type", "Input should be a valid number"],
  ["amount", null, "float_type", "Input should be a valid number"],
  ["amount", true, "float_type", "Input should be a valid number"],
  ["amount", "INFINITE", "finite_number", "Input should be a finite number"],
  ["amount", -0.01, "greater_than_equal", "Input should be greater than or equal to 0"],
  ["entry_type", "credit", "enum", "Input should be 'incoming' or 'outgoing'"],
  ["entry_type", undefined, "missing", "Field required"],
  ["date", 20240101, "date_type", "Input should be a valid date"],
  ["date", undefined, "missing", "Field required"],
])("%s = %j is refused as %s", (field, value, type, msg) => {
  expect(errorsOf({ [field]: value })).toMatchObject([{ loc: ["body", field], type, msg }]);
});

test.each([
  ["2023-02-29", "day value is outside expected range"],
  ["1900-02-29", "day value is outside expected range"],
  ["2024-04-31", "day value is outside expected range"],
  ["2024-01-00", "day value is outside expected range"],
  ["2024-13-01", "month value is outside expected range of 1-12"],
  ["2024-00-10", "month value is outside expected range of 1-12"],
  ["0000-01-01", "year value is outside expected range"],
  ["2024-1-1", "input is too short"],
  ["2024-01-01T00:00:00", "invalid character in date"],
  ["01/02/20244", "invalid character in date"],
])("%s is not a calendar date", (date, error) => {
  const msg = `Input should be a valid date or datetime, ${error}`;
  const type = "date_from_datetime_parsing";
  expect(errorsOf({ date })).toEqual([{ loc: ["body", "date"], type, msg, ctx: { error } }]);
});

test.each(["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])("%s is a date", (date) => {
  expect(errorsOf({ date })).toMatchObject({ date });
});

test("characters are counted as people count them, and NUL is one", () => {
  const emoji = "\u{1f600}".repeat(256);
  expect(errorsOf({ id: emoji })).toMatchObject({ id: emoji });
  expect(errorsOf({ id: `${emoji}x` })).toMatchObject([{ type: "string_too_long" }]);
  expect(errorsOf({ description: "a\u0000b" })).toMatchObject({ description: "a\u0000b" });
  expect(errorsOf({ description: "" })).toMatchObject({ description: "" });
});

test("a lone surrogate is not a text, in any position", () => {
  const type = "string_unicode";
  expect(errorsOf({ id: LONE_SURROGATE })).toMatchObject([{ loc: ["body", "id"], type }]);
  expect(errorsOf({ location: { raw_address: LONE_SURROGATE } })).toMatchObject([
    { loc: ["body", "location", "raw_address"], type },
  ]);
});

test("the country and the currency must be known codes", () => {
  expect(errorsOf({ location: { country: "us" } })).toMatchObject([
    { loc: ["body", "location", "country"], type: "enum" },
  ]);
  expect(errorsOf({ location: { country: "XX" } })).toMatchObject([{ type: "enum" }]);
  expect(errorsOf({ currency: "eur" })).toMatchObject([
    { loc: ["body", "currency"], type: "enum" },
  ]);
  expect(errorsOf({ currency: "ABC" })).toMatchObject([{ type: "enum" }]);
});

test("null for what is optional, unknown fields and prototype names are harmless", () => {
  const expected = { id: "t1", accountHolderId: null, location: null };
  expect(errorsOf({ account_holder_id: null, location: null, newer: [1] })).toMatchObject(expected);
  const text = JSON.stringify(transactionBody).replace(
    "{",
    '{"__proto__":{"admin":true},"constructor":1,"toString":null,',
  );
  const parsed = parsePart("body", transactionInput, JSON.parse(text));
  expect(parsed).toMatchObject({ ok: true, value: expected });
  expect(Object.keys(parsed.ok ? parsed.value : {})).not.toContain("__proto__");
  expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
});

test("the part of a body that is of the wrong kind is named", async () => {
  await using server = await startServer();
  const send = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await server.call("POST", path, { body });
    expect(answer.status).toBe(422);
    return (answer.json as { detail: unknown }).detail;
  };
  const msg = "Input should be a valid dictionary or object to extract fields from";
  const type = "model_attributes_type";
  expect(await send("/v3/transactions", "[]")).toEqual([{ loc: ["body"], type, msg }]);
  expect(await send("/v3/transactions", "null")).toEqual([{ loc: ["body"], type, msg }]);
  expect(await send("/v3/transactions", { ...transactionBody, location: "x" })).toEqual([
    { loc: ["body", "location"], type, msg },
  ]);
  expect(await send("/v3/account_holders/h/transactions/delete", { transaction_ids: "x" })).toEqual(
    [{ loc: ["body", "transaction_ids"], type: "list_type", msg: "Input should be a valid list" }],
  );
  expect(
    await send("/v3/account_holders/h/transactions/delete", { transaction_ids: ["a", 1, ""] }),
  ).toMatchObject([
    { loc: ["body", "transaction_ids", 1], type: "string_type" },
    { loc: ["body", "transaction_ids", 2], type: "string_too_short" },
  ]);
  expect(await send("/v3/account_holders", { id: "h", type: "freelance" })).toEqual([
    {
      loc: ["body", "type"],
      type: "enum",
      msg: "Input should be 'consumer' or 'business'",
      ctx: { expected: "'consumer' or 'business'" },
    },
  ]);
  expect(await send("/v3/batches", { operation: "POST /v2/transactions" })).toMatchObject([
    { loc: ["body", "operation"], msg: "Input should be 'POST /v3/transactions'" },
    { loc: ["body", "data"], type: "missing" },
  ]);
});

test("a path id that is too long is refused at its place, with the errors of the body", async () => {
  await using server = await startServer();
  const path = `/v3/transactions/${"x".repeat(257)}/assign`;
  const answer = await server.call("POST", path, { body: {} });
  expect([answer.status, answer.json]).toMatchObject([
    422,
    {
      detail: [
        { loc: ["path", "id"], type: "string_too_long", ctx: { max_length: 256 } },
        { loc: ["body", "account_holder_id"], type: "missing" },
      ],
    },
  ]);
});

test("one wrong item refuses its whole batch, at its index", async () => {
  let submitted = 0;
  await using server = await startServer({
    ingest: {
      ...deps.ingest,
      submitBatch: (...call) => {
        submitted += 1;
        return deps.ingest.submitBatch(...call);
      },
    },
  });
  const data = [transactionBody, { ...transactionBody, amount: -1 }, transactionBody];
  const body = { operation: "POST /v3/transactions", data };
  const answer = await server.call("POST", "/v3/batches", { body });
  expect([answer.status, answer.json]).toMatchObject([
    422,
    {
      detail: [
        {
          loc: ["body", "data", 1, "amount"],
          type: "greater_than_equal",
          msg: "Input should be greater than or equal to 0",
          ctx: { ge: 0 },
        },
      ],
    },
  ]);
  expect(submitted).toBe(0);
});

test("the length of a list is checked before its items", async () => {
  await using server = await startServer();
  const send = async (data: unknown[]): Promise<unknown> => {
    const body = { operation: "POST /v3/transactions", data };
    return (await server.call("POST", "/v3/batches", { body })).json;
  };
  const loc = ["body", "data"];
  expect(await send([])).toMatchObject({
    detail: [
      {
        loc,
        type: "too_short",
        msg: "List should have at least 1 item after validation, not 0",
        ctx: { field_type: "List", min_length: 1, actual_length: 0 },
      },
    ],
  });
  expect(await send(Array(24_961).fill(null))).toMatchObject({
    detail: [
      {
        loc,
        type: "too_long",
        msg: "List should have at most 24960 items after validation, not 24961",
        ctx: { field_type: "List", max_length: 24_960, actual_length: 24_961 },
      },
    ],
  });
  const ids = { transaction_ids: Array(1001).fill("x") };
  const deleted = await server.call("POST", "/v3/account_holders/h/transactions/delete", {
    body: ids,
  });
  expect(deleted.json).toMatchObject({ detail: [{ type: "too_long" }] });
});

test("a text in place of a list is that one error, whatever its length", async () => {
  await using server = await startServer();
  for (const data of ["", "x".repeat(24_961)]) {
    const body = { operation: "POST /v3/transactions", data };
    const { json } = await server.call("POST", "/v3/batches", { body });
    const msg = "Input should be a valid list";
    expect(json).toMatchObject({ detail: [{ loc: ["body", "data"], type: "list_type", msg }] });
  }
});

test("the largest batch is accepted, and as many wrong items make at most 100 errors", async () => {
  await using server = await startServer();
  const send = (item: unknown) =>
    server.call("POST", "/v3/batches", {
      body: { operation: "POST /v3/transactions", data: Array(24_960).fill(item) },
    });
  expect((await send(transactionBody)).json).toMatchObject({ total: 24_960 });
  const refused = await send({});
  expect(refused.status).toBe(422);
  expect((refused.json as { detail: unknown[] }).detail).toHaveLength(100);
});

test("an answer never repeats what was sent", async () => {
  await using server = await startServer();
  for (const body of [
    '{"id": PAYLOAD',
    JSON.stringify({ ...transactionBody, currency: "PAYLOAD", date: "PAYLOAD", id: ["PAYLOAD"] }),
  ]) {
    const answer = await server.call("POST", "/v3/transactions", { body });
    expect(answer.status).toBe(422);
    expect(answer.text).not.toContain("PAYLOAD");
    expect(answer.text).not.toContain('"input"');
  }
});

test("deep nesting is a 422 or ignored, never a 500", async () => {
  await using server = await startServer();
  const open = "[".repeat(100_000);
  const close = "]".repeat(100_000);
  const withExtra = (extra: string): string =>
    JSON.stringify(transactionBody).replace("{", `{"extra":${extra},`);
  for (const [path, body, status] of [
    ["/v3/transactions", open, 422],
    ["/v3/transactions", open + close, 422],
    ["/v3/transactions", withExtra("[".repeat(5_000) + "]".repeat(5_000)), 200],
    ["/v3/transactions", withExtra(open + close), 422],
    ["/v3/batches", "[".repeat(5_000_000), 422],
  ] as const) {
    expect((await server.call("POST", path, { body })).status).toBe(status);
  }
});
