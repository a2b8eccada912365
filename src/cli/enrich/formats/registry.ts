// Which reader reads which format. A new format adds a file to this folder and a case here.
import type { Buffer } from "node:buffer";
import type { FileReader } from "../parsed-file.ts";

/** By the first bytes of the content. Null: it is read as CSV. */
type Detect = (head: Buffer) => FileReader | null;

const DETECTORS: readonly Detect[] = [];

/**
 * The reader for a content that begins with `head` (at least 4 KiB, or the whole content when it is shorter); null: CSV.
 * @param name for messages
 * @throws InputError for kinds of files that are known and cannot be read
 */
export function readerFor(_name: string, head: Buffer): FileReader | null {
  for (const detect of DETECTORS) {
    const reader = detect(head);
    if (reader !== null) return reader;
  }
  return null;
}
