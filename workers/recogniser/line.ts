// What the steps of the recogniser pass to each other: the tokens of one description and spans of them.
import { type Token, withText } from "./text/tokenise.ts";

export interface Line {
  /** Clean description, see `normaliseText`. */
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** Tokens `from` (inclusive) to `to` (exclusive). */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The line with another word in the place of a token: its whole form where it was cut off. */
export const withWord = ({ text, tokens }: Line, at: number, word: string): Line => ({
  text,
  tokens: tokens.map((token, i) => (i === at ? withText(token, word) : token)),
});

/** True when the tokens from `at` on are exactly these words. */
export function startsWith(line: Line, at: number, to: number, words: readonly string[]): boolean {
  if (at + words.length > to) return false;
  for (let i = 0; i < words.length; i++) {
    if (line.tokens[at + i]?.text !== words[i]) return false;
  }
  return true;
}

/** A value rather than a word: digits, a blanked value, or a mixture with at least three digits. */
export function isReference(line: Line, at: number): boolean {
  const token = line.tokens[at];
  if (token === undefined) return false;
  if (token.kind === "mixed") return digitsIn(token.text) >= 3;
  return token.kind !== "word";
}

export function digitsIn(text: string): number {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) digits++;
  }
  return digits;
}

/** A word with at least `lengthMin` letters. */
export const isWord = (line: Line, at: number, lengthMin = 2): boolean => {
  const token = line.tokens[at];
  return token?.kind === "word" && token.text.length >= lengthMin;
};
