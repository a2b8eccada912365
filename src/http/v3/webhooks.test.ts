import { expect, test } from "vitest";
import { LedgerlineError } from "../../shared/errors.ts";
import type { NewWebhook, Webhook, WebhookPatch } from "../../model/webhook.ts";
import {
  CREATED_AT,
  CREATED_AT_TEXT,
  fakeDeps,
  startServer,
  type TestServer,
  webhook,
} from "../../../test/support/http-server.ts";
import * as schemas from "./webhook-schemas.ts";

const { webhooks } = fakeDeps([], []);
const newWebhook = { url: "https://example.com/hook", events: ["batches.completed"] };
/** Who makes the first call of a server. */
const BY = { keyId: "key-acme:write", requestId: "new-1" };
const SECRET = "whsec_bm9ib2R5IG1heSByZWFkIHRoaXM=";
const PEM = "-----BEGIN CERTIFICATE-----";

/** A server that keeps what its webhooks were created and changed with. */
async function startRecorder(): Promise<TestServer & { asked: unknown[] }> {
  const asked: unknown[] = [];
  const server = await startServer({
    webhooks: {
      ...webhooks,
      create: (...call) => {
        asked.push(call);
        return webhooks.create(...call);
      },
      patch: (...call) => {
        asked.push(call);
        return webhooks.patch(...call);
      },
    },
  });
  return Object.assign(server, { asked });
}

test("a webhook is created under a new id, and shown with what the contract names and our own fields", async () => {
  await using server = await startRecorder();
  const answer = await server.call("POST", "/v3/webhooks", {
    body: { ...newWebhook, token: "t0ken", hmac_secret: SECRET, more: 1 },
  });
  expect([answer.status, answer.json]).toEqual([
    200,
    {
      id: "new-2",
      ...newWebhook,
      created_at: CREATED_AT_TEXT,
      enabled: true,
      token: "t0ken",
      signing_keys: [],
      ordered: false,
      ca: null,
      disabled_reason: null,
      disabled_at: null,
      last_error: null,
      last_success_at: null,
      consecutive_failures: 0,
    },
  ]);
  expect(schemas.webhook.safeParse(answer.json).success).toBe(true);
  const input: NewWebhook = {
    url: newWebhook.url,
    events: ["batches.completed"],
    token: "t0ken",
    hmacSecret: SECRET,
    ordered: false,
    ca: null,
  };
  expect(server.asked).toEqual([["acme", input, "new-2", BY]]);
});

test("a webhook with an idempotency key is created under the id that is kept with the key", async () => {
  await using server = await startRecorder();
  const headers = { "Idempotency-Key": "k1" };
  const answer = await server.call("POST", "/v3/webhooks", { body: newWebhook, headers });
  expect(answer.json).toMatchObject({ id: "resource-1" });
});

test.each([{}, { token: null, hmac_secret: null }, { token: "", hmac_secret: "" }])(
  "without a token and a secret a webhook has none: %j",
  async (nothing) => {
    await using server = await startRecorder();
    await server.call("POST", "/v3/webhooks", { body: { ...newWebhook, ...nothing } });
    const none = { token: null, hmacSecret: null };
    expect(server.asked).toMatchObject([["acme", none, "new-2", BY]]);
  },
);

test("a disabled webhook shows why, since when, and its health", async () => {
  const ill: Webhook = {
    ...webhook,
    enabled: false,
    health: {
      consecutiveFailures: 50,
      lastSuccessAt: CREATED_AT,
      enabledAt: CREATED_AT,
      disabledAt: CREATED_AT,
      disabledReason: "failures",
      lastError: "The endpoint answered 500",
    },
  };
  await using server = await startServer({
    webhooks: { ...webhooks, get: () => Promise.resolve(ill) },
  });
  const { json } = await server.call("GET", "/v3/webhooks/w1", { key: "acme:read" });
  expect(json).toMatchObject({
    enabled: false,
    disabled_reason: "failures",
    disabled_at: CREATED_AT_TEXT,
    last_error: "The endpoint answered 500",
    last_success_at: CREATED_AT_TEXT,
    consecutive_failures: 50,
  });
  expect(schemas.webhook.safeParse(json).success).toBe(true);
});

const tokenWords = "String should be at most 512 ASCII characters, visible ones at both ends";
const knownTypes = expect.stringContaining("'reports.resolved', ") as string;

