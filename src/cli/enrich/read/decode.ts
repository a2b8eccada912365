import { isAscii } from "node:buffer";
import { InputError } from "../input-error.ts";

/** Enough to see a byte order mark and to tell text from a spreadsheet. */
const HEAD_BYTES = 4;
/** Byte order marks; and UTF-16 without one, which shows in the zero half of its first two letters. */
const ENCODINGS_BY_HEAD: readonly (readonly [RegExp, string])[] = [
  [/^\xef\xbb\xbf/u, "utf-8"],
  [/^\xff\xfe/u, "utf-16le"],
  [/^\xfe\xff/u, "utf-16be"],
  [/^[^\0]\0[^\0]\0/u, "utf-16le"],
  [/^\0[^\0]\0[^\0]/u, "utf-16be"],
];

/**
 * Bytes → text without a byte order mark. A mark decides; else the file is ASCII until its first other byte, and the
 * chunk that holds it decides between UTF-8 and Windows-1252 (a superset of the printable Latin-1). So the decision is
 * never made on a sample that happened to hold no umlaut. After that, a broken sequence becomes U+FFFD.
 */
export async function* decodeText(
  name: string,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<string, void> {
  let decoder: TextDecoder | null = null;
  let pending: Buffer = Buffer.alloc(0);
  let started = false;
  for await (const chunk of bytes) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    if (!started && pending.length < HEAD_BYTES) continue;
    if (!started) {
      decoder = decoderByHead(name, pending);
      started = true;
    }
    if (decoder === null && isAscii(pending)) {
      yield pending.toString("latin1");
    } else {
      // A sequence cut by the end of the chunk says nothing yet: wait for the next one.
      if (decoder === null && (pending.at(-1) ?? 0) >= 0x80) continue;
      decoder ??= decoderByContent(pending);
      yield decoder.decode(pending, { stream: true });
    }
    pending = Buffer.alloc(0);
  }
  decoder ??= started ? null : decoderByHead(name, pending);
  yield (decoder ?? decoderByContent(pending)).decode(pending);
}

function decoderByHead(name: string, head: Buffer): TextDecoder | null {
  const start = head.toString("latin1", 0, HEAD_BYTES);
  const marked = ENCODINGS_BY_HEAD.find(([pattern]) => pattern.test(start));
  if (marked !== undefined) return new TextDecoder(marked[1]);
  if (/^(?:PK\x03\x04|\xd0\xcf\x11\xe0)/u.test(start)) {
    throw new InputError(
      `${name} is a spreadsheet or an archive, not text. Save the sheet as CSV first.`,
    );
  }
  if (start === "%PDF") throw new InputError(`${name} is a PDF, not a CSV export.`);
  if (head.subarray(0, 4096).includes(0)) throw new InputError(`${name} is not a text file.`);
  return null;
}

function decoderByContent(chunk: Buffer): TextDecoder {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(chunk, { stream: true });
    return new TextDecoder("utf-8");
  } catch {
    return new TextDecoder("windows-1252");
  }
}
