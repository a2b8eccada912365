// Who wrote a record. Ledgerline signs what it writes with a secret of the installation; a producer outside signs with an
// API key of the organization it writes for. A header carries the name of the key and the signature:
//
//   ledgerline-signature: <key id>:<hex of HMAC-SHA256(SHA-256(API key), value)>
//
// A producer never sends its API key, and cannot write for an organization without a key of it.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { scheduleOfKey } from "../../model/record-key.ts";
import { createSigningKeys, type SigningKeyPorts } from "./signing-keys.ts";

export const SIGNATURE_HEADER = "ledgerline-signature";
/** Name of the installation's own key. */
const OWN = "ledgerline";

export interface SignatureOptions extends SigningKeyPorts {
  /** Secret of the installation. */
  readonly secret: string;
}

/** Whose record it is. `own`: Ledgerline's. */
export type Signer =
  | { readonly kind: "own" }
  | { readonly kind: "organization"; readonly org: string }
  | { readonly kind: "unverified"; readonly why: string };

export interface Signatures {
  /** The header of a record of ours; it covers the key of the record too. */
  sign(key: string, value: Uint8Array): Buffer;
  /** The header of a replayed record, with the order of acceptance that it had. */
  signOrder(order: string, key: string, value: Uint8Array): Buffer;
  /** The order in such a header, or null: only Ledgerline may give a record an order other than its own. */
  readOrder(header: Uint8Array, key: string, value: Uint8Array): string | null;
  /**
   * The organization that a record is scheduled for. Empty where its signature is wrong or missing, or its key was not looked
   * up lately: only what is known to be of an organization delays others of it. `verify` computes no MAC of it again.
   */
  tenantOf(key: string, value: Uint8Array, headers: Readonly<Record<string, Uint8Array>>): string;
  verify(
    key: string,
    value: Uint8Array,
    headers: Readonly<Record<string, Uint8Array>>,
  ): Promise<Signer>;
}

const HEADER_LENGTH_MAX = 400;
const NO_HEADER = new Uint8Array();
const NO_SIGNATURE = { id: "", signature: "" };

export function createSignatures(options: SignatureOptions): Signatures {
  const own = createHash("sha256").update(`record ${options.secret}`).digest();
  const keys = createSigningKeys(options);
  const matches = createMacMatcher();

  return {
    sign: (key, value) => Buffer.from(`${OWN}:${ownMac(own, key, value)}`),
    signOrder: (order, key, value) =>
      Buffer.from(`${order}:${ownMac(own, `${order} ${key}`, value)}`),
    readOrder: (header, key, value) => {
      const text = header.length > HEADER_LENGTH_MAX ? "" : Buffer.from(header).toString("latin1");
      const [order = "", signature = ""] = text.split(":");
      return equalBytes(signature, ownMac(own, `${order} ${key}`, value)) ? order : null;
    },
    tenantOf: (recordKey, value, headers) => {
      const { id, signature } = readHeader(headers[SIGNATURE_HEADER] ?? NO_HEADER) ?? NO_SIGNATURE;
      if (id === OWN) {
        const isOwn = matches(signature, value, { secret: own, recordKey });
        return isOwn ? scheduleOfKey(recordKey).tenant : "";
      }
      const key = keys.known(id);
      const isRight =
        key?.mayWrite === true &&
        matches(signature, value, { secret: key.secret, recordKey: null });
      return isRight ? key.org : "";
    },
    verify: async (recordKey, value, headers) => {
      const header = headers[SIGNATURE_HEADER];
      if (header === undefined) return unverified("the record is not signed");
      const read = readHeader(header);
      if (read === null) return unverified("the signature has not the form key:signature");
      const { id, signature } = read;
      if (id === OWN) {
        const isOwn = matches(signature, value, { secret: own, recordKey });
        return isOwn ? { kind: "own" } : unverified("the signature does not fit the record");
      }
      const key = await keys.find(id);
      if (key === null)
        return unverified("the key of the signature is not known, is revoked or has expired");
      if (!key.mayWrite) return unverified("the key of the signature may not write");
      const isRight = matches(signature, value, { secret: key.secret, recordKey: null });
      return isRight
        ? { kind: "organization", org: key.org }
        : unverified("the signature does not fit the record");
    },
  };
}

/** What a signature is made with. `recordKey`: covered by signatures of ours; null for those of API keys. */
interface MacInput {
  readonly secret: Buffer;
  readonly recordKey: string | null;
}

type MacMatcher = (signature: string, value: Uint8Array, input: MacInput) => boolean;

/** Compares signatures with MACs, and keeps each outcome as long as its value: it is needed for scheduling and for reading. */
function createMacMatcher(): MacMatcher {
  const outcomes = new WeakMap<
    Uint8Array,
    MacInput & { readonly signature: string; readonly isRight: boolean }
  >();
  return (signature, value, { secret, recordKey }) => {
    const known = outcomes.get(value);
    if (
      known?.signature === signature &&
      known.recordKey === recordKey &&
      known.secret.equals(secret)
    )
      return known.isRight;
    const mac =
      recordKey === null
        ? createHmac("sha256", secret).update(value).digest("hex")
        : ownMac(secret, recordKey, value);
    const isRight = equalBytes(signature, mac);
    outcomes.set(value, { signature, recordKey, secret, isRight });
    return isRight;
  };
}

function readHeader(
  header: Uint8Array,
): { readonly id: string; readonly signature: string } | null {
  const text = header.length > HEADER_LENGTH_MAX ? "" : Buffer.from(header).toString("utf8");
  const at = text.lastIndexOf(":");
  return at < 1 ? null : { id: text.slice(0, at), signature: text.slice(at + 1) };
}

function unverified(why: string): Signer {
  return { kind: "unverified", why };
}

function ownMac(secret: Buffer, key: string, value: Uint8Array): string {
  const mac = createHmac("sha256", secret).update(`${String(Buffer.byteLength(key))} ${key}`);
  return mac.update(value).digest("hex");
}

function equalBytes(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