test.each([
  ["url", [], undefined, "missing", "Field required"],
  ["url", [], 7, "string_type", "Input should be a valid string"],
  ["url", [], "", "string_too_short", "String should have at least 1 character"],
  ["url", [], `https://${"x".repeat(2048)}`, "string_too_long", undefined],
  ["url", [], "http://x", "value_error", "Value error, The URL must begin with https://."],
  ["events", [], undefined, "missing", "Field required"],
  ["events", [], "batches.completed", "list_type", "Input should be a valid list"],
  ["events", [], Array.from({ length: 101 }, () => "batches.error"), "too_long", undefined],
  ["events", [1], ["batches.error", "batches.started"], "enum", knownTypes],
  ["events", [0], ["webhooks.test"], "enum", undefined],
  ["events", [0], [null], "enum", undefined],
  ["token", [], "x".repeat(513), "string_pattern_mismatch", tokenWords],
  ["token", [], "a ", "string_pattern_mismatch", tokenWords],
  ["token", [], "a\r\nX-Evil: 1", "string_pattern_mismatch", tokenWords],
  ["token", [], "tökn", "string_pattern_mismatch", tokenWords],
  ["token", [], 1, "string_type", undefined],
  ["hmac_secret", [], "x".repeat(513), "string_too_long", undefined],
  ["hmac_secret", [], "secret\ud800secret", "string_unicode", undefined],
  ["hmac_secret", [], "short", "value_error", "Value error, hmac_secret must not be short"],
  ["hmac_secret", [], {}, "string_type", undefined],
  ["ordered", [], "yes", "bool_type", undefined],
  ["ca", [], "x".repeat(16_385), "string_too_long", undefined],
  ["ca", [], "no certificate", "value_error", "Value error, ca must be certificates"],
  ["ca", [], 1, "string_type", undefined],
])("%s%j = %j is a 422 at its place, on creating and on changing", async (...row) => {
  const [field, place, value, type, msg] = row;
  await using server = await startRecorder();
  const entry = { loc: ["body", field, ...place], type, ...(msg === undefined ? {} : { msg }) };
  const created = await server.call("POST", "/v3/webhooks", {
    body: { ...newWebhook, [field]: value },
  });
  expect([created.status, created.json]).toMatchObject([422, { detail: [entry] }]);
  if (value !== undefined) {
    const changed = await server.call("PATCH", "/v3/webhooks/w1", { body: { [field]: value } });
    expect([changed.status, changed.json]).toMatchObject([422, { detail: [entry] }]);
  }
  expect(server.asked).toEqual([]);
});

test("a token may be any 512 visible characters", async () => {
  await using server = await startRecorder();
  const token = "!~\"'{}".padEnd(512, "x");
  const answer = await server.call("POST", "/v3/webhooks", { body: { ...newWebhook, token } });
  expect(answer.json).toMatchObject({ token });
});

test("an eleventh webhook is a 400 with the limit", async () => {
  await using server = await startServer({
    webhooks: { ...webhooks, create: () => Promise.resolve({ ok: false, reason: "full" }) },
  });
  const answer = await server.call("POST", "/v3/webhooks", { body: newWebhook });
  expect([answer.status, answer.json]).toMatchObject([
    400,
    { detail: "An organization may have at most 10 webhooks" },
  ]);
});

test.each<[object, WebhookPatch]>([
  [{}, {}],
  [{ url: null, events: null, enabled: null }, {}],
  [{ enabled: true }, { enabled: true }],
  [{ enabled: false, unknown: 1 }, { enabled: false }],
  // Clients write every field that they do not set as null.
  [{ enabled: true, token: null, hmac_secret: null }, { enabled: true }],
  [{ token: "" }, { token: null }],
  [{ token: "Bearer abc" }, { token: "Bearer abc" }],
  [{ hmac_secret: "" }, { hmacSecret: null }],
  [{ events: [] }, { events: [] }],
  [{ events: ["batches.error", "batches.error"] }, { events: ["batches.error"] }],
  [
    { url: "https://b", events: ["batches.error"], token: "t", hmac_secret: SECRET },
    { url: "https://b", events: ["batches.error"], token: "t", hmacSecret: SECRET },
  ],
  [
    { ordered: true, ca: PEM },
    { ordered: true, ca: PEM },
  ],
  [{ ordered: null, ca: null }, {}],
  [
    { ordered: false, ca: "" },
    { ordered: false, ca: null },
  ],
])("PATCH with %j changes exactly %j", async (body, patch) => {
  await using server = await startRecorder();
  const answer = await server.call("PATCH", "/v3/webhooks/w1", { body });
  expect(answer.status).toBe(200);
  expect(schemas.webhook.safeParse(answer.json).success).toBe(true);
  expect(server.asked).toStrictEqual([["acme", "w1", patch, BY]]);
});

