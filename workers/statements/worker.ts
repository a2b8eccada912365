// The entry of a thread that reads bank statements. Piscina loads this file and calls `readDocument` for every document.
import type { StatementResult } from "../../src/model/bank-statement.ts";
import type { StatementTask } from "../protocol.ts";
import { readPdf } from "./read-pdf.ts";
import { understandStatement } from "./understand.ts";

const MAGIC = "%PDF-";
/** Readers of PDF accept bytes before the header; so many are looked at. */
const MAGIC_WITHIN = 1_024;

/** Reads one document. What its bytes are never throws: a document that cannot be read has a fault. */
export async function readDocument({ bytes, password }: StatementTask): Promise<StatementResult> {
  if (!isPdf(bytes)) return { fault: "unsupported_type" };
  const read = await readPdf(bytes, password);
  if ("fault" in read) return read;
  const { words, pages, pagesWithoutText } = read;
  const { accounts, header, signals } = understandStatement(words);
  return accounts.length === 0
    ? { fault: "no_transactions" }
    : { pages, pagesWithoutText, pagesRecognised: [], header, accounts, signals };
}

function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MAGIC_WITHIN)).includes(MAGIC);
}
