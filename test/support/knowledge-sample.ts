// A small knowledge for tests, made by the same code as the real one from a handful of rows: quick, and independent of
// what the real tables say today.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CONTENT_VERSION_LENGTH } from "../../src/codec/knowledge-file.ts";
import { nameKey } from "../../workers/recogniser/text/keys.ts";
import { type Knowledge, openKnowledge } from "../../workers/knowledge/knowledge.ts";
import { AliasFlag, placePrefix, USAGE_SHIFT, WordFlag } from "../../workers/knowledge/sections.ts";
import { joinAsked, lexiconOf, readAllTables } from "../../workers/knowledge/builder/collect.ts";
import type { MerchantDraft } from "../../workers/knowledge/builder/draft.ts";
import { markWeak, mergeMerchants } from "../../workers/knowledge/builder/merge.ts";
import { packKnowledge } from "../../workers/knowledge/builder/pack.ts";
import { cityNames, type PlaceDraft } from "../../workers/knowledge/builder/places.ts";
import { createProblems, type TableFile } from "../../workers/knowledge/builder/rows.ts";
import { readTagger } from "../../workers/knowledge/builder/tagger-file.ts";
import { readWordModel } from "../../workers/knowledge/builder/words-file.ts";
import { buildFuseFilter, type FuseSections } from "../../workers/knowledge/fuse-filter.ts";
import { hashSeed, hashText } from "../../workers/recogniser/text/hash.ts";

const merchants = `
Tesco Card | tesco.com | TESCO CARD | credit card bill | 6012 | GB | tesco.com
Tesco | tesco.com | TESCO; TESCO STORES; TESCO STORE | groceries | 5411 | GB; IE | tescoplc.com
Shell | shell.us | SHELL; SHELL OIL | fuel | 5541 | US | shell.com
Shell | shell.co.uk | SHELL | fuel | 5541 | GB | shell.com
Shell Recharge | shellrecharge.nl | SHELL RECHARGE | fuel | 5552 | NL | shell.com
Seven Eleven | 7-eleven.com | 7 ELEVEN | convenience stores | 5499 | * | -
Wendy's | wendys.com | WENDYS | food and drink | 5814 | US | -
Homewood Suites | hilton.com | HOMEWOOD SUITES; HOMEWOOD SUITES BY HILTON | hotels and lodging | 3665 | * | -
DoorDash | doordash.com | DOORDASH | food and drink | 5812 | US | -
Uber | uber.com | UBER; UBER TRIP | ridesharing and taxis | 4121 | * | -
Uber Eats | ubereats.com | UBER EATS | food and drink | 5812 | * | uber.com
Market Shell Plaza | marketshell.com | MARKET SHELL | fuel | 5541 | US | -
Netflix | netflix.com | NETFLIX; NETFLIX COM | media | 4899 | * | -
County of Austin | austincounty.gov | AUSTIN COUNTY | government | 9399 | US | -
Acme Cloud | acmecloud.com | ACME CLOUD | saas tools | 5734 | * | -
`;

/** A brand as in the packages: not curated. */
const brand = (name: string, website: string, category: string, key: string): MerchantDraft => ({
  name,
  website,
  parentWebsite: null,
  category,
  mccs: [],
  areas: ["US"],
  sites: [],
  aliases: [{ key, flags: AliasFlag.single }],
  hand: false,
});

/** A merchant of the public sets, whose rows are unchecked. */
const unchecked = (name: string, website: string, area: string): MerchantDraft => ({
  ...brand(name, website, "medical bill", ""),
  areas: [area],
  aliases: [
    { key: nameKey(name), flags: AliasFlag.unchecked },
    { key: website, flags: AliasFlag.unchecked | AliasFlag.website },
  ],
});

const brands: readonly MerchantDraft[] = [
  unchecked("Hazelgrove Quillmoor Hospital", "hazelgrovequillmoor.org", "US-TX"),
  brand("Sundial Catalog", "sundialcatalog.com", "clothing", "sundial"),
  brand("Meridian Fuel", "meridianfuel.com", "fuel", "meridian"),
  brand("Meridian Home", "meridianhome.com", "mortgage", "meridian"),
];

const intermediaries = `
Square | squareup.com | SQ * | processor
PayPal | paypal.com | PAYPAL *; PP* | wallet
DoorDash | doordash.com | DOORDASH* | delivery
Uber | uber.com | UBER * | delivery
Fair Booths | fairbooths.com | FBH * | marketplace
Zelle | zellepay.com | ZELLE; ZELLE TO; ZELLE FROM | transfer
`;

const wordings = `
in | DIRECT DEP | paycheck
any | PAYROLL | paycheck | payroll
out | OVERDRAFT FEE | non-sufficient funds / overdraft fee
any | TRANSFER * SAVINGS | intra account transfer
out | ATM WITHDRAWAL | atm/bank withdrawal
any | TRANSFER TO | inter account transfer
out | MORTGAGE | mortgage
`;

