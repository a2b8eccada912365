// Bytes → text for formats that are read whole.
import type { Buffer } from "node:buffer";

export interface Decoded {
  readonly text: string;
  /** Name for the user. */
  readonly encoding: string;
}

/**
 * In this order: a valid label of the command line, a byte order mark, valid UTF-8, the encoding that the file declares,
 * Windows-1252. UTF-8 comes before the declared encoding, because banks declare 1252 and write UTF-8; text in 1252 is
 * hardly ever valid UTF-8.
 */
export function decodeBytes(bytes: Buffer, declared: string | null, given: string | null): Decoded {
  if (given !== null) return { text: new TextDecoder(given).decode(bytes), encoding: given };
  const head = bytes.toString("latin1", 0, 4);
  const wide =
    head.startsWith("\xff\xfe") || /^[^\0]\0/u.test(head)
      ? "utf-16le"
      : head.startsWith("\xfe\xff") || /^\0[^\0]/u.test(head)
        ? "utf-16be"
        : null;
  if (wide !== null) return { text: new TextDecoder(wide).decode(bytes), encoding: wide };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    const decoder = decoderOf(declared) ?? new TextDecoder("windows-1252");
    return { text: decoder.decode(bytes), encoding: decoder.encoding };
  }
}

/** Null for encodings that the runtime does not have, and for UTF-8, which was tried. */
function decoderOf(declared: string | null): TextDecoder | null {
  if (declared === null) return null;
  const label = /^\d{3,4}$/u.test(declared) ? `windows-${declared}` : declared;
  try {
    const decoder = new TextDecoder(label);
    return decoder.encoding.startsWith("utf-") ? null : decoder;
  } catch {
    return null;
  }
}
