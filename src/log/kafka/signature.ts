// Who wrote a record. Ledgerline signs what it writes with a secret of the installation; a producer outside signs with an
// API key of the organization it writes for. A header carries the name of the key and the signature:
//
//   ledgerline-signature: <key id>:<hex of HMAC-SHA256(SHA-256(API key), value)>
//
// A producer never sends its API key, and nobody can write for an organization whose key he does not have.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { scheduleOfKey } from "../../domain/record-key.ts";

export const SIGNATURE_HEADER = "ledgerline-signature";
/** Name of the installation's own key. */
const OWN = "ledgerline";

/** A key as far as checking signatures goes. */
export interface SigningKey {
  readonly org: string;
  /** SHA-256 of the API key: the key of its signatures. */
  readonly secret: Buffer;
  readonly mayWrite: boolean;
  /** From this moment on it signs nothing any more; null: it may for ever. */
  readonly expiresAt: number | null;
}

export interface SignatureOptions {
  /** Secret of the installation. */
  readonly secret: string;
  /** The key of this id, or null when there is none or it is revoked or expired. */
  findKey(id: string): Promise<SigningKey | null>;
  nowMs(): number;
}

/** Whose record it is. `own`: Ledgerline's. */
export type Signer =
  | { readonly kind: "own" }
  | { readonly kind: "organization"; readonly org: string }
  | { readonly kind: "nobody"; readonly why: string };

export interface Signatures {
  /** The header of a record of ours; it covers the key of the record too. */
  sign(key: string, value: Uint8Array): Buffer;
  /** The header of a replayed record, which says the order of acceptance that it had. */
  signOrder(order: string, key: string, value: Uint8Array): Buffer;
  /** The order in such a header, or null: nobody but Ledgerline may give a record another place than its own. */
  readOrder(header: Uint8Array, key: string, value: Uint8Array): string | null;
  /**
   * The organization whose record it seems to be, for scheduling; not to be believed. Empty where the record is not signed,
   * or by a key that was not looked up lately.
   */
  claimedBy(key: string, headers: Readonly<Record<string, Uint8Array>>): string;
  verify(
    key: string,
    value: Uint8Array,
    headers: Readonly<Record<string, Uint8Array>>,
  ): Promise<Signer>;
}

/** A revoked key is believed for this long after, an expired one is not. */
const KEY_CACHE_MS = 10_000;
const KEY_CACHE_MAX = 1_000;
const HEADER_LENGTH_MAX = 400;

export function createSignatures(options: SignatureOptions): Signatures {
  const own = createHash("sha256").update(`record ${options.secret}`).digest();
  const cache = new Map<string, { readonly key: SigningKey | null; readonly untilMs: number }>();

  async function find(id: string): Promise<SigningKey | null> {
    const known = cache.get(id);
    if (known !== undefined && options.nowMs() < known.untilMs) return known.key;
    const key = await options.findKey(id);
    if (cache.size >= KEY_CACHE_MAX) cache.clear();
    const untilMs = options.nowMs() + KEY_CACHE_MS;
    cache.set(id, { key, untilMs: Math.min(untilMs, key?.expiresAt ?? untilMs) });
    return key;
  }

  return {
    sign: (key, value) => Buffer.from(`${OWN}:${ownMac(own, key, value)}`),
    signOrder: (order, key, value) =>
      Buffer.from(`${order}:${ownMac(own, `${order} ${key}`, value)}`),
    readOrder: (header, key, value) => {
      const text = header.length > HEADER_LENGTH_MAX ? "" : Buffer.from(header).toString("latin1");
      const [order = "", signature = ""] = text.split(":");
      return equal(signature, ownMac(own, `${order} ${key}`, value)) ? order : null;
    },
    claimedBy: (recordKey, headers) => {
      const header = headers[SIGNATURE_HEADER];
      const { id } = readHeader(header ?? new Uint8Array()) ?? { id: "" };
      return id === OWN ? scheduleOfKey(recordKey).tenant : (cache.get(id)?.key?.org ?? "");
    },
    verify: async (recordKey, value, headers) => {
      const header = headers[SIGNATURE_HEADER];
      if (header === undefined) return nobody("the record is not signed");
      const read = readHeader(header);
      if (read === null) return nobody("the signature has not the form key:signature");
      const { id, signature } = read;
      if (id === OWN) {
        const isOwn = equal(signature, ownMac(own, recordKey, value));
        return isOwn ? { kind: "own" } : nobody("the signature does not fit the record");
      }
      const key = await find(id);
      if (key === null)
        return nobody("the key of the signature is not known, is revoked or has expired");
      if (!key.mayWrite) return nobody("the key of the signature may not write");
      const isRight = equal(
        signature,
        createHmac("sha256", key.secret).update(value).digest("hex"),
      );
      return isRight
        ? { kind: "organization", org: key.org }
        : nobody("the signature does not fit the record");
    },
  };
}

function readHeader(
  header: Uint8Array,
): { readonly id: string; readonly signature: string } | null {
  const text = header.length > HEADER_LENGTH_MAX ? "" : Buffer.from(header).toString("utf8");
  const at = text.lastIndexOf(":");
  return at < 1 ? null : { id: text.slice(0, at), signature: text.slice(at + 1) };
}

function nobody(why: string): Signer {
  return { kind: "nobody", why };
}

function ownMac(secret: Buffer, key: string, value: Uint8Array): string {
  const mac = createHmac("sha256", secret).update(`${String(Buffer.byteLength(key))} ${key}`);
  return mac.update(value).digest("hex");
}

function equal(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
