// Cuts tokens in two where two fields are glued together: a city behind a full field, a number in front of or behind a word.
import type { Line } from "../line.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { splitGlued } from "./glued.ts";
import type { Hints } from "../hints.ts";
import { type Token, TOKENS_MAX, withText } from "../text/tokenise.ts";

/** A number of fewer digits belongs to the word: `7ELEVEN`, `CO2`. */
const DIGITS_MIN = 3;
const LETTERS_BEHIND_MIN = 3;
const LETTERS_BEFORE_MIN = 4;
/** Behind a shorter word only a longer number is another field: `INN44022770`. */
const SHORT_LETTERS_BEFORE_MIN = 2;
const LONG_DIGITS_MIN = 5;

const NUMBER_FIRST = /^(\d+)(\D+)$/u;
const WORD_FIRST = /^(\D+)(\d+)$/u;
/** `RYANAIR224ABC123`: a name, and a reference that begins with figures. */
const REFERENCE_BEHIND = /^(\D{5,})(\d{3,}\D\w*)$/u;

/** Whether so many letters in front of so many digits are another field than these. */
const isWordInFront = (letters: number, digits: number): boolean =>
  (letters >= LETTERS_BEFORE_MIN && digits >= DIGITS_MIN) ||
  (letters >= SHORT_LETTERS_BEFORE_MIN && digits >= LONG_DIGITS_MIN);

/** Offset in the token at which the second field begins; 0 = it is one. */
function secondField({ text }: Token): number {
  const [, number = "", word = ""] = NUMBER_FIRST.exec(text) ?? [];
  if (number.length >= DIGITS_MIN && word.length >= LETTERS_BEHIND_MIN) return number.length;
  const [, letters = "", digits = ""] = WORD_FIRST.exec(text) ?? [];
  if (isWordInFront(letters.length, digits.length)) return letters.length;
  return REFERENCE_BEHIND.exec(text)?.[1]?.length ?? 0;
}

function splitToken(token: Token): readonly Token[] {
  const at = token.kind === "mixed" ? secondField(token) : 0;
  // Where folding changed the length, the offsets would not fit.
  if (at === 0 || token.end - token.start !== token.text.length) return [token];
  const kindOf = (text: string): Token["kind"] =>
    /^\D+$/u.test(text) ? "word" : /^\d+$/u.test(text) ? "number" : "mixed";
  const [first, second] = [token.text.slice(0, at), token.text.slice(at)];
  return [
    { ...withText(token, first), end: token.start + at, kind: kindOf(first) },
    ...splitToken({
      ...withText(token, second),
      start: token.start + at,
      kind: kindOf(second),
      before: "",
      gap: 0,
    }),
  ];
}

/** The line with glued fields as tokens of their own, of which there are no more than of any line. */
export function splitFields(line: Line, hints: Hints, knowledge: Knowledge): Line {
  const { text, tokens } = splitGlued(line, hints, knowledge);
  const split = tokens.some(({ kind }) => kind === "mixed") ? tokens.flatMap(splitToken) : tokens;
  return { text, tokens: split.length > TOKENS_MAX ? split.slice(0, TOKENS_MAX) : split };
}