const files: readonly TableFile[] = [
  { name: "merchants-sample.txt", text: merchants },
  { name: "parents.txt", text: "Tesco plc | tescoplc.com\nShell plc | shell.com" },
  { name: "intermediaries.txt", text: intermediaries },
  { name: "wording-sample.txt", text: wordings },
  {
    name: "words.txt",
    text: "DENTAL | medical bill\nPIZZA | food and drink\nDELI | groceries\nROASTERS | cafes and coffee shops\nCITY OF | government\nWATER | utilities",
  },
  // Descriptor templates do not depend on merchants: the sample has all of them.
  {
    name: "layouts.txt",
    text: readFileSync(
      join(import.meta.dirname, "../../workers/knowledge/tables/layouts.txt"),
      "utf8",
    ),
  },
  {
    name: "asked-brands.txt",
    text: "Netflix | netflix.com\nAcme Photos | acmephotos.com | Acme Photos",
  },
  { name: "asked-websites.txt", text: "nflx.com | netflix.com" },
  { name: "asked-names.txt", text: "Seven | 7-eleven.com\nAlan | -\nWendys | -" },
  { name: "amounts.txt", text: "fuel | 8 | 110\nclothing | 10 | 250\nmortgage | 500 | 4500" },
  { name: "currency-units.txt", text: "USD | 1\nINR | 25" },
  { name: "abbreviations.txt", text: "DNTL | dental\nSTES | suites" },
  {
    name: "mcc-naics.txt",
    text: "5411 | 445110\n5812 | 722511\n5814 | 722513\n8099 | 621",
  },
  {
    name: "category-codes.txt",
    text: "food and drink | 5812 | -\ncafes and coffee shops | 5814 | 722515\nmedia | - | 51",
  },
  { name: "mcc-categories.txt", text: "5814 | food and drink | meals and entertainment" },
  {
    name: "consumer-to-business.txt",
    text: "saas tools | saas tools\nfuel | fuel\nrefund | refund\nmedia | subscriptions",
  },
];

const place = (
  area: string,
  name: string,
  latitude: number,
  longitude: number,
  population: number,
): PlaceDraft => ({
  key: placePrefix(area) + nameKey(name),
  name,
  admin: area.length > 2 ? area.slice(3) : "ENG",
  latitude,
  longitude,
  population,
});

const places: readonly PlaceDraft[] = [
  place("IT", "Bologna", 44.4938, 11.3387, 366_133),
  place("GB", "London", 51.5085, -0.1257, 7_556_900),
  place("GB", "Rye", 50.95, 0.73, 4_000),
  place("US-CA", "San Francisco", 37.7749, -122.4194, 864_816),
  place("US-NY", "New York", 40.7143, -74.006, 8_804_190),
  place("US-NY", "E New York", 40.6668, -73.8824, 173_198),
  place("US-OR", "Portland", 45.5234, -122.6762, 632_309),
  place("US-TX", "Austin", 30.2672, -97.7431, 931_830),
  place("US-TX", "Missouri City", 29.6186, -95.5377, 74_139),
  place("US-VA", "Fredericksburg", 38.3032, -77.4605, 28_118),
];

const words = new Map([
  ["john", WordFlag.firstName],
  ["smith", WordFlag.lastName],
  ["market", WordFlag.plain],
  ["kayaking", WordFlag.plain | (4 << USAGE_SHIFT)],
  ["kayak", WordFlag.plain],
  ["paddle", 4 << USAGE_SHIFT],
  ["paddock", 4 << USAGE_SHIFT],
  ["shell", WordFlag.plain],
  ["direct", WordFlag.banking],
  ["dep", WordFlag.banking],
  ["transfer", WordFlag.banking],
  ["overdraft", WordFlag.banking],
  ["payroll", WordFlag.banking],
]);

const postcode = {
  code: 73301,
  city: "Austin",
  state: "TX",
  latitude: 30.3264,
  longitude: -97.7713,
};

/** The other fields of a line in tests where only the text matters. */
export const sampleSent = { entryType: "outgoing", amount: 0, accountType: "consumer" } as const;

const TAGGER = join(import.meta.dirname, "../../workers/knowledge/models/tagger.bin");

const filterOf = (texts: readonly string[]): FuseSections =>
  buildFuseFilter(texts.map((text) => hashText(hashSeed, text)));

/** The words with what the tables of the sample contain of more of them, as the builder counts it. */
function wordsWith(tables: ReturnType<typeof readAllTables>): Map<string, number> {
  const flags = new Map(words);
  const add = (word: string, flag: number): void => {
    flags.set(word, (flags.get(word) ?? 0) | flag);
  };
  for (const row of tables.layouts) for (const word of row.words) add(word, WordFlag.template);
  for (const row of tables.wordings)
    for (const word of row.parts.flat()) add(word, WordFlag.banking | WordFlag.template);
  for (const row of tables.words) for (const word of row.parts.flat()) add(word, WordFlag.trade);
  return flags;
}

/** The same as a file. */
export async function sampleKnowledgeBytes(): Promise<Uint8Array> {
  const problems = createProblems();
  const tables = readAllTables(files, problems);
  const joined = mergeMerchants(
    tables.merchants,
    brands,
    [],
    tables.parents,
    tables.intermediaries,
  );
  const { merged, asked } = joinAsked(joined, tables, problems);
  if (problems.list().length > 0) throw new Error(problems.list().join("\n"));
  const sorted = [...places].sort((a, b) => (a.key < b.key ? -1 : 1));
  const known = wordsWith(tables);
  const draft = {
    merchants: merged.merchants.map((merchant) => markWeak(merchant, words)),
    places: sorted,
    postcodes: [postcode],
    words: known,
    // Models are the same whatever is known: the sample has the real ones.
    cities: cityNames(sorted),
    domains: { core: filterOf(["sundialbakery.com"]), older: filterOf([]) },
    tagger: readTagger(TAGGER),
    model: readWordModel(),
    lexicon: await lexiconOf(tables, merged, asked),
  };
  return packKnowledge(draft, "0".repeat(CONTENT_VERSION_LENGTH));
}

export async function sampleKnowledge(): Promise<Knowledge> {
  const bytes = await sampleKnowledgeBytes();
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return openKnowledge(shared);
}
