import { Buffer, isAscii } from "node:buffer";
import { InputError } from "../input-error.ts";

/** Enough to see a byte order mark and to tell text from a spreadsheet. */
const HEAD_BYTES = 4;
const BINARY_BYTES = 4096;
/** Of a shorter head a few stray control characters would be a large part. */
const CONTROL_BYTES_MIN = 256;
const CONTROL_SHARE_MAX = 0.05;
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
  encoding: string | null = null,
  onDecided: (label: string) => void = () => undefined,
): AsyncGenerator<string, void> {
  if (encoding !== null) {
    onDecided(`${encoding} (as given)`);
    yield* decodeAs(name, bytes, encoding);
  } else yield* decodeGuessed(name, bytes, onDecided);
}

async function* decodeGuessed(
  name: string,
  bytes: AsyncIterable<Buffer>,
  onDecided: (label: string) => void,
): AsyncGenerator<string, void> {
  let decoder: TextDecoder | null = null;
  let pending: Buffer = Buffer.alloc(0);
  let started = false;
  for await (const chunk of bytes) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    if (!started && pending.length < HEAD_BYTES) continue;
    if (!started) {
      decoder = decoderByHead(name, pending, onDecided);
      started = true;
    }
    if (decoder === null && isAscii(pending)) {
      yield pending.toString("latin1");
    } else {
      // A sequence that is split by the end of the chunk needs the next chunk.
      if (decoder === null && (pending.at(-1) ?? 0) >= 0x80) continue;
      decoder ??= decoderByContent(pending, onDecided);
      yield decoder.decode(pending, { stream: true });
    }
    pending = Buffer.alloc(0);
  }
  if (!started) decoder = decoderByHead(name, pending, onDecided);
  yield decodeRest(decoder, pending, onDecided);
}

function decodeRest(
  decoder: TextDecoder | null,
  rest: Buffer,
  onDecided: (label: string) => void,
): string {
  if (decoder !== null) return decoder.decode(rest);
  return isAscii(rest) ? rest.toString("latin1") : decoderByContent(rest, onDecided).decode(rest);
}

/** Throws InputError at the first bytes that are not of this encoding, and for a label that the runtime does not have. */
async function* decodeAs(
  name: string,
  bytes: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<string, void> {
  const decoder = openDecoder(encoding);
  let line = 1;
  const decode = (chunk: Buffer, stream: boolean): string => {
    try {
      const text = decoder.decode(chunk, { stream });
      line += text.split("\n").length - 1;
      return text;
    } catch (error) {
      throw new InputError(
        `${name}, after line ${String(line)}: the bytes are not ${encoding}. Leave out --encoding, or give another one, for example windows-1252.`,
        error,
      );
    }
  };
  for await (const chunk of bytes) yield decode(chunk, true);
  yield decode(Buffer.alloc(0), false);
}

function openDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (error) {
    throw new InputError(
      `--encoding: '${encoding}' is not known. Give a label of the WHATWG Encoding Standard, for example utf-8, windows-1250 or iso-8859-15.`,
      error,
    );
  }
}

function decoderByHead(
  name: string,
  head: Buffer,
  onDecided: (label: string) => void,
): TextDecoder | null {
  const start = head.toString("latin1", 0, HEAD_BYTES);
  const marked = ENCODINGS_BY_HEAD.find(([pattern]) => pattern.test(start));
  if (marked !== undefined) {
    onDecided(`${marked[1]} (by its first bytes)`);
    return new TextDecoder(marked[1]);
  }
  if (/^(?:PK\x03\x04|\xd0\xcf\x11\xe0)/u.test(start)) {
    throw new InputError(
      `${name} is a spreadsheet or an archive, not text. Save the sheet as CSV first.`,
    );
  }
  if (start === "%PDF") throw new InputError(`${name} is a PDF, not a CSV export.`);
  if (isBinary(head.subarray(0, BINARY_BYTES)))
    throw new InputError(
      `${name} is not a text file: it contains bytes that are never in a text. Export the transactions as CSV; for UTF-16 without a mark, give --encoding utf-16le.`,
    );
  return null;
}

function isBinary(head: Buffer): boolean {
  let controls = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    // Tab, line feed, form feed, carriage return and the end mark of DOS files are text.
    if (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1a].includes(byte)) controls += 1;
  }
  return head.length >= CONTROL_BYTES_MIN && controls > head.length * CONTROL_SHARE_MAX;
}

function decoderByContent(chunk: Buffer, onDecided: (label: string) => void): TextDecoder {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(chunk, { stream: true });
    onDecided("utf-8 (all of its sample is valid UTF-8)");
    return new TextDecoder("utf-8");
  } catch {
    onDecided(
      "windows-1252 (assumed, as it is not valid UTF-8; if names look wrong, give --encoding, for example windows-1250)",
    );
    return new TextDecoder("windows-1252");
  }
}
