// Ids that are made from names. The library `uuid` makes the same ones; it takes several times as long, see digest.ts.
import { md5Words, sha1Words } from "./digest.ts";

const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

/** Two bytes of a word, from the one at `shift` bits on, as four hex digits. */
const digitsOf = (word: number, shift: 16 | 0): string =>
  (DIGITS[(word >>> (shift + 8)) & 0xff] ?? "") + (DIGITS[(word >>> shift) & 0xff] ?? "");

/**
 * The UUID of a name in a namespace, of version 3 or 5 (RFC 9562, sections 5.3 and 5.5).
 * @param namespace its 16 bytes
 */
export function uuidOfName(version: 3 | 5, namespace: Uint8Array, name: string): string {
  const [a = 0, b = 0, c = 0, d = 0] =
    version === 3 ? md5Words(namespace, name) : sha1Words(namespace, name);
  const versioned = (b & 0xffff0fff) | (version << 12);
  const varied = (c & 0x3fffffff) | 0x80000000;
  return (
    `${digitsOf(a, 16)}${digitsOf(a, 0)}-${digitsOf(versioned, 16)}-${digitsOf(versioned, 0)}-` +
    `${digitsOf(varied, 16)}-${digitsOf(varied, 0)}${digitsOf(d, 16)}${digitsOf(d, 0)}`
  );
}
