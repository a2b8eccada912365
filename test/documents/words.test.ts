// One language: no private word for what the field has a name for, in names, comments, messages, tests and documents.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { PRIVATE_WORDS, splitIdentifiers } from "./words.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The list itself, and lists of words that bank lines and names hold. */
const EXEMPT =
  /^(?:test\/documents\/words\.|test\/support\/(?:statement-texts|generated-statements\/labels)\.|workers\/recogniser\/name\/name-pairs\.|workers\/knowledge\/(?:tables\/|builder\/words\.ts))/;
const FOLDERS = "{src,workers,test,bench,docs,examples,deploy,schemas}/**/";
const TEXTS = "*.{ts,mjs,md,sh,yaml,yml,avsc,py,java}";

const files = globSync([TEXTS, ".dependency-cruiser.mjs", `${FOLDERS}${TEXTS}`], {
  cwd: ROOT,
  exclude: (path) => path.endsWith("node_modules"),
}).filter((path) => !EXEMPT.test(path));

const findWords = (path: string): string[] =>
  readFileSync(`${ROOT}${path}`, "utf8")
    .split("\n")
    .flatMap((text, index) => {
      const words = splitIdentifiers(text);
      return PRIVATE_WORDS.flatMap(([pattern, instead]) => {
        const found = pattern.exec(words)?.[0];
        return found === undefined ? [] : [`${path}:${String(index + 1)}: "${found}": ${instead}`];
      });
    });

it("no private word is left where the field has a word", () => {
  expect(files.flatMap(findWords)).toEqual([]);
});
