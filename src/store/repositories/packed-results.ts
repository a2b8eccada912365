// Results of batches are kept compressed: what is written is what a batch costs most.
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";

// On the threads that Node keeps for this, not on the main one.
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
// The main thread is called for each `chunkSize` of what comes out, 16 KiB unless it is set: twenty times for the results of a chunk.
const PACKED = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 64 * 1024 };
const UNPACKED = { chunkSize: 512 * 1024 };

export const pack = (text: string): Promise<Uint8Array> => compress(text, PACKED);

/** The text as UTF-8. */
export const unpackBytes = (bytes: Uint8Array): Promise<Uint8Array> => decompress(bytes, UNPACKED);

export const unpackResults = async (bytes: Uint8Array): Promise<string> =>
  (await decompress(bytes, UNPACKED)).toString("utf8");
