// Cuts the place off the end of a card line: city, state, postcode, country, also glued and cut off
// (`FREDERICKSBURVA`), and what else stands there (contact.ts).
import { isReference, isWord, type Line, type Span } from "../line.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { packArea, placePrefix } from "../../knowledge/sections.ts";
import type { Hints } from "../hints.ts";
import { cutContact, webBefore } from "./contact.ts";
import { lastEmail } from "./email.ts";
import { endWordSet } from "../name/name-words.ts";
import { isIn, type WordSet, wordSet } from "../text/word-map.ts";
import { areaAtEnd, areaOfState, australianStates, isAmbiguousState } from "./states.ts";

/** City fields of card lines are 13 characters wide; a shorter text was not cut off. */
const CITY_FIELD_LENGTH = 13;
const CITY_TOKENS_MAX = 4;
/** Without a state behind it, only a place of this size is taken for one. */
const LONE_CITY_POPULATION_MIN = 15_000;
/** Where not even the country is known, only a big one. */
const EURO_CITY_MIN = 100_000;
const GERMANY = packArea("DE");

export interface FoundPlace {
  /** Index into knowledge.places, -1 when the city is unknown. */
  readonly index: number;
  /** Area such as `US-VA` or `GB`, null when only a postcode or phone number was found. */
  readonly area: string | null;
  /** City as written, for places that are in no gazetteer. */
  readonly cityText: string | null;
  readonly postcode: string | null;
}

export interface Placed {
  /** The line without the place. */
  readonly span: Span;
  readonly place: FoundPlace | null;
}

const nothing = (span: Span): Placed => ({ span, place: null });

const textOf = (line: Line, at: number): string => line.tokens[at]?.text ?? "";

function joined(line: Line, from: number, to: number, last: string): string {
  let text = "";
  for (let i = from; i < to - 1; i++) text += textOf(line, i);
  return text + last;
}

/** The parts of the key under which the same name is filed. */
function partsOf(prefix: string, line: Line, from: number, to: number, last: string): string[] {
  const parts = [prefix];
  for (let i = from; i < to - 1; i++) parts.push(textOf(line, i));
  parts.push(last);
  return parts;
}

interface City {
  readonly from: number;
  readonly index: number;
}

/** Width of the city field as written, trailing state off. */
function fieldWidth(line: Line, from: number, to: number, cut: number): number {
  return (line.tokens[to - 1]?.end ?? 0) - cut - (line.tokens[from]?.start ?? 0);
}

const umlautAreas: ReadonlySet<string> = new Set(["DE", "AT", "CH"]);

/** `MUENCHEN` → `munchen`, as keys of places are folded; null when the name has nothing of the kind. */
const withoutUmlauts = (name: string): string | null =>
  /[aou]e/u.test(name) ? name.replace(/([aou])e/gu, "$1") : null;

/** The longest city of the area that ends at `to`; `last` is the last token without a glued state. */
function cityBefore(
  line: Line,
  span: Span,
  to: number,
  last: string,
  area: string,
  knowledge: Knowledge,
): City | null {
  const { keys } = knowledge.places;
  const prefix = placePrefix(area);
  const hasUmlauts = umlautAreas.has(area);
  const glued = textOf(line, to - 1).length - last.length;
  const first = Math.max(span.from + 1, to - CITY_TOKENS_MAX);
  for (let from = first; from < to; from++) {
    const index = keys.findParts(partsOf(prefix, line, from, to, last));
    if (index >= 0) return { from, index };
    const plain = hasUmlauts ? withoutUmlauts(joined(line, from, to, last)) : null;
    const other = plain === null ? -1 : keys.find(prefix + plain);
    if (other >= 0) return { from, index: other };
  }
  for (let from = first; from < to; from++) {
    const width = fieldWidth(line, from, to, glued);
    const isCut =
      width === CITY_FIELD_LENGTH || (width > 9 && width < CITY_FIELD_LENGTH && glued === 0);
    const name = isCut ? joined(line, from, to, last) : "";
    if (name.length < 8) continue;
    const [start, end] = keys.prefixRange(prefix + name);
    if (end > start) return { from, index: largest(start, end, knowledge) };
  }
  return null;
}

function largest(start: number, end: number, knowledge: Knowledge): number {
  let best = start;
  const { population } = knowledge.places;
  for (let i = start; i < end; i++) if ((population[i] ?? 0) > (population[best] ?? 0)) best = i;
  return best;
}

interface State {
  readonly area: string;
  /** The last token of what stands before the state. */
  readonly to: number;
  readonly last: string;
  readonly glued: boolean;
}

const countryWords: WordSet = wordSet(["us", "usa", "gb", "gbr", "uk", "can"]);

