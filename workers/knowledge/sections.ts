// What the sections of the knowledge file hold (the frame is in src/codec/knowledge-file.ts). Written by builder/,
// read by knowledge.ts. "String id" is an index into the string pool; id 0 is the empty string and means "none".
//
//   strings.bytes      u8   UTF-8 of all display strings, one after the other
//   strings.starts     u32  n + 1 offsets into strings.bytes
//   alias.*                 key table (key-table.ts): joined folded tokens of every alias, and every website
//   alias.near         u32  which aliases are one typo from a text, see near-table.ts
//   alias.first        u32  n + 1 offsets into alias.merchants: the merchants with the alias, best first
//   alias.merchants    u32  merchant index
//   alias.flags        u8   parallel to alias.merchants: AliasFlag bits
//   merchant.name      u32  string id
//   merchant.website   u32  string id of the registrable domain
//   merchant.parent    u32  merchant index + 1, 0 = none
//   merchant.category  u16  index into Lexicon.categories + 1, 0 = unknown
//   merchant.mccFirst  u32  n + 1 offsets into merchant.mccs (u16, ISO 18245)
//   merchant.areaFirst u32  n + 1 offsets into merchant.areas; no area = everywhere
//   merchant.areas     u32  packed area, see packArea
//   merchant.siteFirst u32  n + 1 offsets into merchant.sites: pairs of packed area and string id, websites by country
//   place.*                 key table: packed region (2 units) then the folded joined name
//   place.name         u32  string id
//   place.latitude     f32  degrees
//   place.longitude    f32  degrees
//   place.population   u32  inhabitants, 0 = unknown
//   place.admin        u32  string id of the first-level subdivision (`VA`, `ENG`)
//   zip.codes          u32  sorted: US five digits as a number, Canadian forward sortation areas from packPostcode
//   zip.places         u32  string id of the city, parallel to zip.codes
//   zip.states         u32  string id of the state
//   zip.latitude/longitude f32
//   word.*                  key table of single folded words
//   word.flags         u16  WordFlag bits, and among them how usual the word is in names, see USAGE_SHIFT
//   city.name.*             filter (fuse-filter.ts): joined folded names of cities
//   city.start.*            the same: their beginnings, of names that a field cut off
//   domain.core.*           the same: registered domains, of late
//   domain.older.*          the same: others, of before
//   tagger.weights     i32  the tagger (recogniser/parse/tagger.ts): a row for each feature, four weights of labels in a number
//   tagger.transitions f32  from label to label, and last from the start of the line
//   tagger.scale       f32  one number: what a weight of 1 is worth
//   model.weights      i32  category model: a row for each bucket of text/features.ts, four weights of categories of the lexicon in a number
//   model.scale        f32  one number: what a weight of 1 is worth
//   lexicon            JSON the small tables, see Lexicon

import type { CategoriserModel } from "../recogniser/category/categoriser.ts";
import type { WebsitePrecision } from "../recogniser/website/precision.ts";
import type { RankerModel } from "../recogniser/rank/ranker.ts";

export const AliasFlag = {
  /** From a hand-written table: checked by a person. */
  hand: 1,
  /** One token when written normally. */
  single: 2,
  /** Also an ordinary word, a place or a person's name: needs more evidence than the name itself. */
  weak: 4,
  /** A registrable domain. */
  website: 8,
  /** From a public set whose rows are unchecked: a short beginning of the name may be anything. */
  unchecked: 16,
} as const;

/** A shorter beginning of a city's name is not evidence. */
export const CITY_START_LENGTH_MIN = 5;

export const WordFlag = {
  firstName: 1,
  lastName: 2,
  /** Ordinary word of commerce: does not identify a merchant. */
  plain: 4,
  /** Name of a populated place. */
  place: 8,
  /** Word of the transaction-type patterns: banks write it, merchants seldom do. */
  banking: 16,
  /** Word that tells a trade: DENTAL, PIZZA. */
  trade: 1 << 8,
  /** First word of what an intermediary prints in front of a name. */
  prefix: 1 << 9,
  /** Word of a descriptor template or of the transaction-type patterns. */
  template: 1 << 10,
  legalForm: 1 << 11,
  /** AVE, ROAD: ends a street. */
  street: 1 << 12,
  /** COM, UK: ends a web address. */
  domainEnding: 1 << 13,
  /** Code of a state or country. */
  region: 1 << 14,
} as const;

/** Between the flags of a word stands how many names hold it: 0 = hardly any, then each number for twice as many. */
export const USAGE_SHIFT = 5;
export const USAGE_MAX = 7;

/**
 * `through`: the merchant behind it is the counterparty (processors, wallets, payroll services).
 * `record`: this is the counterparty unless the merchant behind it is recognised (delivery, marketplaces, instalments).
 * `person`: a transfer service; the counterparty is usually a private person.
 */
