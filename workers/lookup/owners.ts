// Who is meant by a name or a website that stands by itself. In a bank line the country of the account decides between
// merchants of one name; a question may have no country, so their size does.
import { websiteFor } from "../recogniser/entities.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { AliasFlag, packArea } from "../knowledge/sections.ts";
import { type AreaFit, fitOfAreas } from "../recogniser/hints.ts";
import { nameKey } from "../recogniser/text/keys.ts";
import { type AskedPlace, countryOf, isInState } from "./area.ts";
import type { MerchantSite } from "./id-index.ts";

/** A merchant with an alias. */
export interface Owner {
  readonly merchant: number;
  /** AliasFlag bits. */
  readonly flags: number;
  readonly fit: AreaFit;
  /** The alias is the name, except for an article, not another spelling. */
  readonly isNamed: boolean;
}

const HOME = packArea("US");

const isHand = ({ flags }: Owner): boolean => (flags & AliasFlag.hand) !== 0;
const isUnchecked = ({ flags }: Owner): boolean => (flags & AliasFlag.unchecked) !== 0;

/**
 * How widely the merchant trades, for a tie between countries: everywhere, then in the United States, then by number of
 * countries.
 */
function reachOf(merchant: number, { merchants }: Knowledge): number {
  const from = merchants.areaFirst[merchant] ?? 0;
  const to = merchants.areaFirst[merchant + 1] ?? 0;
  if (from === to) return Number.MAX_SAFE_INTEGER;
  return merchants.areas.subarray(from, to).includes(HOME)
    ? Number.MAX_SAFE_INTEGER - 1
    : to - from;
}

/** Negative when `a` is the likelier owner. */
function compare(a: Owner, b: Owner, knowledge: Knowledge): number {
  const orders = [
    Number(b.fit === "exact") - Number(a.fit === "exact"),
    Number(isHand(b)) - Number(isHand(a)),
    Number(isUnchecked(a)) - Number(isUnchecked(b)),
    Number(b.isNamed) - Number(a.isNamed),
    reachOf(b.merchant, knowledge) - reachOf(a.merchant, knowledge),
  ];
  return orders.find((order) => order !== 0) ?? 0;
}

/** The likeliest owner of the alias of this index; the first in the knowledge where nothing decides. */
export function likeliestOwner(
  alias: number,
  place: AskedPlace | null,
  knowledge: Knowledge,
): Owner | null {
  const { aliases, merchants } = knowledge;
  const key = aliases.keys.keyAt(alias);
  const country = countryOf(place);
  const countries = country === null ? [] : [packArea(country)];
  const state = place !== null && isInState(place) ? packArea(place.area) : 0;
  let best: Owner | null = null;
  const end = aliases.first[alias + 1] ?? 0;
  for (let at = aliases.first[alias] ?? 0; at < end; at++) {
    const merchant = aliases.merchants[at] ?? 0;
    const from = merchants.areaFirst[merchant] ?? 0;
    const to = merchants.areaFirst[merchant + 1] ?? 0;
    const own = nameKey(knowledge.text(merchants.name[merchant] ?? 0));
    const owner = {
      merchant,
      flags: aliases.flags[at] ?? 0,
      fit: fitOfAreas(merchants.areas, from, to, countries, state),
      isNamed: own === key || own === `the${key}`,
    };
    if (best === null || compare(owner, best, knowledge) < 0) best = owner;
  }
  return best;
}

/** The merchant under its website at the place, the general one where it has none there. */
export function siteAt(
  merchant: number,
  place: AskedPlace | null,
  knowledge: Knowledge,
): MerchantSite {
  const country = countryOf(place);
  const countries = country === null ? [] : [packArea(country)];
  return { merchant, site: websiteFor(merchant, { countries }, knowledge) };
}

/** `marksandspencer` of `marksandspencer.co.uk`. */
export const labelKey = (website: string): string =>
  website.slice(0, Math.max(0, website.indexOf("."))).replaceAll("-", "");

/** How much of a merchant's name a website contains: `wyndhamhotels.com` contains Wyndham, and not Ramada. */
function resemblance(label: string, key: string): number {
  if (key === label) return 3;
  if (key.length >= RESEMBLING_LENGTH_MIN && label.startsWith(key)) return 2;
  return label.length >= RESEMBLING_LENGTH_MIN && key.startsWith(label) ? 1 : 0;
}
const RESEMBLING_LENGTH_MIN = 3;

/**
 * The owner of a website that several merchants share: `Amazon`, not `Amazon Music`. The one with the name of the website,
 * or else the one that is not a part of another one, or else the first.
 */
export function mainOf(
  all: readonly MerchantSite[],
  { merchants, text }: Knowledge,
): MerchantSite | null {
  const members = new Set(all.map(({ merchant }) => merchant));
  const scoreOf = ({ merchant, site }: MerchantSite): number => {
    const key = nameKey(text(merchants.name[merchant] ?? 0));
    const isGeneral = merchants.website[merchant] === site;
    const isPart = members.has((merchants.parent[merchant] ?? 0) - 1);
    return resemblance(labelKey(text(site)), key) * 4 + (isPart ? 0 : 2) + (isGeneral ? 1 : 0);
  };
  let best: MerchantSite | null = null;
  let bestScore = -1;
  for (const one of all) {
    const score = scoreOf(one);
    if (score <= bestScore) continue;
    best = one;
    bestScore = score;
  }
  return best;
}
