import { detectLayout } from "../guess/layout.ts";
import { InputError } from "../input-error.ts";
import type { FileInput, ParsedFile } from "../parsed-file.ts";
import { decodeText } from "../read/decode.ts";
import { readRecords, takeSample } from "../read/records.ts";
import { createReaders, parseTable } from "./table.ts";

/** Reads text with delimiters: the head decides what it means, the rows follow with back-pressure. Throws InputError. */
export async function readCsv({ name, bytes, options }: FileInput): Promise<ParsedFile> {
  let encoding =
    "ASCII in the sample; the first other character decides between UTF-8 and windows-1252";
  const onDecided = (label: string): void => {
    encoding = label;
  };
  const sample = await takeSample(decodeText(name, bytes, options.encoding, onDecided));
  const readers = createReaders();
  const layout = await detectLayout(sample, readers.matcher, options.delimiter);
  if (layout === null)
    throw new InputError(
      `${name} is empty: it has no line of text. Export it again, or name another file.`,
    );
  const records = readRecords(name, sample.all, layout.dialect);
  const file = parseTable("CSV", layout, records, options, readers);
  return { ...file, report: [`encoding: ${encoding}`, ...file.report] };
}
