import { Buffer } from "node:buffer";
import { zipSync } from "fflate";
import readWorkbook from "read-excel-file/node";
import { type Entry as ZipEntry, fromBufferPromise, type ZipFile } from "yauzl";
import { InputError } from "../input-error.ts";
import { printable } from "../values/printable.ts";

/** One sheet as a table of texts: numbers with a point, dates as YYYY-MM-DD. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

/** Unpacked, of all parts that are read: a sheet of 100 000 rows and ten columns has about 50 MB. */
const UNPACKED_BYTES_MAX = 128 * 1024 * 1024;
const PARTS_MAX = 2_000;
const SHEETS_MAX = 50;
const CELLS_MAX = 2_000_000;
/** What the library reads: workbook, styles, texts and sheets. Pictures, charts and comments stay packed. */
const NEEDED =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:_rels\/)?[^/]+\.(?:xml|xml\.rels)|xl\/worksheets\/[^/]+\.xml)$/iu;
/** Spreadsheets show 15 digits; further digits are noise of binary fractions. */
const DIGITS_SHOWN = 15;

/**
 * Reads the sheets of an XLSX workbook (ISO/IEC 29500).
 *
 * `yauzl` unpacks with a limit on the actual bytes, not the declared ones. The result is packed again, without
 * compression, for `read-excel-file`, so that both read the same bytes.
 * @throws InputError for a damaged archive, one that is not a workbook, and one beyond the limits
 */
export async function readXlsx(name: string, bytes: Buffer): Promise<Sheet[]> {
  const parts = await unpack(name, bytes);
  if (!("xl/workbook.xml" in parts)) {
    const isOds = "mimetype" in parts;
    throw new InputError(
      `${name} is ${isOds ? "an OpenDocument table" : "an archive"}, not an XLSX workbook. Save the table as .xlsx or CSV.`,
    );
  }
  const workbook = await readSheets(name, parts);
  if (workbook.length > SHEETS_MAX)
    throw new InputError(
      `${name} has more than ${String(SHEETS_MAX)} sheets. Save the right one in a file of its own.`,
    );
  let cells = 0;
  return workbook.map(({ sheet, data }) => {
    cells += data.reduce((sum, row) => sum + row.length, 0);
    if (cells > CELLS_MAX)
      throw new InputError(
        `${name} has more than ${CELLS_MAX.toLocaleString("en")} cells. Export a shorter period.`,
      );
    return { name: sheet, rows: data.map((row) => row.map(cellText)) };
  });
}

type WorkbookParts = Record<string, Uint8Array>;

interface WorkbookSheet {
  readonly sheet: string;
  /** Rows of texts, booleans, Dates and nulls. */
  readonly data: readonly (readonly unknown[])[];
}

async function readSheets(name: string, parts: WorkbookParts): Promise<readonly WorkbookSheet[]> {
  const zip = Buffer.from(zipSync(parts, { level: 0 }));
  try {
    // As text: a binary number does not tell 0.1 from 0.10000000000000001.
    return await readWorkbook<string>(zip, { parseNumber: shownNumber, trim: false });
  } catch (error) {
    throw damaged(name, "workbook", error);
  }
}

/** The library lays a sheet out from A1 to its last cell: one cell far away would take all memory. */
function checkExtent(name: string, part: string, xml: Uint8Array): void {
  let columns = 0;
  let rows = 0;
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).toString("latin1");
  for (const [whole, letters, row] of text.matchAll(
    /\br\s*=\s*["'](?:([A-Za-z]{0,4})(\d{1,10})|[^"']{0,20}&)/gu,
  )) {
    if (row === undefined)
      throw new InputError(
        `${name} is a damaged workbook (${printable(part)}: ${printable(whole)}).`,
      );
    rows = Math.max(rows, Number(row));
    columns = Math.max(columns, columnNumber(letters ?? ""));
    if (rows * columns > CELLS_MAX)
      throw tooWide(name, part, `${letters?.toUpperCase() ?? ""}${row}`);
  }
}

function tooWide(name: string, part: string, at: string): InputError {
  return new InputError(
    `${name} is too wide: ${printable(part)} reaches to ${at} and so spans more than ${CELLS_MAX.toLocaleString("en")} ` +
      "cells. Delete the rows and columns that are far from the table, or save the sheet as CSV.",
  );
}

/** "A" → 1, "XFD" → 16384. */
function columnNumber(letters: string): number {
  return Array.from(letters.toUpperCase()).reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  );
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return dateText(cell);
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  return typeof cell === "string" ? cell : "";
}

/** The library gives days and times as if they were in UTC. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  const text = date.toISOString();
  return text.slice(11, 19) === "00:00:00"
    ? text.slice(0, 10)
    : text.slice(0, 19).replace("T", " ");
}

/** "12.300000000000001" → "12.3", "1.5E3" → "1500": as a spreadsheet shows it. */
function shownNumber(text: string): string {
  const digits = text.replaceAll(/[^\d]/gu, "").replace(/^0+/u, "");
  if (digits.length <= DIGITS_SHOWN && /^-?\d+(?:\.\d+)?$/u.test(text)) return text;
  const value = Number(text);
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return text;
  return String(Number(value.toPrecision(DIGITS_SHOWN)));
}

/** At most the limits, also when the archive declares smaller sizes. */
async function unpack(name: string, bytes: Buffer): Promise<WorkbookParts> {
  const parts: WorkbookParts = {};
  let total = 0;
  let zip: ZipFile | null = null;
  try {
    zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true });
    if (zip.entryCount > PARTS_MAX)
      throw new InputError(
        `${name} has more than ${String(PARTS_MAX)} parts: it is not a workbook with transactions.`,
      );
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName === "mimetype") parts["mimetype"] = new Uint8Array();
      if (!NEEDED.test(entry.fileName)) continue;
      total += entry.uncompressedSize;
      if (total > UNPACKED_BYTES_MAX) throw tooLarge(name);
      const part = await unpackEntry(zip, entry);
      // Any part may be named as a sheet.
      checkExtent(name, entry.fileName, part);
      parts[entry.fileName] = part;
    }
    return parts;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw damaged(name, "archive", error);
  } finally {
    zip?.close();
  }
}

function tooLarge(name: string): InputError {
  const most = String(UNPACKED_BYTES_MAX / 1024 / 1024);
  return new InputError(
    `${name} is larger than ${most} MiB unpacked. Delete the other sheets or save as CSV.`,
  );
}

/** The stream fails when more comes out than the archive declares, so `uncompressedSize` bounds it. */
async function unpackEntry(zip: ZipFile, entry: ZipEntry): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  const stream = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function damaged(name: string, kind: "workbook" | "archive", error: unknown): InputError {
  const problem = error instanceof Error ? error.message : String(error);
  return new InputError(
    `${name} is a damaged ${kind} (${printable(problem, 80)}). Download it again, or save it as .xlsx or CSV.`,
    error,
  );
}
