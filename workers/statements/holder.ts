// Who holds the account: from a label such as "Account holder", or from the address block.
import type { StatementAddress, StatementHolder } from "../../src/model/bank-statement.ts";
import {
  ACCOUNT_LABEL,
  BUSINESS_PRODUCT,
  COMPANY_FORM,
  FACT_PHRASES,
  HOLDER_LABEL,
  INSTITUTION_WORD,
  monthOfName,
} from "./lexicon.ts";
import { isPlaceLine, readPostalAddress } from "./postal-address.ts";
import { isColumnLabel, type TextSegment } from "./segments.ts";

const TITLE =
  /^(?:mr|mrs|ms|miss|dr|frau|herr|herrn|monsieur|madame|mme|m\.|sr|sra|sig|dhr|mevr|shri|smt)\.?$/iu;
const NOT_NAME =
  /\d{3}|@|www\.|https?:|:|^(?:p\.?\s?o\.?\s?box|postfach|page|seite|statement|account|date|tel|telefon|fax)\b/iu;
const EDGE = 0.6;
const GAP_MAX = 1.1;
const BLOCK_LINES_MAX = 7;
const NAME_WORDS_MAX = 7;

/** @param segments of the first page, without rows of tables */
export function findHolder(
  segments: readonly TextSegment[],
  institution: string | null,
): StatementHolder | null {
  const labelled = labelledName(segments);
  const blocks = blocksOf(segments).flatMap((block) => readBlock(block, institution) ?? []);
  const block =
    blocks.find(({ name }) => labelled !== null && isSameName(name, labelled)) ?? blocks[0] ?? null;
  const name = labelled ?? block?.name ?? null;
  if (name === null) return null;
  const isBusiness = isCompany(name) || segments.some(isBusinessProduct);
  const isSame = block !== null && (labelled === null || isSameName(block.name, labelled));
  const address = isSame ? block.address : addressBehindLabel(segments);
  return { type: isBusiness ? "business" : "consumer", name, address };
}

const plainOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");
const isSameName = (a: string, b: string): boolean =>
  plainOf(a).includes(plainOf(b)) || plainOf(b).includes(plainOf(a));

function isCompany(name: string): boolean {
  const words = name
    .toLowerCase()
    .split(/[\s,]+/u)
    .map((word) => word.replaceAll(/[()]|\.$/gu, ""));
  return words.slice(1).some((word) => COMPANY_FORM.has(word)) || /&/u.test(name);
}

/** Words in the name of a product, not in a sentence about others. */
const PRODUCT_WORDS_MAX = 6;
const isBusinessProduct = ({ plain, text }: TextSegment): boolean =>
  plain.length <= PRODUCT_WORDS_MAX &&
  !/[.?!]$|days?\b/u.test(text) &&
  BUSINESS_PRODUCT.find(plain) !== null &&
  /account|checking|statement|direct|current|konto|compte|cuenta|conto|rekening|chequing|\p{Script=Han}/iu.test(
    text,
  );

function labelledName(segments: readonly TextSegment[]): string | null {
  for (const [at, segment] of segments.entries()) {
    const label = HOLDER_LABEL.find(segment.plain);
    if (label?.from !== 0) continue;
    const hasColon = segment.words[label.to - 1]?.text.endsWith(":") === true;
    const rest = segment.words
      .slice(label.to)
      .map(({ text }) => text)
      .join(" ")
      .replace(/^[:\-]\s*/u, "");
    if (rest !== "" && !hasColon && !/^[:\-]$/u.test(segment.words[label.to]?.text ?? "")) continue;
    const value = rest === "" ? nextOrBelow(segments, at) : rest.split(/\s{2,}|\s\|\s/u)[0];
    const name = value === undefined ? null : nameFrom(value);
    if (name !== null) return name;
  }
  return null;
}

function nextOrBelow(segments: readonly TextSegment[], at: number): string | undefined {
  const own = segments[at];
  const next = segments[at + 1];
  if (own === undefined) return undefined;
  const nextTo = next?.line === own.line ? next.text.replace(/^[:\-]\s*/u, "") : "";
  if (nameFrom(nextTo) !== null && !isColumnLabel(segments, at)) return nextTo;
  const height = own.bottom - own.top;
  return segments.find(
    ({ top, left }) =>
      top > own.bottom - height / 2 &&
      top < own.bottom + height * 2 &&
      Math.abs(left - own.left) < height,
  )?.text;
}

function nameFrom(text: string): string | null {
  const name = text.trim().replace(/[,;]$/u, "");
  const words = name.split(/\s+/u);
  const isName =
    /\p{L}{2}/u.test(name) &&
    words.length <= NAME_WORDS_MAX &&
    !NOT_NAME.test(name) &&
    !/^\p{Ll}/u.test(name);
  return isName ? name : null;
}

