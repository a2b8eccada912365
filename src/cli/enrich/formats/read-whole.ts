import { Buffer } from "node:buffer";
import { InputError } from "../input-error.ts";

/** Formats other than CSV are read whole. 250 000 entries of the wordiest, camt.053, have about 500 MB; of MT940 60. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;

/** All bytes of a file. Throws InputError beyond the limit. */
export async function readWhole(name: string, bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > FILE_BYTES_MAX) {
      const most = String(FILE_BYTES_MAX / 1024 / 1024);
      throw new InputError(
        `${name} is larger than ${most} MiB. Export a shorter period and try again.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
