// Who wrote a record. Ledgerline signs what it writes with a secret of the installation; a producer outside signs with a
// secret of the organization that it writes for. A header carries who signed, when, and the signature:
//
//   ledgerline-signature: v2 <key id>:<Unix time in seconds>:<hex of HMAC-SHA256(secret, "v2 <key id>:<time>:" + value)>
//
// The secret is never sent. The time bounds how long a copy of a record is taken for a new one: it must be within
// `SKEW_SECONDS_MAX` of when Kafka appended the record first, so that records may wait in the log for any time.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { placeTime } from "../../model/acceptance-order.ts";
import { scheduleOfKey } from "../../model/record-key.ts";
import type { RawRecord } from "../record-runner.ts";
import type { GrantTable } from "./grant-table.ts";

export const SIGNATURE_HEADER = "ledgerline-signature";
/** Name of the installation's own key. */
const OWN = "ledgerline";
/** How far the clock of a producer may be from that of the broker. */
export const SKEW_SECONDS_MAX = 300;

export interface SignatureOptions {
  /** Secret of the installation. */
  readonly secret: string;
  readonly grants: Pick<GrantTable, "find" | "known">;
}

/** What a signature is about. */
export type SignedRecord = Pick<RawRecord, "key" | "bytes" | "headers" | "order">;

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
   * The organization that a record is scheduled for. Empty where its signature is wrong, missing or too old, or the grants
   * were not read yet: only what is known to be of an organization delays others of it. `verify` computes no MAC of it again.
   */
  tenantOf(record: SignedRecord): string;
  /** The organization whose facts a record has: as `tenantOf`, however old its signature. Empty where that is not known. */
  writerOf(record: SignedRecord): string;
  /** @throws LedgerlineError `unavailable` when it cannot be known now */
  verify(record: SignedRecord): Promise<Signer>;
}

const HEADER_LENGTH_MAX = 400;
const NO_HEADER = new Uint8Array();
const OUTSIDE_FORM = /^(v2 ([\w-]{1,64}):(\d{1,12}):)([0-9a-f]{64})$/;
const KEY_ID_FORM = /^lk_([0-9a-f]{16})([0-9a-f]{16})$/;

/** Makes key ids. They contain a MAC, so that a made-up one is known for that without a look at the store. */
export function createKeyIds(secret: string): {
  /** @param random 8 random bytes */
  make(random: Uint8Array): string;
  isKeyId(id: string): boolean;
} {
  const own = createHash("sha256").update(`key id ${secret}`).digest();
  const macOf = (random: string): string =>
    createHmac("sha256", own).update(random).digest("hex").slice(0, random.length);
  return {
    make: (bytes) => {
      const random = Buffer.from(bytes).toString("hex");
      return `lk_${random}${macOf(random)}`;
    },
    isKeyId: (id) => {
      const [, random = "", mac = ""] = KEY_ID_FORM.exec(id) ?? [];
      return random !== "" && equalBytes(mac, macOf(random));
    },
  };
}

