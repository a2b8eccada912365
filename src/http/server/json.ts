import { isUtf8 } from "node:buffer";
import { findJsonError, type JsonError } from "./json-error.ts";
import { JsonScan, type ScanFailure } from "./json-scan.ts";
import type { SlicedWork } from "./steps.ts";
import type { FieldError } from "./validation.ts";

// Body bytes to JSON. V8's own messages quote the text around an error; ours say the place and never the payload.

/** Bodies up to here are parsed whole: at worst 3 ms. */
export const WHOLE_BYTES_MAX = 16 * 1024;
/** Bytes whose characters are counted in one step, for the place of an error. */
const COUNTED_BYTES = 1024 * 1024;

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: "too_many_values" }
  | { readonly ok: false; readonly reason: "invalid"; readonly error: FieldError };

/**
 * The value of a JSON text as JSON.parse returns it; undefined when there is no text at all.
 * @param valuesMax a text with more values is refused before it is parsed to its end
 */
export function* readJson(bytes: Buffer, valuesMax: number): SlicedWork<JsonReading> {
  if (bytes.length === 0) return { ok: true, value: undefined };
  const start = hasByteOrderMark(bytes) ? 3 : 0;
  // A value and what separates it from the next are two bytes at least.
  if (bytes.length <= Math.min(WHOLE_BYTES_MAX, 2 * valuesMax)) return readWholeJson(bytes, start);
  const scan = new JsonScan(bytes, start, valuesMax);
  while (!scan.isDone) {
    const failure = scan.step();
    if (failure?.kind === "too_many_values") return { ok: false, reason: failure.kind };
    if (failure !== null) {
      yield;
      const { position, message } = describeFailure(bytes, failure);
      return invalid((yield* countCharacters(bytes, start, failure.from)) + position, message);
    }
    yield;
  }
  return { ok: true, value: scan.value };
}

function readWholeJson(bytes: Buffer, start: number): JsonReading {
  const text = bytes.toString("utf8", start);
  try {
    if (isUtf8(bytes)) return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    const { position, message } = findJsonError(text);
    return invalid(position, message);
  }
  return invalid(invalidUtf8Position(text), INVALID_UTF8);
}

const INVALID_UTF8 = "Invalid UTF-8";

/** The position counts from where the failure begins. */
function describeFailure(
  bytes: Buffer,
  failure: Exclude<ScanFailure, { kind: "too_many_values" }>,
): JsonError {
  if (failure.kind === "limit") return { position: 0, message: failure.message };
  const text = bytes.toString("utf8", failure.from, failure.to);
  if (failure.kind === "encoding")
    return { position: invalidUtf8Position(text), message: INVALID_UTF8 };
  return findJsonError(text, failure.context);
}

/** Characters between two bytes, as JavaScript counts them. */
function* countCharacters(bytes: Buffer, from: number, to: number): SlicedWork<number> {
  let count = 0;
  for (let index = from; index < to; ) {
    const end = Math.min(to, index + COUNTED_BYTES);
    for (; index < end; index += 1) {
      const byte = bytes[index] ?? 0;
      // A character of four bytes counts as two UTF-16 units; a continuation byte counts as zero.
      if (byte < 0x80 || byte >= 0xc0) count += byte >= 0xf0 ? 2 : 1;
    }
    yield;
  }
  return count;
}

function invalid(position: number, error: string): JsonReading {
  return {
    ok: false,
    reason: "invalid",
    error: {
      loc: ["body", position],
      msg: "JSON decode error",
      type: "json_invalid",
      ctx: { error },
    },
  };
}

/** RFC 8259 lets a parser ignore a byte order mark, and some clients write one. */
function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Where decoding first had to put a replacement character. One that was sent as such may be taken for it. */
function invalidUtf8Position(text: string): number {
  return text.indexOf("\ufffd");
}
