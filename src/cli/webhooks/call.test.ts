import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { createCallReader, type Expectation, type ReceivedCall } from "./call.ts";

const AT = Date.parse("2026-11-21T09:30:00.000Z");
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const NOTHING: Expectation = { secret: null, token: null, status: 200 };
const EVENT = { event_id: "e-1", event_type: "batches.completed", data: { id: "b-1", size: 2 } };

function call(
  value: unknown = EVENT,
  headers: Record<string, string> = {},
  over: Partial<ReceivedCall> = {},
): ReceivedCall {
  const body = Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
  return { method: "POST", headers, body, bodyBytes: body.length, at: AT, ...over };
}

function signatureOf(value: unknown, atMs = AT): Record<string, string> {
  const at = new Date(atMs);
  return {
    "webhook-id": "e-1",
    "webhook-timestamp": String(at.getTime() / 1_000),
    "webhook-signature": new Webhook(SECRET).sign("e-1", at, JSON.stringify(value)),
  };
}

it("a line has time, type, event, resource, signature, size and answer", () => {
  const read = createCallReader(NOTHING)(call());
  expect(read.line).toBe(
    "2026-11-21T09:30:00.000Z  batches.completed  e-1  b-1  not signed  80 bytes  answered 200",
  );
  expect(read.shownBody).toBe(JSON.stringify(EVENT, null, 2));
});

it.each([
  ["verified", signatureOf(EVENT), 200],
  ["WRONG SIGNATURE", signatureOf({ ...EVENT, data: {} }), 401],
  ["too old", signatureOf(EVENT, AT - 301_000), 401],
  ["from the future", signatureOf(EVENT, AT + 301_000), 401],
  ["not signed", {}, 401],
])("with a secret a call is %s", (words, headers, status) => {
  const read = createCallReader({ ...NOTHING, secret: SECRET })(call(EVENT, headers));
  expect(read.status).toBe(status);
  expect(read.line).toContain(`  b-1  ${words}  `);
  expect(read.answer).toBe(status === 200 ? "" : words);
});

it("without a secret a signature is reported as not checked", () => {
  expect(createCallReader(NOTHING)(call(EVENT, signatureOf(EVENT))).line).toContain(
    "signed, not checked",
  );
});

it.each([
  ["token right", { "x-service-token": "t" }, 200],
  ["token right, previous one", { "x-service-token": "n", "x-service-token-previous": "t" }, 200],
  ["WRONG TOKEN", { "x-service-token": "tt" }, 401],
  ["no token", {}, 401],
])("with a token a call has: %s", (words, headers, status) => {
  const read = createCallReader({ ...NOTHING, token: "t" })(call(EVENT, headers));
  expect(read.status).toBe(status);
  expect(read.line).toContain(`  ${words}  `);
});

it("a repeated event is noticed, and bytes that changed are; refused calls do not count", () => {
  const read = createCallReader({ ...NOTHING, secret: SECRET, status: 500 });
  const right = call(EVENT, signatureOf(EVENT));
  const changed = { ...EVENT, data: { id: "b-1" } };
  expect(read(call(EVENT)).status).toBe(401);
  expect(read(right).line).not.toContain("repeat");
  expect(read(right).line).toContain("  repeat, call 2  ");
  expect(read(call(changed, signatureOf(changed))).line).toContain("call 3 with OTHER BYTES");
  const replay = { ...signatureOf(EVENT), "webhook-replay": "1" };
  expect(read(call(EVENT, replay)).line).toMatch(
    /repeat, call 4 {2}sent again on request.*answered 500$/,
  );
});

it.each([
  ["another method", call("", {}, { method: "GET" }), 405, "GET is not a webhook call"],
  ["too much", call("", {}, { body: null, bodyBytes: 2_000_000 }), 413, "too large"],
  ["no JSON", call("{"), 400, "not an event"],
  ["no bytes", call(""), 400, "not an event"],
  ["no event", call([1]), 400, "not an event"],
  ["an event without id", call({ event_type: "batches.error" }), 400, "not an event"],
])("%s is refused, whatever the answer to good calls is", (_name, given, status, words) => {
  const read = createCallReader({ ...NOTHING, status: 204 })(given);
  expect(read.status).toBe(status);
  expect(read.line).toContain(words);
});

it("nothing in a call moves the cursor of a terminal", () => {
  const wild = { event_id: "\u001b[2Je", event_type: "a\nb\u009b", data: { id: "\u202ex" } };
  const reader = createCallReader(NOTHING);
  for (const given of [
    call(wild),
    call("\u001b[2J\r no JSON"),
    call("", {}, { method: "\u001b" }),
  ]) {
    const { line, shownBody } = reader(given);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(shownBody.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});
