// Reads a record on a topic of requests and checks whether its sender may send it.

import type { KafkaMessage } from "kafkajs";
import { isPlaceOrder, placeOrder } from "../../model/acceptance-order.ts";
import type { DeadLetterReason, EnrichmentRequest } from "../../model/records.ts";
import type { RecordCodec } from "../codec.ts";
import { UndecodableRecord } from "../codec.ts";
import { type RawRecord, type RecordReading, readOwn } from "../record-runner.ts";
import { brokenRule, isNamed } from "../request-rules.ts";
import { ORDER_HEADER } from "./dead-letters.ts";
import type { KafkaSettings } from "./settings.ts";
import type { Signatures, Signer } from "./signature.ts";

/** Longest record of a producer outside. */
const OUTSIDE_BYTES_MAX = 1024 * 1024;

/**
 * A record as the runner takes it.
 * @param place the partition's number over all topics of requests
 */
export function toRawRecord(
  partition: number,
  place: number,
  message: KafkaMessage,
  signatures: Pick<Signatures, "readOrder">,
): RawRecord {
  const headers: Record<string, Uint8Array> = {};
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    // The client's types leave out that a header may have no value.
    if (last !== undefined && (last as unknown) !== null) headers[name] = Buffer.from(last);
  }
  const offset = Number(message.offset);
  const appendedAtMs = Number(message.timestamp);
  const key = message.key?.toString("utf8") ?? "";
  const bytes = message.value ?? new Uint8Array();
  const own = placeOrder(appendedAtMs, place, offset);
  const header = headers[ORDER_HEADER];
  // A record that is replayed keeps the place it had.
  const before = header === undefined ? null : signatures.readOrder(header, key, bytes);
  const order = before !== null && isPlaceOrder(before) && before < own ? before : own;
  return { partition, offset, key, bytes, headers, order, appendedAtMs };
}

/**
 * Where the reply to a record from outside goes: to the topic of replies of its organization, whatever address it names.
 * Processes of Ledgerline have addresses of another form.
 */
const outsideAddress = (org: string, address: string): string => `private ${org} ${address}`;

/** The organization and the address that its producer named, or null for the address of a process. */
export function readOutsideAddress(
  text: string,
): { readonly org: string; readonly address: string } | null {
  const [, org, address] = /^private (\S+) (.*)$/su.exec(text) ?? [];
  return org === undefined || address === undefined ? null : { org, address };
}

export function createReader(
  codec: RecordCodec<EnrichmentRequest>,
  signatures: Signatures,
  producers: KafkaSettings["producers"],
): (record: RawRecord) => Promise<RecordReading> {
  return async (record) => {
    const signer = await signatures.verify(record);
    if (signer.kind === "own") return readOwn(codec.decode, record);
    return readOutside(codec, record, signer, producers === "trusted");
  };
}

/** Of a topic that only Ledgerline writes to. */
export function createOwnReader<Value>(
  codec: RecordCodec<Value>,
  signatures: Pick<Signatures, "verify">,
): (record: RawRecord) => Promise<RecordReading<Value>> {
  return async (record) => {
    const signer = await signatures.verify(record);
    if (signer.kind === "own") return readOwn(codec.decode, record);
    const error = "the topic is not for producers outside";
    return { kind: "refused", reason: "unsigned", error, isOwn: false, value: null };
  };
}

async function readOutside(
  codec: RecordCodec<EnrichmentRequest>,
  record: RawRecord,
  signer: Exclude<Signer, { kind: "own" }>,
  isTrusted: boolean,
): Promise<RecordReading> {
  if (record.bytes.length > OUTSIDE_BYTES_MAX) {
    return refused("too_large", "the record has more than 1 048 576 bytes", null);
  }
  if (!isTrusted && signer.kind === "unverified") return refused("unsigned", signer.why, null);
  let value: EnrichmentRequest;
  try {
    value = await codec.decode(record.bytes);
  } catch (error) {
    if (!(error instanceof UndecodableRecord)) throw error;
    return refused("undecodable", error.message, null);
  }
  if (signer.kind === "organization" && signer.org !== value.org) {
    return refused(
      "wrong_organization",
      "the key of the signature is another organization's",
      null,
    );
  }
  const rule = brokenRule(value);
  // Its caller reads no replies to records that are dead letters.
  if (rule !== null)
    return refused("invalid", rule, isNamed(value) ? { ...value, replyTo: null } : null);
  const { createdAt, total, replyTo } = value;
  return {
    kind: "request",
    ...(signer.kind === "organization" ? { chargedTo: signer.org } : {}),
    value: {
      ...value,
      createdAt: createdAt > 0 ? createdAt : record.appendedAtMs,
      total: total > 0 ? total : value.transactions.length,
      replyTo:
        replyTo === null
          ? null
          : { ...replyTo, address: outsideAddress(value.org, replyTo.address) },
    },
  };
}

function refused(
  reason: DeadLetterReason,
  error: string,
  value: EnrichmentRequest | null,
): RecordReading {
  return { kind: "refused", reason, error, isOwn: false, value };
}
