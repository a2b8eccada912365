// What stands behind the name: city, state, postcode, country, phone numbers, addresses on the web. `cutPlace` only says
// where all of it begins; here it is told apart for people to read.
import type { PartKind } from "../../../src/model/explanation.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { placePrefix } from "../../knowledge/sections.ts";
import { digitsIn, isReference, type Line, type Span } from "../line.ts";
import type { Hints } from "../steps/hints.ts";
import { months, skipDate } from "../steps/peel.ts";
import { isIn } from "../text/word-map.ts";
import type { FoundPlace } from "../steps/place.ts";
import { areaOfState } from "../steps/states.ts";
import { nameKey } from "../text/keys.ts";

/** What tokens are, by their number. */
export interface Labels {
  set(from: number, to: number, kind: PartKind, means?: string | null): void;
  /** The last letters of a token are a state that was glued to it. */
  glueState(token: number, length: number, state: string): void;
}

const textOf = (line: Line, at: number): string => line.tokens[at]?.text ?? "";

const countryNames: ReadonlySet<string> = new Set(["us", "usa", "gb", "gbr", "uk", "can"]);
const PHONE_DIGITS_MIN = 7;

/** First token of the postcode, or `to`. */
function postcodeAt(line: Line, span: Span, postcode: string | null): Span | null {
  if (postcode === null) return null;
  const wanted = postcode.replaceAll(" ", "").toLowerCase();
  for (let to = span.to; to > span.from; to--) {
    if (textOf(line, to - 1) === wanted) return { from: to - 1, to };
    const two = to - 2 >= span.from ? textOf(line, to - 2) + textOf(line, to - 1) : "";
    if (two === wanted) return { from: to - 2, to };
  }
  return null;
}

interface StateAt {
  readonly at: number;
  /** Length of the state at the end of the token, 0 when it is the whole token. */
  readonly glued: number;
}

function stateAt(line: Line, span: Span, area: string, home: string | null): StateAt | null {
  for (let at = span.to - 1; at >= span.from; at--)
    if (areaOfState(textOf(line, at), home) === area) return { at, glued: 0 };
  const state = area.slice(3).toLowerCase();
  for (let at = span.to - 1; at >= span.from; at--) {
    const text = textOf(line, at);
    for (const ending of [state, `${state}us`])
      if (text.endsWith(ending) && text.length >= ending.length)
        return { at, glued: text === ending ? 0 : ending.length };
  }
  return null;
}

interface CityField {
  readonly span: Span;
  /** The last word of the field without a state that was glued to it. */
  readonly last: string;
}

/** First token of the city at the end of the field, its end when there is none. */
function cityFrom(
  line: Line,
  { span, last }: CityField,
  place: FoundPlace,
  city: string,
  knowledge: Knowledge,
): number {
  const wanted = nameKey(city);
  const prefix = place.area === null ? null : placePrefix(place.area);
  for (let from = Math.max(span.from, span.to - 4); from < span.to; from++) {
    let name = "";
    for (let at = from; at < span.to - 1; at++) name += textOf(line, at);
    name += last;
    const isWritten = name.length >= 3 && wanted.startsWith(name);
    const isKey = prefix !== null && knowledge.places.keys.find(prefix + name) === place.index;
    if (isWritten || (place.index >= 0 && isKey)) return from;
  }
  return span.to;
}

const cityOf = (place: FoundPlace, knowledge: Knowledge): string | null =>
  place.index >= 0 ? knowledge.text(knowledge.places.name[place.index] ?? 0) : place.cityText;

/** What is left in front of the postcode. */
function labelPostcode(line: Line, span: Span, postcode: string | null, labels: Labels): Span {
  const found = postcodeAt(line, span, postcode);
  if (found === null) return span;
  labels.set(found.from, found.to, "postcode", postcode);
  return found.from > span.from ? { from: span.from, to: found.from } : span;
}

