// Opens the knowledge file in place: typed-array views over the shared bytes, no copy, and one small JSON text parsed.
// Everything behind `Knowledge` is read-only; the only thing that changes is the bounded cache of decoded strings.
import { consumerCategories } from "../../src/model/categories.ts";
import { readKnowledgeHeader } from "../../src/codec/knowledge-file.ts";
import { type WordMap, wordMap } from "../recogniser/text/word-map.ts";
import { type Amounts, indexAmounts } from "./amounts.ts";
import { type KeyTable, openKeyTable } from "./key-table.ts";
import { indexLayouts, type Layouts } from "./layouts.ts";
import { indexPatterns, type PatternIndex } from "./patterns.ts";
import { type IntermediaryRow, type Lexicon, type MccNaicsRow, USAGE_SHIFT } from "./sections.ts";
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
  readonly near: Uint32Array;
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

export interface CategoryModel {
  /** Row of a bucket after row of a bucket, a weight for each category of the lexicon. */
  readonly weights: Int8Array;
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
  readonly wordFlags: Uint8Array;
  readonly model: CategoryModel;
  readonly lexicon: Lexicon;
  /** So many of the lexicon's categories, the first, may be of money that leaves; those behind them are of none. */
  readonly outgoingCategories: number;
  /** First token of a prefix → intermediaries, longest prefix first. */
  readonly intermediaries: WordMap<readonly IntermediaryRow[]>;
  readonly layouts: Layouts;
  readonly amounts: Amounts;
  readonly wordings: PatternIndex;
  readonly nameWords: PatternIndex;
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

const WORD_FLAGS = (1 << USAGE_SHIFT) - 1;

/** Bit set of a folded word (WordFlag), 0 when the word is unknown. */
export function flagsOfWord(knowledge: Knowledge, word: string): number {
  const index = knowledge.words.find(word);
  return index < 0 ? 0 : (knowledge.wordFlags[index] ?? 0) & WORD_FLAGS;
}

/** How usual a word is in names, 0..USAGE_MAX; `index` is its place in `knowledge.words`. */
export const usageOfWord = (knowledge: Knowledge, index: number): number =>
  (knowledge.wordFlags[index] ?? 0) >>> USAGE_SHIFT;

const outgoingNames: ReadonlySet<string> = new Set(consumerCategories.outgoing);

interface KnowledgeSections {
  readonly u8: (name: string) => Uint8Array;
  readonly u16: (name: string) => Uint16Array;
  readonly u32: (name: string) => Uint32Array;
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
    f32: (name) => new Float32Array(shared, place(name).offset, place(name).length / 4),
  };
}

const tableOf = (s: KnowledgeSections, name: string): KeyTable =>
  openKeyTable(s.u16(`${name}.units`), s.u32(`${name}.starts`), s.u32(`${name}.slots`));

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
    keys: openKeyTable(s.u16("place.units"), s.u32("place.starts"), s.u32("place.slots")),
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

function modelOf(s: KnowledgeSections): CategoryModel {
  const bytes = s.u8("model.weights");
  return {
    weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    scale: s.f32("model.scale")[0] ?? 0,
  };
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
      near: s.u32("alias.near"),
      first: s.u32("alias.first"),
      merchants: s.u32("alias.merchants"),
      flags: s.u8("alias.flags"),
    },
    places: placesOf(s),
    postcodes: postcodesOf(s),
    words: tableOf(s, "word"),
    wordFlags: s.u8("word.flags"),
    model: modelOf(s),
    lexicon,
    outgoingCategories: lexicon.categories.findLastIndex((name) => outgoingNames.has(name)) + 1,
    intermediaries: wordMap(byFirstToken(lexicon.intermediaries)),
    layouts: indexLayouts(lexicon.layouts),
    amounts: indexAmounts(lexicon),
    wordings: indexPatterns(lexicon.wordings),
    nameWords: indexPatterns(lexicon.words),
    suffixes: new Set(lexicon.suffixes),
    abbreviations: wordMap(Object.entries(lexicon.abbreviations)),
    askedNames: new Map(Object.entries({ ...lexicon.asked.names, ...lexicon.asked.brands })),
    askedBrands: new Map(Object.entries(lexicon.asked.brands)),
    askedWebsites: new Map(Object.entries(lexicon.asked.websites)),
    mccCategories: mccMap(lexicon.mccCategories),
    mccNaics: naicsMap(lexicon.mccNaics),
  };
}
