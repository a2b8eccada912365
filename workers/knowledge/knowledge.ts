// Opens the knowledge file in place: typed-array views over the shared bytes, no copy, and one small JSON text parsed.
// Everything behind `Knowledge` is read-only; the only thing that changes is the bounded cache of decoded strings.
import { consumerCategories } from "../../src/model/categories.ts";
import { readKnowledgeHeader } from "../../src/codec/knowledge-file.ts";
import { type WordMap, wordMap, type WordSet, wordSet } from "../recogniser/text/word-map.ts";
import { type Amounts, indexAmounts } from "./amounts.ts";
import { type FuseFilter, openFuseFilter } from "./fuse-filter.ts";
import { type KeyTable, openKeyTable } from "./key-table.ts";
import type { NearTable } from "./near-table.ts";
import { indexPatterns, type PatternIndex } from "./patterns.ts";
import {
  type IntermediaryRow,
  type IntermediaryRule,
  type Lexicon,
  type MccNaicsRow,
  USAGE_MAX,
  USAGE_SHIFT,
} from "./sections.ts";
import { openStringPool, type StringPool } from "./string-pool.ts";

export interface Merchants {
  readonly name: Uint32Array;
  readonly website: Uint32Array;
  readonly parent: Uint32Array;
  readonly category: Uint16Array;
  readonly mccFirst: Uint32Array;
  readonly mccs: Uint16Array;
  readonly areaFirst: Uint32Array;
  readonly areas: Uint32Array;
  readonly siteFirst: Uint32Array;
  readonly sites: Uint32Array;
}

export interface Aliases {
  readonly keys: KeyTable;
  /** For `findNear`. */
  readonly near: NearTable;
  readonly first: Uint32Array;
  readonly merchants: Uint32Array;
  readonly flags: Uint8Array;
}

export interface Places {
  readonly keys: KeyTable;
  readonly name: Uint32Array;
  readonly latitude: Float32Array;
  readonly longitude: Float32Array;
  readonly population: Uint32Array;
  readonly admin: Uint32Array;
}

export interface Postcodes {
  readonly codes: Uint32Array;
  readonly places: Uint32Array;
  readonly states: Uint32Array;
  readonly latitude: Float32Array;
  readonly longitude: Float32Array;
}

/** Names of cities of the whole world, by `hashText` of the folded name without spaces. */
export interface Cities {
  readonly names: FuseFilter;
  /** Beginnings of names. */
  readonly starts: FuseFilter;
}

/** Registered domains, by `hashText`; see recogniser/website/website-of-name.ts. */
export interface Domains {
  readonly core: FuseFilter;
  readonly older: FuseFilter;
}

/** See recogniser/parse/tagger.ts. */
export interface TaggerModel {
  /** Row of a feature after row of a feature, weights of four labels in each number, see packed-weights.ts. */
  readonly weights: Int32Array;
  readonly scale: number;
  /** Row of a label after row of a label, a weight for each next one; last a row for the first label of a line. */
  readonly transitions: Float32Array;
}

export interface CategoryModel {
  /** Row of a bucket after row of a bucket, weights of four categories of the lexicon in each number, see packed-weights.ts. */
  readonly weights: Int32Array;
  readonly scale: number;
}

export interface Knowledge {
  readonly contentVersion: string;
  readonly text: StringPool;
  readonly merchants: Merchants;
  readonly aliases: Aliases;
  readonly places: Places;
  readonly postcodes: Postcodes;
  readonly words: KeyTable;
  readonly wordFlags: Uint16Array;
  readonly cities: Cities;
  readonly domains: Domains;
  readonly tagger: TaggerModel;
  readonly model: CategoryModel;
  readonly lexicon: Lexicon;
  /** So many of the lexicon's categories, the first, may be of money that leaves; those behind them are of none. */
  readonly outgoingCategories: number;
  /** First token of a prefix → intermediaries, longest prefix first. */
  readonly intermediaries: WordMap<readonly IntermediaryRow[]>;
  /** Owners of the prefixes of intermediaries, and their rule. */
  readonly between: ReadonlyMap<number, IntermediaryRule>;
  readonly amounts: Amounts;
  readonly wordings: PatternIndex;
  readonly nameWords: PatternIndex;
  /** Numbers that are words of patterns or of prefixes of intermediaries. */
  readonly numberWords: WordSet;
  readonly suffixes: ReadonlySet<string>;
  readonly abbreviations: WordMap<string>;
  /** See AskedNames: all of them, and those that may have a typo. */
  readonly askedNames: ReadonlyMap<string, number>;
  readonly askedBrands: ReadonlyMap<string, number>;
  readonly askedWebsites: ReadonlyMap<string, string>;
  /** mcc → [consumer, business] category index. */
  readonly mccCategories: ReadonlyMap<number, readonly [number, number]>;
  /** mcc → NAICS 2017 code. */
  readonly mccNaics: ReadonlyMap<number, string>;
}

