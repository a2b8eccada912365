import { describe, expect, it } from "vitest";
import { parseWordTable, sectionByPhrase, sectionOf } from "./word-table.ts";

const TABLE = parseWordTable(
  "# comment\n\n[fee]\nfee | bank fee\nfrais\n\n[a | b]\n#food |\n=gas\n",
);

describe("a word table", () => {
  it("has sections with phrases in the order of the file", () => {
    expect([...TABLE]).toEqual([
      ["fee", ["fee", "bank fee", "frais"]],
      ["a | b", ["#food", "=gas"]],
    ]);
    expect(sectionOf(TABLE, "fee")).toHaveLength(3);
    expect(sectionByPhrase(TABLE).get("frais")).toBe("fee");
  });

  it("reports the line of a phrase without a section and of a repeated section", () => {
    expect(() => parseWordTable("# comment\nfee")).toThrow("line 2: a phrase stands before");
    expect(() => parseWordTable("[fee]\nfee\n[fee]")).toThrow("line 3: section [fee] exists");
    expect(() => sectionOf(TABLE, "fees")).toThrow("section [fees] is missing");
  });
});
