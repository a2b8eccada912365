// The documents of the repository, as tests read them.
import { readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);

/** @param path from the root of the repository, such as `docs/guides/rules.md` */
export function readDocument(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8");
}

/** The fenced blocks of one language in a document, in order, without their fences. */
export function fencedBlocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, block = ""]) =>
    name === language ? [block] : [],
  );
}
