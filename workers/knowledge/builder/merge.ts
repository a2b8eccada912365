// Joins the merchants of all sources into one list: what a person wrote wins, the packages fill in around it.
import { nameKey, nameTokens } from "../../recogniser/text/keys.ts";
import { AliasFlag, WordFlag } from "../sections.ts";
import type { AliasDraft, MerchantDraft } from "./draft.ts";
import type { IntermediaryDraft } from "./merchant-tables.ts";
import { withoutCountries } from "./national-names.ts";

export interface Merged {
  readonly merchants: readonly MerchantDraft[];
  /** Index of the merchant of intermediary i. */
  readonly intermediaryIndexes: readonly number[];
}

const sitesOf = (draft: MerchantDraft): readonly (string | null)[] => [
  draft.website,
  ...draft.sites.map((site) => site[1]),
];

function joinAliases(first: readonly AliasDraft[], more: readonly AliasDraft[]): AliasDraft[] {
  const aliases = new Map(more.map((alias) => [alias.key, alias]));
  for (const alias of first) aliases.set(alias.key, alias);
  return [...aliases.values()];
}

/**
 * A hand-written row takes websites by country and further spellings from the brand of the same name, but none
 * that a person gave to another row: `UPS` stays UPS, whatever The UPS Store is called elsewhere.
 */
function absorb(
  hand: MerchantDraft,
  brand: MerchantDraft,
  written: ReadonlySet<string>,
): MerchantDraft {
  const sameSite = hand.website !== null && sitesOf(brand).includes(hand.website);
  const wide = hand.areas.length !== 1;
  const sites =
    sameSite && wide ? brand.sites.filter((site) => site[1] !== hand.website) : hand.sites;
  return {
    ...hand,
    sites,
    aliases: joinAliases(
      hand.aliases,
      brand.aliases.filter((alias) => !written.has(alias.key)),
    ),
  };
}

function absorbBrands(hand: MerchantDraft[], brands: readonly MerchantDraft[]): MerchantDraft[] {
  const byName = new Map<string, number[]>();
  hand.forEach((draft, index) => {
    const key = nameKey(draft.name);
    byName.set(key, [...(byName.get(key) ?? []), index]);
  });
  const written = new Set(hand.flatMap((draft) => draft.aliases.map((alias) => alias.key)));
  const rest: MerchantDraft[] = [];
  for (const brand of brands) {
    const same = (byName.get(nameKey(brand.name)) ?? []).filter((index) =>
      isSame(hand[index], brand),
    );
    const covered = new Set(same.flatMap((index) => hand[index]?.areas ?? []));
    const everywhere = same.some((index) => hand[index]?.areas.length === 0);
    for (const index of same) {
      const draft = hand[index];
      if (draft !== undefined) hand[index] = absorb(draft, brand, written);
    }
    const left = brand.areas.filter((area) => !covered.has(area) && !covered.has(area.slice(0, 2)));
    if (same.length === 0) rest.push(brand);
    else if (!everywhere && left.length > 0) rest.push({ ...brand, areas: left });
  }
  return rest;
}

function isSame(hand: MerchantDraft | undefined, brand: MerchantDraft): boolean {
  if (hand === undefined) return false;
  if (hand.website !== null && sitesOf(brand).includes(hand.website)) return true;
  if (hand.areas.length === 0 || brand.areas.length === 0) return true;
  const countries = new Set(brand.areas.map((area) => area.slice(0, 2)));
  return hand.areas.some((area) => countries.has(area.slice(0, 2)));
}

/** Known by name and website alone: no line of a statement leads to it. */
export function nameOnly(name: string, website: string | null): MerchantDraft {
  return {
    name,
    website,
    parentWebsite: null,
    category: null,
    mccs: [],
    areas: [],
    sites: [],
    aliases: [],
    hand: true,
  };
}

/** Adds what only parents.txt and intermediaries.txt know of. */
function addNamed(
  merchants: MerchantDraft[],
  parents: ReadonlyMap<string, string>,
  intermediaries: readonly IntermediaryDraft[],
): number[] {
  const byWebsite = new Map<string, number>();
  merchants.forEach((draft, index) => {
    if (draft.website !== null && draft.hand && !byWebsite.has(draft.website))
      byWebsite.set(draft.website, index);
  });
  for (const [website, name] of [...parents].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
    if (!byWebsite.has(website))
      byWebsite.set(website, merchants.push(nameOnly(name, website)) - 1);
  }
  return intermediaries.map((intermediary) => {
    const key = nameKey(intermediary.name);
    const same = merchants.findIndex(
      (draft) =>
        draft.hand && draft.website === intermediary.website && nameKey(draft.name) === key,
    );
    return same >= 0 ? same : merchants.push(nameOnly(intermediary.name, intermediary.website)) - 1;
  });
}

export function mergeMerchants(
  hand: readonly MerchantDraft[],
  brands: readonly MerchantDraft[],
  icons: readonly MerchantDraft[],
  parents: ReadonlyMap<string, string>,
  intermediaries: readonly IntermediaryDraft[],
): Merged {
  const merchants = [...hand];
  merchants.push(...absorbBrands(merchants, brands));
  const websites = new Set(merchants.flatMap(sitesOf));
  const handNames = new Set(hand.map((draft) => nameKey(draft.name)));
  for (const icon of icons) {
    if (!websites.has(icon.website) && !handNames.has(nameKey(icon.name))) merchants.push(icon);
  }
  const intermediaryIndexes = addNamed(merchants, parents, intermediaries);
  return { merchants: withoutCountries(merchants), intermediaryIndexes };
}

const ordinary = WordFlag.plain | WordFlag.place | WordFlag.firstName | WordFlag.lastName;

/** Marks the aliases that may mean something else: short ones, ordinary words, places, names of people. */
export function markWeak(draft: MerchantDraft, words: ReadonlyMap<string, number>): MerchantDraft {
  const parts = new Map(
    [draft.name, ...draft.aliases.map((alias) => alias.key)].map((name) => [
      nameKey(name),
      nameTokens(name),
    ]),
  );
  const aliases = draft.aliases.map((alias) => {
    if ((alias.flags & AliasFlag.website) !== 0) return alias;
    const single = (alias.flags & AliasFlag.single) !== 0;
    const isOrdinary = (word: string): boolean => {
      const stem = word.endsWith("s") ? word.slice(0, -1) : word;
      return (((words.get(word) ?? 0) | (words.get(stem) ?? 0)) & ordinary) !== 0;
    };
    // `NEWS UK`: a country next to an ordinary word makes it no rarer.
    const isFiller = (word: string): boolean => word === "uk" || word === "us" || isOrdinary(word);
    const tokens = parts.get(alias.key) ?? [alias.key];
    const common = isOrdinary(alias.key) || (!single && tokens.every(isFiller));
    const weak = alias.key.length <= 2 || common;
    return weak ? { ...alias, flags: alias.flags | AliasFlag.weak } : alias;
  });
  return { ...draft, aliases };
}
