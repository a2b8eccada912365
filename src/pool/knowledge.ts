import { type FileHandle, open } from "node:fs/promises";
import { LedgerlineError } from "../shared/errors.ts";
import { KNOWLEDGE_BYTES_MAX, validateKnowledge } from "../codec/knowledge-file.ts";

/** Where `npm run knowledge` writes the file. */
const KNOWLEDGE_FILE = new URL("../../workers/recogniser/knowledge.bin", import.meta.url);

export interface KnowledgeFile {
  /** The whole file; all threads use it without a copy. */
  readonly bytes: SharedArrayBuffer;
  /** The version of the content that the file was built from, as 40 hex digits. */
  readonly contentVersion: string;
}

/**
 * Reads the knowledge file once and validates all of it.
 * @throws LedgerlineError `bad_knowledge` when it is missing, damaged or of another format
 */
export async function loadKnowledge(file: URL = KNOWLEDGE_FILE): Promise<KnowledgeFile> {
  let handle: FileHandle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    throw bad("cannot be read", error);
  }
  try {
    const { size } = await handle.stat();
    if (size > KNOWLEDGE_BYTES_MAX) throw bad("is larger than the largest possible build", null);
    const bytes = new SharedArrayBuffer(size);
    const view = new Uint8Array(bytes);
    let read = 0;
    while (read < size) {
      const { bytesRead } = await handle.read(view, read, size - read, read);
      if (bytesRead === 0) throw bad("is truncated", null);
      read += bytesRead;
    }
    const result = validateKnowledge(view);
    if (!result.ok) throw bad(result.problem, null);
    return { bytes, contentVersion: result.header.contentVersion };
  } finally {
    await handle.close();
  }
}

function bad(problem: string, cause: unknown): LedgerlineError {
  return new LedgerlineError(
    "bad_knowledge",
    `The knowledge file ${problem}; run "npm run knowledge" to build it.`,
    {
      cause,
    },
  );
}
