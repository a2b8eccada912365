// npm run docs: writes the generated tables of docs/reference anew.
import { writeFileSync } from "node:fs";
import { readDocument } from "../support/documents.ts";
import { GENERATED, writeGenerated } from "./tables.ts";

const ROOT = new URL("../../", import.meta.url);

for (const { page, name, make } of GENERATED)
  writeFileSync(new URL(page, ROOT), writeGenerated(readDocument(page), name, await make()));
