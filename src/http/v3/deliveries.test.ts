import { expect, test } from "vitest";
import type { Recovery } from "../../model/webhook.ts";
import {
  CREATED_AT,
  CREATED_AT_TEXT,
  fakeDeps,
  recovery,
  startServer,
  type TestServer,
} from "../../../test/support/http-server.ts";
import * as schemas from "./webhook-schemas.ts";

const { webhooks } = fakeDeps([], []);
const RECOVER = "/v3/webhooks/w1/recover";
const day = { since: "2024-05-01", until: "2024-05-02 00:00:00" };
const since = Date.UTC(2024, 4, 1);
const until = Date.UTC(2024, 4, 2);

const deliveryShown = {
  event_id: "e1",
  event_type: "batches.completed",
  webhook_id: "w1",
  resource_id: "b1",
  state: "pending",
  attempt_count: 1,
  created_at: CREATED_AT_TEXT,
  next_attempt_at: CREATED_AT_TEXT,
  last_attempt_at: CREATED_AT_TEXT,
  last_status: 500,
  last_error: "status",
  replay: false,
};

/** A server that keeps what its recoveries were asked for. */
async function startRecorder(): Promise<TestServer & { asked: unknown[] }> {
  const asked: unknown[] = [];
  const server = await startServer({
    webhooks: {
      ...webhooks,
      countRecoverable: (...call) => {
        asked.push(["count", ...call]);
        return webhooks.countRecoverable(...call);
      },
      recover: (...call) => {
        asked.push(["recover", ...call]);
        return webhooks.recover(...call);
      },
    },
  });
  return Object.assign(server, { asked });
}

test("deliveries are listed as a page, by state and bounds", async () => {
  const asked: unknown[] = [];
  await using server = await startServer({
    webhooks: {
      ...webhooks,
      deliveries: (...call) => {
        asked.push(call);
        return webhooks.deliveries(...call);
      },
    },
  });
  const list = await server.call("GET", "/v3/webhooks/w1/deliveries");
  expect(list.json).toEqual({ next_cursor: null, data: [deliveryShown] });
  expect(schemas.deliveryPage.safeParse(list.json).success).toBe(true);
  const query = "state=held&limit=7&created_after=2024-05-01&created_before=2024-05-02";
  await server.call("GET", `/v3/webhooks/w1/deliveries?${query}`);
  const page = { limit: 10, createdAfter: null, createdBefore: null, after: null };
  expect(asked).toEqual([
    ["acme", "w1", { state: null }, page],
    [
      "acme",
      "w1",
      { state: "held" },
      { ...page, limit: 7, createdAfter: since, createdBefore: until },
    ],
  ]);
  const wrong = await server.call("GET", "/v3/webhooks/w1/deliveries?state=lost");
  expect([wrong.status, wrong.json]).toMatchObject([
    422,
    { detail: [{ loc: ["query", "state"] }] },
  ]);
});

test("a cursor is of one list of one webhook: others refuse it", async () => {
  const next = { createdAt: CREATED_AT, tie: "x" };
  await using server = await startServer({
    webhooks: {
      ...webhooks,
      list: () => Promise.resolve({ rows: [], next }),
      deliveries: () => Promise.resolve({ rows: [], next }),
    },
  });
  const cursorOf = async (path: string): Promise<string> =>
    ((await server.call("GET", path)).json as { next_cursor: string }).next_cursor;
  const ofWebhooks = await cursorOf("/v3/webhooks");
  const ofDeliveries = await cursorOf("/v3/webhooks/w1/deliveries");
  const statusOf = async (path: string, cursor: string): Promise<number> =>
    (await server.call("GET", `${path}?cursor=${cursor}`)).status;
  expect(await statusOf("/v3/webhooks", ofWebhooks)).toBe(200);
  expect(await statusOf("/v3/webhooks/w1/deliveries", ofDeliveries)).toBe(200);
  expect(await statusOf("/v3/webhooks", ofDeliveries)).toBe(422);
  expect(await statusOf("/v3/batches", ofWebhooks)).toBe(422);
  expect(await statusOf("/v3/webhooks/w1/deliveries", ofWebhooks)).toBe(422);
  expect(await statusOf("/v3/webhooks/w2/deliveries", ofDeliveries)).toBe(422);
});

test("a delivery is shown with its attempts", async () => {
  await using server = await startServer();
  const answer = await server.call("GET", "/v3/webhooks/w1/deliveries/e1", { key: "acme:read" });
  expect(answer.json).toMatchObject({
    ...deliveryShown,
    attempts: [{ number: 1, at: CREATED_AT_TEXT, timings: { first_byte: 2, total: 3.5 } }],
  });
  expect(schemas.deliveryDetail.safeParse(answer.json).success).toBe(true);
});