/** The state at `to - 1`, as its own token or glued to the city; also `CAUS` for California, US. */
function stateAt(line: Line, span: Span, to: number, hints: Hints): State | null {
  const text = textOf(line, to - 1);
  if (to - 1 <= span.from || line.tokens[to - 1]?.kind !== "word") return null;
  const own = areaOfState(text, hints.home);
  if (own !== null) return { area: own, to: to - 1, last: textOf(line, to - 2), glued: false };
  if (text.length < 4) return null;
  const withCountry = text.endsWith("us") && areaAtEnd(text.slice(0, -2), hints.home) !== null;
  const word = withCountry && text.length !== 5 ? text.slice(0, -2) : text;
  const area = areaAtEnd(word, hints.home);
  if (area === null) return null;
  if (word.length === 2) return { area, to: to - 1, last: textOf(line, to - 2), glued: false };
  return { area, to, last: word.slice(0, -2), glued: true };
}

interface PostcodeCut {
  readonly to: number;
  readonly postcode: string | null;
}

const isZip = (line: Line, at: number): boolean =>
  line.tokens[at]?.kind === "number" && textOf(line, at).length === 5;

/** UK outward code: one or two letters, a digit, at most one more character: `n11`, `sw1a`, `b1`. */
function isOutward(text: string): boolean {
  if (text.length < 2 || text.length > 4) return false;
  const letters = text.charCodeAt(1) >= 0x61 ? 2 : 1;
  const digit = text.charCodeAt(letters);
  return text.charCodeAt(0) >= 0x61 && digit >= 0x30 && digit <= 0x39;
}

const isInward = (text: string): boolean =>
  text.length === 3 &&
  text.charCodeAt(0) <= 0x39 &&
  text.charCodeAt(1) >= 0x61 &&
  text.charCodeAt(2) >= 0x61;

function postcodeBefore(line: Line, span: Span, hints: Hints): PostcodeCut {
  const to = span.to;
  if (to - 2 <= span.from) return { to, postcode: null };
  const last = textOf(line, to - 1);
  if (
    hints.home === "US" &&
    isZip(line, to - 1) &&
    areaOfState(textOf(line, to - 2), "US") !== null
  ) {
    return { to: to - 1, postcode: last };
  }
  if (hints.home !== "GB") return { to, postcode: null };
  if (isInward(last) && isOutward(textOf(line, to - 2))) {
    return { to: to - 2, postcode: `${textOf(line, to - 2)} ${last}`.toUpperCase() };
  }
  return isOutward(last) ? { to: to - 1, postcode: last.toUpperCase() } : { to, postcode: null };
}

/** A column of spaces inside the last few tokens: the text behind it is the city field. */
function columnBefore(line: Line, span: Span, to: number): number {
  for (let at = to - 1; at > span.from && at >= to - CITY_TOKENS_MAX; at--) {
    const token = line.tokens[at];
    if (token !== undefined && token.gap >= 2 && token.before === " " && token.kind === "word")
      return at;
  }
  return to;
}

/** What stands before a city; `CITYWIDE STORAGE OF TULSA` keeps its city, which is part of the name. */
function beforeCity(line: Line, span: Span, city: number, end: number): Span {
  const ofCity = textOf(line, city - 1) === "of" && city - 1 > span.from;
  return ofCity ? { from: span.from, to: end } : cutContact(line, { from: span.from, to: city });
}

function placedWithState(
  line: Line,
  span: Span,
  state: State,
  postcode: string | null,
  knowledge: Knowledge,
): Placed | null {
  const { area, to, last } = state;
  // `STATE OF MI`: the state is who it is.
  if (last === "of" && !state.glued) return null;
  const city = to > span.from + 1 ? cityBefore(line, span, to, last, area, knowledge) : null;
  if (city !== null) {
    const rest = beforeCity(line, span, city.from, state.glued ? city.from : to);
    return { span: rest, place: { index: city.index, area, cityText: null, postcode } };
  }
  if (state.glued) return gluedToWeb(line, span, state);
  const contact = cutContact(line, { from: span.from, to });
  const place = { index: -1, area, cityText: null, postcode };
  if (contact.to < to) return { span: contact, place };
  const column = columnBefore(line, span, to);
  if (column < to) {
    const cityText = line.text.slice(line.tokens[column]?.start, line.tokens[to - 1]?.end);
    return { span: { from: span.from, to: column }, place: { ...place, cityText } };
  }
  const believed = !isAmbiguousState(area.slice(3).toLowerCase()) || isReference(line, to - 1);
  return believed ? { span: { from: span.from, to }, place } : null;
}

/** `AMZN.COM/BILLWA`: no city, the state stands right behind the address. */
function gluedToWeb(line: Line, span: Span, state: State): Placed | null {
  const at = webBefore(line, span.from, state.to);
  if (at >= state.to && line.tokens[state.to - 1]?.before !== "/") return null;
  const to = at < state.to ? at : state.to - 1;
  const place = { index: -1, area: state.area, cityText: null, postcode: null };
  return { span: cutContact(line, { from: span.from, to }), place };
}

/** The city at the end of the span, by country; the first country that has a city of some size. */
function loneCity(
  line: Line,
  span: Span,
  countries: readonly string[],
  populationMin: number,
  knowledge: Knowledge,
): { readonly city: City; readonly area: string } | null {
  const last = textOf(line, span.to - 1);
  for (const area of countries) {
    const city = cityBefore(line, span, span.to, last, area, knowledge);
    if (city === null) continue;
    const population = knowledge.places.population[city.index] ?? 0;
    const first = line.tokens[city.from];
    const inColumn = first !== undefined && first.gap >= 2 && first.before === " ";
    if (population >= populationMin || inColumn) return { city, area };
  }
  return null;
}

