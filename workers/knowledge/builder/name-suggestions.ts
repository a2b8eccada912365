// Brands and some operators of name-suggestion-index (BSD-3-Clause). Its JSON is read by path: the package's `exports`
// block it. One merchant a Wikidata id: the index lists a brand once per kind of shop and per country.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AliasFlag } from "../sections.ts";
import { nameKey } from "../../recogniser/text/keys.ts";
import { type AliasDraft, aliasesOf, type MerchantDraft } from "./draft.ts";
import { chooseWebsites } from "./websites.ts";

interface SuggestionItem {
  readonly displayName: string;
  readonly locationSet: { readonly include?: readonly unknown[] };
  readonly matchNames?: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

interface WikidataEntry {
  readonly officialWebsites?: readonly string[];
  readonly dissolutions?: readonly unknown[];
}

export interface CategoryOfPath {
  readonly category: string;
  readonly mccs: readonly number[];
  /** Order in the table: decides between several kinds of shop of one brand. */
  readonly rank: number;
}

/** Kinds that are a side business of brands with a better kind, and street furniture that receives no payments under that name. */
const sideKinds =
  /^(amenity\/(atm|vending_machine|parcel_locker|payment_terminal|recycling|charging_station|bicycle_rental)|advertising\/|man_made\/)/u;

/** Operators are mostly landowners and councils; these kinds take payments under their own name. */
const operatorKinds = new Set([
  "amenity/hospital",
  "amenity/clinic",
  "amenity/college",
  "amenity/university",
  "amenity/parking",
  "amenity/post_office",
  "amenity/theatre",
  "amenity/library",
  "leisure/sports_centre",
  "leisure/fitness_centre",
  "amenity/fuel",
  "amenity/car_sharing",
  "amenity/bicycle_rental",
  "amenity/charging_station",
  "office/government",
]);

const nameTags = [
  "name",
  "brand",
  "name:en",
  "brand:en",
  "short_name",
  "brand:short",
  "alt_name",
  "official_name",
];

/** `gb`, `us-va.geojson`, `gb-lon.geojson` → `GB`, `US-VA`, `GB`. Null = everywhere or a drawing without a country. */
function areaOf(entry: unknown): string | null {
  if (typeof entry !== "string") return null;
  const match = /^([a-z]{2})(?:-([a-z]{2,3}))?(?:-[a-z0-9-]*)?(?:\.geojson)?$/u.exec(entry);
  if (match === null) return null;
  const country = match[1] === "fx" ? "FR" : (match[1] ?? "").toUpperCase();
  const withStates = country === "US" || country === "CA";
  return withStates && match[2]?.length === 2 ? `${country}-${match[2].toUpperCase()}` : country;
}

interface Listed {
  readonly item: SuggestionItem;
  readonly path: string;
  /** Wikidata id, else something that keeps same-named brands of different places apart. */
  readonly key: string;
  /** Name of a counter of a bigger brand that takes payments under its own name, else null. */
  readonly own: string | null;
}

/** Kinds of shop that bigger brands run in addition to the main one. */
const counterKinds: ReadonlySet<string> = new Set([
  "amenity/pharmacy",
  "amenity/fuel",
  "shop/optician",
  "shop/hearing_aids",
  "shop/travel_agency",
  "shop/photo",
]);

/** `Asda Opticians` of the brand Asda: its own merchant, although the index gives both one Wikidata id. */
export function subBrand(item: SuggestionItem, path: string): string | null {
  const name = item.tags["name"] ?? withoutNote(item.displayName);
  const brand = item.tags["brand"] ?? name;
  const longer = name !== brand && nameKey(name).startsWith(nameKey(brand));
  return counterKinds.has(path) && longer && isLatin(name) ? name : null;
}

interface SuggestionGroup {
  readonly items: Listed[];
}

type SuggestionFile = Readonly<
  Record<string, { readonly items: readonly SuggestionItem[] } | undefined>
>;

/** All items of one tree, in the order of their paths. */
function itemsOf(nsi: SuggestionFile, tree: "brands" | "operators"): Listed[] {
  const paths = Object.keys(nsi)
    .filter((path) => path.startsWith(`${tree}/`))
    .sort();
  return paths.flatMap((full) => {
    const path = full.slice(tree.length + 1);
    if (tree === "operators" && !operatorKinds.has(path)) return [];
    return (nsi[full]?.items ?? []).map((item) => {
      const id = item.tags[tree === "brands" ? "brand:wikidata" : "operator:wikidata"];
      const own = subBrand(item, path);
      if (id !== undefined && own !== null)
        return { item, path, key: `${id}|${nameKey(own)}`, own };
      const key = id ?? `${nameKey(item.displayName)}|${(item.locationSet.include ?? []).join()}`;
      return { item, path, key, own: null };
    });
  });
}

function groupItems(root: string): { groups: Map<string, SuggestionGroup>; items: number } {
  const file = join(root, "dist/json/nsi.min.json");
  const { nsi } = JSON.parse(readFileSync(file, "utf8")) as { nsi: SuggestionFile };
  const listed = [...itemsOf(nsi, "brands"), ...itemsOf(nsi, "operators")];
  const groups = new Map<string, SuggestionGroup>();
  for (const one of listed) {
    const group = groups.get(one.key);
    if (group === undefined) groups.set(one.key, { items: [one] });
    else group.items.push(one);
  }
  return { groups, items: listed.length };
}

/** Union of the places of all items; none when one of them is a continent or the world. */
function areasOf(group: SuggestionGroup): string[] {
  const entries = group.items.flatMap(({ item }) => item.locationSet.include ?? ["001"]);
  if (entries.some((entry) => typeof entry === "string" && /^\d+$/u.test(entry))) return [];
  return [...new Set(entries.map(areaOf).filter((area) => area !== null))].sort();
}

const withoutNote = (name: string): string => name.replace(/\s*\([^)]*\)\s*$/u, "");

