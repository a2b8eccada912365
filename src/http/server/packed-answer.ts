import { StringDecoder } from "node:string_decoder";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import {
  type Headers,
  JSON_TYPE,
  type StreamAnswer,
  streamTexts,
  type TextAnswer,
} from "./answer.ts";

// Long answers that are kept for repetitions of their request: compressed while they are written, so that an answer of many
// megabytes is in memory one part at a time.

/** All parts together, compressed; a longer answer is sent and not kept. 4,000 usual results take less than 1 MiB. */
const PACKED_BYTES_MAX = 16 * 1024 * 1024;
/** Text of a part: long enough to compress well, and far below the 16 MiB that a document of MongoDB may have. */
const PART_BYTES = 1024 * 1024;

/** Of an answer that is kept as a text. */
const TEXT_LENGTH_MAX = 1024 * 1024;

// On the threads that Node keeps for this, not on the main one.
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
// The main thread is called for each `chunkSize` of what comes out.
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 128 * 1024 };

type PackedParts = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

interface PackedAnswer {
  /** UTF-8 text, each part compressed with zstd by itself; null: the answer is longer than what is kept. */
  readonly parts: readonly Uint8Array[] | null;
  /** The same answer, to be sent now. */
  readonly answer: StreamAnswer;
}

/**
 * Writes an answer into compressed parts; when that fails, nothing of it was sent.
 * @param bytesMax of all parts together, compressed
 */
export async function packAnswer(
  answer: StreamAnswer,
  bytesMax = PACKED_BYTES_MAX,
): Promise<PackedAnswer> {
  const source = inParts(streamTexts(answer));
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      const part = await compress(next.value, FAST);
      parts.push(part);
      length += part.length;
      if (length <= bytesMax) continue;
      return { parts: null, answer: { ...answer, ...asWritten(textsOfParts(parts, source)) } };
    }
  } catch (error) {
    await source.return();
    throw error;
  }
  return { parts, answer: { ...answer, ...asWritten(textsOfParts(parts)) } };
}

/** A text that is too long to be kept as one, as a stream; null for any other. */
export function streamOfLongText(answer: TextAnswer): StreamAnswer | null {
  const { status, headers, warnings = [], body, accountHolderId = null } = answer;
  const isShort = body === null || body.length <= TEXT_LENGTH_MAX;
  if (isShort || answer.isError === true) return null;
  const { isTransient = false } = answer;
  return {
    ...{ kind: "stream", status, headers, warnings, isTransient },
    ...asWritten(one(body.toString())),
    accountHolderIds: accountHolderId === null ? [] : [accountHolderId],
  };
}

async function* one(text: string): AsyncIterable<string> {
  yield await Promise.resolve(text);
}

/** The answer that was written into these parts. */
export const unpackedAnswer = (
  status: number,
  parts: PackedParts,
  headers: Headers,
): StreamAnswer => ({
  kind: "stream",
  status,
  headers: { "Content-Type": JSON_TYPE, ...headers },
  ...asWritten(textsOfParts(parts)),
});

/** The body of a stream whose chunks are all of its text. */
const asWritten = (
  chunks: AsyncIterable<string>,
): Pick<StreamAnswer, "opening" | "chunks" | "separator" | "closing"> => ({
  opening: "",
  chunks,
  separator: "",
  closing: "",
});

/** The texts as UTF-8, in parts of `PART_BYTES`, the last one shorter. */
async function* inParts(texts: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer, void> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const text of texts) {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    waiting.push(bytes);
    length += bytes.length;
    if (length < PART_BYTES) continue;
    const whole = Buffer.concat(waiting);
    let from = 0;
    for (; length - from >= PART_BYTES; from += PART_BYTES)
      yield whole.subarray(from, from + PART_BYTES);
    waiting = [whole.subarray(from)];
    length -= from;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/** The text of compressed parts, then of what was not compressed, which ends with it. A part may end inside a character. */
async function* textsOfParts(
  parts: PackedParts,
  rest: AsyncGenerator<Buffer, void> | null = null,
): AsyncIterable<string> {
  const decoder = new StringDecoder("utf8");
  try {
    for await (const part of parts)
      yield decoder.write(await decompress(part, { chunkSize: PART_BYTES }));
    if (rest !== null) for await (const bytes of rest) yield decoder.write(bytes);
  } finally {
    // Also where its reader left before it was begun: what it counts, and holds, is given back.
    await rest?.return();
  }
}
