// The location of an answer, from the place in the line, the address that was sent along, and the shop's number.
import type { Location, LocationStructured } from "../../../src/model/facts.ts";
import { isReference, type Line, type Span } from "../line.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { normaliseText } from "../text/normalise.ts";
import { tokenise, written } from "../text/tokenise.ts";
import type { Hints } from "../hints.ts";
import { skipDate } from "./date.ts";
import { cutPlace, type FoundPlace } from "./place.ts";
import { displayName } from "../name/display-name.ts";

interface Street {
  readonly street: string | null;
  readonly houseNumber: string | null;
}

const noStreet: Street = { street: null, houseNumber: null };

/** Four decimals are eleven metres: more than a city's coordinates are worth. */
const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;

/** Index of the postcode, -1 when unknown: binary search over sorted codes. */
function findPostcode(postcode: string | null, knowledge: Knowledge): number {
  if (postcode === null || !/^\d{5}$/u.test(postcode)) return -1;
  const { codes } = knowledge.postcodes;
  const wanted = Number(postcode);
  let low = 0;
  let high = codes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((codes[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return codes[low] === wanted ? low : -1;
}

interface Coordinates {
  readonly latitude: Float32Array;
  readonly longitude: Float32Array;
}

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

interface Known {
  readonly city: string | null;
  readonly state: string | null;
  readonly point: Point | null;
}

const stateIn = (area: string | null): string | null =>
  area !== null && area.length > 2 ? area.slice(3) : null;

const pointAt = (source: Coordinates, i: number): Point => ({
  latitude: round(source.latitude[i] ?? 0),
  longitude: round(source.longitude[i] ?? 0),
});

const orNull = (text: string): string | null => (text === "" ? null : text);

/** The gazetteer numbers the states of most countries, and such a number means nothing to a reader: Berlin is in `16`. */
const stateOfAdmin = (admin: string): string | null => (/^[A-Z]/u.test(admin) ? admin : null);

/** The postcode gives the finer point, the gazetteer the better name. */
function knownOf(place: FoundPlace, knowledge: Knowledge): Known {
  const { places, postcodes, text } = knowledge;
  const zip = findPostcode(place.postcode, knowledge);
  const zipPoint = zip < 0 ? null : pointAt(postcodes, zip);
  const state = stateIn(place.area);
  const { index } = place;
  if (index >= 0) {
    const city = text(places.name[index] ?? 0);
    const admin = state ?? stateOfAdmin(text(places.admin[index] ?? 0));
    return { city, state: admin, point: zipPoint ?? pointAt(places, index) };
  }
  if (zip < 0) return { city: place.cityText, state, point: null };
  const city = orNull(text(postcodes.places[zip] ?? 0));
  return { city, state: orNull(text(postcodes.states[zip] ?? 0)), point: zipPoint };
}

function mapUrls(query: string): { google: string; apple: string } {
  const encoded = encodeURIComponent(query);
  return {
    google: `https://www.google.com/maps/search/?api=1&query=${encoded}`,
    apple: `https://maps.apple.com/?q=${encoded}`,
  };
}

const joinParts = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== "").join(", ");

/** `Fredericksburg, VA 22401`; outside the US and Canada statements carry no state: `London, EN8`. */
function addressOf(known: Known, place: FoundPlace): string | null {
  const tail = [known.state, place.postcode].filter((part) => part !== null).join(" ");
  return orNull(joinParts([known.city, stateIn(place.area) === null ? place.postcode : tail]));
}

interface LocationParts {
  readonly place: FoundPlace | null;
  readonly street: Street;
  readonly storeNumber: string | null;
  readonly rawAddress: string | null;
  readonly merchantName: string | null;
}

const nowhere: FoundPlace = { index: -1, area: null, cityText: null, postcode: null };

function mapsOf(
  parts: LocationParts,
  known: Known,
  place: FoundPlace,
): { google: string; apple: string } | null {
  if (known.city === null && place.postcode === null) return null;
  const { street, houseNumber } = parts.street;
  const line = [houseNumber, street].filter((part) => part !== null).join(" ");
  const country = place.area?.slice(0, 2) ?? null;
  return mapUrls(
    joinParts([parts.merchantName, line, known.city, known.state, place.postcode, country]),
  );
}

function structuredOf(
  parts: LocationParts,
  known: Known,
  place: FoundPlace,
  knowledge: Knowledge,
): LocationStructured {
  const country = place.area?.slice(0, 2) ?? null;
  const maps = mapsOf(parts, known, place);
  const { point } = known;
  return {
    street: parts.street.street,
    city: known.city,
    state: known.state,
    postcode: place.postcode,
    country_code: country,
    country: country === null ? null : (knowledge.lexicon.countryNames[country] ?? null),
    house_number: parts.street.houseNumber,
    latitude: point === null ? null : point.latitude,
    longitude: point === null ? null : point.longitude,
    google_maps_url: maps === null ? null : maps.google,
    apple_maps_url: maps === null ? null : maps.apple,
    store_number: parts.storeNumber,
  };
}

/** Null when there is nothing, or a country alone: that does not make a location. */
function assemble(parts: LocationParts, knowledge: Knowledge): Location | null {
  if (parts.place === null && parts.rawAddress === null && parts.storeNumber === null) return null;
  const place = parts.place ?? nowhere;
  const known = knownOf(place, knowledge);
  const rawAddress = parts.rawAddress ?? addressOf(known, place);
  if (rawAddress === null && parts.storeNumber === null && known.state === null) return null;
  return { raw_address: rawAddress, structured: structuredOf(parts, known, place, knowledge) };
}

/** Street and house number in what stands before the city of an address. */
function streetOf(line: Line, span: Span): Street {
  if (span.to <= span.from) return noStreet;
  const first = line.tokens[span.from];
  const numbered =
    first !== undefined && /^\d{1,5}[a-z]?$/u.test(first.text) && span.to - span.from > 1;
  const street = written(line.text, line.tokens, numbered ? span.from + 1 : span.from, span.to);
  const houseNumber = numbered ? line.text.slice(first.start, first.end) : null;
  return { street: street === "" ? null : street, houseNumber };
}

/** `cutPlace` never takes the first token, which is the name in a description; an address has none, so one is lent. */
const LENT_NAME = "q ";

function parseAddress(
  address: string,
  hints: Hints,
  knowledge: Knowledge,
): { place: FoundPlace | null; street: Street } {
  const text = LENT_NAME + address;
  const line = { text, tokens: tokenise(text) };
  const placed = cutPlace(line, { from: 0, to: line.tokens.length }, hints, knowledge);
  return { place: placed.place, street: streetOf(line, { from: 1, to: placed.span.to }) };
}

const storeWords: ReadonlySet<string> = new Set([
  "store",
  "stores",
  "no",
  "num",
  "unit",
  "shop",
  "branch",
  "str",
  "q",
  "t",
]);

/** A number that can be a shop's: marked by `#` or a word such as STORE, or right behind the name. */
function shopNumber(line: Line, at: number, from: number): string | null {
  const token = line.tokens[at];
  if (token?.kind !== "number" || line.tokens[at + 1]?.before === "-") return null;
  const hash = token.before === "#";
  const marked = hash || at === from || storeWords.has(line.tokens[at - 1]?.text ?? "");
  const lengthMax = hash ? 6 : 5;
  return marked && token.text.length >= 2 && token.text.length <= lengthMax ? token.text : null;
}

const isLetteredNumber = (text: string): boolean => /^[a-z]\d{3,6}$/u.test(text);

/** Number of the shop behind a merchant's name: `#1234`, `STORE 6440`, `F1234`. */
export function storeNumberAfter(line: Line, from: number, to: number): string | null {
  for (let at = from; at < to; at++) {
    const token = line.tokens[at];
    if (token === undefined || skipDate(line, at, to) > at) return null;
    if (token.kind === "mixed" && isLetteredNumber(token.text)) return token.text.toUpperCase();
    if (isReference(line, at)) return shopNumber(line, at, from);
  }
  return null;
}

export interface FoundLocation {
  readonly place: FoundPlace | null;
  readonly storeNumber: string | null;
  readonly rawAddress: string | null;
  readonly merchantName: string | null;
}

export function buildLocation(
  input: FoundLocation,
  hints: Hints,
  knowledge: Knowledge,
): Location | null {
  const { place, storeNumber, merchantName } = input;
  const address = input.rawAddress === null ? "" : normaliseText(input.rawAddress);
  if (address === "")
    return assemble(
      { place, street: noStreet, storeNumber, rawAddress: null, merchantName },
      knowledge,
    );
  const parsed = parseAddress(address, hints, knowledge);
  const rawAddress = input.rawAddress;
  return assemble(
    { place: parsed.place ?? place, street: parsed.street, storeNumber, rawAddress, merchantName },
    knowledge,
  );
}

/** The location with its links to maps naming this merchant: of another one than it was built with. */
export function withMerchantName(location: Location, merchantName: string | null): Location {
  const { structured } = location;
  if (structured === null || structured.google_maps_url === null) return location;
  const { house_number, street, city, state, postcode, country_code } = structured;
  const line = [house_number, street].filter((part) => part !== null).join(" ");
  const maps = mapUrls(joinParts([merchantName, line, city, state, postcode, country_code]));
  return {
    ...location,
    structured: { ...structured, google_maps_url: maps.google, apple_maps_url: maps.apple },
  };
}

/** What is written about where a merchant is, with the place that is meant. */
export const placedAt = (
  { place, rawAddress, merchantName }: Omit<FoundLocation, "storeNumber">,
  knowledge: Knowledge,
): Location | null =>
  assemble({ place, street: noStreet, storeNumber: null, rawAddress, merchantName }, knowledge);

/** A city that is in no gazetteer, in sensible capitals. */
export const cityInCapitals = (city: string): string => {
  const line = { text: city, tokens: tokenise(city) };
  return displayName(line, { from: 0, to: line.tokens.length });
};
