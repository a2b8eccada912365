// The institution of a statement: from names, labels, the web domain, e-mail and the facts of the file; never from the
// largest text, which is as often a product or an advertisement.
import { readWordTable, sectionOf } from "../../src/shared/word-table.ts";
import type { DocumentFacts } from "./document-facts.ts";
import {
  INSTITUTION_WORD,
  ISSUER_LABEL,
  plainWord,
  PRODUCT_WORD,
  STATEMENT_TITLE,
} from "./lexicon.ts";
import type { TextSegment } from "./segments.ts";

const table = readWordTable(new URL("institutions.txt", import.meta.url));
const plainName = (text: string): string =>
  text
    .split(/\s+/u)
    .map((word) => plainWord(word).replaceAll(/[.,]+$/gu, ""))
    .filter(Boolean)
    .join(" ");
const KNOWN = new Map(
  [...sectionOf(table, "known"), ...sectionOf(table, "more")].map((name) => [
    plainName(name),
    name,
  ]),
);

/** Short names are words of other meaning too, so they count only as they are written. */
const SHORT_NAME = 4;
const WORDS_MAX = 8;
const KNOWN_WORDS_MAX = 5;
const SCORE_MIN = 2;
const HEAD_SEGMENTS = 3;
const HAN_BANK = /^(.{2,10}?(?:银行|銀行))/u;
const DOMAIN =
  /(?:^|[@/.])(?<label>[a-z\d-]{2,})\.(?:[a-z]{2,3}\.)?(?:[a-z]{2,4}|bank|online|capital)(?:[/,;)]|$)/iu;
const SENTENCE = /\b(?:you|your|please|we|our|us|bitte|sie|vous|veuillez|usted|to)\b/iu;

interface NameCandidate {
  readonly text: string;
  readonly score: number;
}

/**
 * @param segments of the first page, without rows of tables
 * @returns the name as printed; null: nothing names one
 */
export function findInstitution(
  segments: readonly TextSegment[],
  facts: Pick<DocumentFacts, "author" | "title"> | null,
): string | null {
  const labels = domainLabels(segments);
  const candidates = segments.flatMap((segment, at) => [
    ...issuerOf(segment, segments[at + 1]),
    ...piecesOf(segment).map((text): NameCandidate => {
      const bonus = at < HEAD_SEGMENTS ? 1 : 0;
      return { text: withoutProduct(text), score: scoreOf(text, labels) + bonus };
    }),
  ]);
  for (const text of facts === null ? [] : [facts.author, facts.title])
    for (const piece of split(text))
      candidates.push({ text: piece, score: scoreOf(piece, labels) });
  let best: NameCandidate | null = null;
  for (const candidate of candidates)
    if (candidate.score > (best?.score ?? SCORE_MIN - 1)) best = candidate;
  return best?.text ?? null;
}

function domainLabels(segments: readonly TextSegment[]): Set<string> {
  const labels = new Set<string>();
  for (const { words } of segments)
    for (const { text } of words) {
      const label = DOMAIN.exec(text.replace(/[.]$/u, ""))?.groups?.["label"];
      const isWeb = /www\.|https?:|@|\.(?:com|co|bank|net|org|de|fr|nl|es|it|in|za)\b/iu.test(text);
      if (label !== undefined && isWeb) labels.add(label.toLowerCase().replaceAll("-", ""));
    }
  return labels;
}

/** "Issuer: Example Bank" */
function issuerOf(segment: TextSegment, next: TextSegment | undefined): NameCandidate[] {
  const label = ISSUER_LABEL.find(segment.plain);
  if (label?.from !== 0) return [];
  const hasColon = segment.words[label.to - 1]?.text.endsWith(":") === true;
  if (!hasColon) return [];
  const rest = segment.words
    .slice(label.to)
    .map(({ text }) => text)
    .join(" ");
  const value = rest === "" && next?.line === segment.line ? next.text : rest;
  const [name] = split(value);
  return name === undefined ? [] : [{ text: name, score: 5 }];
}

const piecesOf = ({ text }: TextSegment): string[] => split(text);

function split(text: string): string[] {
  const han = HAN_BANK.exec(text)?.[1];
  if (han !== undefined) return [han];
  return text
    .split(/\s[-–—|•·:]\s|:\s/u)
    .map(withoutTitle)
    .filter((piece) => piece !== "");
}

