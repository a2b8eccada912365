// The headers of a call to an endpoint, signed according to Standard Webhooks 1.0: an HMAC-SHA256 (`v1`) for every live secret,
// and an Ed25519 signature (`v1a`) for receivers that must not be able to sign themselves. The time is signed too, so every
// attempt is signed again while id and body stay the same.
import { createHmac, type KeyObject, sign } from "node:crypto";

/** Secrets of a webhook that are valid at the same time: the newest one, and older ones in their grace period. */
export const LIVE_SECRETS_MAX = 3;

const SECRET_CHARS_MAX = 512;
const SECRET_PREFIX = "whsec_";
/** Standard Webhooks, "Signature scheme". */
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;

/** Characters that cannot end a header and are not changed in transit. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

export interface WebhookCall {
  readonly eventId: string;
  /** The number of the event among those of its resource, from 1; null when unknown. */
  readonly sequence: number | null;
  /** The bytes that are sent; a string is sent as UTF-8. */
  readonly body: string | Uint8Array;
  /** When the attempt begins, milliseconds since 1970. */
  readonly atMs: number;
  /** Identifies the attempt in the logs of both sides. */
  readonly requestId: string;
  /** Newest first, at most `LIVE_SECRETS_MAX`. */
  readonly secrets: readonly string[];
  readonly token: string | null;
  /** The previous token, during its grace period. */
  readonly previousToken: string | null;
  readonly userAgent: string;
  /** Sent again on request. */
  readonly replay: boolean;
  /** A private key of the service. */
  readonly ed25519Key?: KeyObject | null;
}

/** What is wrong with a secret, as the end of "hmac_secret …"; null when it is valid. */
export function secretProblem(secret: string): string | null {
  if (secret.length === 0 || secret.length > SECRET_CHARS_MAX) {
    return `must have 1 to ${String(SECRET_CHARS_MAX)} characters`;
  }
  // Half a surrogate pair has no UTF-8: we would sign with other bytes than the receiver.
  if (!secret.isWellFormed()) return "must be well-formed Unicode";
  if (!secret.startsWith(SECRET_PREFIX)) return null;
  const encoded = secret.slice(SECRET_PREFIX.length);
  const key = Buffer.from(encoded, "base64");
  // Node decodes nearly everything; verifiers in other languages accept only padded standard base64.
  if (key.toString("base64") !== encoded) {
    return `must be padded standard base64 after "${SECRET_PREFIX}"`;
  }
  if (key.length < KEY_BYTES_MIN || key.length > KEY_BYTES_MAX) {
    return `must be ${String(KEY_BYTES_MIN)} to ${String(KEY_BYTES_MAX)} bytes in base64 after "${SECRET_PREFIX}"`;
  }
  return null;
}

/** The bytes to sign with. The secret must be valid according to `secretProblem`. */
export function signingKey(secret: string): Buffer {
  const problem = secretProblem(secret);
  if (problem !== null) throw new Error(`A stored signing secret ${problem}`);
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), "base64")
    : Buffer.from(secret, "utf8");
}

/** All headers of a call except those of the connection. Id and time are sent even without a signature. */
export function webhookHeaders(call: WebhookCall): Record<string, string> {
  const timestamp = timestampOf(call.atMs);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "user-agent": call.userAgent,
    "webhook-id": checkedId(call.eventId),
    "webhook-timestamp": timestamp,
    "x-request-id": call.requestId,
  };
  const signatures = signaturesOf(call, `${call.eventId}.${timestamp}.`);
  if (call.sequence !== null) headers["webhook-sequence"] = String(call.sequence);
  if (signatures.length > 0) headers["webhook-signature"] = signatures.join(" ");
  if (call.token !== null) headers["x-service-token"] = call.token;
  if (call.previousToken !== null) headers["x-service-token-previous"] = call.previousToken;
  if (call.replay) headers["webhook-replay"] = "1";
  refuseUnsafe(headers);
  return headers;
}

function signaturesOf(call: WebhookCall, prefix: string): string[] {
  if (call.secrets.length > LIVE_SECRETS_MAX) {
    throw new RangeError(`More than ${String(LIVE_SECRETS_MAX)} live secrets`);
  }
  const signatures = call.secrets.map((secret) => {
    const hmac = createHmac("sha256", signingKey(secret)).update(prefix).update(call.body);
    return `v1,${hmac.digest("base64")}`;
  });
  const key = call.ed25519Key ?? null;
  if (key !== null) signatures.push(`v1a,${ed25519(key, prefix, call.body)}`);
  return signatures;
}

function ed25519(key: KeyObject, prefix: string, body: string | Uint8Array): string {
  // Node rejects a public key but signs with a private key of any type, and a receiver could not find out why the signature is
  // invalid.
  if (key.asymmetricKeyType !== "ed25519") {
    throw new TypeError("The key for v1a signatures is not an Ed25519 key");
  }
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return sign(null, Buffer.concat([Buffer.from(prefix), bytes]), key).toString("base64");
}

function timestampOf(atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new RangeError("No time to sign");
  return String(seconds);
}

/** A dot would move the end of the id in `id.timestamp.body`, and one signature would fit two calls. */
function checkedId(eventId: string): string {
  if (eventId === "" || eventId.includes(".")) {
    throw new RangeError("An event id must not be empty or contain a dot");
  }
  return eventId;
}

/** The last check against a second header in a value; the value may be a secret and is not part of the error. */
function refuseUnsafe(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!PRINTABLE_ASCII.test(value)) {
      throw new RangeError(`The value of ${name} has characters that no header may carry`);
    }
  }
}
