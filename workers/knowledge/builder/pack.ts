// Turns the merged data into the sections that sections.ts describes, and the sections into one file.
import {
  PAYLOAD_OFFSET,
  type KnowledgeSection,
  writeKnowledgeHeader,
} from "../../../src/codec/knowledge-file.ts";
import { buildFuseFilter, type FuseSections } from "../fuse-filter.ts";
import { hashSeed, hashText } from "../../recogniser/text/hash.ts";
import { buildKeyTable } from "../key-table.ts";
import { buildNearTable } from "../near-table.ts";
import { nameKey } from "../../recogniser/text/keys.ts";
import { AliasFlag, CITY_START_LENGTH_MIN, type Lexicon, packArea } from "../sections.ts";
import type { MerchantDraft } from "./draft.ts";
import type { PlaceDraft, PostcodeDraft } from "./places.ts";
import { categoryNumber } from "./small-tables.ts";
import type { CategoryModel, TaggerModel } from "../knowledge.ts";

export type Section = readonly [
  name: string,
  data: Uint8Array | Int8Array | Int32Array | Uint16Array | Uint32Array | Float32Array,
];

interface StringPoolBuilder {
  readonly id: (text: string | null) => number;
  readonly sections: () => readonly Section[];
}

function createPool(): StringPoolBuilder {
  const ids = new Map<string, number>([["", 0]]);
  return {
    id: (text) => {
      if (text === null) return 0;
      const known = ids.get(text);
      if (known !== undefined) return known;
      ids.set(text, ids.size);
      return ids.size - 1;
    },
    sections: () => {
      const texts = [...ids.keys()].map((text) => Buffer.from(text, "utf8"));
      const starts = new Uint32Array(texts.length + 1);
      texts.forEach((text, index) => (starts[index + 1] = (starts[index] ?? 0) + text.length));
      return [
        ["strings.bytes", new Uint8Array(Buffer.concat(texts))],
        ["strings.starts", starts],
      ];
    },
  };
}

/** n + 1 offsets and the concatenation of n lists. */
function flatten(lists: readonly (readonly number[])[]): { first: Uint32Array; items: number[] } {
  const first = new Uint32Array(lists.length + 1);
  const items: number[] = [];
  lists.forEach((list, index) => {
    items.push(...list);
    first[index + 1] = items.length;
  });
  return { first, items };
}

const tableSections = (name: string, keys: readonly string[]): Section[] => {
  const { units, starts, slots, bits, heads } = buildKeyTable(keys);
  return [
    [`${name}.units`, units],
    [`${name}.starts`, starts],
    [`${name}.slots`, slots],
    [`${name}.bits`, bits],
    [`${name}.heads`, heads],
  ];
};

function merchantSections(merchants: readonly MerchantDraft[], pool: StringPoolBuilder): Section[] {
  const byWebsite = new Map<string, number>();
  merchants.forEach((draft, index) => {
    if (draft.website !== null && draft.hand && !byWebsite.has(draft.website))
      byWebsite.set(draft.website, index);
  });
  const mccs = flatten(merchants.map((draft) => draft.mccs));
  const areas = flatten(merchants.map((draft) => draft.areas.map(packArea).sort((a, b) => a - b)));
  const sites = flatten(
    merchants.map((draft) =>
      draft.sites.flatMap(([country, domain]) => [packArea(country), pool.id(domain)]),
    ),
  );
  const parentOf = (draft: MerchantDraft, index: number): number => {
    const parent = draft.parentWebsite === null ? undefined : byWebsite.get(draft.parentWebsite);
    return parent === undefined || parent === index ? 0 : parent + 1;
  };
  return [
    ["merchant.name", Uint32Array.from(merchants, (draft) => pool.id(draft.name))],
    ["merchant.website", Uint32Array.from(merchants, (draft) => pool.id(draft.website))],
    ["merchant.parent", Uint32Array.from(merchants.map(parentOf))],
    [
      "merchant.category",
      Uint16Array.from(merchants, (draft) =>
        draft.category === null ? 0 : categoryNumber(draft.category) + 1,
      ),
    ],
    ["merchant.mccFirst", mccs.first],
    ["merchant.mccs", Uint16Array.from(mccs.items)],
    ["merchant.areaFirst", areas.first],
    ["merchant.areas", Uint32Array.from(areas.items)],
    ["merchant.siteFirst", sites.first],
    ["merchant.sites", Uint32Array.from(sites.items)],
  ];
}

