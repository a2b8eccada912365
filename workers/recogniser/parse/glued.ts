// Fixed-width fields without a space between them (`CRYSTAL LAKES GOLF CLUOKEECHOBEE   FL`, `CHIMNEY603-555-0188`):
// where the city or the phone number begins inside a word, the word is cut in two, so that all later steps see a name and
// what stands behind it.
import type { Line } from "../line.ts";
import { flagsOfToken, type Knowledge } from "../../knowledge/knowledge.ts";
import { placePrefix } from "../../knowledge/sections.ts";
import { type Token, tokenise } from "../text/tokenise.ts";
import type { Hints } from "../hints.ts";
import { areaAtEnd } from "../place/states.ts";

/** Widths of the field between the name and the state. */
const CITY_FIELD_WIDTHS = [13, 14] as const;
const STATE_LENGTH = 2;
const CITY_LENGTH_MIN = 4;
/** Where the field is not as wide as usual, only a longer city is not chance. */
const LOOSE_CITY_LENGTH_MIN = 5;
/** In front of words that are a city already, fewer letters are chance: `UPPE NEW YORK` is not `E NEW YORK`. */
const GLUED_TO_CITY_LENGTH_MIN = 3;
/** Words of a city. */
const CITY_TOKENS_MAX = 3;
const AREA_CODE_LENGTH = 3;
/** Three capitals and a short city. */
const OTHER_HAND_LENGTH_MIN = 7;

/** Where the state begins in the text: the last word, or the last two letters of one that fills its field. */
function stateStart(last: Token, hints: Hints): number | null {
  if (last.kind !== "word" || areaAtEnd(last.text, hints.home) === null) return null;
  return last.end - STATE_LENGTH;
}

const notInKey = /[^a-z0-9]+/gu;

/** The key of a name: `nameKey` for plain letters and digits, which is all that card terminals write, and cheap. */
const keyOf = (written: string): string => written.toLowerCase().replace(notInKey, "");

/** Whether a city of the area is written there; one that fills the field may be cut off. */
function isCity(written: string, width: number, area: string, knowledge: Knowledge): boolean {
  const key = keyOf(written);
  if (key.length < CITY_LENGTH_MIN) return false;
  const { keys } = knowledge.places;
  const prefix = placePrefix(area) + key;
  if (keys.find(prefix) >= 0) return true;
  if (written.length !== width) return false;
  const [first, end] = keys.prefixRange(prefix);
  return end > first;
}

function cutAt(line: Line, at: number): Line {
  const { text, tokens } = line;
  const index = tokens.findIndex((token) => token.start < at && token.end > at);
  const token = tokens[index];
  if (token === undefined) return line;
  const part = (start: number, end: number): Token[] =>
    tokenise(text.slice(start, end)).map((one) => ({
      ...one,
      start: start + one.start,
      end: start + one.end,
    }));
  const { before, gap } = token;
  const [front, back] = [part(token.start, at), part(at, token.end)];
  // Next to an apostrophe, which is of a word only between others of it: it would be of neither part.
  const isWhole = front.at(-1)?.end === at && back[0]?.start === at;
  if (!isWhole) return line;
  const left = front.map((one, i) => (i === 0 ? { ...one, before, gap } : one));
  const right = back.map((one, i) => (i === 0 ? { ...one, before: " ", gap: 1 } : one));
  return {
    text,
    tokens: [...tokens.slice(0, index), ...left, ...right, ...tokens.slice(index + 1)],
  };
}

/** Whether a token lies on both sides of the place in the text. */
function isInside({ tokens }: Line, at: number): boolean {
  for (const { start, end } of tokens) if (start < at && at < end) return true;
  return false;
}

/** Where the field of the city begins inside a word, by its width; -1 when it does not. */
function fieldInside(line: Line, state: number, area: string, knowledge: Knowledge): number {
  for (const width of CITY_FIELD_WIDTHS) {
    const at = state - width;
    if (isInside(line, at) && isCity(line.text.slice(at, state).trimEnd(), width, area, knowledge))
      return at;
  }
  return -1;
}

const hasDigit = (text: string): boolean => /\d/u.test(text);

