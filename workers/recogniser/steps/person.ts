// Step: a private person. The payment rail decides first (Zelle, Venmo, a transfer to …); names of people are only
// looked up to tell a person from a business behind it.
import { isReference, type Line, type Span, startsWith } from "../line.ts";
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import { WordFlag } from "../../knowledge/sections.ts";
import { companyWords, kinship, nobodyWords } from "./name-words.ts";

const NAME_TOKENS_MAX = 4;
/** A name of which no list holds a part is short. */
const UNKNOWN_NAME_TOKENS_MAX = 3;
const UNKNOWN_NAME_LENGTH_MIN = 4;
/** A dash with a space on either side. */
const DASH_GAP_MIN = 3;

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
  "revolut",
  "user",
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
  "tytulem",
  "omschrijving",
  "verwendungszweck",
]);

const eTransfer: readonly string[] = ["e", "transfer"];

/** `Zelle Transfer Conf# a1b2c3d4; JOHN SMITH`: the name comes after the reference, and after words of the rail. */
function startOfName(line: Line, from: number, end: number): number {
  let start = from;
  for (let at = from; at < end; at++) {
    // `ORG ID: RGN NAME: DEANDRE COLE`: a field says that the name follows.
    const isField = line.tokens[at - 1]?.text === "name" && line.tokens[at]?.before === ":";
    if (line.tokens[at]?.before === ";" || (at > from && isField)) start = at;
  }
  while (start < end && isBeforeName(line, start)) start++;
  return start;
}

const isBeforeName = (line: Line, at: number): boolean =>
  fillers.has(line.tokens[at]?.text ?? "") ||
  isReference(line, at) ||
  startsWith(line, at, line.tokens.length, eTransfer);

/** `GONZALES DENISE - MEMBER TO MEMBER`: a dash between spaces, or a semicolon. */
function endsParty(line: Line, at: number): boolean {
  const token = line.tokens[at];
  return token?.before === ";" || (token?.before === "-" && token.gap >= DASH_GAP_MIN);
}

/** The words from `from` to `end` (exclusive) that may be a name. */
export function nameAfter(line: Line, from: number, end = line.tokens.length): Span {
  const start = startOfName(line, from, end);
  let to = start;
  while (to < end && to - start < NAME_TOKENS_MAX && isNamePart(line, to)) {
    if (to > start && endsParty(line, to)) break;
    to++;
  }
  return { from: start, to };
}

/** Words between TO or FROM and the name. */
const titlesAndFillers = (text: string): boolean => titles.has(text) || fillers.has(text);

/** Whether TO, FROM, or the `;` behind a reference stands before the name. */
export function isAddressed(line: Line, from: number): boolean {
  if (line.tokens[from]?.before === ";") return true;
  for (let at = from - 1; at >= 0; at--) {
    const text = line.tokens[at]?.text ?? "";
    if (text === "to" || text === "from") return true;
    if (!titlesAndFillers(text)) return false;
  }
  return false;
}

/** More words than a person's name has: of somebody who may be a company. */
const ADDRESSED_TOKENS_MAX = 7;

/** All words from the beginning of a name to what ends it. */
export function wholeName(line: Line, name: Span): Span {
  let to = name.to;
  while (to - name.from < ADDRESSED_TOKENS_MAX && isNamePart(line, to)) to++;
  return { from: name.from, to };
}

const isNamePart = (line: Line, at: number): boolean => {
  const token = line.tokens[at];
  return token?.kind === "word" && !stops.has(token.text) && !isNote(line, at);
};

/** `JASMINE TALBOT camping food`: what the payer wrote, in small letters behind a name with capitals. */
function isNote(line: Line, at: number): boolean {
  const token = line.tokens[at];
  const before = line.tokens[at - 1];
  if (token === undefined || before?.kind !== "word" || particles.has(token.text)) return false;
  const written = line.text.slice(token.start, token.end);
  const last = line.text.slice(before.start, before.end);
  return written.length >= 2 && written === written.toLowerCase() && last !== last.toLowerCase();
}

