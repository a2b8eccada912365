// Reads a file inside a test as the commands do: whatever its format.
import { Buffer } from "node:buffer";
import type { ParsedFile, ParsedTransaction } from "../../src/cli/enrich/parsed-file.ts";
import { guessEverything, parseFile } from "../../src/cli/enrich/run/parse-file.ts";

interface Parsed {
  readonly file: ParsedFile;
  readonly good: readonly ParsedTransaction[];
  /** Line and reason. */
  readonly bad: readonly (readonly [number, string])[];
}

const NOW_MS = Date.UTC(2024, 4, 20);

export async function parseText(
  content: string | Uint8Array,
  { map = null }: { readonly map?: string | null } = {},
): Promise<Parsed> {
  const bytes = Buffer.from(content);
  async function* all(): AsyncGenerator<Buffer, void> {
    yield await Promise.resolve(bytes);
  }
  const options = guessEverything(map, NOW_MS);
  const file = await parseFile({ name: "sample", bytes: all(), options });
  const good: ParsedTransaction[] = [];
  const bad: (readonly [number, string])[] = [];
  for await (const { line, reading } of file.rows) {
    if (reading.ok) good.push(reading.transaction);
    else bad.push([line, reading.reason]);
  }
  return { file, good, bad };
}
