// Every link of the documents leads somewhere, every page is found in two clicks, and the README stays short.
import { existsSync, globSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readDocument } from "../support/documents.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const README_LINES_MAX = 250;
const CLICKS_MAX = 2;

const pages = globSync("**/*.md", {
  cwd: ROOT,
  exclude: (path) => /(?:^|\/)(?:node_modules|\.git|\.ledgerline)(?:\/|$)/.test(path),
});

/** Code is text that only looks like links and headings. */
const prose = (page: string): string => readDocument(page).replace(/^```.*?^```$/gms, "");

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of prose(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const base = plain.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-");
    let anchor = base;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${base}-${String(again)}`;
    anchors.add(anchor);
  }
  return anchors;
}

interface Link {
  readonly text: string;
  /** The file from the root of the repository. */
  readonly file: string;
  readonly anchor: string | null;
}

function linksOf(page: string): Link[] {
  const targets = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((text) => {
      const [path = "", anchor = null] = text.split("#");
      const file = path === "" ? page : normalize(join(dirname(page), path)).replace(/\/$/, "");
      return { text, file, anchor };
    });
}

function isBroken({ file, anchor }: Link): boolean {
  if (file.startsWith("..") || !existsSync(join(ROOT, file))) return true;
  if (anchor === null) return false;
  return statSync(join(ROOT, file)).isDirectory() || !anchorsOf(file).has(anchor);
}

describe("links of documents", () => {
  it("sees the documents", () => {
    expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/README.md"]));
    expect(linksOf("README.md").length).toBeGreaterThan(20);
  });

  it.each(pages)("%s has no broken link or anchor", (page) => {
    const broken = linksOf(page).filter(isBroken);
    expect(broken.map(({ text }) => text)).toEqual([]);
  });

  it("every page of docs/ is reached from the README in two clicks", () => {
    const seen = new Set(["README.md"]);
    for (let click = 0; click < CLICKS_MAX; click += 1) {
      const files = [...seen].flatMap(linksOf).map(({ file }) => file);
      for (const file of files) if (file.endsWith(".md")) seen.add(file);
    }
    // Records of decisions have an index of their own, which is one click away.
    const wanted = pages.filter((page) => /^docs\/(?!decisions\/\d)/.test(page));
    expect(wanted.filter((page) => !seen.has(page))).toEqual([]);
  });
});

it("the README has at most 250 lines", () => {
  expect(readDocument("README.md").split("\n").length - 1).toBeLessThanOrEqual(README_LINES_MAX);
});
