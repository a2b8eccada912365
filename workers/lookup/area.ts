// The area of a country, state, city or address that a client wrote: for queries, never for descriptors.
import type { Knowledge } from "../knowledge/knowledge.ts";
import { placePrefix } from "../knowledge/sections.ts";
import type { FoundPlace } from "../recogniser/place/place.ts";
import { areaOfState } from "../recogniser/place/states.ts";
import { nameKey, nameTokens } from "../recogniser/text/keys.ts";
import { cityNicknames, countryNicknames, stateNames } from "./area-names.ts";

/** A city that stands alone must have this many inhabitants: of hamlets there are several of every name. */
const LONE_CITY_POPULATION_MIN = 15_000;
/** No name of a country, state or city has more words: `NEWFOUNDLAND AND LABRADOR`, `UNITED STATES OF AMERICA`. */
const PLACE_TOKENS_MAX = 5;
/** The place is at the end of an address; this bounds the work on a long text. */
const ADDRESS_TOKENS_MAX = 16;
/** `GB`; a state is longer: `US-VA`. */
const COUNTRY_LENGTH = 2;

/** `area` is a country or a state. */
export type AskedPlace = FoundPlace & { readonly area: string };

interface Gazetteer {
  readonly knowledge: Knowledge;
  /** Folded joined name → areas of that name, the likeliest first: `georgia` → `US-GA`, `GE`. */
  readonly named: ReadonlyMap<string, readonly string[]>;
  /** Country → the areas by which its places are filed. */
  readonly filed: ReadonlyMap<string, readonly string[]>;
  /** Folded joined name of a city → that by which the knowledge has it. */
  readonly cities: ReadonlyMap<string, string>;
}

function gazetteerOf(knowledge: Knowledge): Gazetteer {
  const named = new Map<string, string[]>();
  const filed = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, key: string, area: string): void => {
    const areas = map.get(key) ?? [];
    if (!areas.includes(area)) map.set(key, [...areas, area]);
  };
  for (const [name, state] of stateNames) {
    add(named, nameKey(name), state);
    add(filed, state.slice(0, COUNTRY_LENGTH), state);
  }
  const countries = Object.entries(knowledge.lexicon.countryNames);
  for (const [country, name] of countries) {
    add(named, nameKey(name), country);
    if (!filed.has(country)) filed.set(country, [country]);
  }
  for (const [name, country] of countryNicknames) add(named, nameKey(name), country);
  const cities = new Map(cityNicknames.map(([name, city]) => [nameKey(name), city]));
  return { knowledge, named, filed, cities };
}

const bare = (area: string, index = -1): AskedPlace => ({
  index,
  area,
  cityText: null,
  postcode: null,
});

const populationOf = (place: AskedPlace, { knowledge }: Gazetteer): number =>
  knowledge.places.population[place.index] ?? 0;

/** The largest city that the last words are the name of, in one of the areas: `1 MAIN STREET SPRINGFIELD`. */
function cityAtEnd(
  words: readonly string[],
  areas: Iterable<string>,
  gazetteer: Gazetteer,
): AskedPlace | null {
  const { keys } = gazetteer.knowledge.places;
  let best: AskedPlace | null = null;
  for (let count = Math.min(words.length, PLACE_TOKENS_MAX); count > 0 && best === null; count--) {
    const name = words.slice(-count).join("");
    const names = [name, gazetteer.cities.get(name) ?? name];
    for (const area of areas) {
      const prefix = placePrefix(area);
      const index = Math.max(...names.map((one) => keys.find(prefix + one)));
      if (index < 0) continue;
      const city = bare(area, index);
      if (best === null || populationOf(city, gazetteer) > populationOf(best, gazetteer)) {
        best = city;
      }
    }
  }
  return best;
}

/** The areas that the last words are the name of, or the code, and how many words these are. */
function areasAtEnd(
  words: readonly string[],
  { named, knowledge }: Gazetteer,
): { readonly areas: readonly string[]; readonly count: number } {
  for (let count = Math.min(words.length, PLACE_TOKENS_MAX); count > 0; count--) {
    const areas = named.get(words.slice(-count).join(""));
    if (areas !== undefined) return { areas, count };
  }
  const code = words.at(-1) ?? "";
  const country = code.length === COUNTRY_LENGTH ? code.toUpperCase() : "";
  // Two letters alone are a country; behind a city they are a state first: `OAKLAND, CA`.
  const states = words.length === 1 ? [] : [areaOfState(code, "US"), areaOfState(code, "CA")];
  const areas = [...states, country in knowledge.lexicon.countryNames ? country : null];
  return { areas: areas.filter((area) => area !== null), count: 1 };
}

/** Words with digits at the end do not name an area: `SPRINGFIELD IL 62704`. */
function withoutPostcode(words: readonly string[]): readonly string[] {
  let to = words.length;
  while (to > 0 && /\d/u.test(words[to - 1] ?? "")) to--;
  return words.slice(0, to);
}

function placeOf(words: readonly string[], gazetteer: Gazetteer): AskedPlace | null {
  const { areas, count } = areasAtEnd(words, gazetteer);
  const before = withoutPostcode(words.slice(0, words.length - count));
  // `PORTLAND, OREGON, USA`: what stands in front may say it more exactly.
  const inner = areas.length === 0 || before.length === 0 ? null : placeOf(before, gazetteer);
  for (const area of areas) {
    if (inner?.area.startsWith(area) === true) return inner;
    const city = cityAtEnd(before, gazetteer.filed.get(area) ?? [area], gazetteer);
    if (city !== null) return city;
  }
  const [area] = areas;
  if (area !== undefined) return bare(area);
  const lone = cityAtEnd(words, [...gazetteer.filed.values()].flat(), gazetteer);
  return lone !== null && populationOf(lone, gazetteer) >= LONE_CITY_POPULATION_MIN ? lone : null;
}

/** Country of the place, ISO 3166-1 alpha-2. */
export const countryOf = (place: AskedPlace | null): string | null =>
  place?.area.slice(0, COUNTRY_LENGTH) ?? null;

/** Whether it is a state, or in one. */
export const isInState = ({ area }: AskedPlace): boolean => area.length > COUNTRY_LENGTH;

export interface PlaceReader {
  /** Null for a text that names no place. */
  read(location: string): AskedPlace | null;
  /** The country of this folded joined name; null for codes, but `uk` and `us`, and for anything smaller. */
  countryNamed(key: string): AskedPlace | null;
}

/** The tables that names are looked up in, some hundred entries, are made when the first place is read. */
export function createPlaceReader(knowledge: Knowledge): PlaceReader {
  let made: Gazetteer | null = null;
  const gazetteer = (): Gazetteer => (made ??= gazetteerOf(knowledge));
  return {
    read: (location) => {
      const words = withoutPostcode(nameTokens(location)).slice(-ADDRESS_TOKENS_MAX);
      return words.length === 0 ? null : placeOf(words, gazetteer());
    },
    countryNamed: (key) => {
      const country = gazetteer()
        .named.get(key)
        ?.find((area) => area.length === COUNTRY_LENGTH);
      return country === undefined ? null : bare(country);
    },
  };
}
