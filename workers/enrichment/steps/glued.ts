// Step: fixed-width fields without a space between them (`CRYSTAL LAKES GOLF CLUOKEECHOBEE   FL`): where the field of the
// city begins inside a word, the word is cut in two, so that all later steps see a name and a city.
import type { Line } from "../line.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { placePrefix } from "../knowledge/sections.ts";
import { nameKey } from "../text/keys.ts";
import { type Token, tokenise } from "../text/tokenise.ts";
import type { Hints } from "./hints.ts";
import { areaOfState } from "./states.ts";

/** Widths of the field between the name and the state. */
const CITY_FIELD_WIDTHS = [13, 14] as const;
const STATE_LENGTH = 2;
/** Fewer letters of the name in front of the city are no word that was cut off. */
const NAME_PART_LENGTH_MIN = 1;
const CITY_LENGTH_MIN = 4;

/** Where the state begins in the text: the last word, or the last two letters of one that fills its field. */
function stateStart(last: Token, hints: Hints): number | null {
  const state = last.text.slice(-STATE_LENGTH);
  if (last.kind !== "word" || areaOfState(state, hints.home) === null) return null;
  return last.end - STATE_LENGTH;
}

/** Whether a city of the area is written there; one that fills the field may be cut off. */
function isCity(written: string, width: number, area: string, knowledge: Knowledge): boolean {
  const key = nameKey(written);
  if (key.length < CITY_LENGTH_MIN) return false;
  const { keys } = knowledge.places;
  const prefix = placePrefix(area) + key;
  if (keys.find(prefix) >= 0) return true;
  const [first, end] = keys.prefixRange(prefix);
  return written.length === width && end > first;
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
  const [left, right] = [part(token.start, at), part(at, token.end)];
  const first = left.map((one, i) =>
    i === 0 ? { ...one, before: token.before, gap: token.gap } : one,
  );
  const second = right.map((one, i) => (i === 0 ? { ...one, before: " ", gap: 1 } : one));
  return {
    text,
    tokens: [...tokens.slice(0, index), ...first, ...second, ...tokens.slice(index + 1)],
  };
}

/** The line with the word cut in two that holds the end of the name and the beginning of the city. */
export function splitGluedCity(line: Line, hints: Hints, knowledge: Knowledge): Line {
  const last = line.tokens[line.tokens.length - 1];
  if (last === undefined || (hints.home !== "US" && hints.home !== "CA")) return line;
  const state = stateStart(last, hints);
  if (state === null) return line;
  const area = areaOfState(last.text.slice(-STATE_LENGTH), hints.home) ?? "";
  for (const width of CITY_FIELD_WIDTHS) {
    const at = state - width;
    const isInside = line.tokens.some(
      ({ start, end }) => start + NAME_PART_LENGTH_MIN <= at && at < end,
    );
    if (!isInside) continue;
    const written = line.text.slice(at, state).trimEnd();
    if (isCity(written, width, area, knowledge)) return cutAt(line, at);
  }
  return line;
}
