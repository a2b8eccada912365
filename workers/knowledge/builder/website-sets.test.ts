import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { idOf } from "../../recogniser/entities.ts";
import { AliasFlag, WordFlag } from "../sections.ts";
import { aliasesOf, type MerchantDraft, websiteAlias } from "./draft.ts";
import { readTables } from "./inputs.ts";
import { createProblems } from "./rows.ts";
import {
  isAmbiguousName,
  joinWebsiteSets,
  readWebsiteSets,
  WEBSITE_SETS_FOLDER,
  type WebsiteSetRow,
} from "./website-sets.ts";

const words = {
  words: new Map<string, number>([
    ["sparkle", WordFlag.plain],
    ["draft", WordFlag.banking],
    ["cedar", WordFlag.plain],
    ["ridge", WordFlag.place],
    ["bank", WordFlag.plain | WordFlag.trade],
    ["john", WordFlag.firstName],
    ["lewis", WordFlag.lastName],
  ]),
  cities: new Set(["losangeles", "worcester"]),
};

const row = (name: string, website: string, areas: readonly string[] = ["US"]): WebsiteSetRow => ({
  name,
  website,
  category: "inter account transfer",
  mccs: [6012],
  areas,
});

const merchant = (
  name: string,
  website: string | null,
  areas: readonly string[] = ["US"],
): MerchantDraft => ({
  name,
  website,
  parentWebsite: null,
  category: "groceries",
  mccs: [],
  areas,
  sites: [],
  aliases: [
    ...aliasesOf(name, AliasFlag.hand),
    ...(website === null ? [] : [websiteAlias(website, 0)]),
  ],
  hand: true,
});

const joined = (merchants: readonly MerchantDraft[], ...rows: readonly WebsiteSetRow[]) => {
  const { merchants: all, leftOut } = joinWebsiteSets(merchants, rows, words);
  return { old: all.slice(0, merchants.length), added: all.slice(merchants.length), leftOut };
};

test("a new name becomes a merchant of the weakest class with category and area", () => {
  const { added } = joined([], row("Petefish Bank", "petefish.com", ["US-IL"]));
  expect(added).toMatchObject([
    {
      name: "Petefish Bank",
      website: "petefish.com",
      category: "inter account transfer",
      mccs: [6012],
      areas: ["US-IL"],
      hand: false,
    },
  ]);
  expect(added[0]?.aliases).toEqual([
    { key: "petefishbank", flags: AliasFlag.unchecked },
    { key: "petefish.com", flags: AliasFlag.unchecked | AliasFlag.website },
  ]);
});

test("no merchant and no entity id changes, not even of one without a website", () => {
  const known = [merchant("Acme Bank", null), merchant("Zeta Bank", "zeta.com")];
  const { old, added, leftOut } = joined(
    known,
    row("ACME Bank", "acmebank.com"),
    row("Zeta Bank", "zetabank.com"),
  );
  expect(old).toEqual(known);
  expect(added).toEqual([]);
  expect(leftOut.get("website rows of a known name")).toBe(2);
  const ids = (all: readonly MerchantDraft[]) =>
    all.map(({ name, website }) => idOf(name, website));
  expect(ids(old)).toEqual(ids(known));
});

test("a namesake in another country is a merchant of its own", () => {
  const known = [merchant("Zeta Bank", "zeta.co.uk", ["GB"])];
  expect(joined(known, row("Zeta Bank", "zeta.com")).added).toHaveLength(1);
  const { added, leftOut } = joined(known, row("Zeta Bank", "zeta.com", []));
  expect(added).toEqual([]);
  expect(leftOut.get("website rows of a known name")).toBe(1);
});

test("a website leads to the merchant that had it first", () => {
  const known = [merchant("Zeta Bank", "zeta.com")];
  const { added, leftOut } = joined(
    known,
    row("Zeta Savings Bank", "zeta.com"),
    row("Omega Bank", "omega.com"),
    row("Omega National Bank", "omega.com"),
  );
  expect(added.map(({ name }) => name)).toEqual(["Omega Bank"]);
  expect(leftOut.get("website rows of a known website")).toBe(2);
});

