import type { Buffer } from "node:buffer";
import { InputError } from "../input-error.ts";
import type { StatementFormat } from "./statement.ts";

/** CSV: every text in none of the other formats. */
export type FileFormat = StatementFormat | "XLSX" | "CSV";

/** Enough for a header of OFX, the root of an XML message and the blocks before MT940. */
const HEAD_BYTES = 4096;

/** Common wrong files → what to do. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [
    /^\xd0\xcf\x11\xe0/u,
    "is an old Excel workbook (.xls) or an encrypted one. Save it as .xlsx without a password, or as CSV.",
  ],
  [/^%PDF/u, "is a PDF. Download the transactions as CSV, OFX, CAMT.053, MT940 or XLSX."],
  [
    /^\s*(?:<!doctype html|<html|<head|<table|<meta)/iu,
    "is a web page, although its name may end in .xls. Open it in a spreadsheet and save it as .xlsx or CSV.",
  ],
  [
    /(?:pain\.00\d|<CstmrCdtTrfInitn|<CstmrDrctDbtInitn)/u,
    "is a payment order (pain), not a statement. Download the statement as camt.053.",
  ],
  [
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<\?mso-application[^>]*>\s*)?<(?:\w+:)?Workbook\b/u,
    "is an Excel 2003 XML table. Save it as .xlsx or CSV.",
  ],
];
const STATEMENTS: readonly (readonly [RegExp, StatementFormat])[] = [
  [/^\s*OFXHEADER\s*:|<\?OFX\b|<OFX>/iu, "OFX"],
  [/camt\.05[234]|<(?:\w+:)?BkToCstmr/u, "CAMT.053"],
  [/^\s*!(?:type|account|option|clear)\b/imu, "QIF"],
  [/^\s*\{1:F|^:20:[^\n]*\r?\n(?::(?!20)\d{2}[A-Z]?:)|^:25P?:|^:60[FM]:/mu, "MT940"],
];

/**
 * Detects the format of a file by its first bytes; its name is not reliable.
 * @param name for messages
 * @throws InputError for kinds of files that are known and cannot be read
 */
export function detectFormat(name: string, head: Buffer): FileFormat {
  const text = headText(head);
  for (const [pattern, advice] of REFUSED)
    if (pattern.test(text)) throw new InputError(`${name} ${advice}`);
  if (text.startsWith("PK\u0003\u0004")) return "XLSX";
  for (const [pattern, format] of STATEMENTS) if (pattern.test(text)) return format;
  if (/^\s*<(?:\?xml|[A-Za-z])/u.test(text))
    throw new InputError(
      `${name} is XML of an unknown kind: no camt.052, camt.053 or camt.054, no OFX. Export one of these or CSV.`,
    );
  return "CSV";
}

/** Every byte a character; of UTF-16 every other byte is left out. */
function headText(head: Buffer): string {
  const text = head.toString("latin1", 0, HEAD_BYTES);
  if (/^(?:\xff\xfe|\xfe\xff|[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/u.test(text))
    return text.replaceAll(/^\xff\xfe|^\xfe\xff|\0/gu, "");
  return text.replace(/^\xef\xbb\xbf/u, "");
}
