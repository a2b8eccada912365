// The headers of a call to an endpoint, signed as Standard Webhooks 1.0 says: an HMAC-SHA256 (`v1`) for every secret that
// is live, and an Ed25519 signature (`v1a`) for receivers that must not be able to sign themselves. The time is signed
// too, so every attempt is signed anew while id and body stay the same.
import { createHmac, type KeyObject, sign } from "node:crypto";

/** Secrets of a webhook that are in use at the same time: the newest, and older ones in their days of grace. */
export const LIVE_SECRETS_MAX = 3;

const SECRET_CHARS_MAX = 512;
const SECRET_PREFIX = "whsec_";
/** Standard Webhooks, "Signature scheme". */
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;

/** What can stand in a header without ending it or being changed on the way. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

export interface WebhookCall {
  readonly eventId: string;
  /** Which event of its resource it is, from 1; null where that is not known. */
  readonly sequence: number | null;
  /** The bytes that are sent; text stands for its UTF-8. */
  readonly body: string | Uint8Array;
  /** When the attempt begins, milliseconds since 1970. */
  readonly atMs: number;
  /** Names the attempt, for whoever looks for it in two logs. */
  readonly requestId: string;
  /** Newest first, at most `LIVE_SECRETS_MAX`. */
  readonly secrets: readonly string[];
  readonly token: string | null;
  /** The token before, while its days of grace last. */
  readonly previousToken: string | null;
  readonly userAgent: string;
  /** Sent again on request. */
  readonly replay: boolean;
  /** A private key of the service. */
  readonly ed25519Key?: KeyObject | null;
}

/** What is wrong with a secret, as the end of "hmac_secret …"; null when nothing is. */
export function secretProblem(secret: string): string | null {
  if (secret.length === 0 || secret.length > SECRET_CHARS_MAX) {
    return `must have 1 to ${String(SECRET_CHARS_MAX)} characters`;
  }
  // Half a surrogate pair has no UTF-8: we would sign with the bytes of another text than the receiver.
  if (!secret.isWellFormed()) return "must be well-formed Unicode";
  if (!secret.startsWith(SECRET_PREFIX)) return null;
  const encoded = secret.slice(SECRET_PREFIX.length);
  const key = Buffer.from(encoded, "base64");
  // Node decodes nearly everything; verifiers of other languages take padded standard base64 only.
  if (key.toString("base64") !== encoded) {
    return `must be padded standard base64 after "${SECRET_PREFIX}"`;
  }
  if (key.length < KEY_BYTES_MIN || key.length > KEY_BYTES_MAX) {
    return `must be ${String(KEY_BYTES_MIN)} to ${String(KEY_BYTES_MAX)} bytes in base64 after "${SECRET_PREFIX}"`;
  }
  return null;
}

/** The bytes to sign with. A secret that `secretProblem` finds fault with must not have got here. */
export function signingKey(secret: string): Buffer {
  const problem = secretProblem(secret);
  if (problem !== null) throw new Error(`A stored signing secret ${problem}`);
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), "base64")
    : Buffer.from(secret, "utf8");
}

/** Every header of a call but those of the connection. Id and time are sent without a signature too. */
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
  // Node refuses a public key but signs with a private one of any kind, and no receiver could tell why it does not fit.
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

/** A dot would let the id end elsewhere in `id.timestamp.body`, and one signature would fit two calls. */
function checkedId(eventId: string): string {
  if (eventId === "" || eventId.includes(".")) {
    throw new RangeError("An event id must not be empty or contain a dot");
  }
  return eventId;
}

/** The last barrier against a second header in a value; the value may be a secret and is not repeated. */
function refuseUnsafe(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!PRINTABLE_ASCII.test(value)) {
      throw new RangeError(`The value of ${name} has characters that no header may carry`);
    }
  }
}