const FLAGS_BELOW_USAGE = (1 << USAGE_SHIFT) - 1;

/** Everything known of a folded word: WordFlag bits, and among them how usual it is; 0 when the word is unknown. */
export function allFlagsOf(knowledge: Knowledge, word: string): number {
  const index = knowledge.words.find(word);
  return index < 0 ? 0 : (knowledge.wordFlags[index] ?? 0);
}

/** The same for a token. */
export function allFlagsOfToken(
  { words, wordFlags }: Knowledge,
  { hash, text }: { readonly hash: number; readonly text: string },
): number {
  const index = words.findHashed(hash, text);
  return index < 0 ? 0 : (wordFlags[index] ?? 0);
}

/** The first flags of a folded word, those below its usage; 0 when there is none. */
export const flagsOfWord = (knowledge: Knowledge, word: string): number =>
  allFlagsOf(knowledge, word) & FLAGS_BELOW_USAGE;

/** The same for a token. */
export const flagsOfToken = (
  knowledge: Knowledge,
  token: { readonly hash: number; readonly text: string },
): number => allFlagsOfToken(knowledge, token) & FLAGS_BELOW_USAGE;

/** How usual a word is in names, 0..USAGE_MAX, by its flags. */
export const usageOf = (flags: number): number => (flags >>> USAGE_SHIFT) & USAGE_MAX;

/** How usual a word is in names, 0..USAGE_MAX; `index` is its place in `knowledge.words`. */
export const usageOfWord = (knowledge: Knowledge, index: number): number =>
  usageOf(knowledge.wordFlags[index] ?? 0);

const outgoingNames: ReadonlySet<string> = new Set(consumerCategories.outgoing);

interface KnowledgeSections {
  readonly u8: (name: string) => Uint8Array;
  readonly u16: (name: string) => Uint16Array;
  readonly u32: (name: string) => Uint32Array;
  readonly i32: (name: string) => Int32Array;
  readonly f32: (name: string) => Float32Array;
}

function sectionsOf(
  shared: SharedArrayBuffer | ArrayBuffer,
): KnowledgeSections & { contentVersion: string } {
  const result = readKnowledgeHeader(new Uint8Array(shared));
  if (!result.ok) throw new Error(`The knowledge file ${result.problem}.`);
  const byName = new Map(result.header.sections.map((section) => [section.name, section]));
  const place = (name: string) => {
    const section = byName.get(name);
    if (section === undefined) throw new Error(`The knowledge file has no section ${name}.`);
    return section;
  };
  return {
    contentVersion: result.header.contentVersion,
    u8: (name) => new Uint8Array(shared, place(name).offset, place(name).length),
    u16: (name) => new Uint16Array(shared, place(name).offset, place(name).length / 2),
    u32: (name) => new Uint32Array(shared, place(name).offset, place(name).length / 4),
    i32: (name) => new Int32Array(shared, place(name).offset, place(name).length / 4),
    f32: (name) => new Float32Array(shared, place(name).offset, place(name).length / 4),
  };
}

const tableOf = (s: KnowledgeSections, name: string): KeyTable =>
  openKeyTable({
    units: s.u16(`${name}.units`),
    starts: s.u32(`${name}.starts`),
    slots: s.u32(`${name}.slots`),
    bits: s.u32(`${name}.bits`),
    heads: s.u32(`${name}.heads`),
  });

function merchantsOf(s: KnowledgeSections): Merchants {
  return {
    name: s.u32("merchant.name"),
    website: s.u32("merchant.website"),
    parent: s.u32("merchant.parent"),
    category: s.u16("merchant.category"),
    mccFirst: s.u32("merchant.mccFirst"),
    mccs: s.u16("merchant.mccs"),
    areaFirst: s.u32("merchant.areaFirst"),
    areas: s.u32("merchant.areas"),
    siteFirst: s.u32("merchant.siteFirst"),
    sites: s.u32("merchant.sites"),
  };
}

function placesOf(s: KnowledgeSections): Places {
  return {
    keys: tableOf(s, "place"),
    name: s.u32("place.name"),
    latitude: s.f32("place.latitude"),
    longitude: s.f32("place.longitude"),
    population: s.u32("place.population"),
    admin: s.u32("place.admin"),
  };
}

function postcodesOf(s: KnowledgeSections): Postcodes {
  return {
    codes: s.u32("zip.codes"),
    places: s.u32("zip.places"),
    states: s.u32("zip.states"),
    latitude: s.f32("zip.latitude"),
    longitude: s.f32("zip.longitude"),
  };
}

