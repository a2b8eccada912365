// node .ci/list-institutions.mjs: prints the banks of name-suggestion-index, for workers/statements/institutions.txt.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const path = new URL("../node_modules/name-suggestion-index/dist/json/nsi.min.json", import.meta.url);
const bytes = readFileSync(path);
const { nsi } = JSON.parse(bytes);
const LENGTH_MIN = 3;
const names = [
  ...new Set(
    nsi["brands/amenity/bank"].items
      .map(({ displayName }) => displayName.replace(/ \([^)]*\)$/u, "").trim())
      .filter((name) => name.length >= LENGTH_MIN && /^[\p{Script=Latin}\d .,&'’\-!+/]+$/u.test(name)),
  ),
].sort();
process.stdout.write(
  `# Banks of name-suggestion-index (BSD-3-Clause), nsi.min.json of sha256\n# ${createHash("sha256").update(bytes).digest("hex")}: node .ci/list-institutions.mjs\n[known]\n${names.join("\n")}\n`,
);