export function createSignatures({ secret, grants }: SignatureOptions): Signatures {
  const own = createHash("sha256").update(`record ${secret}`).digest();
  const matches = createMacMatcher();

  function isOwn(record: SignedRecord, signature: string): boolean {
    return matches(signature, record.bytes, { secret: own, prefix: ownPrefix(record.key) });
  }

  /** The organization of a record that is known to be its, or Ledgerline's for it. */
  function knownWriter(record: SignedRecord, isStaleToo: boolean): string {
    const read = readHeader(record.headers[SIGNATURE_HEADER] ?? NO_HEADER);
    if (read?.id === OWN)
      return isOwn(record, read.signature) ? scheduleOfKey(record.key).tenant : "";
    const known = read === null ? null : grants.known(read.id);
    if (read === null || known === null) return "";
    const isTheirs = matches(read.signature, record.bytes, { ...read, secret: known.secret });
    return isTheirs && (isStaleToo || isInTime(read.time, record.order)) ? known.org : "";
  }

  return {
    sign: (key, value) => Buffer.from(`${OWN}:${ownMac(own, key, value)}`),
    signOrder: (order, key, value) =>
      Buffer.from(`${order}:${ownMac(own, `${order} ${key}`, value)}`),
    readOrder: (header, key, value) => {
      const text = header.length > HEADER_LENGTH_MAX ? "" : Buffer.from(header).toString("latin1");
      const [order = "", signature = ""] = text.split(":");
      return equalBytes(signature, ownMac(own, `${order} ${key}`, value)) ? order : null;
    },
    tenantOf: (record) => knownWriter(record, false),
    writerOf: (record) => knownWriter(record, true),
    verify: async (record) => {
      const header = record.headers[SIGNATURE_HEADER];
      if (header === undefined) return unverified("the record is not signed");
      const read = readHeader(header);
      if (read === null)
        return unverified("the signature has not the form v2 <key id>:<time>:<signature>");
      if (read.id === OWN)
        return isOwn(record, read.signature) ? { kind: "own" } : unverified(NOT_FITTING);
      const key = await grants.find(read.id);
      if (key === null)
        return unverified("the key of the signature is not known, is revoked or has ended");
      if (!matches(read.signature, record.bytes, { ...read, secret: key.secret }))
        return unverified(NOT_FITTING);
      return isInTime(read.time, record.order)
        ? { kind: "organization", org: key.org }
        : unverified(OUT_OF_TIME);
    },
  };
}

const NOT_FITTING = "the signature does not fit the record";
const OUT_OF_TIME = `the record was signed more than ${String(SKEW_SECONDS_MAX)} seconds before or after Kafka appended it`;

/** Whether a record was signed about when it was appended first: a record that is replayed keeps its order. */
function isInTime(signedAt: number, order: string): boolean {
  return Math.abs(signedAt * 1_000 - placeTime(order)) <= SKEW_SECONDS_MAX * 1_000;
}

/** What a MAC is made with. `prefix`: the text that it covers before the value. */
interface MacInput {
  readonly secret: Buffer;
  readonly prefix: string;
}

type MacMatcher = (signature: string, value: Uint8Array, input: MacInput) => boolean;

/** Compares signatures with MACs, and keeps each outcome as long as its value: it is needed for scheduling and for reading. */
function createMacMatcher(): MacMatcher {
  const outcomes = new WeakMap<
    Uint8Array,
    MacInput & { readonly signature: string; readonly isRight: boolean }
  >();
  return (signature, value, { secret, prefix }) => {
    const known = outcomes.get(value);
    if (known?.signature === signature && known.prefix === prefix && known.secret.equals(secret))
      return known.isRight;
    const isRight = equalBytes(signature, macOf(secret, prefix, value));
    outcomes.set(value, { signature, prefix, secret, isRight });
    return isRight;
  };
}

interface SignatureHeader {
  readonly id: string;
  /** Unix time in seconds; 0 in those of ours. */
  readonly time: number;
  readonly prefix: string;
  readonly signature: string;
}

/** The header of a producer outside. `secret`: as it was printed. */
export function outsideSignature(
  { id, secret }: { readonly id: string; readonly secret: string },
  value: Uint8Array,
  nowMs: number,
): string {
  const prefix = `v2 ${id}:${String(Math.floor(nowMs / 1_000))}:`;
  return prefix + macOf(Buffer.from(secret), prefix, value);
}

function readHeader(header: Uint8Array): SignatureHeader | null {
  const text = header.length > HEADER_LENGTH_MAX ? "" : Buffer.from(header).toString("latin1");
  if (text.startsWith(`${OWN}:`))
    return { id: OWN, time: 0, prefix: "", signature: text.slice(OWN.length + 1) };
  const [, prefix = "", id = "", time = "", signature = ""] = OUTSIDE_FORM.exec(text) ?? [];
  return id === "" || id === OWN ? null : { id, time: Number(time), prefix, signature };
}

function unverified(why: string): Signer {
  return { kind: "unverified", why };
}

const ownPrefix = (key: string): string => `${String(Buffer.byteLength(key))} ${key}`;

function ownMac(secret: Buffer, key: string, value: Uint8Array): string {
  return macOf(secret, ownPrefix(key), value);
}

function macOf(secret: Buffer, prefix: string, value: Uint8Array): string {
  return createHmac("sha256", secret).update(prefix).update(value).digest("hex");
}

function equalBytes(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