const filterOf = (s: KnowledgeSections, name: string): FuseFilter =>
  openFuseFilter({ fingerprints: s.u8(`${name}.fuse`), shape: s.u32(`${name}.size`) });

function taggerOf(s: KnowledgeSections): TaggerModel {
  return {
    weights: s.i32("tagger.weights"),
    scale: s.f32("tagger.scale")[0] ?? 0,
    transitions: s.f32("tagger.transitions"),
  };
}

function modelOf(s: KnowledgeSections): CategoryModel {
  return { weights: s.i32("model.weights"), scale: s.f32("model.scale")[0] ?? 0 };
}

function byFirstToken(rows: readonly IntermediaryRow[]): Map<string, IntermediaryRow[]> {
  const map = new Map<string, IntermediaryRow[]>();
  for (const row of rows) {
    const first = row.prefix[0] ?? "";
    const list = map.get(first);
    if (list === undefined) map.set(first, [row]);
    else list.push(row);
  }
  for (const list of map.values()) list.sort((a, b) => b.prefix.length - a.prefix.length);
  return map;
}

function mccMap(flat: readonly number[]): Map<number, readonly [number, number]> {
  const map = new Map<number, readonly [number, number]>();
  for (let i = 0; i + 2 < flat.length; i += 3) {
    map.set(flat[i] ?? 0, [flat[i + 1] ?? -1, flat[i + 2] ?? -1]);
  }
  return map;
}

function naicsMap(rows: readonly MccNaicsRow[]): Map<number, string> {
  const map = new Map<number, string>();
  for (const [from, to, naics] of rows)
    for (let mcc = from; mcc <= to; mcc++) if (!map.has(mcc)) map.set(mcc, naics);
  return map;
}

/** Numbers and references hold a digit; the other words with one do no harm. */
const isNumberWord = (word: string): boolean => /\d/u.test(word);

function numberWordsOf({ wordings, words, intermediaries }: Lexicon): WordSet {
  const numbers = new Set<string>();
  const add = (list: readonly string[]): void => {
    for (const word of list) if (isNumberWord(word)) numbers.add(word);
  };
  for (const { parts } of wordings) for (const part of parts) add(part);
  for (const { parts } of words) for (const part of parts) add(part);
  for (const { prefix } of intermediaries) add(prefix);
  return wordSet(numbers);
}

/** Throws when the bytes are not a knowledge file of this format: a bug of the caller, who validated the file. */
export function openKnowledge(shared: SharedArrayBuffer | ArrayBuffer): Knowledge {
  const s = sectionsOf(shared);
  const json = s.u8("lexicon");
  const lexicon = JSON.parse(
    Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString("utf8"),
  ) as Lexicon;
  return {
    contentVersion: s.contentVersion,
    text: openStringPool(s.u8("strings.bytes"), s.u32("strings.starts")),
    merchants: merchantsOf(s),
    aliases: {
      keys: tableOf(s, "alias"),
      near: { slots: s.u32("alias.near"), bits: s.u32("alias.nearBits") },
      first: s.u32("alias.first"),
      merchants: s.u32("alias.merchants"),
      flags: s.u8("alias.flags"),
    },
    places: placesOf(s),
    postcodes: postcodesOf(s),
    words: tableOf(s, "word"),
    wordFlags: s.u16("word.flags"),
    cities: { names: filterOf(s, "city.name"), starts: filterOf(s, "city.start") },
    domains: { core: filterOf(s, "domain.core"), older: filterOf(s, "domain.older") },
    tagger: taggerOf(s),
    model: modelOf(s),
    lexicon,
    outgoingCategories: lexicon.categories.findLastIndex((name) => outgoingNames.has(name)) + 1,
    intermediaries: wordMap(byFirstToken(lexicon.intermediaries)),
    between: new Map(lexicon.intermediaries.map(({ merchant, rule }) => [merchant, rule])),
    amounts: indexAmounts(lexicon),
    wordings: indexPatterns(lexicon.wordings),
    nameWords: indexPatterns(lexicon.words),
    numberWords: numberWordsOf(lexicon),
    suffixes: new Set(lexicon.suffixes),
    abbreviations: wordMap(Object.entries(lexicon.abbreviations)),
    askedNames: new Map(Object.entries({ ...lexicon.asked.names, ...lexicon.asked.brands })),
    askedBrands: new Map(Object.entries(lexicon.asked.brands)),
    askedWebsites: new Map(Object.entries(lexicon.asked.websites)),
    mccCategories: mccMap(lexicon.mccCategories),
    mccNaics: naicsMap(lexicon.mccNaics),
  };
}