/** Where to look for a city when the currency alone is known: most euro lines come from these. */
const euroCountries: readonly string[] = ["DE", "FR", "ES", "IT", "NL", "BE", "AT", "IE", "PT"];

/** Countries whose lines carry no state: a known city of some size, or any city in its own column or before a postcode. */
function placedWithoutState(
  line: Line,
  span: Span,
  postcode: string | null,
  hints: Hints,
  knowledge: Knowledge,
): Placed {
  const { home } = hints;
  const bare = { index: -1, area: home, cityText: null, postcode };
  const found = postcode === null ? nothing(span) : { span, place: bare };
  if (home === "US" || home === "CA") return found;
  if (span.to - 1 <= span.from || !isWord(line, span.to - 1, 3)) return found;
  const inEuro = hints.countries.length > 1 && hints.countries.includes(GERMANY);
  if (home === null && (!inEuro || span.to - span.from < 3)) return found;
  const least = home === null ? EURO_CITY_MIN : LONE_CITY_POPULATION_MIN;
  const countries = home === null ? euroCountries : [home];
  const lone =
    loneCity(line, span, countries, postcode === null ? least : 0, knowledge) ??
    cityAfterTrade(line, span, home, knowledge);
  if (lone === null) return found;
  const place = { ...bare, area: lone.area, index: lone.city.index };
  return { span: beforeCity(line, span, lone.city.from, span.to), place };
}

function onlyReferences(line: Line, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isReference(line, at)) return false;
  return true;
}

/** A reference, the ON in front of its date, or the letter in front of a card's number (`C#9917`). */
const isTailPiece = (line: Line, at: number): boolean =>
  isReference(line, at) ||
  textOf(line, at) === "on" ||
  (textOf(line, at).length === 1 && line.tokens[at + 1]?.before === "#");

/** `DAVIES PHARMACY LAMPETER`: behind a word that names end with, a place need not be large. */
function cityAfterTrade(
  line: Line,
  span: Span,
  country: string | null,
  knowledge: Knowledge,
): { readonly city: City; readonly area: string } | null {
  const found = country === null ? null : loneCity(line, span, [country], 0, knowledge);
  if (found === null || found.city.from - span.from < 2) return null;
  return isIn(endWordSet, line.tokens[found.city.from - 1]) ? found : null;
}

/** References behind a state (`KIRKLAND WA S123456789`) go; behind a name they may be the number of the shop. */
function withoutTail(line: Line, span: Span, hints: Hints): Span {
  let to = span.to;
  while (to - 1 > span.from && isTailPiece(line, to - 1)) to--;
  if (to === span.to) return span;
  const state = stateAt(line, span, to, hints);
  if (state === null) return span;
  const zipFollows = !state.glued && isZip(line, to) && to < span.to;
  return { from: span.from, to: zipFollows ? to + 1 : to };
}

/**
 * Cuts the place off the end of `whole`. No part of an e-mail address is read as a place: `JOHN@SEATTLE.WA.US` is not
 * where the purchase was made, and the place goes into map links.
 */
export function cutPlace(line: Line, whole: Span, hints: Hints, knowledge: Knowledge): Placed {
  const email = lastEmail(line, whole);
  if (email === null) return placeAtEnd(line, whole, hints, knowledge);
  const hasName = email.from > whole.from;
  if (onlyReferences(line, email.to, whole.to)) {
    const before = { from: whole.from, to: email.from };
    return hasName ? placeAtEnd(line, before, hints, knowledge) : nothing(whole);
  }
  const { span, place } = placeAtEnd(line, { from: email.to - 1, to: whole.to }, hints, knowledge);
  const to = hasName && span.to === email.to ? email.from : span.to;
  return { span: { from: whole.from, to }, place };
}

function placeAtEnd(line: Line, whole: Span, hints: Hints, knowledge: Knowledge): Placed {
  let span = whole;
  const last = textOf(line, span.to - 1);
  // `BEARINGS R US` ends with no country.
  const rus = last === "us" && textOf(line, span.to - 2) === "r";
  const isCountry =
    isIn(countryWords, line.tokens[span.to - 1]) || last === hints.home?.toLowerCase();
  const named = span.to - 2 > span.from && isCountry && !rus;
  if (named) span = { from: span.from, to: span.to - 1 };
  // Places there are filed by country: the state adds nothing.
  const isState = hints.home === "AU" && australianStates.has(textOf(line, span.to - 1));
  if (isState && span.to - 2 > span.from) span = { from: span.from, to: span.to - 1 };
  span = withoutTail(line, span, hints);
  const { to, postcode } = postcodeBefore(line, span, hints);
  span = { from: span.from, to };
  const state = stateAt(line, span, to, hints);
  if (state !== null) {
    const placed = placedWithState(line, span, state, postcode, knowledge);
    if (placed !== null) return placed;
  }
  const contact = cutContact(line, span);
  return placedWithoutState(line, contact, postcode, hints, knowledge);
}
