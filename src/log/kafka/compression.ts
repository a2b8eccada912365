// How record batches are packed. The client has gzip alone, at a level that takes three times as long for a tenth less. Node
// has zstd too, which takes a third of the time of gzip and leaves fewer bytes.
import { promisify } from "node:util";
import {
  constants,
  gunzip,
  gunzipSync,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from "node:zlib";
import kafkajs, { CompressionTypes } from "kafkajs";
import type { RecordCompression } from "./settings.ts";

/** What the client calls them. */
export const COMPRESSION_TYPES = {
  gzip: CompressionTypes.GZIP,
  zstd: CompressionTypes.ZSTD,
} as const satisfies Record<RecordCompression, CompressionTypes>;

/**
 * A record batch that grows beyond this when it is unpacked is a bomb or a mistake; each of its records is then read as
 * one without anything in it, and becomes a dead letter. To refuse the batch would be to meet it again for ever.
 */
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Up to here it takes less processor time, of this thread too, to do it at once than to hand it to another thread: half a
 * millisecond of gzip.
 */
const PACKED_AT_ONCE_BYTES = 64 * 1024;
/** The same of unpacking: packed bytes, and unpacked ones. */
const UNPACKED_AT_ONCE_FROM_BYTES = 16 * 1024;
const UNPACKED_AT_ONCE_BYTES = 128 * 1024;

/** One way to pack: at once, and in another thread. Unpacking fails for what is damaged or grows beyond `maxBytes`. */
interface Packing {
  pack(bytes: Buffer): Buffer;
  packLater(bytes: Buffer): Promise<Buffer>;
  unpack(bytes: Buffer, maxBytes: number): Buffer;
  unpackLater(bytes: Buffer, maxBytes: number): Promise<Buffer>;
}

const [gzipLater, gunzipLater] = [promisify(gzip), promisify(gunzip)];
const [zstdLater, unzstdLater] = [promisify(zstdCompress), promisify(zstdDecompress)];
const GZIP = { level: constants.Z_BEST_SPEED };
/** The default of the library, 3, takes a fourth to a third more time for 3 % fewer bytes. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const PACKINGS: Readonly<Record<RecordCompression, Packing>> = {
  gzip: {
    pack: (bytes) => gzipSync(bytes, GZIP),
    packLater: (bytes) => gzipLater(bytes, GZIP),
    unpack: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
    unpackLater: (bytes, maxOutputLength) => gunzipLater(bytes, { maxOutputLength }),
  },
  zstd: {
    pack: (bytes) => zstdCompressSync(bytes, ZSTD),
    packLater: (bytes) => zstdLater(bytes, ZSTD),
    unpack: (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength }),
    unpackLater: (bytes, maxOutputLength) => unzstdLater(bytes, { maxOutputLength }),
  },
};

export async function packRecords(bytes: Buffer, as: RecordCompression): Promise<Buffer> {
  const { pack, packLater } = PACKINGS[as];
  return bytes.length <= PACKED_AT_ONCE_BYTES ? pack(bytes) : packLater(bytes);
}

/** The bytes of the records of a batch; where they are not packed as this, or too large, those of `emptyRecords`. */
export async function unpackRecords(bytes: Buffer, as: RecordCompression): Promise<Buffer> {
  const { unpack, unpackLater } = PACKINGS[as];
  if (bytes.length <= UNPACKED_AT_ONCE_FROM_BYTES) {
    try {
      return unpack(bytes, UNPACKED_AT_ONCE_BYTES);
    } catch {
      // More comes of it, or it is not whole.
    }
  }
  return unpackLater(bytes, UNPACKED_BYTES_MAX).catch(() => emptyRecords());
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

/** Has the client pack and unpack by these; again is harmless. */
export function useOwnCodecs(): void {
  const codecOf = (as: RecordCompression) => () => ({
    compress: (encoder: { buffer: Buffer }) => packRecords(encoder.buffer, as),
    decompress: (bytes: Buffer) => unpackRecords(bytes, as),
  });
  kafkajs.CompressionCodecs[CompressionTypes.GZIP] = codecOf("gzip");
  kafkajs.CompressionCodecs[CompressionTypes.ZSTD] = codecOf("zstd");
}