/** Runs of segments below each other with the same left edge. */
function blocksOf(segments: readonly TextSegment[]): TextSegment[][] {
  const blocks: TextSegment[][] = [];
  for (const segment of segments) {
    const height = segment.bottom - segment.top;
    const block = blocks.find((candidate) => {
      const last = candidate.at(-1);
      return (
        last !== undefined &&
        candidate.length < BLOCK_LINES_MAX &&
        Math.abs(last.left - segment.left) < height * EDGE &&
        segment.top >= last.top + height / 2 &&
        segment.top - last.bottom < height * GAP_MAX
      );
    });
    if (block === undefined) blocks.push([segment]);
    else block.push(segment);
  }
  return blocks;
}

interface AddressBlock {
  readonly name: string;
  readonly address: StatementAddress;
}

/** "2191" below "Mr S Mokoena", a street and a place. */
const isPostcodeOfTitled = (text: string, [first]: readonly TextSegment[]): boolean =>
  /^\d{4,6}$/u.test(text) && /^\*?(?:mr|mrs|ms|miss|dr)\.? /iu.test(first?.text ?? "");

/** "Bloor & Runnymede branch": its address is that of the bank. */
const BRANCH = /^(?!.*:).*\bbranch$/iu;

/** The lines before the first one with a digit or the last place line are the name. */
function readBlock(block: readonly TextSegment[], institution: string | null): AddressBlock | null {
  const end = block.findLastIndex(
    ({ text }) => (!text.includes(":") && isPlaceLine(text)) || isPostcodeOfTitled(text, block),
  );
  if (end < 1 || block.some(({ text }) => BRANCH.test(text))) return null;
  const lines = block.slice(0, end + 1).map(({ text }) => text.replace(/^(?:[A-Z]\/O\s+|\*)/u, ""));
  const title = lines.findIndex((line) => TITLE.test(line));
  const bank = block.slice(0, end).findLastIndex((segment) => isOfBank(segment, institution));
  let start = Math.max(title, bank) + 1;
  while (start < end && nameFrom(lines[start] ?? "") === null) start += 1;
  const first = lines[start];
  if (first === undefined || start >= end) return null;
  if (block.slice(start, end + 1).some(isOther)) return null;
  const second = lines[start + 1] ?? "";
  // A person may stand above the company, or the other holder below.
  const isSecond = start + 1 < end && !/\d/u.test(second) && isCompany(second);
  return {
    name: isSecond ? second : first,
    address: readPostalAddress(lines.slice(start + (isSecond ? 2 : 1))),
  };
}

/** A line that does not belong to an address: a contact, a label, a balance, a date. */
const isOther = ({ text, plain }: TextSegment): boolean =>
  isContact(text) ||
  ACCOUNT_LABEL.find(plain) !== null ||
  FACT_PHRASES.some(([, phrases]) => phrases.find(plain)?.from === 0) ||
  plain.some(
    (word, at) => monthOfName(word) !== null && /\d/u.test(plain[at + 1] ?? plain[at - 1] ?? ""),
  );

const isContact = (text: string): boolean =>
  /@|www\.|https?:|\b(?:tel|phone|telefon|fax|customer service|call)\b/iu.test(text);

function isOfBank(segment: TextSegment | undefined, institution: string | null): boolean {
  if (segment === undefined) return false;
  const isNamed = institution !== null && plainOf(segment.text).startsWith(plainOf(institution));
  return isNamed || segment.plain.some((word) => INSTITUTION_WORD.has(word) && word !== "trust");
}

const ADDRESS_LABEL =
  /^(?:mailing |postal |registered |home )?(?:address|anschrift|adresse|direccion|dirección|indirizzo|adres|endereço)\s*:?\s*/iu;

function addressBehindLabel(segments: readonly TextSegment[]): StatementAddress | null {
  for (const [at, segment] of segments.entries()) {
    const label = ADDRESS_LABEL.exec(segment.text)?.[0];
    if (label === undefined) continue;
    const rest = segment.text.slice(label.length);
    const lines =
      rest === "" ? valueLines(segments, at) : [rest, ...continuation(segments, segment)];
    if (lines.length > 0 && lines.some(isPlaceLine)) return readPostalAddress(lines);
    if (lines.length > 0 && lines.join(" ").includes(","))
      return readPostalAddress([lines.join(", ")]);
  }
  return null;
}

function valueLines(segments: readonly TextSegment[], at: number): string[] {
  const next = segments[at + 1];
  if (next === undefined) return [];
  return [next.text, ...continuation(segments, next)];
}

/** The lines of the same block below a segment, up to the place. */
function continuation(segments: readonly TextSegment[], above: TextSegment): string[] {
  if (isPlaceLine(above.text)) return [];
  const block = blocksOf(segments).find((candidate) => candidate.includes(above)) ?? [];
  const below = block.slice(block.indexOf(above) + 1);
  const end = below.findIndex(({ text }) => isPlaceLine(text));
  return end < 0 ? [] : below.slice(0, end + 1).map(({ text }) => text);
}