test("a name with several websites in one country has none", () => {
  const { added, leftOut } = joined(
    [],
    row("First Zeta Bank", "firstzeta.com"),
    row("First Zeta Bank", "fzb.com", ["US-TX"]),
    row("First Zeta Bank", "firstzeta.co.uk", ["GB"]),
  );
  expect(added.map(({ website }) => website)).toEqual(["firstzeta.co.uk"]);
  expect(leftOut.get("website rows that contradict")).toBe(2);
});

test.each([
  ["Zet", "zet.com"],
  ["Sparkle", "sparkle.com"],
  ["Draft", "draft.com"],
  ["Los Angeles", "losangeles.com"],
  ["Worcester", "worcester.com"],
  ["John Lewis", "johnlewis.com"],
  ["Cedar Ridge", "cedarridge.com"],
  ["Zetahub", "zetahub.town"],
  ["4711", "4711.com"],
])("%s of %s is ambiguous", (name, website) => {
  expect(isAmbiguousName({ name, website, areas: ["US"] }, words)).toBe(true);
});

test.each([
  ["Zetahub", "zetahub.com", ["US"]],
  ["Zetahub", "zetahub.de", ["DE"]],
  ["Cedar Ridge Bank", "crb.com", ["US"]],
  ["Bank of Worcester", "bow.com", ["US"]],
  ["Lewis Zeta", "zeta.town", []],
])("%s of %s is not ambiguous", (name, website, areas) => {
  expect(isAmbiguousName({ name, website, areas }, words)).toBe(false);
});

test("a brewery is found by each of its usual endings", () => {
  const [brewery] = joined([], row("Two Zetas Brewing Co.", "twozetas.com")).added;
  expect(brewery?.aliases.map(({ key }) => key).sort()).toEqual([
    "twozetas.com",
    "twozetasbrewery",
    "twozetasbrewing",
    "twozetasbrewingco",
    "twozetasbrewingcompany",
  ]);
});

test("a fault in a table names the file, the line and what is wrong", () => {
  const faultsOf = (text: string): readonly string[] => {
    const problems = createProblems();
    readWebsiteSets([{ name: "websites/x.tsv", text }], problems);
    return problems.list();
  };
  expect(faultsOf("# c\nZeta\tzeta.com\nEta\teta.com\tgroceries\t5411\tGB;US-TX\n")).toEqual([]);
  expect(faultsOf("# c\nZeta\tzeta")).toEqual([
    'websites/x.tsv:2: "zeta" is not a registrable domain.',
  ]);
  expect(faultsOf("Zeta\tzeta.com\tgrocery")[0]).toContain('Unknown consumer category "grocery"');
  expect(faultsOf("Zeta\tzeta.com\t\tx")[0]).toContain('"x" is not a merchant category code');
  expect(faultsOf("Zeta\tzeta.com\t\t\tusa")[0]).toContain('"usa" is not a list of country codes');
  expect(faultsOf("Zeta\tzeta.com\t\t\tUS\tmore")[0]).toContain("A row has name, website");
});

test("NOTICE has every table with its source and the hash of its input", () => {
  const notice = readFileSync(join(import.meta.dirname, "../../../NOTICE"), "utf8");
  const tables = readTables(join(import.meta.dirname, "../tables")).filter(({ name }) =>
    name.startsWith(WEBSITE_SETS_FOLDER),
  );
  expect(tables.length).toBeGreaterThan(0);
  for (const { name, text } of tables) {
    const sum = /^# \S+ sha256 (?<sum>[0-9a-f]{64})$/mu.exec(text)?.groups?.["sum"] ?? "missing";
    expect(notice, name).toContain(name.slice(WEBSITE_SETS_FOLDER.length));
    expect(notice, name).toContain(`sha256 ${sum}`);
  }
});
