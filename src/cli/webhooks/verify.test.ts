import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { type SignedCall, parseSigningKey, verifySignature } from "./verify.ts";

// Signatures are made by the official package: what it signs must be believed, and nothing else.
const NOW_MS = 1_795_000_000_000;
const TOLERANCE_MS = 300_000;
const BASE64 = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const TEXT = "a plain text with ümlauts";
const BODY =
  '{"event_id":"e-1","event_type":"batches.completed","data":{"id":"b-1","note":"käse"}}';

const official = (secret: string): Webhook =>
  secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: "raw" });

function signed(secret: string, ageMs = 0, over: Partial<SignedCall> = {}): SignedCall {
  const at = new Date(NOW_MS - ageMs);
  return {
    id: "e-1",
    timestamp: String(Math.floor(at.getTime() / 1_000)),
    signature: official(secret).sign("e-1", at, BODY),
    body: Buffer.from(BODY),
    ...over,
  };
}

const verdict = (call: SignedCall, secret: string) =>
  verifySignature(call, secret, NOW_MS, TOLERANCE_MS);

describe.each([
  ["base64 after whsec_", BASE64],
  ["any other text", TEXT],
])("a secret that is %s", (_name, secret) => {
  it("verifies what the official package signed with it", () => {
    expect(verdict(signed(secret), secret)).toBe("verified");
  });

  it("refuses another secret, body, id or time", () => {
    expect(verdict(signed(OTHER), secret)).toBe("wrong");
    expect(verdict(signed(secret, 0, { body: Buffer.from(`${BODY} `) }), secret)).toBe("wrong");
    expect(verdict(signed(secret, 0, { id: "e-2" }), secret)).toBe("wrong");
    const later = String(NOW_MS / 1_000 + 1);
    expect(verdict(signed(secret, 0, { timestamp: later }), secret)).toBe("wrong");
  });

  it("refuses what is further from now than the tolerance, before and after", () => {
    expect(verdict(signed(secret, TOLERANCE_MS), secret)).toBe("verified");
    expect(verdict(signed(secret, -TOLERANCE_MS), secret)).toBe("verified");
    expect(verdict(signed(secret, TOLERANCE_MS + 1_000), secret)).toBe("too_old");
    expect(verdict(signed(secret, -TOLERANCE_MS - 1_000), secret)).toBe("too_old");
  });

  it("accepts the old and the new secret while both sign, and no other", () => {
    const old = signed(secret).signature ?? "";
    const other = signed("the new one").signature ?? "";
    const both = signed(secret, 0, { signature: `v1a,AAAA v1 ${other} ${old}` });
    expect(verdict(both, secret)).toBe("verified");
    expect(verdict(both, "the new one")).toBe("verified");
    expect(verdict(both, "a third")).toBe("wrong");
  });
});

it.each(["id", "timestamp", "signature"] as const)(
  "without its %s a call is not signed",
  (name) => {
    expect(verdict(signed(TEXT, 0, { [name]: null }), TEXT)).toBe("missing");
  },
);

it("a signature of another version or another length is refused", () => {
  const right = signed(TEXT).signature ?? "";
  for (const signature of [
    right.replace("v1,", "v2,"),
    right.replace("v1,", ""),
    right.slice(0, -8),
    `${right.slice(0, -1)}AAAA`,
    "v1,",
    "",
  ]) {
    expect(verdict(signed(TEXT, 0, { signature }), TEXT)).toBe("wrong");
  }
});

it("an empty key verifies nothing", () => {
  const call = signed(TEXT);
  expect(verdict(call, "")).toBe("wrong");
  expect(verdict(call, "whsec_")).toBe("wrong");
  expect(parseSigningKey("whsec_no base64!")).toBeNull();
});

it("whatever the headers say, a call without the secret is never verified and never an error", () => {
  const header = fc.option(fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(header, header, header, fc.uint8Array(), (id, timestamp, signature, body) => {
      expect(verdict({ id, timestamp, signature, body }, TEXT)).toMatch(/^(?:wrong|missing)$/);
    }),
  );
});
