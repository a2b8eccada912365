import { expect, test } from "vitest";
import { join } from "node:path";
import { aliasesOf } from "./draft.ts";
import { readTables } from "./inputs.ts";
import { mergeMerchants } from "./merge.ts";
import { readIntermediaries, readMerchants } from "./merchant-tables.ts";
import { subBrand } from "./name-suggestions.ts";
import { createProblems, rowWithoutSource } from "./rows.ts";
import { readMccCategories, readWordings } from "./small-tables.ts";
import { chooseWebsites } from "./websites.ts";

const faultsOf = (text: string): readonly string[] => {
  const problems = createProblems();
  readMerchants([{ name: "merchants-x.txt", text }], new Set(["best"]), problems);
  return problems.list();
};

test("a fault names the file, the line and what is wrong", () => {
  expect(faultsOf("# comment\n\nAcme | acme.com | ACME | groceries | 5411 | US | -")).toEqual([]);
  expect(faultsOf("Acme | acme.com | ACME")).toEqual([
    "merchants-x.txt:1: A row has 7 fields, this one has 3.",
  ]);
  expect(faultsOf("# c\nAcme | acme | ACME | groceries | 5411 | US | -")[0]).toContain(
    'merchants-x.txt:2: "acme" is not a registrable domain',
  );
  expect(faultsOf("Acme | - | ACME | grocery | 5411 | US | -")[0]).toContain(
    'Unknown consumer category "grocery"',
  );
  expect(faultsOf("Acme | - | BEST | groceries | 5411 | US | -")[0]).toContain("is a plain word");
});

test("every row of every table stands below the source that it is from", () => {
  const tables = readTables(join(import.meta.dirname, "../tables"));
  expect(tables.length).toBeGreaterThan(50);
  expect(tables.filter((table) => rowWithoutSource(table) > 0).map(({ name }) => name)).toEqual([]);
  const rows = "Acme | acme.com\n# From: too late.\nBest | best.com";
  expect(rowWithoutSource({ name: "x.txt", text: `# Shops.\n\n${rows}` })).toBe(3);
});

test("two merchants may share an alias only where a country decides", () => {
  const row = (name: string, countries: string): string =>
    `${name} | - | ACME | groceries | 5411 | ${countries} | -`;
  expect(faultsOf(`${row("A", "US")}\n${row("B", "GB")}`)).toEqual([]);
  expect(faultsOf(`${row("A", "US")}\n${row("B", "*")}`)).toEqual([]);
  expect(faultsOf(`${row("A", "US; CA")}\n${row("B", "CA")}`)[0]).toContain(
    'Shares the alias "acme" with A (merchants-x.txt:1)',
  );
});

test("what stands behind the comma of a county tells its rows apart and is not shown", () => {
  const [county, other] = readMerchants(
    [
      {
        name: "merchants-x.txt",
        text: "Lake County, Ohio | - | LAKE CO OH | taxes | 9311 | US | -\nSmith, Jones | - | SJ LAW | taxes | 9311 | US | -",
      },
    ],
    new Set(),
    createProblems(),
  );
  expect(county?.name).toBe("Lake County");
  expect(county?.aliases.map(({ key }) => key)).toContain("lakecountyohio");
  expect(other?.name).toBe("Smith, Jones");
});

test("names are filed under every spelling a statement may carry", () => {
  const keys = (name: string): string[] =>
    aliasesOf(name, 0)
      .map((alias) => alias.key)
      .sort();
  expect(keys("The Coffee & Tea House")).toEqual([
    "coffeeteahouse",
    "thecoffeeandteahouse",
    "thecoffeeteahouse",
  ]);
  expect(keys("Marks and Co")).toEqual(["marksandco", "marksco"]);
  expect(keys("1234")).toEqual([]);
});

test("the website is the one that contains the name, by country", () => {
  const urls = [
    "https://facebook.com/acme",
    "https://www.holding.com",
    "https://acme.co.uk/",
    "https://www.acme.com/us",
  ];
  expect(chooseWebsites("acme", urls, [])).toEqual({
    website: "acme.com",
    sites: [["GB", "acme.co.uk"]],
  });
  expect(chooseWebsites("acme", urls, ["GB"]).website).toBe("acme.co.uk");
});

test("small tables refuse what they do not know", () => {
  const problems = createProblems();
  readWordings(
    [{ name: "wording-x.txt", text: "sideways | FEE | bank fee\nout | * | bank fee" }],
    problems,
  );
  readMccCategories({ name: "mcc.txt", text: "grocers | groceries | goods" }, problems);
  readIntermediaries({ name: "i.txt", text: "Acme | acme.com | AC * | magic" }, problems);
  expect(problems.list()).toHaveLength(4);
});

test("an alias that a person gave to one merchant is not taken by a brand that another absorbs", () => {
  const text = [
    "Acme | acme.com | ACME | groceries | 5411 | US | -",
    "The Acme Store | acmestore.com | ACME STORE | groceries | 5411 | US | acme.com",
  ].join("\n");
  const hand = readMerchants([{ name: "merchants-x.txt", text }], new Set(), createProblems());
  const brand = {
    name: "The Acme Store",
    website: "acmestore.com",
    parentWebsite: null,
    category: null,
    mccs: [],
    areas: ["US"],
    sites: [],
    aliases: [...aliasesOf("Acme", 0), ...aliasesOf("Acme Shop", 0)],
    hand: false,
  };
  const { merchants } = mergeMerchants(hand, [brand], [], new Map(), []);
  const owners = (key: string): string[] =>
    merchants
      .filter((draft) => draft.aliases.some((alias) => alias.key === key))
      .map((draft) => draft.name);
  expect(owners("acme")).toEqual(["Acme"]);
  expect(owners("acmeshop")).toEqual(["The Acme Store"]);
});

test("a pharmacy, fuel station or optician of a bigger brand is a merchant of its own", () => {
  const item = (name: string) => ({
    displayName: name,
    locationSet: {},
    tags: { brand: "Acme", name },
  });
  expect(subBrand(item("Acme Pharmacy"), "amenity/pharmacy")).toBe("Acme Pharmacy");
  expect(subBrand(item("Acme"), "amenity/pharmacy")).toBeNull();
  expect(subBrand(item("Acme Extra"), "shop/supermarket")).toBeNull();
});
