// Step: a private person. The payment rail decides first (Zelle, Venmo, a transfer to …); names of people are only
// looked up to tell a person from a business behind it.
import { isReference, isWord, type Line, type Span } from "../line.ts";
import { flagsOfWord, type Knowledge } from "../knowledge/knowledge.ts";
import { WordFlag } from "../knowledge/sections.ts";
import { companyWords } from "./name-words.ts";

const NAME_TOKENS_MAX = 4;

/** Words between a rail and the name. */
const fillers: ReadonlySet<string> = new Set([
  "to",
  "from",
  "payment",
  "transfer",
  "sent",
  "received",
  "money",
  "pmt",
  "instant",
  "cashout",
  "mr",
  "mrs",
  "ms",
  "dr",
  "recurring",
  "scheduled",
  "enviado",
  "recibido",
  "a",
  "de",
  "betalning",
  "till",
  "zelle",
  "standard",
  "debit",
  "credit",
]);

/** Where a name behind a rail ends. */
const stops: ReadonlySet<string> = new Set([
  "on",
  "ref",
  "conf",
  "confirmation",
  "for",
  "memo",
  "reference",
  "id",
  "via",
  "web",
  "ppd",
  "note",
  "at",
  "account",
  "acct",
  "visa",
  "direct",
  "cash",
  "out",
  "in",
  "ach",
  "card",
]);

/** Phrases of transfers that name the other side, where no transfer service is named. */
const transferPhrases: readonly (readonly string[])[] = [
  ["transfer", "to"],
  ["transfer", "from"],
  ["payment", "to"],
  ["payment", "from"],
  ["faster", "payment", "to"],
  ["faster", "payments", "receipt"],
  ["bill", "payment", "to"],
  ["e", "transfer", "to"],
  ["e", "transfer", "from"],
  ["etransfer", "to"],
  ["etransfer", "from"],
  ["xfer", "to"],
  ["xfer", "from"],
  ["money", "sent", "to"],
  ["money", "received", "from"],
  ["payment", "received", "from"],
  ["revolut", "user"],
  ["capital", "contribution"],
  ["uberweisung", "an"],
  ["ueberweisung", "an"],
  ["gutschrift", "von"],
  ["virement", "a"],
  ["virement", "de"],
  ["bonifico", "a"],
  ["bonifico", "istantaneo", "a"],
  ["transferencia", "a"],
  ["transferencia", "de"],
  ["na", "telefon", "odbiorca"],
  ["na", "telefon"],
  ["swish", "till"],
  ["e", "transfer"],
];

/** First word → phrases, in the order above. */
const transfersByWord: ReadonlyMap<string, readonly (readonly string[])[]> = Map.groupBy(
  transferPhrases,
  ([first = ""]) => first,
);

/** `Zelle Transfer Conf# a1b2c3d4; JOHN SMITH`: the name comes after the reference, and after words of the rail. */
function startOfName(line: Line, from: number, end: number): number {
  let start = from;
  for (let at = from; at < end; at++) {
    // `ORG ID: RGN NAME: DEANDRE COLE`: a field says that the name follows.
    const isField = line.tokens[at - 1]?.text === "name" && line.tokens[at]?.before === ":";
    if (line.tokens[at]?.before === ";" || (at > from && isField)) start = at;
  }
  while (start < end && (fillers.has(line.tokens[start]?.text ?? "") || isReference(line, start)))
    start++;
  return start;
}

/** The words from `from` to `end` (exclusive) that may be a name. */
export function nameAfter(line: Line, from: number, end = line.tokens.length): Span {
  const start = startOfName(line, from, end);
  let to = start;
  while (to < end && to - start < NAME_TOKENS_MAX && isNamePart(line, to)) {
    if (to > start && line.tokens[to]?.before === ";") break;
    to++;
  }
  return { from: start, to };
}

const isNamePart = (line: Line, at: number): boolean => {
  const token = line.tokens[at];
  return token?.kind === "word" && !stops.has(token.text);
};