/** What is left in front of the state, or of the country where there is no state. */
function labelState(
  line: Line,
  span: Span,
  area: string | null,
  home: string | null,
  labels: Labels,
): CityField {
  const found = area === null || area.length <= 2 ? null : stateAt(line, span, area, home);
  let { to } = span;
  if (found === null) {
    while (to - 1 > span.from && countryNames.has(textOf(line, to - 1))) to--;
    return { span: { from: span.from, to }, last: textOf(line, to - 1) };
  }
  const state = area?.slice(3) ?? "";
  const { at, glued } = found;
  if (glued > 0) {
    labels.glueState(at, glued, state);
    return { span: { from: span.from, to: at + 1 }, last: textOf(line, at).slice(0, -glued) };
  }
  labels.set(at, at + 1, "state", state);
  return { span: { from: span.from, to: at }, last: textOf(line, at - 1) };
}

function labelPlace(
  line: Line,
  span: Span,
  place: FoundPlace,
  hints: Hints,
  knowledge: Knowledge,
  labels: Labels,
): void {
  const inFront = labelPostcode(line, span, place.postcode, labels);
  const field = labelState(line, inFront, place.area, hints.home, labels);
  const city = cityOf(place, knowledge);
  if (city === null) return;
  const from = cityFrom(line, field, place, city, knowledge);
  labels.set(from, field.span.to, "city", city);
}

/** End of a run of numbers joined to one another, for phone numbers; `isTail`: one long number can be one, too. */
function phoneEnd(line: Line, from: number, to: number, isTail: boolean): number {
  let digits = 0;
  let at = line.tokens[from]?.before === "#" ? to : from;
  while (at < to) {
    const token = line.tokens[at];
    if (token === undefined || (token.kind !== "number" && token.kind !== "mask")) break;
    if (at > from && token.gap !== 1) break;
    digits += token.kind === "mask" ? token.text.length : digitsIn(token.text);
    at++;
  }
  const isPhone = digits >= PHONE_DIGITS_MIN && (isTail || at > from + 1);
  return isPhone ? at : from;
}

/** End of an address on the web that begins at the token. */
function webEnd(line: Line, from: number, to: number): number {
  let dots = 0;
  let at = from + 1;
  while (at < to && line.tokens[at]?.gap === 1) {
    const joint = line.tokens[at]?.before ?? "";
    if (joint !== "." && joint !== "/" && joint !== "-") break;
    if (joint === ".") dots++;
    at++;
  }
  return dots > 0 ? at : from;
}

/** End of a date that begins at the token: `01/23`, `17 MAY`. */
function dateEnd(line: Line, from: number, to: number): number {
  const isDay = line.tokens[from]?.kind === "number" && textOf(line, from).length <= 2;
  if (isDay && from + 1 < to && isIn(months, line.tokens[from + 1])) return from + 2;
  // `855-973-1040` looks like a date to those who only want to get past it.
  return textOf(line, from).length === 3 ? from : skipDate(line, from, to);
}

/**
 * Dates, numbers and addresses in a stretch of the line that names nobody; `other` is what the words are. `isTail`: the
 * stretch is where shops write their phone number.
 */
export function labelValues(
  line: Line,
  span: Span,
  other: PartKind,
  labels: Labels,
  isTail = false,
): void {
  let at = span.from;
  while (at < span.to) {
    const date = dateEnd(line, at, span.to);
    const phone = phoneEnd(line, at, span.to, isTail);
    const web = isReference(line, at) ? at : webEnd(line, at, span.to);
    const end = Math.max(date, phone, web, at + 1);
    if (date > at) labels.set(isOn(line, at - 1, span) ? at - 1 : at, date, "date");
    else if (phone > at) labels.set(at, phone, "phone");
    else if (web > at) labels.set(at, web, "website");
    else labels.set(at, end, isReference(line, at) ? "reference" : other);
    at = date > at ? date : end;
  }
}

const isOn = (line: Line, at: number, span: Span): boolean =>
  at >= span.from && textOf(line, at) === "on";

/** Everything between the name and the wrappings behind it. */
export function labelTail(
  line: Line,
  span: Span,
  place: FoundPlace | null,
  hints: Hints,
  knowledge: Knowledge,
  labels: Labels,
): void {
  labelValues(line, span, "rest", labels, true);
  const last = span.to - 1;
  if (last >= span.from && countryNames.has(textOf(line, last)))
    labels.set(last, span.to, "country");
  if (place !== null) labelPlace(line, span, place, hints, knowledge, labels);
}