export type IntermediaryRule = "through" | "record" | "person";

export interface IntermediaryRow {
  readonly merchant: number;
  /** Folded tokens of one prefix. */
  readonly prefix: readonly string[];
  /** A star, or a gap that a dropped star left, must follow. */
  readonly star: boolean;
  readonly rule: IntermediaryRule;
  /** Category of the merchant behind it, an index into Lexicon.categories; -1 = any trade. */
  readonly category: number;
}

/** One pattern of words. `parts` are runs of adjacent words; anything may stand between two runs. */
export interface PatternRow {
  /** 0 = money arrives, 1 = money leaves, 2 = both. */
  readonly direction: number;
  readonly parts: readonly (readonly string[])[];
  /** Index into Lexicon.categories. */
  readonly category: number;
  /** Index into Lexicon.businessCategories, -1 = by consumerToBusiness. */
  readonly business: number;
}

/** Words that banks put around a name. */
export interface LayoutRow {
  /** In front of a name, behind it, or at the end of the line. */
  readonly place: "before" | "after" | "end";
  readonly words: readonly string[];
  /** ISO 3166-1 alpha-2; none = everywhere. */
  readonly countries: readonly string[];
}

/** From a merchant category code to another, both included: the NAICS 2017 code of the trade. The first row of a code wins. */
export type MccNaicsRow = readonly [from: number, to: number, naics: string];

/** Codes of a merchant of the category; 0 and "" = none. */
export interface CategoryCodes {
  /** Merchant category code of an unknown merchant. */
  readonly mcc: number;
  /** NAICS 2017 code. */
  readonly naics: string;
}

/** Instead of a merchant index: no merchant is meant. */
export const NO_MERCHANT = -1;

/** Merchants of queries with nothing but a name or a website. `names`: folded joined name → merchant, or NO_MERCHANT. */
export interface AskedNames {
  readonly names: Readonly<Record<string, number>>;
  /** Those that are also found with a typo. */
  readonly brands: Readonly<Record<string, number>>;
  /** Website → the main one of the same company. */
  readonly websites: Readonly<Record<string, string>>;
}

/** The tables that are small enough to be parsed by every thread at its start (tens of kB). */
export interface Lexicon {
  readonly categories: readonly string[];
  readonly businessCategories: readonly string[];
  /** Consumer category index → business category index, -1 = none. */
  readonly toBusiness: readonly number[];
  readonly intermediaries: readonly IntermediaryRow[];
  readonly wordings: readonly PatternRow[];
  readonly words: readonly PatternRow[];
  /** mcc, consumer category index, business category index (-1 = none), one after the other. */
  readonly mccCategories: readonly number[];
  readonly mccNaics: readonly MccNaicsRow[];
  /** Parallel to `categories`. */
  readonly categoryCodes: readonly CategoryCodes[];
  /** Parallel to `categories`: mean and standard deviation of the natural logarithms of payments in US dollars, 0 = unknown. */
  readonly amountMeans: readonly number[];
  readonly amountDeviations: readonly number[];
  /** ISO 4217 → how many units buy what a US dollar buys. */
  readonly currencyUnits: Readonly<Record<string, number>>;
  /** Public suffixes seen in the knowledge: `com`, `co.uk`. */
  readonly suffixes: readonly string[];
  readonly abbreviations: Readonly<Record<string, string>>;
  readonly ranker: RankerModel;
  readonly websites: WebsitePrecision;
  readonly categoriser: CategoriserModel;
  readonly asked: AskedNames;
  /** ISO 4217 → ISO 3166-1 alpha-2 of the countries that use it. */
  readonly currencyCountries: Readonly<Record<string, readonly string[]>>;
  /** ISO 3166-1 alpha-2 → English name. */
  readonly countryNames: Readonly<Record<string, string>>;
}

/** Country (`GB`) or state (`US-VA`, letters only) as a number that sorts and compares quickly. */
export function packArea(area: string): number {
  let packed = 0;
  for (let i = 0; i < 5; i++) {
    const at = i < 2 ? i : i + 1;
    packed = packed * 27 + (at < area.length ? area.charCodeAt(at) & 0x1f : 0);
  }
  return packed;
}

/** The country part of a packed area, comparable with a packed country. */
export const countryOfArea = (packed: number): number => packed - (packed % 19683);

export const PLACE_PREFIX_LENGTH = 2;

/** Region prefix of a place key: two code units that cannot be confused with folded letters. */
export function placePrefix(area: string): string {
  const packed = packArea(area);
  return String.fromCharCode(0x4000 + (packed >>> 13), 0x4000 + (packed & 0x1fff));
}

/** Canadian forward sortation area (`M5V`) as a number above every US ZIP. */
export const packPostcode = (area: string): number => 100_000 + Number.parseInt(area, 36);