/** `DIAZ ANGELA`, `VILLANUEVA, ROSA`: some banks print the family name first. */
export function isFamilyNameFirst(line: Line, span: Span, knowledge: Knowledge): boolean {
  const [first, second] = [line.tokens[span.from], line.tokens[span.from + 1]];
  if (span.to - span.from !== 2 || first === undefined || second === undefined) return false;
  if (second.before === ",") return true;
  const isFirstName = (text: string): boolean =>
    (flagsOfWord(knowledge, text) & WordFlag.firstName) !== 0;
  return !isFirstName(first.text) && isFirstName(second.text) && first.text.length > 1;
}

/** `name`: of a person; `word`: of commerce or of banks and not of a person; `open`: never seen. */
type NamePart = "name" | "word" | "open";

function namePartOf(text: string, knowledge: Knowledge): NamePart {
  if (companyWords.has(text)) return "word";
  const flags = flagsOfWord(knowledge, text);
  if ((flags & (WordFlag.firstName | WordFlag.lastName)) !== 0) return "name";
  return (flags & (WordFlag.plain | WordFlag.banking)) !== 0 ? "word" : "open";
}

/**
 * Two to four words, at least one of them a name of people and none an ordinary word. Only asked behind a payment
 * rail: on card lines "JAMES MARTIN" is a shop more often than a person.
 */
export function isPersonName(line: Line, span: Span, knowledge: Knowledge): boolean {
  const length = span.to - span.from;
  if (length < 2 || length > NAME_TOKENS_MAX) return false;
  // `L OKAFOR`: nobody else writes an initial and one more word behind a rail.
  const initial = length === 2 && (line.tokens[span.from]?.text.length ?? 0) === 1;
  if (initial && namePartOf(line.tokens[span.from + 1]?.text ?? "", knowledge) === "open")
    return true;
  let names = 0;
  for (let at = span.from; at < span.to; at++) {
    const part = namePartOf(line.tokens[at]?.text ?? "", knowledge);
    if (part === "word") return false;
    if (part === "name") names++;
  }
  return names > 0;
}

const titles: ReadonlySet<string> = new Set([
  "mr",
  "mrs",
  "ms",
  "miss",
  "dr",
  "herr",
  "frau",
  "hr",
  "fr",
  "m",
  "mme",
  "sr",
  "sra",
  "sig",
]);

/** Particles inside family names: `Chloe van Dijk`. */
const particles: ReadonlySet<string> = new Set([
  "van",
  "von",
  "de",
  "der",
  "den",
  "di",
  "da",
  "del",
  "della",
  "la",
  "le",
  "bin",
  "al",
  "el",
  "o",
  "mc",
  "mac",
  "ter",
  "zu",
]);

/**
 * The name of a person with which the span begins, behind a title or not: `MR T J ADEYEMI FOOTBALL SUBS`, `Hildegard
 * Brenninger Miete`. At least a first name or an initial and one more word, none of them an ordinary one.
 * `isTransfer`: what follows is what the payer wrote; elsewhere a trade behind a name makes a shop of both.
 */
export function personAtStart(
  line: Line,
  span: Span,
  isTransfer: boolean,
  knowledge: Knowledge,
): Span | null {
  const hasTitle = titles.has(line.tokens[span.from]?.text ?? "");
  const from = hasTitle ? span.from + 1 : span.from;
  const to = endOfName(line, { from, to: span.to }, hasTitle, knowledge);
  if (to - from < (hasTitle ? 1 : 2) || isFirm(line, from, to)) return null;
  const next = to < span.to ? (line.tokens[to]?.text ?? "") : "";
  // `R THOMPSON LETTINGS` is a firm wherever it stands; other ordinary words may be what the payer wrote.
  if (companyWords.has(next)) return null;
  const isTrade = (flagsOfWord(knowledge, next) & WordFlag.plain) !== 0;
  return isTrade && !isTransfer ? null : { from, to };
}

/** First names, initials and particles up to the family name, which ends it. */
function endOfName(line: Line, span: Span, hasTitle: boolean, knowledge: Knowledge): number {
  const last = Math.min(span.to, span.from + NAME_TOKENS_MAX);
  for (let at = span.from; at < last; at++) {
    const kind = startPartOf(line, at, knowledge);
    if (kind === "end" || (kind === "family" && at === span.from && !hasTitle)) return at;
    if (kind === "family") return afterFamilyNames(line, at + 1, last, knowledge);
  }
  return last;
}

