// Patterns of the words by which the signs and the currency of a file are guessed (guess-words.txt).
import { readWordTable, sectionOf } from "../../../shared/word-table.ts";

const TABLE = readWordTable(new URL("guess-words.txt", import.meta.url));

/** Matches one of the section's phrases as whole words; `*` stands for any ending. */
const patternOf = (section: string): RegExp =>
  new RegExp(`\\b(?:${sectionOf(TABLE, section).join("|").replaceAll("*", "\\w*")})\\b`, "u");

export const POSITIVE_LEAVES_HEADER = patternOf("positive leaves");
export const NEGATIVE_LEAVES_HEADER = patternOf("negative leaves");
export const ARRIVES = patternOf("arrives");
export const LEAVES = patternOf("leaves");
export const EURO_HEADER = patternOf("EUR");
/** In the order in which they are tried. */
export const COUNTRY_CURRENCIES = ["GBP", "AUD", "CAD", "INR"].map((currency) => ({
  currency,
  pattern: patternOf(currency),
}));
