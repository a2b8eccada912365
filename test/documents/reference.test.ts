// The reference has everything that the code has, and nothing else.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SETTING_NAMES } from "../../src/config/names.ts";
import { readDocument } from "../support/documents.ts";
import { settingsSource } from "../support/settings-source.ts";
import { GENERATED, readGenerated } from "./tables.ts";

const SRC = new URL("../../src/", import.meta.url);

it.each(GENERATED)("$page has the table $name as `npm run docs` writes it", async (part) => {
  expect(readGenerated(readDocument(part.page), part.name)).toBe(await part.make());
});

describe("the table of settings", () => {
  const rows = [
    ...readDocument("docs/operate/configuration.md").matchAll(/^\| `([A-Z0-9_]+)` \|(.*?)\|/gm),
  ].map(([, name = "", initial = ""]): [string, string] => [name, initial.trim()]);

  it("names every setting and no other", () => {
    const read = [...settingsSource.matchAll(/(?:value|optional)\("([A-Z0-9_]+)"/g)];
    const names = rows.map(([name]) => name).toSorted();
    expect(names).toEqual([...new Set(read.map(([, name = ""]) => name))].toSorted());
    expect(names).toEqual(SETTING_NAMES.toSorted());
  });

  it("has the default that the code has", () => {
    const inCode = [...settingsSource.matchAll(/value\(\s*"([A-Z0-9_]+)"\s*\) \?\? "([^"]+)"/g)];
    expect(inCode.length).toBeGreaterThan(15);
    const documented = new Map(rows);
    for (const [, name = "", initial = ""] of inCode)
      expect([name, documented.get(name)?.split("; ")[0]]).toEqual([name, `\`${initial}\``]);
  });
});

describe("the table of log events", () => {
  const source = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|(?:^|\/)test-|^cli\//.test(name))
    .concat("cli/serve.ts")
    .map((name) => readFileSync(new URL(name, SRC), "utf8"))
    .join("\n");
  const documented = [
    ...readDocument("docs/reference/log-events.md").matchAll(/^\| `([a-z_. ]+)` \| (\w+)/gm),
  ].map(([, name = ""]) => name);

  it("has every event that is logged by a literal name", () => {
    const logged = [
      ...source.matchAll(
        /logger(?:\.(?:debug|info|warn|error)|\[[^\]]*\])\(\s*\{(?:[^{}]|\{[^{}]*\})*\},\s*"([^"]+)",?\s*\)/g,
      ),
      ...source.matchAll(/[rR]eport\(\s*"(?:debug|info|warn|error)",\s*"([^"]+)"/g),
    ].map(([, name = ""]) => name);
    expect(logged.length).toBeGreaterThan(30);
    expect([...new Set(logged)].filter((name) => !documented.includes(name))).toEqual([]);
  });

  it("has no event that is not in the code", () => {
    expect(documented.length).toBeGreaterThan(30);
    expect(documented.filter((name) => !source.includes(`"${name}"`))).toEqual([]);
  });
});
