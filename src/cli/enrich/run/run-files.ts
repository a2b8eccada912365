// All files of a run as one stream of rows: which file, and which row of an earlier file a row repeats.
import type { ParsedFile, ParsedRow } from "../parsed-file.ts";
import type { Source } from "../read/source.ts";
import { createDuplicateFinder, type DuplicateFinder } from "./duplicates.ts";
import type { FinishedRow } from "./enrich-chunks.ts";

/** A row of one of the files. */
interface FileRow extends ParsedRow {
  /** Place of its file among those of the run, from 0. */
  readonly file: number;
  /** "march.csv:12" when an earlier file has the row; null: it does not. */
  readonly duplicateOf: string | null;
}

export type RunRow = FinishedRow<FileRow>;

export interface OpenFile {
  readonly source: Source;
  readonly parsed: ParsedFile;
}

export interface RunRows {
  readonly rows: AsyncIterable<FileRow>;
  readonly duplicates: DuplicateFinder;
}

/** The rows of all files in order. One file has no duplicates: its equal rows are transactions of their own. */
export function joinFiles(files: readonly OpenFile[]): RunRows {
  const duplicates = createDuplicateFinder(
    files.map(({ source, parsed }) => ({
      name: source.name,
      kind: `${parsed.format}\n${parsed.columns.join("\n")}`,
    })),
  );
  return { rows: readAll(files, duplicates), duplicates };
}

async function* readAll(
  files: readonly OpenFile[],
  duplicates: DuplicateFinder,
): AsyncGenerator<FileRow, void> {
  const isSeveral = files.length > 1;
  for (const [file, { parsed }] of files.entries()) {
    for await (const row of parsed.rows) {
      yield { ...row, file, duplicateOf: isSeveral ? duplicates.find(row, file) : null };
    }
  }
}
