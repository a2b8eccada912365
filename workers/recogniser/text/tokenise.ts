// Cuts a clean description into tokens: runs of letters and digits. One pass, one small object a token. The token's
// text is folded (lower case, no accents, no apostrophes), the offsets lead back to the text as written.
import { hashSeed, hashText, hashUnit } from "./hash.ts";

/** What a token is made of. `mask` is a value the bank blanked out: XXXX, CXXXXXXXX. */
export type TokenKind = "word" | "number" | "mixed" | "mask";

export interface Token {
  /** Folded: `MCDONALD'S` → `mcdonalds`, `Café` → `cafe`. */
  readonly text: string;
  /** Offsets in the clean description, in code units. */
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
  /** The last separator before the token that is not a space; " " when there are only spaces, "" at the start. */
  readonly before: string;
  /** Number of separator characters before the token; 1 for `*` in `SQ*JOE`, 2 or more for fixed-width columns. */
  readonly gap: number;
  /** `hashText` of the folded text: by it tables pass most of the words that they do not hold. */
  readonly hash: number;
}

/** More tokens than any bank writes; the rest of a longer text is ignored, which bounds the work of every later step. */
export const TOKENS_MAX = 96;

const APOSTROPHE = 0x27;
const SPACE = 0x20;
/** What small letters have and capitals have not. */
const CASE_BIT = 0x20;
const SMALL_X = 0x78;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isAsciiLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** Letters beyond ASCII: everything from À on but the two signs × ÷, general punctuation and CJK punctuation. */
const isOtherLetter = (code: number): boolean =>
  code >= 0xc0 &&
  code !== 0xd7 &&
  code !== 0xf7 &&
  (code < 0x2000 || code >= 0x2c00) &&
  (code < 0x3000 || code > 0x3004) &&
  (code < 0xfe00 || code > 0xfe0f);

/** Code unit → folded text for the Latin blocks, made once: À → a, ß → ss, Ł → l. */
const latinFold: readonly string[] = makeLatinFold();

function makeLatinFold(): string[] {
  const special: Record<string, string> = {
    ß: "ss",
    æ: "ae",
    œ: "oe",
    ø: "o",
    ł: "l",
    đ: "d",
    ı: "i",
    ð: "d",
    þ: "th",
  };
  const table: string[] = [];
  for (let code = 0xc0; code < 0x250; code++) {
    const lower = String.fromCharCode(code).toLowerCase();
    const base = lower.normalize("NFD").charAt(0);
    table.push(special[lower] ?? base);
  }
  return table;
}

function foldUnit(code: number): string {
  if (code >= 0xc0 && code < 0x250) return latinFold[code - 0xc0] ?? "";
  if (code >= 0x300 && code < 0x370) return "";
  return String.fromCharCode(code).toLowerCase();
}

function foldSlowly(text: string, start: number, end: number): string {
  let folded = "";
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code !== APOSTROPHE) folded += foldUnit(code);
  }
  return folded;
}

/** Of a folded text of this length with so many digits and letters X. */
function kindOf(length: number, digits: number, crosses: number): TokenKind {
  if (digits === length) return "number";
  if (crosses === length && crosses >= 2) return "mask";
  if (crosses >= 4 && crosses * 2 >= length) return "mask";
  return digits === 0 ? "word" : "mixed";
}

/** A letter, a digit, or an apostrophe between two letters. */
function belongs(text: string, at: number, started: boolean): boolean {
  const code = text.charCodeAt(at);
  if (isAsciiLetter(code) || isDigit(code) || isOtherLetter(code)) return true;
  return started && code === APOSTROPHE && isAsciiLetter(text.charCodeAt(at + 1));
}

function endOfToken(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && belongs(text, end, true)) end++;
  return end;
}

/** Words whose folded texts are kept; a power of two. Some 50 bytes each. */
const WORDS_KEPT = 4096;
/** Longer ones, and those with more digits, are hardly met again. */
const KEPT_LENGTH_MAX = 24;
const KEPT_DIGITS_MAX = 2;

