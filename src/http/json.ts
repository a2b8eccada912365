import { isUtf8 } from "node:buffer";
import { findJsonError } from "./json-error.ts";
import type { FieldError } from "./validation.ts";

// Body bytes to JSON. V8's own messages quote the text around an error; ours say the place and never the payload.

/** Nesting beyond this is no request of ours. V8 needs 40 bytes per level: 32 MB of `[` would take 4 s and 1.4 GB. */
const DEPTH_MAX = 1000;
/**
 * Values of one body. The largest batch has 24 960 transactions of 8 members and a location of 2, together 300 000; this
 * leaves room for as many members again that we do not know, and more. V8 needs up to 100 bytes for a value of three
 * bytes: 32 MB of `{},` would take 5 s and more than 1 GB.
 */
const VALUES_MAX = 1_000_000;
/**
 * Bodies up to here are parsed without counting first: at worst 40 ms, and too few bytes for so many values. Counting
 * costs about a nanosecond a byte.
 */
const UNCOUNTED_BYTES_MAX = 256 * 1024;

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: FieldError };

/** The value of a JSON text; undefined when there is no text at all. */
export function readJson(bytes: Buffer): JsonReading {
  if (bytes.length === 0) return { ok: true, value: undefined };
  if (!isUtf8(bytes)) return invalid(invalidUtf8Position(bytes), "Invalid UTF-8");
  if (bytes.length > UNCOUNTED_BYTES_MAX) {
    const excess = findExcess(bytes);
    if (excess !== null) return invalid(excess.position, excess.message);
  }
  const text = withoutByteOrderMark(bytes).toString("utf8");
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    const { position, message } = findJsonError(text);
    return invalid(position, message);
  }
}

function invalid(position: number, error: string): JsonReading {
  return {
    ok: false,
    error: {
      loc: ["body", position],
      msg: "JSON decode error",
      type: "json_invalid",
      ctx: { error },
    },
  };
}

/** RFC 8259 lets a parser ignore a byte order mark, and some clients write one. */
function withoutByteOrderMark(bytes: Buffer): Buffer {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

/** Where decoding first had to put a replacement character. One that was sent as such may be taken for it. */
function invalidUtf8Position(bytes: Buffer): number {
  return bytes.toString("utf8").indexOf("\ufffd");
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` differ in this one bit only. */
const BRACKET_MASK = 0xdf;
const OPENING = 0x5b;
const CLOSING = 0x5d;

const COMMA = 0x2c;

/** Where a text goes beyond a limit. Every value but the first follows a comma or an opening bracket. */
function findExcess(bytes: Buffer): { position: number; message: string } | null {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) {
      index = closingQuote(bytes, index);
    } else if ((byte & BRACKET_MASK) === OPENING) {
      depth += 1;
      values += 1;
      if (depth > DEPTH_MAX) return { position: index, message: "Too many levels of nesting" };
      if (values > VALUES_MAX) return { position: index, message: "Too many values" };
    } else if (byte === COMMA) {
      values += 1;
      if (values > VALUES_MAX) return { position: index, message: "Too many values" };
    } else if ((byte & BRACKET_MASK) === CLOSING) {
      depth -= 1;
    }
  }
  return null;
}

/** Where the text that begins at `opening` ends. A loop of its own, in which most bytes are: it takes half the time. */
function closingQuote(bytes: Buffer, opening: number): number {
  let index = opening + 1;
  while (index < bytes.length && bytes[index] !== QUOTE)
    index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}
