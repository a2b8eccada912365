// Signatures of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`.
import { createHmac, timingSafeEqual } from "node:crypto";

/** The three headers, null where one is missing, and the bytes of the body as they came. */
export interface SignedCall {
  readonly id: string | null;
  /** Seconds since 1970. */
  readonly timestamp: string | null;
  /** Signatures with their versions, separated by spaces: several while a secret is rotated. */
  readonly signature: string | null;
  readonly body: Uint8Array;
}

/** `too_old`: rightly signed, but further from now than the tolerance, on either side. */
export type SignatureVerdict = "verified" | "wrong" | "too_old" | "missing";

const BASE64_SECRET_PREFIX = "whsec_";
const VERSION_PREFIX = "v1,";

export function verifySignature(
  { id, timestamp, signature, body }: SignedCall,
  secret: string,
  nowMs: number,
  toleranceMs: number,
): SignatureVerdict {
  if (id === null || timestamp === null || signature === null) return "missing";
  const key = parseSigningKey(secret);
  // With an empty key every caller could sign.
  if (key === null || !/^\d{1,12}$/.test(timestamp)) return "wrong";
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  const isRight = signature
    .split(" ")
    .filter((one) => one.startsWith(VERSION_PREFIX))
    .map((one) => Buffer.from(one.slice(VERSION_PREFIX.length), "base64"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  if (!isRight) return "wrong";
  return Math.abs(nowMs - Number(timestamp) * 1_000) > toleranceMs ? "too_old" : "verified";
}

/** The bytes of a secret: base64 after `whsec_`, any other text as UTF-8. Null: empty, or invalid base64. */
export function parseSigningKey(secret: string): Buffer | null {
  if (!secret.startsWith(BASE64_SECRET_PREFIX)) return secret === "" ? null : Buffer.from(secret);
  const text = secret.slice(BASE64_SECRET_PREFIX.length);
  const key = Buffer.from(text, "base64");
  // Node decodes nearly everything, and would verify with a key that no sender uses.
  return text !== "" && key.toString("base64") === text ? key : null;
}
