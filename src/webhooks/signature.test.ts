import { createHmac, generateKeyPairSync, verify } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  LIVE_SECRETS_MAX,
  secretProblem,
  signingKey,
  type WebhookCall,
  webhookHeaders,
} from "./signature.ts";

const NOW = Date.UTC(2026, 9, 1, 12, 0, 0, 999);
const EVENT_ID = "7c1f6a52-3f0e-5d0b-9a3e-2f6f1d9f4b10";
const ENCODED = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const TEXT = "pässwörd – naïve ✓";
const BODY = JSON.stringify({ event_id: EVENT_ID, name: "Café ✓ \u{1f600}" });

const callOf = (fields: Partial<WebhookCall> = {}): WebhookCall => ({
  eventId: EVENT_ID,
  sequence: 3,
  body: BODY,
  atMs: NOW,
  secrets: [],
  token: null,
  previousToken: null,
  userAgent: "Ledgerline/1.0",
  requestId: "q-1",
  replay: false,
  ...fields,
});

/** A receiver that has this secret and verifies with the official package. */
const receiver = (secret: string): Webhook =>
  secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(new TextEncoder().encode(secret), { format: "raw" });

function accepts(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    receiver(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

const encodedSecret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);
const textSecret = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .filter((text) => secretProblem(text) === null);
const anySecret = fc.oneof(encodedSecret, textSecret);
/** HMAC pads keys with zeros to 64 bytes: two secrets that differ only in zeros at the end are the same. */
const hmacKey = (secret: string): string =>
  Buffer.concat([signingKey(secret), Buffer.alloc(64)]).toString("hex", 0, 64);

beforeEach(() => {
  // The official verifier has no parameter for the time.
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("webhookHeaders", () => {
  it("a call without secrets, tokens and replay has ids, time, place, type and agent, and nothing else", () => {
    expect(webhookHeaders(callOf())).toEqual({
      "content-type": "application/json",
      "user-agent": "Ledgerline/1.0",
      "webhook-id": EVENT_ID,
      "webhook-timestamp": String(Math.floor(NOW / 1000)),
      "webhook-sequence": "3",
      "x-request-id": "q-1",
    });
    expect(webhookHeaders(callOf({ sequence: null }))).not.toHaveProperty("webhook-sequence");
  });

  it("tokens are sent unchanged, each under its name, and a replay is marked", () => {
    const call = callOf({ token: 'new "t0k3n"=', previousToken: "old", replay: true });
    expect(webhookHeaders(call)).toMatchObject({
      "x-service-token": 'new "t0k3n"=',
      "x-service-token-previous": "old",
      "webhook-replay": "1",
    });
    expect(webhookHeaders(callOf({ token: "only" }))).not.toHaveProperty(
      "x-service-token-previous",
    );
  });

  it("the signature is the one of the published example", () => {
    const headers = webhookHeaders(
      callOf({
        eventId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        body: '{"test": 2432232314}',
        atMs: 1_614_265_330_000,
        secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
      }),
    );
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("the official verifier accepts every body under every live secret of either form, and no other secret", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anySecret, {
          minLength: 2,
          maxLength: LIVE_SECRETS_MAX + 1,
          selector: hmacKey,
        }),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
        (all, body) => {
          const [stranger = "", ...secrets] = all;
          const headers = webhookHeaders(callOf({ secrets, body }));
          expect(headers["webhook-signature"]?.split(" ")).toHaveLength(secrets.length);
          for (const secret of secrets) expect(accepts(secret, body, headers)).toBe(true);
          expect(accepts(stranger, body, headers)).toBe(false);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("over three rotations a receiver with any live secret accepts, one with a retired secret never", () => {
    const history = [ENCODED, TEXT, `whsec_${Buffer.alloc(24, 9).toString("base64")}`, "fourth"];
    for (let newest = 0; newest < history.length; newest += 1) {
      const secrets = history.slice(Math.max(0, newest - 1), newest + 1).reverse();
      const headers = webhookHeaders(callOf({ secrets }));
      const accepted = history.filter((secret) => accepts(secret, BODY, headers));
      expect(new Set(accepted)).toEqual(new Set(secrets));
      const first = webhookHeaders(callOf({ secrets: secrets.slice(0, 1) }));
      expect(headers["webhook-signature"]?.split(" ")[0]).toBe(first["webhook-signature"]);
    }
  });

  it("id, time and body are all signed, so none can be exchanged", () => {
    const headers = webhookHeaders(callOf({ secrets: [ENCODED] }));
    expect(accepts(ENCODED, BODY, headers)).toBe(true);
    expect(accepts(ENCODED, `${BODY} `, headers)).toBe(false);
    expect(accepts(ENCODED, BODY, { ...headers, "webhook-id": "other" })).toBe(false);
    const later = String(Math.floor(NOW / 1000) + 1);
    expect(accepts(ENCODED, BODY, { ...headers, "webhook-timestamp": later })).toBe(false);
  });

  it("a call recorded six minutes ago is refused by the receiver, a new attempt of it is not", () => {
    const old = webhookHeaders(callOf({ secrets: [ENCODED], atMs: NOW - 360_000 }));
    expect(accepts(ENCODED, BODY, old)).toBe(false);
    const fresh = webhookHeaders(callOf({ secrets: [ENCODED] }));
    expect(accepts(ENCODED, BODY, fresh)).toBe(true);
    expect(fresh["webhook-id"]).toBe(old["webhook-id"]);
  });

  it("a body of bytes is signed like the text it is the UTF-8 of", () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const fields = { secrets: [ENCODED], ed25519Key: privateKey };
    expect(webhookHeaders(callOf({ ...fields, body: new TextEncoder().encode(BODY) }))).toEqual(
      webhookHeaders(callOf(fields)),
    );
  });

  it("v1a is an Ed25519 signature of the same content, with v1 and without it", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const alone = webhookHeaders(callOf({ ed25519Key: privateKey }))["webhook-signature"] ?? "";
    expect(alone).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
    const content = Buffer.from(`${EVENT_ID}.${String(Math.floor(NOW / 1000))}.${BODY}`);
    expect(verify(null, content, publicKey, Buffer.from(alone.slice(4), "base64"))).toBe(true);
    const both = webhookHeaders(callOf({ secrets: [ENCODED], ed25519Key: privateKey }));
    expect(both["webhook-signature"]?.split(" ")[1]).toBe(alone);
    expect(accepts(ENCODED, BODY, both)).toBe(true);
    expect(accepts("other", BODY, both)).toBe(false);
  });

  it("no v1a is made with a key of another kind", () => {
    const keys = [
      generateKeyPairSync("ed25519").publicKey,
      generateKeyPairSync("ed448").privateKey,
    ];
    for (const ed25519Key of keys) {
      expect(() => webhookHeaders(callOf({ ed25519Key }))).toThrow(TypeError);
    }
  });

  it("nothing that could end a header gets into one, and the complaint does not repeat it", () => {
    const fields = ["token", "previousToken", "userAgent", "eventId"] as const;
    for (const field of fields) {
      for (const bad of ["\r\nx-evil: 1", "\n", "\r", "\0", "\t", "\x7f", "é", "\u{1f600}"]) {
        const call = callOf({ [field]: `s3cret${bad}x` });
        let message = "";
        try {
          webhookHeaders(call);
        } catch (error) {
          message = String(error);
        }
        expect(message).toMatch(/^RangeError: The value of [a-z-]+ has/);
        expect(message).not.toContain("s3cret");
      }
    }
  });

  it("an id with a dot, a fourth secret and an invalid time throw", () => {
    expect(() => webhookHeaders(callOf({ eventId: "a.b" }))).toThrow(RangeError);
    expect(() => webhookHeaders(callOf({ eventId: "" }))).toThrow(RangeError);
    expect(() => webhookHeaders(callOf({ secrets: ["a", "b", "c", "d"] }))).toThrow(RangeError);
    for (const atMs of [Number.NaN, Infinity, -1]) {
      expect(() => webhookHeaders(callOf({ atMs }))).toThrow(RangeError);
    }
  });
});

describe("secrets", () => {
  it("after whsec_ the base64 is the key, any other text is a key as UTF-8", () => {
    expect(signingKey(ENCODED)).toEqual(Buffer.alloc(32, 7));
    expect(signingKey("whsec")).toEqual(Buffer.from("whsec"));
    expect(signingKey(TEXT)).toEqual(Buffer.from(TEXT, "utf8"));
    // What a receiver without the package would do.
    const headers = webhookHeaders(callOf({ secrets: [TEXT] }));
    const content = `${EVENT_ID}.${headers["webhook-timestamp"] ?? ""}.${BODY}`;
    const expected = createHmac("sha256", TEXT).update(content).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
  });

  const bytes = (length: number): string => Buffer.alloc(length, 1).toString("base64");

  it.each([
    ["x", null],
    ["x".repeat(512), null],
    [`whsec_${bytes(24)}`, null],
    [`whsec_${bytes(64)}`, null],
    ["", "must have 1 to 512 characters"],
    ["x".repeat(513), "must have 1 to 512 characters"],
    ["\ud800", "must be well-formed Unicode"],
    ["whsec_", 'must be 24 to 64 bytes in base64 after "whsec_"'],
    [`whsec_${bytes(23)}`, 'must be 24 to 64 bytes in base64 after "whsec_"'],
    [`whsec_${bytes(65)}`, 'must be 24 to 64 bytes in base64 after "whsec_"'],
    [`whsec_${bytes(25).replace(/=+$/, "")}`, 'must be padded standard base64 after "whsec_"'],
    [`whsec_${"_-".repeat(16)}`, 'must be padded standard base64 after "whsec_"'],
    [`whsec_ ${bytes(24)}`, 'must be padded standard base64 after "whsec_"'],
    ["whsec_not base64 at all, sorry!", 'must be padded standard base64 after "whsec_"'],
  ])("%j: %j", (secret, problem) => {
    expect(secretProblem(secret)).toBe(problem);
  });

  it("what secretProblem refuses is never signed with, and is not named in the error", () => {
    expect(() => signingKey("whsec_aGVsbG8=")).toThrow(/^A stored signing secret must be 24/);
  });
});
