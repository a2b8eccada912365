// Results of batches are kept compressed: what is written is what a batch costs most.
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";

// On the threads that Node keeps for this, not on the main one.
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export const pack = (text: string): Promise<Uint8Array> => compress(text, FAST);

export const unpackResults = async (bytes: Uint8Array): Promise<string> =>
  (await decompress(bytes)).toString("utf8");
