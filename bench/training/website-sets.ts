// npm run train -- website-sets
// Makes the tables of names and websites in workers/knowledge/tables/websites from public sets. The sets are not part of the
// project; the tables are, with the hash of their inputs. NOTICE lists the sources.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DATA_FOLDER } from "./data.ts";
import { brandTables } from "./website-sets/brands.ts";
import { localTables } from "./website-sets/local.ts";
import { publicBodyTables } from "./website-sets/public-bodies.ts";
import { compactRows, type WebsiteTable } from "./website-sets/rows.ts";

const FOLDER = join(import.meta.dirname, "../../workers/knowledge/tables/websites");

const sumOf = (file: string): string =>
  createHash("sha256")
    .update(readFileSync(join(DATA_FOLDER, file)))
    .digest("hex");

function headOf({ title, sources }: WebsiteTable): readonly string[] {
  return [
    title,
    ...sources.flatMap(({ file, from, licence }) => [
      `From ${from}, ${licence}.`,
      `${file} sha256 ${sumOf(file)}`,
    ]),
    "Written by `npm run train -- website-sets`.",
    "name\twebsite\tcategory\tmcc\tareas",
  ].map((line) => `# ${line}`);
}

export function runWebsiteSets(): void {
  mkdirSync(FOLDER, { recursive: true });
  let size = 0;
  for (const table of [...brandTables(), ...localTables(), ...publicBodyTables()]) {
    const { rows, leftOut } = compactRows(table);
    const lines = rows.map(({ name, website, category, mcc, areas }) =>
      [name, website, category, mcc, areas.join(";")].join("\t").trimEnd(),
    );
    const text = `${[...headOf(table), ...lines].join("\n")}\n`;
    size += Buffer.byteLength(text);
    writeFileSync(join(FOLDER, `${table.name}.tsv`), text);
    const counts = Object.entries(leftOut).map(([why, count]) => `${why} ${String(count)}`);
    process.stdout.write(
      `${table.name}: ${String(rows.length)} rows; left out: ${counts.join(", ")}\n`,
    );
  }
  process.stdout.write(`${String(size)} bytes\n`);
}
