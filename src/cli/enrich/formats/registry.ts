// Which reader reads which format. A new format adds a file to this folder, a pattern to detect.ts and a case here.
import type { Buffer } from "node:buffer";
import type { FileReader } from "../parsed-file.ts";
import { detectFormat } from "./detect.ts";
import type { ReadStatement } from "./statement.ts";

/**
 * The reader for a content that begins with `head` (at least 4 KiB, or the whole content when it is shorter); null: CSV.
 * Each reader is loaded, with the library it needs, when a file asks for it.
 * @param name for messages
 * @throws InputError for kinds of files that are known and cannot be read
 */
export function readerFor(name: string, head: Buffer): FileReader | null {
  switch (detectFormat(name, head)) {
    case "CSV":
      return null;
    case "XLSX":
      return async (input) => (await import("./workbook.ts")).readWorkbookFile(input);
    case "OFX":
      return statementReader(async () => (await import("./ofx.ts")).readOfx);
    case "QIF":
      return statementReader(async () => (await import("./qif.ts")).readQif);
    case "CAMT.053":
      return statementReader(async () => (await import("./camt053.ts")).readCamt);
    case "MT940":
      return statementReader(async () => (await import("./mt940.ts")).readMt940);
  }
}

function statementReader(load: () => Promise<ReadStatement>): FileReader {
  return async (input) => {
    const { readStatementFile } = await import("./statement-rows.ts");
    return readStatementFile(input, await load());
  };
}
