// Which product an account is: its name as printed, and its type.
import { ACCOUNT_TYPES, INSTITUTION_WORD, PRODUCT_WORD, STATEMENT_TITLE } from "./lexicon.ts";
import type { TextLine } from "./lines.ts";
import { isColumnLabel, toSegments, type TextSegment } from "./segments.ts";

export interface AccountKind {
  /** As printed; null: none was found. */
  readonly name: string | null;
  /** "checking", "savings", "credit card" or "loan"; null: not known. */
  readonly type: string | null;
}

const TYPE_LABEL =
  /^(?:account type|type of account|product|account name|kontoart|type de compte|tipo de cuenta|tipo conto|rekeningtype|scheme|product name)\b\s*:?\s*/iu;
const TITLE_WORD =
  /^(?:and|or|statement|summary|your|number|no|releve|extracto|extrato|estratto|kontoauszug|auszug|afschrift|balance|saldo|solde|total)$/u;
/** An amount, or what something comes to. */
const VALUE = /\p{Sc}\d|=/u;
const NAME_WORDS_MAX = 6;

/**
 * @param lines of the account, from its start
 * @param number of the account as printed: the product stands near it
 */
export function findAccountKind(lines: readonly TextLine[], number: string | null): AccountKind {
  const segments = toSegments(lines);
  const at = number === null ? -1 : lines.findIndex((line) => textOf(line).includes(number));
  const near = segments.filter(({ line }) => at >= 0 && line <= at && line >= at - 2).reverse();
  const labelled = labelledProduct(segments);
  const name =
    labelled ??
    [...near, ...segments].flatMap((one, at, all) => productName(one, all[at + 1]) ?? [])[0] ??
    null;
  const type =
    (name === null ? null : typeOf(name.split(" "))) ?? firstType(near) ?? firstType(segments);
  return { name: name === null ? null : cleaned(name), type };
}

/** null: it is not the name of a product. */
function productName(segment: TextSegment, next: TextSegment | undefined): string | null {
  // Text recognition may leave a gap in front of the dash.
  const isTorn = next?.line === segment.line && next.text.startsWith("- ");
  const text = isTorn ? `${segment.text} ${next.text}` : segment.text;
  return numberedProduct(text, segment.line) ?? (isProduct(segment) ? segment.text : null);
}

/**
 * "LOAN 0101 - USED AUTO LOAN", or "New Auto Loan - 3590127769" where an account begins: the name without the number; null: it is
 * another text.
 */
function numberedProduct(text: string, line: number): string | null {
  const name = text
    .replace(NUMBER_BEFORE, "")
    .replace(line < HEADING_LINES ? NUMBER_BEHIND : "", "");
  const words = name.split(" ");
  const isName = name !== text && words.length > 1 && words.length <= NAME_WORDS_MAX;
  return isName && !/\d/u.test(name) && typeOf(words) !== null ? name : null;
}

const NUMBER_BEFORE = /^(?:share|loan|suffix) \d{1,4} [-–—:] /iu;
const NUMBER_BEHIND = / [-–—:#] [\dXx*•]*\d{4,}$/u;
const HEADING_LINES = 3;

const textOf = (line: TextLine): string => line.words.map(({ text }) => text).join(" ");

const cleaned = (name: string): string =>
  name.replace(/^.*:\s+(?=\p{L})/u, "").replace(/\s*[-–:|]$/u, "");

function labelledProduct(segments: readonly TextSegment[]): string | null {
  for (const [at, segment] of segments.entries()) {
    const label = TYPE_LABEL.exec(segment.text)?.[0];
    if (label === undefined) continue;
    const next = segments[at + 1];
    if (isColumnLabel(segments, at)) continue;
    const rest = segment.text.slice(label.length);
    const value = rest === "" && next?.line === segment.line ? next.text : rest;
    const isType = /^(?:account type|type of account|product|scheme)/iu.test(label);
    const words = value.split(" ");
    if (
      typeOf(words) !== null ||
      (isType && /^\p{Lu}/u.test(value) && words.length <= NAME_WORDS_MAX)
    )
      return value;
  }
  return null;
}

function isProduct({ text, plain }: TextSegment): boolean {
  if (
    plain.length < 2 ||
    plain.length > NAME_WORDS_MAX ||
    /\d{4}|[.?!]$|:/u.test(text) ||
    VALUE.test(text)
  )
    return false;
  if (
    STATEMENT_TITLE.has(plain.join(" ")) ||
    plain.some((word) => TITLE_WORD.test(word) || INSTITUTION_WORD.has(word))
  )
    return false;
  return PRODUCT_WORD.find(plain) !== null && typeOf(plain) !== null;
}

function typeOf(words: readonly string[]): string | null {
  const plain = words.map((word) =>
    word
      .toLowerCase()
      .normalize("NFD")
      .replaceAll(/\p{M}|[:;,.]$/gu, ""),
  );
  return ACCOUNT_TYPES.find(([, phrases]) => phrases.find(plain) !== null)?.[0] ?? null;
}

function firstType(segments: readonly TextSegment[]): string | null {
  for (const { plain, text } of segments) {
    // "3 years  $1,769 (Savings = $349)" is not about the account.
    if (VALUE.test(text)) continue;
    const types = ACCOUNT_TYPES.filter(([, phrases]) => phrases.find(plain) !== null);
    // "Current and Savings Accounts" is a heading of several.
    if (types.length === 1) return types[0]?.[0] ?? null;
  }
  return null;
}
