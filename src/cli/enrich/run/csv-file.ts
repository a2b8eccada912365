import { detectLayout } from "../guess/layout.ts";
import { InputError } from "../input-error.ts";
import type { FileInput, ParsedFile } from "../parsed-file.ts";
import { decodeText } from "../read/decode.ts";
import { readRecords, takeSample } from "../read/records.ts";
import { createReaders, parseTable } from "./table.ts";

/** Reads text with delimiters: the head decides what it means, the rows follow with back-pressure. Throws InputError. */
export async function readCsv({ name, bytes, options }: FileInput): Promise<ParsedFile> {
  const sample = await takeSample(decodeText(name, bytes));
  const readers = createReaders();
  const layout = await detectLayout(sample, readers.matcher);
  if (layout === null) throw new InputError(`${name} is empty.`);
  const records = readRecords(name, sample.all, layout.dialect);
  return parseTable("CSV", layout, records, options, readers);
}