/** Whether the field of the city may begin where it holds a digit. */
export function mayBeCityField(
  { text, tokens }: Line,
  hints: Hints,
  knowledge: Knowledge,
): boolean {
  const last = tokens[tokens.length - 1];
  const area = last === undefined ? null : areaAtEnd(last.text, hints.home);
  if (last === undefined || area === null) return false;
  const state = last.end - STATE_LENGTH;
  for (const width of CITY_FIELD_WIDTHS) {
    const written = text.slice(Math.max(0, state - width), state);
    if (hasDigit(written) && isCity(written.trimEnd(), width, area, knowledge)) return true;
  }
  return false;
}

/** Letters of the word that a city needs which begins inside it and goes on behind it. */
function gluedLengthMin(prefix: string, behind: string, { places }: Knowledge): number {
  const isCity = behind.length >= CITY_LENGTH_MIN && places.keys.findParts([prefix, behind]) >= 0;
  return isCity ? GLUED_TO_CITY_LENGTH_MIN : LOOSE_CITY_LENGTH_MIN - behind.length;
}

/** Where a city begins inside an unknown word, whatever the width of its field; -1 when it does not. */
function cityInside(line: Line, state: number, area: string, knowledge: Knowledge): number {
  let count = line.tokens.length;
  while (count > 0 && (line.tokens[count - 1]?.end ?? 0) > state) count--;
  const prefix = placePrefix(area);
  for (let back = 1; back <= Math.min(CITY_TOKENS_MAX, count - 1); back++) {
    const token = line.tokens[count - back];
    if (token === undefined || token.kind === "number" || token.kind === "mask") return -1;
    if (flagsOfToken(knowledge, token) !== 0) continue;
    const whole = keyOf(line.text.slice(token.start, token.end));
    const behind = keyOf(line.text.slice(token.end, state));
    const isPlain = whole.length === token.end - token.start;
    const lengthMin = gluedLengthMin(prefix, behind, knowledge);
    for (let at = token.start + 1; at < token.end; at++) {
      const key = isPlain ? whole.slice(at - token.start) : keyOf(line.text.slice(at, token.end));
      if (key.length < lengthMin) break;
      if (knowledge.places.keys.findParts([prefix, key, behind]) >= 0) return at;
    }
  }
  return -1;
}

/** `CHIMNEY603-555-0188`: the area code at the end of a word. */
function splitGluedPhone(line: Line): Line {
  const index = line.tokens.findIndex((token, at) => {
    const next = line.tokens[at + 1];
    const isMixed = token.kind === "mixed" && /^[a-z]{2,}\d{3}$/u.test(token.text);
    const digits = next?.kind === "number" ? next.text.length : 0;
    return isMixed && next?.before === "-" && next.gap === 1 && (digits === 3 || digits === 7);
  });
  const token = line.tokens[index];
  return token === undefined ? line : cutAt(line, token.end - AREA_CODE_LENGTH);
}

/** `APOTHECBend`: a name in capitals up to the end of its field, and a city in small letters. */
const otherHand = /^[A-Z]{3,}(?=[A-Z][a-z]{2,}$)/u;

const isSmall = (text: string, at: number): boolean => text.charCodeAt(at) >= 0x61;

function splitOtherHand(line: Line): Line {
  for (const { kind, start, end } of line.tokens) {
    if (kind !== "word" || end - start < OTHER_HAND_LENGTH_MIN) continue;
    // Most words are in one hand: that is seen without a regular expression.
    if (!isSmall(line.text, end - 1) || isSmall(line.text, start + 1)) continue;
    const name = otherHand.exec(line.text.slice(start, end));
    if (name !== null) return cutAt(line, start + name[0].length);
  }
  return line;
}

/** The line with the words cut in two that hold the end of the name and the beginning of the city or phone number. */
export function splitGlued(whole: Line, hints: Hints, knowledge: Knowledge): Line {
  const line = splitOtherHand(splitGluedPhone(whole));
  const last = line.tokens[line.tokens.length - 1];
  if (last === undefined || (hints.home !== "US" && hints.home !== "CA")) return line;
  const state = stateStart(last, hints);
  if (state === null) return line;
  const area = areaAtEnd(last.text, hints.home) ?? "";
  const byWidth = fieldInside(line, state, area, knowledge);
  const at = byWidth >= 0 ? byWidth : cityInside(line, state, area, knowledge);
  return at < 0 ? line : cutAt(line, at);
}
