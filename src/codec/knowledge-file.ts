// The layout of the knowledge file: one flat, read-only binary that every thread opens in place. The builder
// (workers/knowledge/build.ts) writes it, the main thread checks it once, the threads take views over it.
//
//   byte  0  8  magic "LEDGRKNW"
//   byte  8  4  format version (u32, little endian like every number here)
//   byte 12  4  length of the whole file in bytes
//   byte 16  4  checksum over all bytes from `PAYLOAD_OFFSET` to the end, see `knowledgeChecksum`
//   byte 20  4  number of sections
//   byte 24 40  content version: 40 ASCII hex digits, derived from everything the file was built from
//   byte 64  …  section table: 32 bytes a section: 24 ASCII name (zero padded), u32 offset, u32 length in bytes
//   payload     sections in the order of the table, each starting at a multiple of 8
//
// What a section holds is described in workers/knowledge/sections.ts.

const KNOWLEDGE_MAGIC = "LEDGRKNW";
/** Raised whenever a reader of the old layout would misread the new one. */
export const KNOWLEDGE_FORMAT_VERSION = 6;
export const KNOWLEDGE_BYTES_MAX = 40 * 1024 * 1024;
const KNOWLEDGE_SECTIONS_MAX = 64;

const CONTENT_VERSION_OFFSET = 24;
export const CONTENT_VERSION_LENGTH = 40;
const TABLE_OFFSET = 64;
const TABLE_ROW_BYTES = 32;
const NAME_BYTES = 24;
/** The first section starts here whatever the number of sections, so that a header can be read alone. */
export const PAYLOAD_OFFSET = TABLE_OFFSET + KNOWLEDGE_SECTIONS_MAX * TABLE_ROW_BYTES;

export interface KnowledgeSection {
  readonly name: string;
  /** Bytes from the start of the file, a multiple of 8. */
  readonly offset: number;
  /** Bytes, padding excluded. */
  readonly length: number;
}

export interface KnowledgeHeader {
  readonly formatVersion: number;
  /** Same inputs, same version: what an operator compares between two installations. */
  readonly contentVersion: string;
  readonly fileBytes: number;
  readonly checksum: number;
  readonly sections: readonly KnowledgeSection[];
}

export type KnowledgeHeaderResult =
  | { readonly ok: true; readonly header: KnowledgeHeader }
  | { readonly ok: false; readonly problem: string };

const failedSection = (problem: string): KnowledgeHeaderResult => ({ ok: false, problem });

const ascii = (bytes: Uint8Array, start: number, length: number): string => {
  let text = "";
  for (let i = start; i < start + length; i++) {
    const code = bytes[i] ?? 0;
    if (code === 0) break;
    text += String.fromCharCode(code);
  }
  return text;
};

const putAscii = (bytes: Uint8Array, start: number, text: string): void => {
  for (let i = 0; i < text.length; i++) bytes[start + i] = text.charCodeAt(i);
};

/** Reads the header from the first `PAYLOAD_OFFSET` bytes; checks shape and bounds, not the checksum. */
export function readKnowledgeHeader(bytes: Uint8Array): KnowledgeHeaderResult {
  if (bytes.length < PAYLOAD_OFFSET)
    return failedSection(`only ${String(bytes.length)} bytes long`);
  if (ascii(bytes, 0, KNOWLEDGE_MAGIC.length) !== KNOWLEDGE_MAGIC) {
    return failedSection("does not start with the knowledge file's magic");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const formatVersion = view.getUint32(8, true);
  if (formatVersion !== KNOWLEDGE_FORMAT_VERSION) {
    const wanted = String(KNOWLEDGE_FORMAT_VERSION);
    return failedSection(
      `has format version ${String(formatVersion)}, this program reads ${wanted}`,
    );
  }
  const fileBytes = view.getUint32(12, true);
  const sectionCount = view.getUint32(20, true);
  if (fileBytes < PAYLOAD_OFFSET || fileBytes > KNOWLEDGE_BYTES_MAX) {
    return failedSection(`claims to be ${String(fileBytes)} bytes long`);
  }
  if (sectionCount > KNOWLEDGE_SECTIONS_MAX) {
    return failedSection(`claims to have ${String(sectionCount)} sections`);
  }
  const sections: KnowledgeSection[] = [];
  for (let i = 0; i < sectionCount; i++) {
    const row = TABLE_OFFSET + i * TABLE_ROW_BYTES;
    const section = {
      name: ascii(bytes, row, NAME_BYTES),
      offset: view.getUint32(row + NAME_BYTES, true),
      length: view.getUint32(row + NAME_BYTES + 4, true),
    };
    const inside = section.offset >= PAYLOAD_OFFSET && section.offset + section.length <= fileBytes;
    if (!inside || section.offset % 8 !== 0) {
      return failedSection(`section ${section.name} lies outside the file`);
    }
    sections.push(section);
  }
  const contentVersion = ascii(bytes, CONTENT_VERSION_OFFSET, CONTENT_VERSION_LENGTH);
  const checksum = view.getUint32(16, true);
  return { ok: true, header: { formatVersion, contentVersion, fileBytes, checksum, sections } };
}

/** Reads the header of a complete file and compares length and checksum. */
export function validateKnowledge(bytes: Uint8Array): KnowledgeHeaderResult {
  const result = readKnowledgeHeader(bytes);
  if (!result.ok) return result;
  if (bytes.length !== result.header.fileBytes) {
    const claimed = String(result.header.fileBytes);
    return failedSection(`is ${String(bytes.length)} bytes long, its header claims ${claimed}`);
  }
  if (knowledgeChecksum(bytes) !== result.header.checksum)
    return failedSection("is damaged (checksum)");
  return result;
}

/**
 * FNV-1a over 32-bit words from `PAYLOAD_OFFSET` on. It finds cut and damaged files, not forged ones: the file is as
 * trusted as the program itself. A 10 MB file takes a few milliseconds.
 */
function knowledgeChecksum(bytes: Uint8Array): number {
  const wordCount = (bytes.length - PAYLOAD_OFFSET) >>> 2;
  const view = new DataView(bytes.buffer, bytes.byteOffset + PAYLOAD_OFFSET, wordCount * 4);
  let hash = 0x811c9dc5;
  for (let i = 0; i < wordCount; i++) {
    hash = Math.imul(hash ^ view.getUint32(i * 4, true), 0x01000193);
  }
  return hash >>> 0;
}

/** Writes the header in front of a payload that is already in place. */
export function writeKnowledgeHeader(
  bytes: Uint8Array,
  contentVersion: string,
  sections: readonly KnowledgeSection[],
): void {
  if (contentVersion.length !== CONTENT_VERSION_LENGTH) {
    throw new RangeError(`A content version has ${String(CONTENT_VERSION_LENGTH)} digits.`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  putAscii(bytes, 0, KNOWLEDGE_MAGIC);
  view.setUint32(8, KNOWLEDGE_FORMAT_VERSION, true);
  view.setUint32(12, bytes.length, true);
  view.setUint32(16, knowledgeChecksum(bytes), true);
  view.setUint32(20, sections.length, true);
  putAscii(bytes, CONTENT_VERSION_OFFSET, contentVersion);
  sections.forEach((section, i) => {
    if (section.name.length > NAME_BYTES) throw new RangeError(`Name too long: ${section.name}`);
    const row = TABLE_OFFSET + i * TABLE_ROW_BYTES;
    putAscii(bytes, row, section.name);
    view.setUint32(row + NAME_BYTES, section.offset, true);
    view.setUint32(row + NAME_BYTES + 4, section.length, true);
  });
}