/**
 * How far the name of an owner is from the address that several share: `target.com` is the shop's before it is its card's.
 * 0 where the alias is not an address.
 */
function distanceFromLabel(
  key: string,
  { merchant, flags }: { readonly merchant: number; readonly flags: number },
  merchants: readonly MerchantDraft[],
): number {
  if ((flags & AliasFlag.website) === 0) return 0;
  const [label = ""] = key.split(".");
  const name = nameKey(merchants[merchant]?.name ?? "");
  const plain = label.replaceAll("-", "");
  if (name === plain || name === nameKey(key)) return 0;
  const isNear = name.length > 0 && (plain.startsWith(name) || name.startsWith(plain));
  return isNear ? 1 + Math.abs(name.length - plain.length) : Number.MAX_SAFE_INTEGER;
}

interface OwnerDraft {
  readonly merchant: number;
  readonly flags: number;
  readonly hand: boolean;
}

/**
 * A hand-written merchant that is called like the address and trades everywhere is its only owner: `apple.com` is not what Apple sells in
 * one country. Other aliases keep all of theirs.
 */
function ownersOfAddress(
  key: string,
  all: readonly OwnerDraft[],
  merchants: readonly MerchantDraft[],
): readonly OwnerDraft[] {
  const named = all.filter(
    (owner) =>
      owner.hand &&
      (owner.flags & AliasFlag.website) !== 0 &&
      distanceFromLabel(key, owner, merchants) === 0,
  );
  return named.some(({ merchant }) => merchants[merchant]?.areas.length === 0) ? named : all;
}

function aliasSections(merchants: readonly MerchantDraft[]): Section[] {
  const owners = new Map<string, OwnerDraft[]>();
  merchants.forEach((draft, merchant) => {
    for (const { key, flags } of draft.aliases) {
      const list = owners.get(key);
      if (list === undefined) owners.set(key, [{ merchant, flags, hand: draft.hand }]);
      else list.push({ merchant, flags, hand: draft.hand });
    }
  });
  const keys = [...owners.keys()].sort();
  // Hand-written first, then in the order of the sources; the reader picks the first that fits the country.
  const lists = keys.map((key) =>
    [...ownersOfAddress(key, owners.get(key) ?? [], merchants)].sort(
      (a, b) =>
        Number(b.hand) - Number(a.hand) ||
        distanceFromLabel(key, a, merchants) - distanceFromLabel(key, b, merchants),
    ),
  );
  const ids = flatten(lists.map((list) => list.map((owner) => owner.merchant)));
  const flags = flatten(lists.map((list) => list.map((owner) => owner.flags)));
  // Only curated names that are not ordinary words: one typo turns a word into many others.
  const isNear = (index: number): boolean =>
    (lists[index] ?? []).some(
      (owner) => owner.hand && (owner.flags & (AliasFlag.weak | AliasFlag.website)) === 0,
    );
  const near = buildNearTable(keys, isNear);
  return [
    ...tableSections("alias", keys),
    ["alias.near", near.slots],
    ["alias.nearBits", near.bits],
    ["alias.first", ids.first],
    ["alias.merchants", Uint32Array.from(ids.items)],
    ["alias.flags", Uint8Array.from(flags.items)],
  ];
}

