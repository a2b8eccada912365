import type { KafkaMessage } from "kafkajs";
import { describe, expect, it } from "vitest";
import { placeOrder } from "../../model/acceptance-order.ts";
import type { EnrichmentRequest } from "../../model/records.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import { type RecordCodec, UndecodableRecord } from "../codec.ts";
import type { RawRecord } from "../record-runner.ts";
import { ORDER_HEADER } from "./dead-letters.ts";
import { createReader, readOutsideAddress, toRawRecord } from "./reading.ts";
import { createSignatures, type Signer } from "./signature.ts";

const request: EnrichmentRequest = {
  org: "acme",
  requestId: "",
  origin: "kafka",
  batchId: null,
  chunkIndex: 0,
  chunkCount: 1,
  total: 0,
  createdAt: 0,
  replyTo: null,
  basedOn: null,
  priority: "default",
  transactions: [
    {
      id: "t",
      description: "",
      date: "2026-05-04",
      amount: 1,
      entryType: "outgoing",
      currency: "USD",
      accountHolderId: null,
      location: null,
    },
  ],
};
const record: RawRecord = {
  partition: 0,
  offset: 7,
  key: "k",
  bytes: Buffer.from("bytes"),
  headers: {},
  order: "",
  appendedAtMs: 1_000,
};
const acme: Signer = { kind: "organization", org: "acme" };
const unverified: Signer = { kind: "unverified", why: "the record is not signed" };

interface Case {
  readonly signer?: Signer;
  readonly value?: Partial<EnrichmentRequest>;
  readonly fails?: Error;
  readonly isTrusted?: boolean;
  readonly bytes?: Buffer;
}

async function read({ signer = acme, value = {}, fails, isTrusted = false, bytes }: Case) {
  const codec: RecordCodec<EnrichmentRequest> = {
    encode: () => Buffer.alloc(0),
    decode: () =>
      fails === undefined ? Promise.resolve({ ...request, ...value }) : Promise.reject(fails),
  };
  const signatures = {
    sign: () => Buffer.alloc(0),
    verify: () => Promise.resolve(signer),
  };
  const reader = createReader(
    codec,
    { ...signatures, ...NO_ORDERS },
    isTrusted ? "trusted" : "signed",
  );
  return reader({ ...record, bytes: bytes ?? record.bytes });
}

const NO_ORDERS = {
  signOrder: () => Buffer.alloc(0),
  readOrder: () => null,
  tenantOf: () => "",
  writerOf: () => "",
};

describe("reading a record of an outside producer", () => {
  it("takes when it was appended and how many it has for what it does not say", async () => {
    expect(await read({})).toEqual({
      kind: "request",
      chargedTo: "acme",
      value: { ...request, createdAt: 1_000, total: 1 },
    });
    const fields = { createdAt: 5, batchId: "b", chunkCount: 2, total: 3 };
    expect(await read({ value: fields })).toEqual({
      kind: "request",
      chargedTo: "acme",
      value: { ...request, ...fields },
    });
  });

  it.each<[string, string, Case]>([
    ["is not signed", "unsigned", { signer: unverified }],
    ["is another organization's", "wrong_organization", { value: { org: "other" } }],
    ["breaks a rule", "invalid", { value: { basedOn: "1" } }],
    ["cannot be decoded", "undecodable", { fails: new UndecodableRecord("no") }],
    ["has more than 1 MB", "too_large", { bytes: Buffer.alloc(1024 * 1024 + 1) }],
    ["has more than 1 MB, trusted", "too_large", { isTrusted: true, bytes: Buffer.alloc(2 ** 21) }],
    [
      "breaks a rule, trusted",
      "invalid",
      { signer: unverified, isTrusted: true, value: { org: "" } },
    ],
    // A wrong signature is refused even where none is required.
    [
      "another's signature, trusted",
      "wrong_organization",
      { isTrusted: true, value: { org: "o" } },
    ],
  ])("refuses what %s as %s", async (_what, reason, given) => {
    expect(await read(given)).toMatchObject({ kind: "refused", reason, isOwn: false });
  });

  it("sends replies to the topic of the organization, whatever address the record names", async () => {
    for (const named of ["1.a process", "private other 2.x", "two\nlines"]) {
      const reading = await read({ value: { replyTo: { address: named, id: "7" } } });
      const address = reading.value?.replyTo?.address ?? "";
      expect(readOutsideAddress(address)).toEqual({ org: request.org, address: named });
    }
    expect(readOutsideAddress("1.5bd0c0a5-6c5a-4b8b-8d5b-0a4f3f0f4f51")).toBeNull();
  });

  it("costs the organization that signed it; Ledgerline's own and unsigned ones cost nothing", async () => {
    expect(await read({})).toMatchObject({ chargedTo: "acme" });
    // The API has taken the credits of what it publishes: a record from outside cannot pretend to come from there.
    for (const origin of ["v3", "batch", "assign", "statement"] as const)
      expect(await read({ value: { origin } })).toMatchObject({ reason: "invalid" });
    expect(await read({ signer: { kind: "own" } })).not.toHaveProperty("chargedTo");
    const unsigned = await read({ signer: unverified, isTrusted: true });
    expect(unsigned).toMatchObject({ kind: "request" });
    expect(unsigned).not.toHaveProperty("chargedTo");
  });

  it("takes 1 MB, and what is not signed where producers are trusted", async () => {
    expect(await read({ bytes: Buffer.alloc(1024 * 1024) })).toMatchObject({ kind: "request" });
    expect(await read({ signer: unverified, isTrusted: true })).toMatchObject({ kind: "request" });
  });

  it("tells a refused request's batch of it only when the names in it are names and its sender may use them", async () => {
    const batchId = "b";
    const bad = { basedOn: "1" };
    expect(await read({ value: { ...bad, batchId } })).toMatchObject({ value: { batchId } });
    expect(await read({ value: { ...bad, batchId: "" } })).toMatchObject({ value: null });
    const foreign = { batchId, org: "other" };
    expect(await read({ value: foreign })).toMatchObject({ kind: "refused", value: null });
  });

  it("waits when the schema cannot be looked up: that is not the record's fault", async () => {
    const away = new LedgerlineError("unavailable", "away");
    await expect(read({ fails: away })).rejects.toBe(away);
  });

  it("accepts Ledgerline's own records, and names the owner of one that cannot be decoded", async () => {
    const own: Signer = { kind: "own" };
    const value = { origin: "batch" as const, basedOn: "1" };
    expect(await read({ signer: own, value })).toEqual({
      kind: "request",
      value: { ...request, ...value },
    });
    expect(await read({ signer: own, fails: new UndecodableRecord("no") })).toMatchObject({
      reason: "undecodable",
      isOwn: true,
    });
    const large = Buffer.alloc(3 * 1024 * 1024);
    expect(await read({ signer: own, bytes: large })).toMatchObject({ kind: "request" });
  });
});

