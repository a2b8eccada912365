// Every bad input gets the contract's answer, and the state afterwards is exactly as before.
import { connect } from "node:net";
import { expect, it } from "vitest";
import { answered, API_KEY, type Client } from "../support/client.ts";
import { startService, type TestService } from "../support/service.ts";
import { coffee } from "../support/coffee.ts";

const JSON_TYPE = "application/json";

interface Attempt {
  readonly name: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly status: number;
  /** `type` of the first validation error. */
  readonly error?: string;
}

const single = (fields: object): string => JSON.stringify({ ...coffee("bad"), ...fields });
const raw = (name: string, value: string): string =>
  JSON.stringify({ ...coffee("bad"), [name]: "@@" }).replace('"@@"', value);

const singles: readonly Attempt[] = [
  { name: "not JSON", body: "{nope", status: 422, error: "json_invalid" },
  { name: "an empty body", body: "", status: 422, error: "missing" },
  {
    name: "bytes that are no UTF-8",
    body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
    status: 422,
    error: "json_invalid",
  },
  { name: "a list instead of an object", body: "[]", status: 422, error: "model_attributes_type" },
  { name: "a missing field", body: single({ currency: undefined }), status: 422, error: "missing" },
  { name: "a number as text", body: single({ amount: "6.50" }), status: 422, error: "float_type" },
  { name: "a text as number", body: single({ description: 5 }), status: 422, error: "string_type" },
  { name: "NaN", body: raw("amount", "NaN"), status: 422, error: "json_invalid" },
  { name: "infinity", body: raw("amount", "1e999"), status: 422, error: "finite_number" },
  {
    name: "a negative amount",
    body: single({ amount: -0.01 }),
    status: 422,
    error: "greater_than_equal",
  },
  { name: "30 February", body: single({ date: "2026-02-30" }), status: 422 },
  { name: "29 February of no leap year", body: single({ date: "2025-02-29" }), status: 422 },
  { name: "an unknown currency", body: single({ currency: "ABC" }), status: 422, error: "enum" },
  {
    name: "an unknown direction",
    body: single({ entry_type: "sideways" }),
    status: 422,
    error: "enum",
  },
  {
    name: "an unknown country",
    body: single({ location: { country: "ZZ" } }),
    status: 422,
    error: "enum",
  },
  { name: "an empty id", body: single({ id: "" }), status: 422, error: "string_too_short" },
  {
    name: "an id of 257 characters",
    body: single({ id: "x".repeat(257) }),
    status: 422,
    error: "string_too_long",
  },
  {
    name: "a holder id of 257 characters",
    body: single({ account_holder_id: "x".repeat(257) }),
    status: 422,
    error: "string_too_long",
  },
  {
    name: "a lone surrogate",
    body: raw("description", '"\\ud800"'),
    status: 422,
    error: "string_unicode",
  },
  {
    name: "a description of 1025 characters",
    body: single({ description: "x".repeat(1025) }),
    status: 422,
    error: "string_too_long",
  },
  { name: "the wrong content type", body: single({}), type: "text/plain", status: 415 },
  {
    name: "a body of 33 MB",
    body: single({ description: "x".repeat(33 * 1024 * 1024) }),
    status: 413,
  },
  {
    name: "a hundred thousand brackets",
    body: "[".repeat(100_000),
    status: 422,
    error: "json_invalid",
  },
];

const batch = (data: unknown): string =>
  JSON.stringify({ operation: "POST /v3/transactions", data });
const many = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => coffee(`n${String(index)}`));

const batches: readonly Attempt[] = [
  { name: "an empty list", body: batch([]), status: 422, error: "too_short" },
  { name: "24 961 items", body: batch(many(24_961)), status: 422, error: "too_long" },
  {
    name: "one bad item among good ones",
    body: batch([...many(3), { ...coffee("x"), amount: -1 }]),
    status: 422,
    error: "greater_than_equal",
  },
  { name: "no list", body: batch({}), status: 422, error: "list_type" },
  {
    name: "an unknown operation",
    body: JSON.stringify({ operation: "DELETE everything", data: many(1) }),
    status: 422,
    error: "enum",
  },
];

