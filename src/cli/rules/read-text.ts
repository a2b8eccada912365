import type { Readable } from "node:stream";
import { InputError } from "../enrich/input-error.ts";
import { decodeText } from "../enrich/read/decode.ts";
import { openSource } from "../enrich/read/source.ts";
import { printable } from "../enrich/values/printable.ts";

/** As much as the API takes in one request. */
const CHARACTERS_MAX = 32 * 1024 * 1024;

/** A whole text file, or standard input for "-", and how messages name it. Throws InputError. */
export async function readTextFile(
  file: string,
  stdin: Readable,
): Promise<{ readonly name: string; readonly text: string }> {
  const source = await openSource(file, stdin, new AbortController().signal);
  try {
    return {
      name: source.name,
      text: await joinText(source.name, decodeText(source.name, source.bytes)),
    };
  } finally {
    source.close();
  }
}

/** Throws InputError when it is too long. */
export async function joinText(name: string, parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) {
    text += part;
    if (text.length > CHARACTERS_MAX)
      throw new InputError(`${name} is larger than ${String(CHARACTERS_MAX / 1024 / 1024)} MB.`);
  }
  return text;
}

/** Throws InputError, which quotes the text at the error. */
export function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? printable(error.message, 200) : "";
    throw new InputError(`${name} is not JSON: ${reason}.`);
  }
}
