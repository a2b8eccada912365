import type { Buffer } from "node:buffer";
import { readerFor } from "../formats/registry.ts";
import type { FileInput, ParsedFile, ParseOptions } from "../parsed-file.ts";
import { takeHead } from "../read/source.ts";
import { readCsv } from "./csv-file.ts";
import { GUESS_ALL, toParseOptions } from "./parse-settings.ts";

/** Detects the format of a file and reads it. Throws InputError when it cannot be used. */
export async function parseFile({ name, bytes, options }: FileInput): Promise<ParsedFile> {
  const { head, all } = await takeHead(bytes);
  return parseKnownHead(name, head, all, options);
}

/** As `parseFile`, for a file whose head was read already. */
export async function parseKnownHead(
  name: string,
  head: Buffer,
  bytes: AsyncIterable<Buffer>,
  options: ParseOptions,
): Promise<ParsedFile> {
  const read = readerFor(name, head) ?? readCsv;
  return read({ name, bytes, options });
}

/** Everything guessed but what --map fixes. */
export function guessEverything(map: string | null, nowMs: number): ParseOptions {
  return toParseOptions({ ...GUESS_ALL, map }, nowMs);
}
