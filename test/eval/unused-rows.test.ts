import { expect, it } from "vitest";
import { ownCases } from "./baseline.ts";
import { readKnowledge } from "./knowledge.ts";
import { unusedRows, usedNames } from "./unused-rows.ts";

it("rows are used when their merchant is a candidate for a line, or stands in between", () => {
  const line = "SQ *BLUE BOTTLE COFFEE OAKLAND CA";
  const cases = ownCases("development").filter(({ item }) => item.description.startsWith("SQ *"));
  const [first] = cases;
  if (first === undefined) throw new Error("No line of ours goes through Square");
  const item = { ...first.item, description: line };
  const used = usedNames([{ ...first, item }], readKnowledge());
  expect(used).toContain("Blue Bottle Coffee");
  expect(used).toContain("Square");
  const tables = [
    {
      name: "merchants-test.txt",
      text: "# a comment\nBlue Bottle Coffee | bluebottlecoffee.com\nNetflix | netflix.com\n",
    },
    { name: "words.txt", text: "never | looked | at" },
  ];
  const found = unusedRows(tables, used);
  expect([...found.keys()]).toEqual(["merchants-test.txt"]);
  expect(found.get("merchants-test.txt")).toMatchObject({
    rows: 2,
    unused: [{ line: 3, fields: ["Netflix", "netflix.com"] }],
  });
});