test("an event is sent again on request of a key that may write", async () => {
  await using server = await startServer();
  const path = "/v3/webhooks/w1/deliveries/e7/resend";
  const answer = await server.call("POST", path);
  expect([answer.status, answer.json]).toEqual([
    200,
    { ...deliveryShown, event_id: "e7", replay: true },
  ]);
  expect((await server.call("POST", path, { key: "acme:read" })).status).toBe(403);
});

test("a missing resource is a 404 that names its kind", async () => {
  await using server = await startServer({
    webhooks: {
      ...webhooks,
      deliveries: () => Promise.resolve(null),
      delivery: () => Promise.resolve(null),
      resend: () => Promise.resolve(null),
      countRecoverable: () => Promise.resolve(null),
      recover: () => Promise.resolve(null),
      recovery: () => Promise.resolve(null),
    },
  });
  for (const [method, path, detail, body] of [
    ["GET", "/v3/webhooks/x/deliveries", "Webhook not found", undefined],
    ["GET", "/v3/webhooks/w1/deliveries/x", "Delivery not found", undefined],
    ["POST", "/v3/webhooks/w1/deliveries/x/resend", "Delivery not found", undefined],
    ["POST", RECOVER, "Webhook not found", day],
    ["POST", RECOVER, "Webhook not found", { ...day, dry_run: true }],
    ["GET", "/v3/webhooks/w1/recoveries/x", "Recovery not found", undefined],
  ] as const) {
    const answer = await server.call(method, path, { body });
    expect([path, answer.status, answer.json]).toMatchObject([path, 404, { detail }]);
  }
});

test.each([{}, { states: null, dry_run: null }, { states: ["exhausted"], dry_run: false }])(
  "by default a recovery selects exhausted deliveries and starts: %j",
  async (more) => {
    await using server = await startRecorder();
    const answer = await server.call("POST", RECOVER, { body: { ...day, ...more } });
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        id: "new-2",
        webhook_id: "w1",
        created_at: CREATED_AT_TEXT,
        status: "running",
        resent: 0,
        since: "2024-05-01T00:00:00.000Z",
        until: "2024-05-02T00:00:00.000Z",
        states: ["exhausted"],
      },
    ]);
    expect(schemas.recovery.safeParse(answer.json).success).toBe(true);
    const request = { since, until, states: ["exhausted"] };
    expect(server.asked).toEqual([["recover", "acme", "w1", request, "new-2"]]);
  },
);

test("a dry run counts and begins nothing", async () => {
  await using server = await startRecorder();
  const states = ["delivered", "exhausted"];
  const body = { ...day, states, dry_run: true };
  const { json } = await server.call("POST", RECOVER, { body });
  expect(json).toEqual({
    dry_run: true,
    count: 3,
    capped: false,
    since: "2024-05-01T00:00:00.000Z",
    until: "2024-05-02T00:00:00.000Z",
    states,
  });
  expect(schemas.recoveryOrCount.safeParse(json).success).toBe(true);
  expect(server.asked).toEqual([["count", "acme", "w1", { since, until, states }]]);
});

test("a recovery with an idempotency key is begun under the id that is kept with the key", async () => {
  await using server = await startRecorder();
  const headers = { "Idempotency-Key": "k1" };
  const answer = await server.call("POST", RECOVER, { body: day, headers });
  expect(answer.json).toMatchObject({ id: "resource-1" });
});

test.each([
  [["since"], { since: undefined }, "missing"],
  [["since"], { since: null }, "string_type"],
  [["since"], { since: 5 }, "string_type"],
  [["since"], { since: "yesterday" }, "datetime_from_date_parsing"],
  [["until"], { until: undefined }, "missing"],
  [["until"], { until: "" }, "datetime_from_date_parsing"],
  [["until"], { until: day.since }, "value_error"],
  [["until"], { until: "2024-04-30" }, "value_error"],
  [["states"], { states: [] }, "too_short"],
  [["states"], { states: "exhausted" }, "list_type"],
  [["states", 0], { states: ["pending"] }, "enum"],
  [["states", 1], { states: ["exhausted", "exhausted"] }, "value_error"],
  [["dry_run"], { dry_run: "true" }, "bool_type"],
])("a recovery is refused at %j for %j", async (place, change, type) => {
  await using server = await startRecorder();
  const answer = await server.call("POST", RECOVER, { body: { ...day, ...change } });
  expect([answer.status, answer.json]).toMatchObject([
    422,
    { detail: [{ loc: ["body", ...place], type }] },
  ]);
  expect(server.asked).toEqual([]);
});

test("how far a recovery has come can be asked", async () => {
  const done: Recovery = { ...recovery, status: "completed", resent: 12 };
  await using server = await startServer({
    webhooks: { ...webhooks, recovery: () => Promise.resolve(done) },
  });
  const answer = await server.call("GET", "/v3/webhooks/w1/recoveries/r1", { key: "acme:read" });
  expect(answer.json).toMatchObject({ id: "r1", status: "completed", resent: 12 });
  expect(schemas.recovery.safeParse(answer.json).success).toBe(true);
});
