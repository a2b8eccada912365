// The number of an account in a line: behind its label, below it, or an IBAN.
import { ACCOUNT_LABEL } from "./lexicon.ts";
import type { PageLine } from "./layout.ts";
import type { PageWord } from "./words.ts";

const NUMBER_PART = /^(?=.*[\d*X•●])[A-Z\d*Xx•●.\-/]+$/u;
const FILLER = /^(?:[:\-–—#|]|no\.?|number|num|nr\.?|n°|ending|in|\(iban\))$/u;
const DIGITS_MIN = 4;
const NUMBER_WORDS_MAX = 6;
const IBAN_START = /^[A-Z]{2}\d{2}/u;
const IBAN_WORDS_MAX = 9;
const LAST_DIGITS = 4;

/** Whether two numbers may be of one account: one of them is a part of the other, as in an IBAN. null: not printed. */
export function isSameNumber(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return true;
  const [x, y] = [a, b].map((text) => text.replaceAll(/[^\dA-Z]/gu, "")) as [string, string];
  return x.includes(y) || y.includes(x) || x.slice(-LAST_DIGITS) === y.slice(-LAST_DIGITS)
    ? x.length !== y.length || x === y
    : false;
}

/** The number behind its label, or below it; an IBAN needs none. null: the line has no number of an account. */
export function accountNumberOf(line: PageLine, below: PageLine | undefined): string | null {
  let label = ACCOUNT_LABEL.find(line.plain);
  while (label !== null) {
    const number =
      numberFrom(line, label.to) ??
      (line.words.length > NUMBER_WORDS_MAX + 2 ? null : numberBelow(line, label.from, below));
    if (number !== null) return isCutIban(number) ? null : number;
    label = ACCOUNT_LABEL.find(line.plain, label.to);
  }
  return ibanOf(line);
}

const IBAN = /(?:^| )([A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?)(?= |$)/u;

/**
 * Characters of the IBAN registry (https://www.swift.com/standards/data-standards/iban), by country: references and creditor
 * identifiers begin as an IBAN does.
 */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AT: 20, BE: 16, BG: 22, BR: 29, CH: 21, CY: 28, CZ: 24, DE: 22, DK: 18 },
  ...{ EE: 20, ES: 24, FI: 18, FR: 27, GB: 22, GI: 23, GR: 27, HR: 21, HU: 28, IE: 22, IL: 23 },
  ...{ IS: 26, IT: 27, LI: 21, LT: 20, LU: 20, LV: 21, MC: 27, MT: 31, NL: 18, NO: 15, PL: 28 },
  ...{ PT: 25, RO: 24, SA: 24, SE: 24, SI: 19, SK: 24, SM: 27, TR: 26, UA: 29, VA: 22 },
};
/** What is left of an IBAN that lost a group is not another number; one with stars for its digits may be short. */
const isCutIban = (number: string): boolean =>
  /^[A-Z]{2}\d[A-Z\d ]*$/u.test(number) &&
  number.replaceAll(" ", "").length < (IBAN_LENGTHS[number.slice(0, 2)] ?? 0);

/** Of Norway, which has the shortest ones: "ID9111111103" is another number. */
const IBAN_LENGTH_MIN = 15;

/** An IBAN needs no label. */
export function ibanOf(line: PageLine): string | null {
  const iban = IBAN.exec(line.words.map(({ text }) => text).join(" "))?.[1] ?? "";
  const { length } = iban.replaceAll(" ", "");
  const known = IBAN_LENGTHS[iban.slice(0, 2)];
  return known === undefined ? (length < IBAN_LENGTH_MIN ? null : iban) : ibanOfLength(iban, known);
}

/** What follows the IBAN in its line is not of it. */
function ibanOfLength(text: string, length: number): string | null {
  let found = "";
  for (const group of text.split(" ")) {
    found += found === "" ? group : ` ${group}`;
    const characters = found.replaceAll(" ", "").length;
    if (characters >= length) return characters === length ? found : null;
  }
  return null;
}

function numberFrom(line: PageLine, from: number): string | null {
  let at = from;
  while (FILLER.test(line.plain[at] ?? "") || /^[:\-]+$/u.test(line.words[at]?.text ?? "")) at += 1;
  const words: string[] = [];
  const wordsMax = wordsOfNumber(line.words[at]);
  while (words.length < wordsMax) {
    const word = line.words[at];
    if (word === undefined || !NUMBER_PART.test(word.text)) break;
    if (words.length > 0 && isFar(line.words[at - 1], word)) break;
    words.push(word.text);
    at += 1;
  }
  const number = words.join(" ");
  const isNumber =
    number.replaceAll(/\D/gu, "").length >= DIGITS_MIN &&
    !/[.,/]\d\d(?:\d\d)?$/u.test(number) &&
    !SORT_CODE.test(number) &&
    !TOLL_FREE.test(number);
  return isNumber ? number : null;
}

/** Of a British or Irish branch, as it is printed: the number of the account has a label of its own. */
const SORT_CODE = /^\d\d-\d\d-\d\d$/u;

/** "1-888-842-6328": a telephone number next to "your account". */
const TOLL_FREE = /^1-8\d\d-\d{3}-\d{4}$/u;

const wordsOfNumber = (first: PageWord | undefined): number =>
  IBAN_START.test(first?.text ?? "") ? IBAN_WORDS_MAX : NUMBER_WORDS_MAX;

const isFar = (before: PageWord | undefined, word: PageWord): boolean =>
  before !== undefined && word.left - before.right > word.bottom - word.top;

function numberBelow(line: PageLine, label: number, below: PageLine | undefined): string | null {
  const left = line.words[label]?.left ?? 0;
  if (below?.page !== line.page) return null;
  const at = below.words.findIndex((word) => Math.abs(word.left - left) < line.bottom - line.top);
  const [before, first] = [below.words[at - 1], below.words[at]];
  // In the middle of an IBAN, a group is not the number of the label above it.
  const isWithin = before !== undefined && first !== undefined && !isFar(before, first);
  return at < 0 || isWithin ? null : numberFrom(below, at);
}
