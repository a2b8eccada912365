// Step: whether the words of a name that nobody knows are believed. What a card terminal wrote is a name; what stands in
// a transfer between accounts is often the bank's own shorthand, so there a company must show itself.
import type { Line, Span } from "../line.ts";
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import { WordFlag } from "../../knowledge/sections.ts";
import { companyWords, legalForms, transferWords, upperWords } from "./name-words.ts";
import { matchNameWords } from "./wording.ts";

/** Where a name stood; each is a reason to believe it. */
export interface NameEvidence {
  /** A card wrapping or a processor in front of it, or a place behind it. */
  readonly card: boolean;
  /** A processor stood in front. */
  readonly processor: boolean;
  /** A field that the bank itself labels. */
  readonly labelled: boolean;
  /** Words of the bank said what the line is about, so what they left over is who. */
  readonly afterWording: boolean;
}

/** Longer single words are two or more glued together, or the account of somebody. */
const LONE_WORD_LENGTH_MAX = 16;
const LONE_WORD_LENGTH_MIN = 4;
/** A number this long in front of an ordinary word was the better half of the name. */
const PHONE_DIGITS_MIN = 5;
/** Processors put their mark and the shop's name in fields of these widths; a word that ends there was cut off. */
const processorFieldWidths: ReadonlySet<number> = new Set([18, 22]);
/** A shorter one is a name of its own that just happens to end there. */
const CUT_LENGTH_MIN = 7;
/** A word without vowels is an abbreviation up to this length, beyond it a code. */
const VOWELLESS_LENGTH_MAX = 4;
/** Changes from small to capital letters: `MacLeod` and `PayByPhone` have few, a random code has many. */
const CASE_CHANGES_MAX = 2;

/** `KNIGHTSBRIDGE` has as many in a row, but not in mixed case. */
const CONSONANTS_MIN = 5;

/** Marks of payments between accounts, anywhere in the line. */
const transferMarks: ReadonlySet<string> = new Set([
  "ach",
  "ppd",
  "ccd",
  "ctx",
  "trace",
  "pmt",
  "pymt",
  "rcvd",
  "eft",
  "indn",
  "checking",
  "savings",
  "wire",
  "funds",
  "fed",
  "trn",
  "xfer",
  "transfer",
]);

const wordAt = (line: Line, at: number): string => line.tokens[at]?.text ?? "";

function hasVowel(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f || "aeiouy".includes(text.charAt(i))) return true;
  }
  return false;
}

