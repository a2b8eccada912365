// Decisions have one form, so that they can be compared and found by number.
import { globSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readDocument } from "../support/documents.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LINES_MAX = 25;
const PARTS = ["Status", "Context", "Decision", "Consequences", "Alternatives"];

const pages = globSync("docs/decisions/[0-9]*.md", { cwd: ROOT }).toSorted();

it.each(pages)("%s has its number, its five parts and at most 25 lines", (page) => {
  const text = readDocument(page);
  expect(text).toMatch(new RegExp(`^# ${String(Number(basename(page).slice(0, 4)))}[.] `));
  expect([...text.matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part)).toEqual(PARTS);
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(LINES_MAX);
});

it("decisions are numbered without a gap, and the index lists each with its title", () => {
  expect(pages.length).toBeGreaterThan(50);
  const rows = pages.map((page, position) => {
    const title = /^# \d+[.] (.+)$/m.exec(readDocument(page))?.[1] ?? "";
    return `| ${String(position + 1)} | [${title}](${basename(page)}) |`;
  });
  const index = readDocument("docs/decisions/README.md").split("\n");
  expect(index.filter((line) => /^\| \d/.test(line))).toEqual(rows);
});
