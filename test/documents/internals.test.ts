// What documents on the internals name is there: paths, names of the code, constants, import rules.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readDocument } from "../support/documents.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const find = (...patterns: readonly string[]): string[] => globSync(patterns, { cwd: ROOT });

const pages = find("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/{architecture,decisions}/*.md");
const sources = find("{src,workers}/**/*.ts")
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => readFileSync(`${ROOT}${path}`, "utf8"))
  .join("\n");
const words = new Set(sources.match(/\w+/g));

/** Starts with a folder of the project. */
const PATH = /^(?:src|workers|test|bench|docs|deploy|examples|schemas)\/[\w.*{},/-]+$/;
/** A name that cannot be a plain word: `createIngest`, `runRecord()`. */
const NAME = /^([a-z]+(?:[A-Z][a-z0-9]*)+)(?:\(\))?$/;
/** `NAME = value` of a module, `name: value` of an object. */
const CONSTANT = /^(?:[A-Z][A-Z_]+ = |\w+(?:Max|Ms\w*): )/;

/** What stands in backticks, without blocks of code. */
const codeSpans = (page: string): string[] =>
  [
    ...readDocument(page)
      .replace(/^```.*?^```$/gms, "")
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, code = ""]) => code);

describe.each(pages)("%s", (page) => {
  const spans = codeSpans(page);

  it("names only paths that exist", () => {
    const paths = spans.filter((code) => PATH.test(code));
    expect(paths.filter((path) => find(path).length === 0)).toEqual([]);
  });

  it("names only functions and fields that the sources have", () => {
    const names = spans.flatMap((code) => NAME.exec(code)?.[1] ?? []);
    expect(names.filter((name) => !words.has(name))).toEqual([]);
  });
});

it("every constant in the table of limits has its value in the sources", () => {
  const constants = codeSpans("docs/reference/limits.md").filter((code) => CONSTANT.test(code));
  expect(constants.length).toBeGreaterThan(80);
  const isDefined = (code: string): boolean =>
    sources.includes(`const ${code};`) || sources.includes(`  ${code},`);
  expect(constants.filter((code) => !isDefined(code))).toEqual([]);
});

interface ImportRule {
  readonly name: string;
  readonly to: { readonly pathNot: readonly string[] };
}

/** `^src/model/` is `src/model`. */
const folderOf = (pattern = ""): string =>
  pattern.replace(/^\^/, "").replace(/[$/]$/, "").replace("[.]", ".");

const inBackticks = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

it("the table of imports is what the import rules enforce", async () => {
  const rules = (await import(new URL("../../.dependency-cruiser.mjs", import.meta.url).href)) as {
    default: { forbidden: readonly ImportRule[] };
  };
  const enforced = rules.default.forbidden
    .filter(({ name }) => name.endsWith("-imports"))
    .map(({ to }) => to.pathNot.map(folderOf))
    .map(([folder, ...allowed]) => [folder, allowed]);
  const [, table = ""] = readDocument("docs/architecture/README.md").split("| May import |\n");
  const documented = (table.split("\n\n")[0] ?? "").split("\n").flatMap((row) => {
    const [, folders = "", allowed = ""] = row.split("|");
    return inBackticks(folders).map((folder) => [folder, inBackticks(allowed)]);
  });
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(enforced));
});

it.each([
  ["ARCHITECTURE.md", 60],
  ["docs/architecture/README.md", 200],
])("%s has at most %i lines", (page, linesMax) => {
  expect(readDocument(page).trimEnd().split("\n").length).toBeLessThanOrEqual(linesMax);
});