const holders: readonly Attempt[] = [
  { name: "an unknown type", body: '{"id":"x","type":"unknown"}', status: 422, error: "enum" },
  { name: "an existing id", body: '{"id":"h","type":"business"}', status: 400 },
];

async function state(client: Client): Promise<unknown> {
  return Promise.all(
    ["transactions", "account_holders", "batches"].map((list) => client.listAll(`/v3/${list}`)),
  );
}

async function startWithState(): Promise<TestService> {
  const service = await startService();
  answered(await service.client.createHolder("h", "consumer"), 200);
  answered(await service.client.enrich(coffee("t", { account_holder_id: "h" })), 200);
  return service;
}

async function send(
  url: string,
  path: string,
  { body, type = JSON_TYPE }: Attempt,
): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: { "X-Api-Key": API_KEY, "Content-Type": type },
    body,
  });
}

it.each([
  ["/v3/transactions", singles],
  ["/v3/batches", batches],
  ["/v3/account_holders", holders],
])(
  "bad bodies for %s are refused and change nothing",
  async (path, attempts) => {
    const { client, url } = await startWithState();
    const before = await state(client);
    for (const attempt of attempts) {
      const response = await send(url, path, attempt);
      const text = await response.text();
      expect([attempt.name, response.status, text]).toEqual([attempt.name, attempt.status, text]);
      const { detail } = JSON.parse(text) as {
        detail: string | { type: string; loc: unknown[]; msg: string }[];
      };
      if (attempt.error !== undefined) {
        expect([attempt.name, Array.isArray(detail) ? detail[0]?.type : detail]).toEqual([
          attempt.name,
          attempt.error,
        ]);
      }
      expect(response.headers.get("X-Request-ID")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect(text).not.toContain("BLUE BOTTLE");
    }
    expect(await state(client)).toEqual(before);
  },
  60_000,
);

it("a body cut off in the middle changes nothing, and the service goes on", async () => {
  const { client, url } = await startWithState();
  const before = await state(client);
  const body = batch(many(1_000));
  await new Promise<void>((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      socket.write(
        `POST /v3/batches HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${API_KEY}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body.slice(0, body.length / 2)}`,
        () => {
          socket.destroy();
          resolve();
        },
      );
    });
  });
  expect(await state(client)).toEqual(before);
});

it("ids with slashes, spaces, percent signs, NUL and any script are ids like others", async () => {
  const { client } = await startService();
  for (const id of [
    "a/b",
    "../x",
    "ü ñ 漢字 \u{1F600}",
    "100%",
    "?q=1#f",
    "nul\u0000nul",
    "x".repeat(256),
  ]) {
    answered(await client.createHolder(id, "consumer"), 200);
    answered(await client.enrich(coffee(id, { account_holder_id: id })), 200);
    expect(answered(await client.getTransaction(id), 200)).toMatchObject({
      id,
      account_holder_id: id,
    });
    expect(
      await client.listAll(`/v3/transactions?account_holder_id=${encodeURIComponent(id)}`),
    ).toHaveLength(1);
    answered(await client.deleteHolder(id), 204);
    answered(await client.getTransaction(id), 404);
  }
});

it("a NUL and odd characters in a description are kept as sent", async () => {
  const { client } = await startService();
  const description = 'UBER\u0000TRIP \u{1F600} \u202E‮ \\"quoted"';
  answered(await client.enrich(coffee("t", { description })), 200);
  expect(answered(await client.getTransaction("t"), 200).description).toBe(description);
});

it("cursors that were not issued here are a 422", async () => {
  const { client } = await startWithState();
  for (const cursor of [
    "x",
    "AAAA",
    Buffer.from('{"createdAt":1,"tie":"x"}').toString("base64url"),
    "%00",
    "🙂",
  ]) {
    answered(
      await client.call("GET", `/v3/transactions?cursor=${encodeURIComponent(cursor)}`),
      422,
    );
  }
});

it("who may not, may not: 401 without a key or with an unknown one, on every operation", async () => {
  const { url } = await startWithState();
  for (const headers of [{}, { "X-Api-Key": "unknown" }, { "X-Api-Key": "" }]) {
    for (const path of ["/v3/transactions", "/v3/account_holders/h", "/v3/batches"]) {
      const response = await fetch(url + path, { headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ detail: expect.any(String) as string });
    }
  }
});
