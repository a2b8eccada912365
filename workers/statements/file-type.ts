// What a file is, decided by its first bytes and not by its name.

export type StatementFileType = "pdf" | "png" | "jpeg";

/** Readers of PDF accept bytes before the header; so many are looked at. */
const PDF_WITHIN = 1_024;
const PDF = "%PDF-";
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];

/** null: a type that is not read. */
export function fileTypeOf(bytes: Uint8Array): StatementFileType | null {
  const startsWith = (magic: readonly number[]): boolean =>
    magic.every((byte, index) => bytes[index] === byte);
  if (startsWith(PNG)) return "png";
  if (startsWith(JPEG)) return "jpeg";
  return Buffer.from(bytes.subarray(0, PDF_WITHIN)).includes(PDF) ? "pdf" : null;
}
