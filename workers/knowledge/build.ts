// Builds the knowledge file: `node workers/knowledge/build.ts [--force] [--lenient] [--output FILE]`.
// Only this file and builder/ read files and the data packages; the result is two flat binaries side by side: the knowledge
// of the threads, see sections.ts, and logos.bin with the pictures that the API serves, see src/model/logo.ts.
import { existsSync, openSync, readSync, closeSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  KNOWLEDGE_BYTES_MAX,
  PAYLOAD_OFFSET,
  readKnowledgeHeader,
} from "../../src/codec/knowledge-file.ts";
import { contentVersionOf, readTables } from "./builder/inputs.ts";

const root = join(import.meta.dirname, "../..");
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Content version of an existing file, null when there is none or it is not readable. */
function builtVersion(file: string): string | null {
  if (!existsSync(file)) return null;
  const bytes = new Uint8Array(PAYLOAD_OFFSET);
  const handle = openSync(file, "r");
  try {
    readSync(handle, bytes);
  } finally {
    closeSync(handle);
  }
  const result = readKnowledgeHeader(bytes);
  return result.ok ? result.header.contentVersion : null;
}

/** Never half a file under the final name: a reader sees the old one or the new one. */
function writeAtomically(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.${String(process.pid)}.tmp`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, file);
}

async function build(output: string, force: boolean, lenient: boolean): Promise<number> {
  const tables = readTables(join(import.meta.dirname, "tables"));
  const version = contentVersionOf(root, tables, lenient);
  const logosOutput = join(dirname(output), "logos.bin");
  const isBuilt = [output, logosOutput].every((file) => builtVersion(file) === version);
  if (!force && isBuilt) {
    print(`Knowledge ${version.slice(0, 12)} is up to date.`);
    return 0;
  }
  const { collectKnowledge } = await import("./builder/collect.ts");
  const collected = await collectKnowledge(root, tables, lenient);
  if (!collected.ok) {
    for (const problem of collected.problems) print(problem);
    print(`${String(collected.problems.length)} faults in the tables, nothing written.`);
    return 1;
  }
  const { packKnowledge } = await import("./builder/pack.ts");
  const bytes = packKnowledge(collected.draft, version);
  const logos = collected.pictures.pack(version);
  for (const { length } of [bytes, logos]) {
    if (length <= KNOWLEDGE_BYTES_MAX) continue;
    print(
      `The file would have ${String(length)} bytes, ${String(KNOWLEDGE_BYTES_MAX)} are allowed.`,
    );
    return 1;
  }
  writeAtomically(logosOutput, logos);
  writeAtomically(output, bytes);
  for (const [name, count] of collected.statistics)
    print(`${name.padEnd(34)}${String(count).padStart(9)}`);
  const megabytes = (length: number): string => `${(length / 1e6).toFixed(1)} MB`;
  print(
    `Knowledge ${version.slice(0, 12)}: ${megabytes(bytes.length)}, pictures ${megabytes(logos.length)}.`,
  );
  return 0;
}

const outputAt = process.argv.indexOf("--output");
process.exitCode = await build(
  outputAt < 0
    ? join(import.meta.dirname, "../recogniser/knowledge.bin")
    : (process.argv[outputAt + 1] ?? ""),
  process.argv.includes("--force"),
  process.argv.includes("--lenient"),
);
