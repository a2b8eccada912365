// Verifies that a call of a webhook comes from Ledgerline. Needs nothing but Node.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** A recorded call is refused after this long. */
const AGE_SECONDS_MAX = 300;

/**
 * Pass the bytes of the body as they arrived: JSON that was parsed and written again has other bytes.
 * `secret` is the webhook's hmac_secret. Answer 401 when this is false.
 */
export function verify(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  secret: string,
  nowMs = Date.now(),
): boolean {
  const timestamp = String(headers["webhook-timestamp"]);
  const age = Math.abs(nowMs / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > AGE_SECONDS_MAX) return false;

  const key = secret.startsWith("whsec_")
    ? Buffer.from(secret.slice("whsec_".length), "base64")
    : Buffer.from(secret);
  if (key.length === 0) throw new Error("The secret is empty: any sender could sign with it.");
  const signed = `${String(headers["webhook-id"])}.${timestamp}.`;
  const expected = createHmac("sha256", key).update(signed).update(body).digest();

  // Two signatures for 24 hours after the secret was changed: one with each secret.
  return String(headers["webhook-signature"])
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice("v1,".length), "base64"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
