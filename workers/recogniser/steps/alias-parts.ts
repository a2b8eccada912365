// The texts of a line that aliases are looked up by: its words without the numbers that are glued to them.
import type { Line } from "../line.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";

/** A number of at least this many digits glued to a word of at least this many letters is no part of the name. */
const GLUED_DIGITS_MIN = 4;
const GLUED_LETTERS_MIN = 3;
/** Behind a longer word three digits are enough: `RACETRAC433`. */
const LONG_GLUED_LETTERS_MIN = 6;

const INNER_NUMBER = /^([a-z]{5,})\d{3,6}([a-z]{4,})$/u;

/** `MURPHY7312ATWALMART` → `murphyatwalmart`. */
const withoutInnerNumber = (text: string): string => text.replace(INNER_NUMBER, "$1$2");

/** `ADS4471234567` → `ads`, `43035135COSTA` → `costa`; `FOREVER21` and codes such as `A1B2C3D4` stay. */
function withoutGluedNumber(text: string): string {
  let from = 0;
  let to = text.length;
  while (to > 0 && text.charCodeAt(to - 1) <= 0x39) to--;
  if (to === text.length) while (from < to && text.charCodeAt(from) <= 0x39) from++;
  if (to === text.length && from === 0) return withoutInnerNumber(text);
  const digits = text.length - (to - from);
  const isLong = to - from >= LONG_GLUED_LETTERS_MIN;
  const least = isLong ? GLUED_DIGITS_MIN - 1 : GLUED_DIGITS_MIN;
  if (digits < least || to - from < GLUED_LETTERS_MIN) return text;
  for (let i = from; i < to; i++) if (text.charCodeAt(i) <= 0x39) return text;
  return text.slice(from, to);
}

/** Words in front of the last of a name that ends in the number of its shop. */
const WORDS_BEFORE_SHOP_MAX = 2;

/** `STATER BROS181` → `bros`: a word too short to be cut by itself, which ends a name of the knowledge without its number. */
function withoutShopNumber(line: Line, at: number, { keys }: Knowledge["aliases"]): string | null {
  const text = line.tokens[at]?.text ?? "";
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 0x39) end--;
  if (end < 2 || end === text.length) return null;
  const word = text.slice(0, end);
  let name = word;
  for (let from = at - 1; from >= Math.max(0, at - WORDS_BEFORE_SHOP_MAX); from--) {
    name = (line.tokens[from]?.text ?? "") + name;
    if (keys.find(name) >= 0) return word;
  }
  return null;
}

/** Folded texts of the tokens, made once a line for the joined look-ups. `1800CONTACTS` is an alias and stays. */
export const aliasPartsOf = (line: Line, { aliases }: Knowledge): readonly string[] =>
  line.tokens.map(({ kind, text }, at) => {
    if (kind !== "mixed" || aliases.keys.find(text) >= 0) return text;
    const word = withoutGluedNumber(text);
    return word === text ? (withoutShopNumber(line, at, aliases) ?? text) : word;
  });