/** Folded texts, each at the place that its hash names: to find one again costs less than to make it, as do later comparisons. */
type KeptWords = (string | null)[];

/** Whether the folded text is that of plain letters and digits. */
function isFolded(folded: string, text: string, start: number, end: number): boolean {
  if (folded.length !== end - start) return false;
  for (let i = 0; i < folded.length; i++)
    if (folded.charCodeAt(i) !== (text.charCodeAt(start + i) | CASE_BIT)) return false;
  return true;
}

/** Folds plain letters and digits. */
function foldPlain(
  text: string,
  start: number,
  end: number,
  hash: number,
  kept: KeptWords | null,
): string {
  if (kept === null) return text.slice(start, end).toLowerCase();
  const place = (hash ^ (hash >>> 16)) & (WORDS_KEPT - 1);
  const known = kept[place] ?? null;
  if (known !== null && isFolded(known, text, start, end)) return known;
  const folded = text.slice(start, end).toLowerCase();
  if (end - start <= KEPT_LENGTH_MAX) kept[place] = folded;
  return folded;
}

/** A token with other letters, or with an apostrophe. */
function makeToken(text: string, start: number, end: number, before: string, gap: number): Token {
  let digits = 0;
  let crosses = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) digits++;
    else if ((code | CASE_BIT) === SMALL_X) crosses++;
  }
  const folded = foldSlowly(text, start, end);
  const kind = kindOf(folded.length, digits, crosses);
  return { text: folded, start, end, kind, before, gap, hash: hashText(hashSeed, folded) };
}

/** The token that begins at a plain letter or digit, where it has no others, as most have: read once. Null of another one. */
function plainToken(
  text: string,
  start: number,
  before: string,
  gap: number,
  words: KeptWords | null,
): Token | null {
  let digits = 0;
  let crosses = 0;
  let hash = hashSeed;
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    const small = code | CASE_BIT;
    if (isDigit(code)) digits++;
    else if (small === SMALL_X) crosses++;
    else if (!isAsciiLetter(code)) break;
    hash = hashUnit(hash, small);
  }
  if (end < text.length && belongs(text, end, true)) return null;
  const kept = digits > KEPT_DIGITS_MAX ? null : words;
  const folded = foldPlain(text, start, end, hash, kept);
  return {
    text: folded,
    start,
    end,
    kind: kindOf(end - start, digits, crosses),
    before,
    gap,
    hash,
  };
}

/** The token as if something else were written there. */
export const withText = ({ start, end, kind, before, gap }: Token, text: string): Token => ({
  text,
  start,
  end,
  kind,
  before,
  gap,
  hash: hashText(hashSeed, text),
});

function tokensOf(text: string, words: KeptWords | null): readonly Token[] {
  const tokens: Token[] = [];
  let before = "";
  let gap = 0;
  let at = 0;
  while (at < text.length && tokens.length < TOKENS_MAX) {
    if (!belongs(text, at, false)) {
      if (text.charCodeAt(at) !== SPACE) before = text.charAt(at);
      else if (before === "" && tokens.length > 0) before = " ";
      gap++;
      at++;
      continue;
    }
    const token =
      plainToken(text, at, before, gap, words) ??
      makeToken(text, at, endOfToken(text, at), before, gap);
    tokens.push(token);
    before = "";
    gap = 0;
    at = token.end;
  }
  return tokens;
}

export type Tokenise = (text: string) => readonly Token[];

/** Tokens of a clean description, see `normaliseText`. */
export const tokenise: Tokenise = (text) => tokensOf(text, null);

/** The same, quicker for words that were met before. One for each thread: it keeps words. */
export function createTokeniser(): Tokenise {
  const words: KeptWords = new Array<string | null>(WORDS_KEPT).fill(null);
  return (text) => tokensOf(text, words);
}

/** The text as written between two tokens (`to` exclusive). */
export function written(text: string, tokens: readonly Token[], from: number, to: number): string {
  const first = tokens[from];
  const last = tokens[to - 1];
  return first === undefined || last === undefined || to <= from
    ? ""
    : text.slice(first.start, last.end);
}
