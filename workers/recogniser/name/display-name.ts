// How a name is shown: the words of the line in sensible capitals, with cut or abbreviated ones completed.
import type { Line, Span } from "../line.ts";
import { isIn, type WordMap } from "../text/word-map.ts";
import { hashSeed, hashText } from "../text/hash.ts";
import type { Token } from "../text/tokenise.ts";
import { lowerWords, upperWords } from "./name-words.ts";
import { spelledAt } from "./spell-out.ts";

function isCasedByHand(text: string): boolean {
  let lower = false;
  let upper = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x61 && code <= 0x7a) lower = true;
    else if (code >= 0x41 && code <= 0x5a) upper = true;
  }
  return lower && upper;
}

/** A word that begins with a plain letter, as most do. */
function isOneWord(lower: string): boolean {
  const first = lower.charCodeAt(0);
  return first >= 0x61 && first <= 0x7a && !lower.includes(" ");
}

function capitalised(
  written: string,
  folded: Pick<Token, "text" | "hash">,
  first: boolean,
): string {
  if (isIn(upperWords, folded)) return written.toUpperCase();
  const lower = written.toLowerCase();
  if (!first && isIn(lowerWords, folded)) return lower;
  if (isOneWord(lower)) return lower.charAt(0).toUpperCase() + lower.slice(1);
  // What stands for one token may be two words.
  return lower.replace(/(?:^| )\p{L}/gu, (letter) => letter.toUpperCase());
}

/** The first word, or the half of one behind a hyphen: `DRIVE-IN`. */
const isStart = ({ before, gap }: Line["tokens"][number], first: boolean): boolean =>
  first || (before === "-" && gap === 1);

/** The word in place of its beginning or abbreviation, in the case of that. */
function completed(word: string, whole: string): string {
  const isUpper = word.slice(-1) === word.slice(-1).toUpperCase();
  return isUpper ? whole.toUpperCase() : word.charAt(0) + whole.slice(1);
}

/**
 * `MILL CREEK ANIMAL HOSPIT` → `Mill Creek Animal Hospit`; text in mixed case is left as it was written. `lastWord` stands in for a last
 * word that was cut off, and abbreviations of usual last words are spelled out.
 */
export function displayName(
  line: Line,
  span: Span,
  lastWord: string | null = null,
  abbreviations: WordMap<string> | null = null,
): string {
  const start = line.tokens[span.from]?.start ?? 0;
  const end = line.tokens[span.to - 1]?.end ?? 0;
  const written = line.text.slice(start, end);
  const keep = isCasedByHand(written);
  let name = "";
  let at = start;
  for (let i = span.from; i < span.to; i++) {
    const token = line.tokens[i];
    if (token === undefined) continue;
    const word = line.text.slice(token.start, token.end);
    name += separator(line.text.slice(at, token.start));
    const spelled =
      i === span.to - 1 && lastWord !== null ? lastWord : spelledAt(line, i, abbreviations);
    const whole = spelled === null ? word : completed(word, spelled);
    const folded = spelled === null ? token : { text: spelled, hash: hashText(hashSeed, spelled) };
    name += keep ? whole : capitalised(whole, folded, isStart(token, i === span.from));
    at = token.end;
  }
  return name;
}

/** What stood between two words, runs of spaces as one; stars and underscores are not part of a name. */
function separator(text: string): string {
  if (text === "" || text === "-" || text === "'" || text === "." || text === "/" || text === "&")
    return text;
  const trimmed = text.trim();
  if (trimmed === "&" || trimmed === "-" || trimmed === "+") return ` ${trimmed} `;
  return trimmed === "." || trimmed === "," ? `${trimmed} ` : " ";
}