test("who enables a webhook may ask for what it held, and learns where to look how far that is", async () => {
  const asked: unknown[] = [];
  let isRunning = false;
  const deps: Parameters<typeof startServer>[0] = {
    webhooks: {
      ...webhooks,
      replayHeld: (...call) => {
        asked.push(call);
        return isRunning ? Promise.resolve("running") : webhooks.replayHeld(...call);
      },
      patch: (...call) => {
        asked.push(call[2]);
        return webhooks.patch(...call);
      },
    },
  };
  await using server = await startServer(deps);
  const enabled = { enabled: true };
  const call = (body: object) => server.call("PATCH", "/v3/webhooks/w1", { body });
  const answer = await call({ ...enabled, replay: "held" });
  expect(answer.json).toMatchObject({ enabled: true, recovery_id: "new-2" });
  expect(schemas.webhook.safeParse(answer.json).success).toBe(true);
  expect((await call({ ...enabled, replay: null })).json).not.toHaveProperty("recovery_id");
  expect(asked).toEqual([["acme", "w1", "new-2"], enabled, enabled]);
  isRunning = true;
  expect((await call({ ...enabled, replay: "held" })).status).toBe(409);
  for (const body of [{ replay: "held" }, { replay: "held", enabled: false }])
    expect((await call(body)).json).toMatchObject({ detail: [{ loc: ["body", "replay"] }] });
  expect((await call({ ...enabled, replay: "all" })).status).toBe(422);
  expect(asked).toHaveLength(4);
});

test("PATCH is offered where it is served, needs the right to write, and keeps no idempotency key", async () => {
  await using server = await startServer({
    idempotency: {
      ...fakeDeps([], []).idempotency,
      begin: () => Promise.reject(new Error("must not be asked")),
    },
  });
  const options = await server.call("OPTIONS", "/v3/webhooks/w1", { key: null });
  expect(options.headers.get("Allow")).toBe("DELETE, GET, HEAD, OPTIONS, PATCH");
  const list = await server.call("PATCH", "/v3/webhooks", { body: {} });
  expect([list.status, list.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS, POST"]);
  const body = { enabled: true };
  const read = await server.call("PATCH", "/v3/webhooks/w1", { body, key: "acme:read" });
  expect(read.status).toBe(403);
  const headers = { "Idempotency-Key": "k1" };
  expect((await server.call("PATCH", "/v3/webhooks/w1", { body, headers })).status).toBe(200);
});

test("deleting answers 204 without a body", async () => {
  await using server = await startServer();
  const answer = await server.call("DELETE", "/v3/webhooks/w1");
  expect([answer.status, answer.text]).toEqual([204, ""]);
});

test("a missing resource is a 404 that names its kind", async () => {
  await using server = await startServer({
    webhooks: {
      ...webhooks,
      get: () => Promise.resolve(null),
      patch: () => Promise.resolve(null),
      delete: () => Promise.resolve(false),
      test: () => Promise.resolve(null),
    },
  });
  for (const [method, path, body] of [
    ["GET", "/v3/webhooks/x", undefined],
    ["PATCH", "/v3/webhooks/x", {}],
    ["DELETE", "/v3/webhooks/x", undefined],
    ["POST", "/v3/webhooks/x/test", undefined],
  ] as const) {
    const answer = await server.call(method, path, { body });
    expect([method, answer.status, answer.json]).toMatchObject([
      method,
      404,
      { detail: "Webhook not found" },
    ]);
  }
});

test("no answer and no log line has a signing secret, no log line a token", async () => {
  const token = "t0ken-of-the-test";
  // A stage that includes the secret by mistake.
  const leaky = { ...webhook, token, hmacSecret: SECRET, hmac_secret: SECRET } as Webhook;
  const found = (): Promise<Webhook> => Promise.resolve(leaky);
  await using server = await startServer({
    webhooks: {
      ...webhooks,
      create: (_org, input) =>
        input.url.includes("down")
          ? Promise.reject(new LedgerlineError("unavailable", "down"))
          : Promise.resolve({ ok: true, webhook: leaky }),
      list: () => Promise.resolve({ rows: [leaky], next: null }),
      get: found,
      patch: found,
    },
  });
  const body = { ...newWebhook, token, hmac_secret: SECRET };
  const answers = [
    await server.call("POST", "/v3/webhooks", { body }),
    await server.call("POST", "/v3/webhooks", { body: { ...body, url: "https://down" } }),
    await server.call("POST", "/v3/webhooks", { body: { ...body, url: "ftp://x" } }),
    await server.call("POST", "/v3/webhooks", { body: { ...body, events: [SECRET] } }),
    await server.call("POST", "/v3/webhooks", { body: { ...body, hmac_secret: [SECRET] } }),
    await server.call("POST", "/v3/webhooks", { body: `{"hmac_secret":"${SECRET}",` }),
    await server.call("PATCH", "/v3/webhooks/w1", { body: { hmac_secret: SECRET, token } }),
    await server.call("GET", "/v3/webhooks/w1"),
    await server.call("GET", "/v3/webhooks"),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([
    200, 503, 422, 422, 422, 422, 200, 200, 200,
  ]);
  for (const answer of answers) expect(answer.text).not.toContain(SECRET);
  // The last line is written when its answer is sent.
  await expect.poll(() => server.logs.length).toBeGreaterThanOrEqual(answers.length + 1);
  const log = server.logs.map(({ fields, message }) => [JSON.stringify(fields), message].join(" "));
  for (const line of log) {
    expect(line).not.toContain(SECRET);
    expect(line).not.toContain(token);
  }
});