/** `DIAZ ANGELA`, `VILLANUEVA, ROSA`: some banks print the family name first. */
export function isFamilyNameFirst(line: Line, span: Span, knowledge: Knowledge): boolean {
  const [first, second] = [line.tokens[span.from], line.tokens[span.from + 1]];
  if (span.to - span.from !== 2 || first === undefined || second === undefined) return false;
  if (second.before === ",") return true;
  // `Aunt Gloria` is nobody of the family Aunt.
  if (kinship.has(first.text)) return false;
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

/** Between TO and the end of a name nobody else stands: `PAYMENT TO THABO M`, whose name no list holds. */
export function isUnknownPerson(line: Line, span: Span, knowledge: Knowledge): boolean {
  const words = line.tokens.slice(span.from, span.to);
  if (words.length < 2 || words.length > UNKNOWN_NAME_TOKENS_MAX) return false;
  if (!isAddressed(line, span.from)) return false;
  const isOpen = ({ text, before }: Line["tokens"][number]): boolean =>
    before !== ":" &&
    namePartOf(text, knowledge) !== "word" &&
    !nobodyWords.has(text) &&
    (text.length === 1 || /[aeiouy]/u.test(text));
  return words.every(isOpen) && words.some(({ text }) => text.length >= UNKNOWN_NAME_LENGTH_MIN);
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

/** Titles that were skipped as words between a rail and the name. */
const surelyTitles: ReadonlySet<string> = new Set(["mr", "mrs", "ms", "dr"]);

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

/** Where the name begins behind a title, which may have been skipped as a word between a rail and the name. */
function behindTitle(
  line: Line,
  from: number,
): { readonly from: number; readonly hasTitle: boolean } {
  if (titles.has(line.tokens[from]?.text ?? "")) return { from: from + 1, hasTitle: true };
  return { from, hasTitle: surelyTitles.has(line.tokens[from - 1]?.text ?? "") };
}

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
  const { from, hasTitle } = behindTitle(line, span.from);
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
    const kind = isHyphened(line, at, span.from)
      ? "given"
      : startPartOf(line, at, at === span.from, knowledge);
    if (kind === "end" || (kind === "family" && at === span.from && !hasTitle)) return at;
    if (kind === "family") return afterFamilyNames(line, at + 1, last, knowledge);
  }
  return last;
}

/** `MEI-LING CHOU`: the second half of a first name. */
function isHyphened(line: Line, at: number, from: number): boolean {
  const token = line.tokens[at];
  const isJoined = at > from && token?.kind === "word" && token.before === "-" && token.gap === 1;
  const next = line.tokens[at + 1];
  return (
    isJoined &&
    next?.kind === "word" &&
    next.gap === 1 &&
    next.before === " " &&
    !stops.has(next.text)
  );
}

/** `MARIA LOPEZ GARCIA`: behind a family name only what is surely another one. */
function afterFamilyNames(line: Line, from: number, end: number, knowledge: Knowledge): number {
  let at = from;
  while (at < end && startPartOf(line, at, false, knowledge) === "family") {
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
function startPartOf(line: Line, at: number, first: boolean, knowledge: Knowledge): StartPart {
  const token = line.tokens[at];
  if (token?.kind !== "word" || stops.has(token.text) || (!first && isNote(line, at))) return "end";
  if (at > 0 && !first && (token.before === ":" || token.before === "*")) return "end";
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

/** A first name alone, where only a person can stand: `ZELLE TO BRENT ON 02/27`. */
export function isGivenName(line: Line, span: Span, knowledge: Knowledge): boolean {
  const flags = flagsOfWord(knowledge, line.tokens[span.from]?.text ?? "");
  // `TRANSFER TO LOAN`: many a word is somebody's name somewhere.
  const isWord = (flags & (WordFlag.plain | WordFlag.banking)) !== 0;
  return span.to - span.from === 1 && (flags & WordFlag.firstName) !== 0 && !isWord;
}