function longestConsonants(text: string): number {
  let longest = 0;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    run = "aeiouy".includes(text.charAt(i)) ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Letters that the bank blanked out inside a word: `GETGREENXXX`, `PRXXBXXL`. */
function isBlanked(text: string): boolean {
  const first = text.indexOf("xx");
  if (first < 0 || text === "xxl") return false;
  return first === 0 || text.endsWith("xx") || text.indexOf("xx", first + 1) >= 0;
}

/** `ATTWithdrawalPayment`: words of banks glued to something. */
const hasBankWord = (text: string): boolean =>
  text.includes("withdrawal") || text.includes("payment") || text.includes("deposit");

function caseChanges(written: string): number {
  let changes = 0;
  for (let i = 1; i < written.length; i++) {
    const before = written.charCodeAt(i - 1);
    const code = written.charCodeAt(i);
    if (before >= 0x61 && before <= 0x7a && code >= 0x41 && code <= 0x5a) changes++;
  }
  return changes;
}

/** A code, a blanked value or the rest of an address instead of a word. */
function isGarbled(line: Line, at: number): boolean {
  const token = line.tokens[at];
  if (token === undefined || token.kind === "number") return false;
  const { text } = token;
  if (isBlanked(text) || text.endsWith("couk") || text.startsWith("https")) return true;
  // Marks of PayPal and Amazon glued to a name; no word begins with them.
  const glued = text.startsWith("pp") || text.startsWith("amz");
  if (glued && text.length > VOWELLESS_LENGTH_MAX) return true;
  if (text.length > VOWELLESS_LENGTH_MAX && hasBankWord(text)) return true;
  if (text.length > VOWELLESS_LENGTH_MAX && !hasVowel(text)) return true;
  const changes = caseChanges(line.text.slice(token.start, token.end));
  return changes > CASE_CHANGES_MAX || (changes > 1 && longestConsonants(text) >= CONSONANTS_MIN);
}

/** `.COM ONE PARK WAY`, `WWW.BUILDINGSUPP`: the name would begin inside an address, or be a piece of one. */
function insideAddress(line: Line, name: Span): boolean {
  const token = line.tokens[name.from];
  if (name.from === 0 || token?.gap !== 1) return false;
  if (token.before === "@") return true;
  if (token.before !== ".") return false;
  // A dot behind it says that all of the word is there.
  const end = line.tokens[name.to - 1]?.end ?? 0;
  return wordAt(line, name.from - 1) !== "www" || line.text.charAt(end) !== ".";
}

const someToken = (span: Span, test: (at: number) => boolean): boolean => {
  for (let at = span.from; at < span.to; at++) if (test(at)) return true;
  return false;
};

/** A legal form, a trade, or an institution: `LEE HY PAVING CO`, `SUMMIT RIDGE HOA`. */
export function isCompanyLike(line: Line, name: Span, knowledge: Knowledge): boolean {
  // The legal form itself was taken off the end of the name.
  const wide = { from: name.from, to: Math.min(name.to + 1, line.tokens.length) };
  if (someToken(wide, (at) => companyWords.has(wordAt(line, at)))) return true;
  return matchNameWords(line, name.from, name.to, knowledge) !== null;
}

/** One word behind the bank's wording that is also an ordinary word or a place: `STATE OF OHIO UI BENEFIT`. */
function isLoneCommonWord(line: Line, name: Span, knowledge: Knowledge): boolean {
  if (name.to - name.from > 1 || upperWords.has(wordAt(line, name.from))) return false;
  const flags = flagsOfWord(knowledge, wordAt(line, name.from));
  return (flags & (WordFlag.plain | WordFlag.place | WordFlag.banking)) !== 0;
}

/** Between accounts a shorter word without vowels is a code already: `REAL PROPERTY SO XPZV`. */
const isCode = (text: string): boolean =>
  text.length >= VOWELLESS_LENGTH_MAX && !upperWords.has(text) && !hasVowel(text);

/** `PAYPAL *WILLIAMFRANCI`: one glued word up to the end of the field behind a processor. */
export function isCutOff(line: Line, span: Span): boolean {
  const token = line.tokens[span.to - 1];
  if (span.to - span.from !== 1 || token?.end !== line.text.length) return false;
  return token.text.length >= CUT_LENGTH_MIN && processorFieldWidths.has(line.text.length);
}

/** A single word: no initials, no words glued together, and not what a full field left of them. */
function isLonePlausible(
  line: Line,
  name: Span,
  evidence: NameEvidence,
  knowledge: Knowledge,
): boolean {
  const text = wordAt(line, name.from);
  const plain = (flagsOfWord(knowledge, text) & WordFlag.plain) !== 0;
  // `02035190705 BOOK`: the number was the name.
  const before = line.tokens[name.from - 1];
  if (plain && before?.kind === "number" && before.text.length >= PHONE_DIGITS_MIN) return false;
  if (evidence.labelled || upperWords.has(text)) return true;
  if (evidence.processor && isCutOff(line, name)) return false;
  // `3WM LTD` is short and says that it is a company.
  if (legalForms.has(wordAt(line, name.to))) return true;
  return (
    text.length >= LONE_WORD_LENGTH_MIN && (evidence.card || text.length <= LONE_WORD_LENGTH_MAX)
  );
}

function isBetweenAccounts(line: Line): boolean {
  return line.tokens.some((token) => transferMarks.has(token.text));
}

/** Whether the name of an unknown merchant is good enough to be given as an answer. */
export function isPlausible(
  line: Line,
  name: Span,
  evidence: NameEvidence,
  knowledge: Knowledge,
): boolean {
  if (insideAddress(line, name) || isGarbled(line, name.from)) return false;
  if (name.to - name.from === 1 && !isLonePlausible(line, name, evidence, knowledge)) return false;
  if (evidence.labelled) return true;
  if (someToken(name, (at) => isGarbled(line, at))) return false;
  if (someToken(name, (at) => transferWords.has(wordAt(line, at)))) return false;
  if (evidence.afterWording && isLoneCommonWord(line, name, knowledge)) return false;
  if (evidence.card || evidence.afterWording || !isBetweenAccounts(line)) return true;
  const coded = someToken(name, (at) => isCode(wordAt(line, at)));
  return !coded && isCompanyLike(line, name, knowledge);
}