/** Without words such as "Account Statement" at either end. */
function withoutTitle(text: string): string {
  let words = text.split(/\s+/u).filter(Boolean);
  for (let length = words.length; length > 0; length -= 1) {
    const plain = words.map(plainWord);
    if (STATEMENT_TITLE.has(plain.slice(-length).join(" "))) {
      // "Example Bank Statement" is the statement of a bank; "Bank Statement" alone names none.
      const isName = length < words.length && INSTITUTION_WORD.has(plain.at(-length) ?? "");
      words = words.slice(0, words.length - length + (isName ? 1 : 0));
      length = words.length + 1;
    } else if (STATEMENT_TITLE.has(plain.slice(0, length).join(" "))) {
      words = words.slice(length);
      length = words.length + 1;
    }
  }
  return words.join(" ").replaceAll(/^[-–—,]+\s*|\s*[-–—,]+$/gu, "");
}

/** "Example Bank Everyday Checking": of a known institution its name, without that of the product. */
function withoutProduct(text: string): string {
  const words = text.split(/\s+/u);
  const plain = words.map(plainWord);
  const known = knownAt(words, plain);
  const rest = plain.slice(known);
  return known > 0 && PRODUCT_WORD.find(rest) !== null ? words.slice(0, known).join(" ") : text;
}

function scoreOf(text: string, labels: ReadonlySet<string>): number {
  const words = text.split(/\s+/u);
  const plain = words.map((word) => plainWord(word).replaceAll(/[.,]+$/gu, ""));
  if (words.length > WORDS_MAX || !/\p{L}{2}/u.test(text) || /@|www\.|https?:/iu.test(text))
    return 0;
  // The address of a site is evidence for a name, and not a name: it is often the mark of the site that offers the file.
  if (words.length === 1 && DOMAIN.test(text)) return 0;
  const known = knownAt(words, plain);
  const sum = (values: readonly number[]): number =>
    values.reduce((total, value) => total + value, 0);
  const isWord = plain.some((word) => INSTITUTION_WORD.has(word) || /.bank(?:en)?$/u.test(word));
  const evidence = sum([
    HAN_BANK.test(text) ? 2 : 0,
    known === 0 ? 0 : known === words.length ? 4 : 3,
    isWord ? 2 : 0,
    INSTITUTION_WORD.find(plain) === null ? 0 : 0.5,
    isOfDomain(plain, labels) ? 3 : 0,
  ]);
  return evidence - doubtOf(text, plain, known > 0);
}

function doubtOf(text: string, plain: readonly string[], isKnown: boolean): number {
  const isBareWord = plain.length === 1 && INSTITUTION_WORD.has(plain[0] ?? "");
  return (
    (isBareWord ? 3 : 0) +
    (isSentence(text) ? 3 : 0) +
    (/\d{3}/u.test(text) ? 1.5 : 0) +
    (/^\p{Ll}/u.test(text) && !isKnown ? 2 : 0)
  );
}

const isSentence = (text: string): boolean =>
  SENTENCE.test(text) || /[.!?]$/u.test(text.replace(/(?:\p{L}{1,4}\.)+$/u, ""));

function isOfDomain(plain: readonly string[], labels: ReadonlySet<string>): boolean {
  const letters = plain.join("").replaceAll(/[^\p{L}\d]/gu, "");
  if (letters.length < 3) return false;
  return [...labels].some(
    (label) =>
      letters === label ||
      (label.length > SHORT_NAME && (letters.includes(label) || label.includes(letters))) ||
      plain.includes(label),
  );
}

/** How many words from the first on are the name of a known institution. */
function knownAt(words: readonly string[], plain: readonly string[]): number {
  for (let length = Math.min(words.length, KNOWN_WORDS_MAX); length > 0; length -= 1) {
    const name = KNOWN.get(plain.slice(0, length).join(" "));
    if (name === undefined) continue;
    const printed = words.slice(0, length).join(" ");
    const isExact = printed === name || printed === name.toUpperCase();
    if (isExact || name.length > SHORT_NAME) return length;
  }
  const [first = "", ...others] = (words[0] ?? "").split("-");
  const name = others.length === 0 ? undefined : KNOWN.get(plainWord(first));
  return name !== undefined && (name === first || name.length > SHORT_NAME) ? 1 : 0;
}
