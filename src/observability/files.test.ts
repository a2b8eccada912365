import fs, { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { placeFile } from "./files.ts";

function refuse(name: "linkSync" | "renameSync", code: string): void {
  const original = fs[name];
  fs[name] = () => {
    throw Object.assign(new Error(`${code}: not permitted`), { code });
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { [name]: original });
    syncBuiltinESMExports();
  });
}

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-files-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const [temporary, path] = [join(folder, "whole.partial"), join(folder, "whole")];
  writeFileSync(temporary, "new");
  return { temporary, path };
}

describe.each([
  ["with hard links", false],
  ["without hard links", true],
])("placeFile on a file system %s", (_, isWithout) => {
  it("gives a whole file its name", () => {
    const { temporary, path } = setUp();
    if (isWithout) refuse("linkSync", "EPERM");
    expect(placeFile(temporary, path)).toBe(true);
    expect(readFileSync(path, "utf8")).toBe("new");
  });

  it("never replaces a file", () => {
    const { temporary, path } = setUp();
    writeFileSync(path, "other");
    if (isWithout) refuse("linkSync", "EPERM");
    expect(placeFile(temporary, path)).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("other");
  });
});

it("placeFile leaves nothing under the name when the file cannot be moved", () => {
  const { temporary, path } = setUp();
  refuse("linkSync", "EPERM");
  refuse("renameSync", "EIO");
  expect(() => placeFile(temporary, path)).toThrow("EIO");
  expect(existsSync(path)).toBe(false);
});