/** `MARIA LOPEZ GARCIA`: behind a family name only what is surely another one. */
function afterFamilyNames(line: Line, from: number, end: number, knowledge: Knowledge): number {
  let at = from;
  while (at < end && startPartOf(line, at, knowledge) === "family") {
    if ((flagsOfWord(knowledge, line.tokens[at]?.text ?? "") & WordFlag.lastName) === 0) break;
    at++;
  }
  return at;
}

/** `CAREY & HOLT`: two names with a sign between them. */
function isFirm(line: Line, from: number, to: number): boolean {
  for (let at = from + 1; at <= to; at++) if (line.tokens[at]?.before === "&") return true;
  return false;
}

type StartPart = "given" | "family" | "particle" | "end";

/** A first name or an initial, a family name or a word nobody knows, a particle between them, or no part of a name. */
function startPartOf(line: Line, at: number, knowledge: Knowledge): StartPart {
  const token = line.tokens[at];
  if (token?.kind !== "word" || stops.has(token.text)) return "end";
  if (at > 0 && (token.before === ":" || token.before === "*")) return "end";
  // `FROM XXX X WAY2SAVE`: an X is what the bank blanked out.
  if (token.text.length === 1) return token.text === "x" ? "end" : "given";
  return particles.has(token.text) ? "particle" : partOfWord(token.text, knowledge);
}

function partOfWord(text: string, knowledge: Knowledge): StartPart {
  const flags = flagsOfWord(knowledge, text);
  const isWord = companyWords.has(text) || (flags & (WordFlag.plain | WordFlag.banking)) !== 0;
  if (isWord) return "end";
  return (flags & WordFlag.firstName) === 0 ? "family" : "given";
}

/** `FASTER PAYMENTS RECEIPT REF RENT FROM J PATEL`: what the payer wrote stands before who it was. */
function afterFrom(line: Line, from: number): number {
  if (line.tokens[from]?.text !== "ref") return from;
  const at = line.tokens.findLastIndex((token) => token.text === "from");
  return at > from ? at + 1 : from;
}

/** Where the phrase that begins at `at` ends, -1 when it does not: references may stand in it (`PAYMENT 418827 TO`). */
function endOfPhrase(line: Line, at: number, phrase: readonly string[]): number {
  let next = at;
  for (const word of phrase) {
    while (next > at && next < line.tokens.length && isReference(line, next)) next++;
    if (line.tokens[next]?.text !== word) return -1;
    next++;
  }
  return next;
}

/** The name in a transfer phrase, null when the line has none. */
export function transferName(line: Line): Span | null {
  const end = line.tokens.length;
  for (let at = 0; at < end; at++) {
    for (const phrase of transfersByWord.get(line.tokens[at]?.text ?? "") ?? []) {
      const after = endOfPhrase(line, at, phrase);
      if (after < 0) continue;
      const span = nameAfter(line, afterFrom(line, after));
      if (span.to > span.from && isWord(line, span.from, 1)) return span;
    }
  }
  return null;
}

/** Words of payments between accounts, in front of a name. */
const railWords: ReadonlySet<string> = new Set([
  "transfer",
  "xfer",
  "osko",
  "payid",
  "fpo",
  "fpi",
  "so",
  "standing",
  "uberweisung",
  "ueberweisung",
  "dauerauftrag",
  "bonifico",
  "przelew",
  "virement",
  "transferencia",
  "overboeking",
  "overschrijving",
  "bizum",
  "swish",
  "mobi",
  "payshap",
]);

/** Whether what was peeled off in front of `to` is a transfer and not a card payment. */
export function isSentByTransfer(line: Line, to: number): boolean {
  for (let at = 0; at < to; at++) if (railWords.has(line.tokens[at]?.text ?? "")) return true;
  return false;
}

/** A first name alone, where only a person can stand: `ZELLE TO BRENT ON 02/27`. */
export function isGivenName(line: Line, span: Span, knowledge: Knowledge): boolean {
  const flags = flagsOfWord(knowledge, line.tokens[span.from]?.text ?? "");
  // `TRANSFER TO LOAN`: many a word is somebody's name somewhere.
  const isWord = (flags & (WordFlag.plain | WordFlag.banking)) !== 0;
  return span.to - span.from === 1 && (flags & WordFlag.firstName) !== 0 && !isWord;
}