const isLatin = (name: string): boolean => /^[\p{Script=Latin}\p{N}\p{P}\p{S}\s]+$/u.test(name);

/** The name most items agree on, Latin script first. */
function nameOf(group: SuggestionGroup): string {
  const own = group.items[0]?.own;
  if (own != null) return own;
  const votes = new Map<string, number>();
  for (const { item } of group.items) {
    const english = item.tags["brand:en"] ?? item.tags["name:en"];
    const name =
      english ?? item.tags["brand"] ?? item.tags["name"] ?? withoutNote(item.displayName);
    votes.set(name, (votes.get(name) ?? 0) + (isLatin(name) ? 1000 : 1));
  }
  let best = "";
  for (const [name, count] of votes) if (best === "" || count > (votes.get(best) ?? 0)) best = name;
  return best;
}

function aliasesOfGroup(group: SuggestionGroup, name: string): AliasDraft[] {
  const names = new Set([name]);
  for (const { item, own } of group.items) {
    if (own !== null) continue;
    names.add(withoutNote(item.displayName));
    for (const tag of nameTags)
      for (const part of item.tags[tag]?.split(";") ?? []) names.add(part.trim());
    for (const match of item.matchNames ?? []) names.add(match);
  }
  const aliases = new Map<string, AliasDraft>();
  for (const each of names) for (const alias of aliasesOf(each, 0)) aliases.set(alias.key, alias);
  return [...aliases.values()];
}

function kindOf(
  group: SuggestionGroup,
  kinds: ReadonlyMap<string, CategoryOfPath>,
): CategoryOfPath | null {
  const votes = new Map<CategoryOfPath, number>();
  for (const { path } of group.items) {
    const kind = kinds.get(path);
    if (kind !== undefined)
      votes.set(kind, (votes.get(kind) ?? 0) + (sideKinds.test(path) ? 1 : 1000));
  }
  const sorted = [...votes].sort((a, b) => b[1] - a[1] || a[0].rank - b[0].rank);
  return sorted[0]?.[0] ?? null;
}

export function readNameSuggestions(
  root: string,
  kinds: ReadonlyMap<string, CategoryOfPath>,
): { drafts: MerchantDraft[]; items: number } {
  const file = join(root, "dist/wikidata/wikidata.min.json");
  const { wikidata } = JSON.parse(readFileSync(file, "utf8")) as {
    wikidata: Record<string, WikidataEntry>;
  };
  const { groups, items } = groupItems(root);
  const drafts: MerchantDraft[] = [];
  for (const [id, group] of groups) {
    const name = nameOf(group);
    const areas = areasOf(group);
    const tagged = group.items
      .map(({ item }) => item.tags["website"])
      .filter((url) => url !== undefined);
    const urls = [...(wikidata[id]?.officialWebsites ?? []), ...tagged];
    const { website, sites } = chooseWebsites(nameKey(name), urls, areas);
    const kind = kindOf(group, kinds);
    if ((kind === null && website === null) || (wikidata[id]?.dissolutions ?? []).length > 0)
      continue;
    const aliases = aliasesOfGroup(group, name);
    if (website !== null) aliases.push({ key: website, flags: AliasFlag.website });
    for (const [, domain] of sites) aliases.push({ key: domain, flags: AliasFlag.website });
    drafts.push({
      name,
      website,
      parentWebsite: null,
      category: kind?.category ?? null,
      mccs: kind?.mccs ?? [],
      areas,
      sites,
      aliases,
      hand: false,
    });
  }
  return { drafts, items };
}
