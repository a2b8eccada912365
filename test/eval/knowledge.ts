import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Knowledge, openKnowledge } from "../../workers/knowledge/knowledge.ts";

/** What `npm run knowledge` builds. */
export const KNOWLEDGE_FILE = join(import.meta.dirname, "../../workers/recogniser/knowledge.bin");

/**
 * Opens a knowledge file.
 * @throws Error when it was not built yet, with the command that builds it
 */
export function readKnowledge(file: string = KNOWLEDGE_FILE): Knowledge {
  if (!existsSync(file))
    throw new Error(
      `The knowledge file ${file} does not exist: run "npm run knowledge" to build it.`,
    );
  const bytes = readFileSync(file);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return openKnowledge(shared);
}
