// The Kafka client: one place for its options, its log lines and what its failures mean.
import { constants, gunzip, gunzipSync, gzip, gzipSync } from "node:zlib";
import { promisify } from "node:util";
import kafkajs, { CompressionTypes, Kafka, logLevel, type SASLOptions } from "kafkajs";
import { LedgerlineError } from "../../shared/errors.ts";
import { fixClient } from "./client-fixes.ts";
import type { LogReport } from "../log.ts";
import type { KafkaSettings } from "./settings.ts";

const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** Waits of 0.1, 0.2, 0.4, 0.8 … s. Given in full, because the client has others of its own when NODE_ENV is test. */
export const RETRY = {
  initialRetryTime: 100,
  maxRetryTime: 2_000,
  factor: 0.2,
  multiplier: 2,
  retries: 8,
};

/**
 * A record batch that grows beyond this when it is unpacked is a bomb or a mistake; each of its records is then read as
 * one without anything in it, and becomes a dead letter. To refuse the batch would be to meet it again for ever.
 */
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;

const packLater = promisify(gzip);
const unpackLater = promisify(gunzip);

/** Up to here it takes longer to hand the work to another thread than to do it: a few tenths of a millisecond. */
const PACKED_AT_ONCE_BYTES = 16 * 1024;
/** The same of the result. */
const UNPACKED_AT_ONCE_BYTES = 128 * 1024;

export async function gzipRecords(bytes: Buffer): Promise<Buffer> {
  const options = { level: constants.Z_BEST_SPEED };
  return bytes.length <= PACKED_AT_ONCE_BYTES
    ? gzipSync(bytes, options)
    : packLater(bytes, options);
}

/** The bytes of the records of a batch; where they are not gzip, or too large, those of `emptyRecords`. */
export async function gunzipRecords(bytes: Buffer): Promise<Buffer> {
  if (bytes.length <= PACKED_AT_ONCE_BYTES) {
    try {
      return gunzipSync(bytes, { maxOutputLength: UNPACKED_AT_ONCE_BYTES });
    } catch {
      // More comes of it, or it is not whole.
    }
  }
  return unpackLater(bytes, { maxOutputLength: UNPACKED_BYTES_MAX }).catch(() => emptyRecords());
}

/** More records than this in one batch the client cannot read at all. */
const EMPTY_RECORDS = 120_000;

/**
 * Records of a batch without key, value and headers, at its offsets one after the other. The client reads as many of
 * them as the header of the batch counts. (https://kafka.apache.org/documentation/#record)
 */
export function emptyRecords(): Buffer {
  const bytes = Buffer.alloc(EMPTY_RECORDS * 10);
  let at = 0;
  const varint = (value: number): void => {
    // Zigzag, then seven bits a byte, the lowest first.
    let rest = value >= 0 ? value * 2 : -value * 2 - 1;
    for (; rest > 0x7f; rest >>>= 7) at = bytes.writeUInt8((rest & 0x7f) | 0x80, at);
    at = bytes.writeUInt8(rest, at);
  };
  for (let delta = 0; delta < EMPTY_RECORDS; delta += 1) {
    const deltaBytes = delta < 64 ? 1 : delta < 8_192 ? 2 : 3;
    varint(5 + deltaBytes);
    // Attributes, timestamp, offset, no key, no value, no headers.
    for (const field of [0, 0, delta, -1, -1, 0]) varint(field);
  }
  return bytes.subarray(0, at);
}

/** The client's gzip at its own level takes three times as long for a tenth less. */
function useOwnGzip(): void {
  kafkajs.CompressionCodecs[CompressionTypes.GZIP] = () => ({
    compress: (encoder: { buffer: Buffer }) => gzipRecords(encoder.buffer),
    decompress: gunzipRecords,
  });
}

export function createKafkaClient(settings: KafkaSettings, report: LogReport): Kafka {
  fixClient();
  useOwnGzip();
  return new Kafka({
    clientId: "ledgerline",
    brokers: [...settings.brokers],
    ssl: settings.tls,
    ...(settings.sasl === null ? {} : { sasl: { ...settings.sasl } as SASLOptions }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: RETRY,
    logLevel: logLevel.WARN,
    // The client warns of what it then tries again by itself; what really fails, fails a call of ours.
    logCreator:
      () =>
      ({ namespace, log }) => {
        const { message, groupId, broker, error } = log;
        report("debug", "kafka.client", {
          part: namespace,
          message,
          groupId,
          broker,
          reason: String(error ?? ""),
        });
      },
  });
}

/** What a failure of the client means to a caller: Kafka is away, and trying again can help. */
export function asKafkaUnavailable(cause: unknown): LedgerlineError {
  if (cause instanceof LedgerlineError) return cause;
  return new LedgerlineError("unavailable", "Kafka cannot be reached just now.", { cause });
}

/** Settles as `work` does, or fails as unavailable after `limitMs`; the work itself cannot be stopped. */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new LedgerlineError("unavailable", "Kafka does not answer just now."));
    }, limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