describe("a record as Kafka hands it over", () => {
  const message = (fields: Partial<KafkaMessage>): KafkaMessage =>
    ({ key: null, value: null, offset: "7", timestamp: "5000", ...fields }) as KafkaMessage;
  const own = placeOrder(5_000, 3, 7);

  it("has the place that the log's clock, partition and offset give it", () => {
    expect(toRawRecord(1, 3, message({}), NO_ORDERS)).toEqual({
      partition: 1,
      offset: 7,
      key: "",
      bytes: new Uint8Array(),
      headers: {},
      order: own,
      appendedAtMs: 5_000,
    });
  });

  it("keeps the place that it had before a replay, which only Ledgerline can give it, and never a later one", () => {
    const options = {
      secret: "s",
      grants: { find: () => Promise.resolve(null), known: () => null },
    };
    const signatures = createSignatures(options);
    const value = Buffer.from("value");
    const orderWith = (header: Buffer): string => {
      const headers = { [ORDER_HEADER]: header };
      return toRawRecord(1, 3, message({ key: Buffer.from("k"), value, headers }), signatures)
        .order;
    };
    const before = placeOrder(4_000, 3, 7);
    expect(orderWith(signatures.signOrder(before, "k", value))).toBe(before);
    for (const order of [placeOrder(6_000, 0, 0), "", "0", `${before}0`]) {
      expect(orderWith(signatures.signOrder(order, "k", value))).toBe(own);
    }
    const other = createSignatures({ ...options, secret: "t" });
    for (const forged of [
      Buffer.from(before),
      Buffer.from(`${before}:`),
      other.signOrder(before, "k", value),
      signatures.signOrder(before, "k", Buffer.from("another")),
      signatures.signOrder(before, "another", value),
    ]) {
      expect(orderWith(forged)).toBe(own);
    }
  });

  it("may have headers without a value", () => {
    const headers = { a: null, b: Buffer.from("x") } as unknown as NonNullable<
      KafkaMessage["headers"]
    >;
    expect(Object.keys(toRawRecord(1, 3, message({ headers }), NO_ORDERS).headers)).toEqual(["b"]);
  });

  it("of a header that comes twice has the last", () => {
    const headers = { a: [Buffer.from("1"), Buffer.from("2")], b: "text" };
    const { a, b } = toRawRecord(1, 3, message({ headers }), NO_ORDERS).headers;
    expect([a, b].map((one) => Buffer.from(one ?? []).toString())).toEqual(["2", "text"]);
  });
});