function placeSections(
  places: readonly PlaceDraft[],
  postcodes: readonly PostcodeDraft[],
  pool: StringPoolBuilder,
): Section[] {
  return [
    ...tableSections(
      "place",
      places.map((place) => place.key),
    ),
    ["place.name", Uint32Array.from(places, (place) => pool.id(place.name))],
    ["place.latitude", Float32Array.from(places, (place) => place.latitude)],
    ["place.longitude", Float32Array.from(places, (place) => place.longitude)],
    ["place.population", Uint32Array.from(places, (place) => place.population)],
    ["place.admin", Uint32Array.from(places, (place) => pool.id(place.admin))],
    ["zip.codes", Uint32Array.from(postcodes, (postcode) => postcode.code)],
    ["zip.places", Uint32Array.from(postcodes, (postcode) => pool.id(postcode.city))],
    ["zip.states", Uint32Array.from(postcodes, (postcode) => pool.id(postcode.state))],
    ["zip.latitude", Float32Array.from(postcodes, (postcode) => postcode.latitude)],
    ["zip.longitude", Float32Array.from(postcodes, (postcode) => postcode.longitude)],
  ];
}

const fuseSections = (name: string, { fingerprints, shape }: FuseSections): Section[] => [
  [`${name}.fuse`, fingerprints],
  [`${name}.size`, shape],
];

const filterSections = (name: string, texts: Iterable<string>): Section[] =>
  fuseSections(name, buildFuseFilter([...texts].map((text) => hashText(hashSeed, text))));

function citySections(cities: ReadonlySet<string>): Section[] {
  const starts = [...cities].flatMap((city) => {
    const lengths = Math.max(0, city.length - CITY_START_LENGTH_MIN);
    return Array.from({ length: lengths }, (_, at) => city.slice(0, CITY_START_LENGTH_MIN + at));
  });
  return [...filterSections("city.name", cities), ...filterSections("city.start", starts)];
}

export interface KnowledgeDraft {
  readonly merchants: readonly MerchantDraft[];
  readonly places: readonly PlaceDraft[];
  readonly postcodes: readonly PostcodeDraft[];
  /** Folded word → WordFlag bits. */
  readonly words: ReadonlyMap<string, number>;
  /** Folded names without spaces. */
  readonly cities: ReadonlySet<string>;
  readonly domains: Readonly<Record<"core" | "older", FuseSections>>;
  readonly tagger: TaggerModel;
  readonly model: CategoryModel;
  readonly lexicon: Lexicon;
}

export function packKnowledge(draft: KnowledgeDraft, contentVersion: string): Uint8Array {
  const pool = createPool();
  const words = [...draft.words.keys()].sort();
  const sections: Section[] = [
    ...merchantSections(draft.merchants, pool),
    ...aliasSections(draft.merchants),
    ...placeSections(draft.places, draft.postcodes, pool),
    ...tableSections("word", words),
    ["word.flags", Uint16Array.from(words, (word) => draft.words.get(word) ?? 0)],
    ...citySections(draft.cities),
    ...fuseSections("domain.core", draft.domains.core),
    ...fuseSections("domain.older", draft.domains.older),
    ["tagger.weights", draft.tagger.weights],
    ["tagger.transitions", draft.tagger.transitions],
    ["tagger.scale", Float32Array.of(draft.tagger.scale)],
    ["model.weights", draft.model.weights],
    ["model.scale", Float32Array.of(draft.model.scale)],
    ["lexicon", new Uint8Array(Buffer.from(JSON.stringify(draft.lexicon), "utf8"))],
    ...pool.sections(),
  ];
  return joinSections(sections, contentVersion);
}

const aligned = (offset: number): number => Math.ceil(offset / 8) * 8;

/** One file in the frame of src/codec/knowledge-file.ts. */
export function joinSections(sections: readonly Section[], contentVersion: string): Uint8Array {
  const rows: KnowledgeSection[] = [];
  let offset = PAYLOAD_OFFSET;
  for (const [name, data] of sections) {
    rows.push({ name, offset, length: data.byteLength });
    offset = aligned(offset + data.byteLength);
  }
  const bytes = new Uint8Array(offset);
  sections.forEach(([, data], index) => {
    bytes.set(
      new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
      rows[index]?.offset ?? 0,
    );
  });
  writeKnowledgeHeader(bytes, contentVersion, rows);
  return bytes;
}
