// Ids that are made from names. The library `uuid` makes the same ones; it takes two to three times as long, because it hashes in
// three calls.
import { hash } from "node:crypto";

/** The first of the digits that say which variant of ids it is; the bits below them are of the hash. */
const VARIANTS = ["8", "9", "a", "b"] as const;
const VARIANT_DIGIT = 16;
const ALGORITHMS = { 3: "md5", 5: "sha1" } as const;

/**
 * The UUID of a name in a namespace, of version 3 or 5 (RFC 9562, sections 5.3 and 5.5).
 * @param namespace its 16 bytes
 */
export function uuidOfName(version: 3 | 5, namespace: Uint8Array, name: string): string {
  const bytes = Buffer.concat([namespace, Buffer.from(name, "utf8")]);
  const digits = hash(ALGORITHMS[version], bytes, "hex");
  const variant = VARIANTS[Number.parseInt(digits.charAt(VARIANT_DIGIT), 16) & 3] ?? "8";
  return (
    `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${String(version)}${digits.slice(13, 16)}-` +
    `${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`
  );
}
