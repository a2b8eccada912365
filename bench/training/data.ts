// The public files that training reads. They are not part of the project; what is made of them is (models/, NOTICE).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";

const SIBLING_FOLDER = fileURLToPath(new URL("../../../shared/data", import.meta.url));

/** `DATA_DIR` names another folder. */
export const DATA_FOLDER = process.env["DATA_DIR"] ?? SIBLING_FOLDER;

export type DataRow = Readonly<Record<string, string | undefined>>;

/** Rows of a CSV file with a header, by column. */
export function readData(name: string): readonly DataRow[] {
  const bytes = readFileSync(join(DATA_FOLDER, name));
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return parse(text, { bom: true, columns: true, relax_column_count: true });
}
