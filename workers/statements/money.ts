// Amounts among the words of a line, as integers of the minor unit. A number may be printed as several words ("10 750,00",
// "- 278,96", "SGD 15,450.75").
import { CURRENCIES } from "../../src/model/currencies.ts";
import type { TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

export interface Money {
  /** Minor units, never negative. */
  readonly units: number;
  /** As printed: a sign, parentheses, CR or DR; 0: without one. */
  readonly sign: -1 | 0 | 1;
  /** Whether the sign is a word such as CR, which means the same in every kind of account. */
  readonly isSignWord: boolean;
  /** Whether it is certainly money: it has decimals, a currency or thousands. */
  readonly isCertain: boolean;
  /** ISO 4217, if printed with the number. */
  readonly currency: string | null;
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly confidence: number;
  readonly words: readonly PageWord[];
  /** Words of the line: from is the first, to the one behind the last. */
  readonly from: number;
  readonly to: number;
}

/** Of a document. */
export interface NumberFormat {
  readonly decimalMark: "." | ",";
  /** Digits of the minor unit. */
  readonly scale: 2 | 3;
  /** Whether the currency has no minor unit, so that "45 000" is money. Left out: it has one. */
  readonly isWhole?: boolean;
}

const CODES: ReadonlySet<string> = new Set(CURRENCIES);
const SIGNS: Readonly<Record<string, string>> = {
  "£": "GBP",
  "€": "EUR",
  "₹": "INR",
  rs: "INR",
  "rs.": "INR",
  zł: "PLN",
  "₩": "KRW",
  us$: "USD",
  s$: "SGD",
  hk$: "HKD",
  a$: "AUD",
  c$: "CAD",
};
/** Savings books and cheques fill the place before an amount: "*******250.00"; "****1234" is the end of a masked number. */
const MONEY =
  /^(?:[=*]|\*{2,}(?=\d[\d.,]*[.,]\d{2}(?:\D|$)))?\s*(?<open>\()?\s*(?<sign1>[-+])?\s*(?<before>[A-Z]{0,3}[$€£¥₹₩]|Rs\.?|[A-Z]{3}|R|kr)?\s*(?<sign2>[-+])?\s*(?<digits>\d[\d.,'’ ]*|[.,]\d\d)(?<close>\))?\s*(?<sign3>[-+])?\s*(?<after>[$€£¥₹]|[A-Z]{3}|kr|zł)?\s*(?<sign4>[-+])?\s*(?:\((?=[CDcd][Rr]\)))?(?<mark>CR|DR|Cr|Dr|cr|dr|C|D|S|H|OD|O\/D|(?<=\d)(?:A|Af|Bij))?\.?\)?$/u;
/** With spaces between the groups, or with other marks: "21.62 890.36" are two numbers. */
const GROUPED = /^\d{1,3}(?:(?:[.,'’]\d{2,3})*[.,'’]|(?: \d{2,3})* )\d{3}$/u;
const WORDS_MAX = 5;
const DIGIT = /\d/u;
/** "14,26." */
const STRAY_MARK = /(?<=[.,]\d{2})[.,]$/u;
const INTEGER_DIGITS_MAX = 12;
/** "614.00(Cr)" */
const BRACKETED_MARK = /\((?:cr|dr)\)$/iu;
const isClosed = (text: string): boolean => text.endsWith(")") && !BRACKETED_MARK.test(text);
/** In heights of a word. */
const SPACE_WIDTH_MAX = 0.75;
/** CR and DR stand in a column of their own next to the amounts; a currency with a sign behind it is of the number before it. */
const SIGN_GAP_MAX = 1.2;
const SIGN_WORD = /^(?:CR|DR|C|D|(?:[A-Z]{3}|\p{Sc})[-+])$/iu;

/** All amounts of a line, from left to right. */
export function findMoney(line: TextLine, format: NumberFormat): Money[] {
  const found: Money[] = [];
  let from = 0;
  while (from < line.words.length) {
    const money = moneyAt(line.words, from, format);
    if (money !== null) found.push(money);
    from = money?.to ?? from + 1;
  }
  return found;
}

function moneyAt(words: readonly PageWord[], from: number, format: NumberFormat): Money | null {
  let best: Money | null = null;
  let text = "";
  for (let to = from + 1; to <= Math.min(words.length, from + WORDS_MAX); to += 1) {
    const word = words[to - 1];
    const before = words[to - 2];
    if (word === undefined) break;
    if (to > from + 1 && before !== undefined && !isNear(before, word)) break;
    text += (text === "" ? "" : " ") + word.text;
    // Most words have none, and are quickly passed over.
    const parsed = DIGIT.test(text) ? parseMoney(text, format) : null;
    if (parsed === null) continue;
    const used = words.slice(from, to);
    best = {
      ...parsed,
      text,
      left: words[from]?.left ?? 0,
      right: word.right,
      confidence: Math.min(...used.map(({ confidence }) => confidence)),
      words: used,
      ...{ from, to },
    };
  }
  return best;
}

const isNear = (before: PageWord, word: PageWord): boolean =>
  word.left - before.right <
  (word.bottom - word.top) * (SIGN_WORD.test(word.text) ? SIGN_GAP_MAX : SPACE_WIDTH_MAX);

type ParsedMoney = Pick<Money, "units" | "sign" | "isSignWord" | "isCertain" | "currency">;

/** null: the text is something else. */
function parseMoney(raw: string, format: NumberFormat): ParsedMoney | null {
  const text = raw.replaceAll(/[\u2212\u2013\u2014\u2012]/gu, "-").replaceAll(/\u00A0/gu, " ");
  const groups = MONEY.exec(text)?.groups;
  if (groups === undefined) return null;
  const { before = "", after = "", mark = "", digits = "" } = groups;
  if (!isCurrency(before) || !isCurrency(after)) return null;
  const number = parseDigits(digits.trim().replace(STRAY_MARK, ""), format);
  if (number === null) return null;
  const isBracketed = groups["open"] !== undefined;
  if (isBracketed !== isClosed(text)) return null;
  const sign = signOf(
    ["sign1", "sign2", "sign3", "sign4"].map((name) => groups[name] ?? "").join(""),
    isBracketed,
    mark.toUpperCase(),
  );
  if (sign === null) return null;
  const hasUnit = before !== "" || after !== "";
  return {
    units: number.units,
    sign,
    isSignWord: mark !== "",
    isCertain: number.isCertain || hasUnit,
    currency: currencyOf(before) ?? currencyOf(after),
  };
}

const isCurrency = (text: string): boolean => !/^[A-Z]{3}$/u.test(text) || CODES.has(text);

const currencyOf = (text: string): string | null =>
  CODES.has(text) ? text : (SIGNS[text.toLowerCase()] ?? null);

/** null: signs that contradict each other. */
function signOf(signs: string, isBracketed: boolean, mark: string): -1 | 0 | 1 | null {
  const negative =
    signs.includes("-") || isBracketed || ["DR", "D", "S", "OD", "O/D", "AF"].includes(mark);
  const positive = signs.includes("+") || ["CR", "C", "H", "A", "BIJ"].includes(mark);
  if (negative && positive)
    return mark === "" || isBracketed ? null : mark.startsWith("C") ? 1 : -1;
  return negative ? -1 : positive ? 1 : 0;
}

function parseDigits(
  text: string,
  format: NumberFormat,
): { units: number; isCertain: boolean } | null {
  const [whole, decimals] = splitDecimals(text, format);
  const hasGroups = /[.,'’ ]/u.test(whole);
  if (hasGroups && !GROUPED.test(whole)) return null;
  const integer = whole.replaceAll(/[.,'’ ]/gu, "");
  if (integer.length > INTEGER_DIGITS_MAX || /^0\d/u.test(integer)) return null;
  return {
    units: Number(integer + decimals.padEnd(format.scale, "0")),
    isCertain:
      decimals.length >= 2 || (hasGroups && (/[.,]/u.test(whole) || format.isWhole === true)),
  };
}

/** Up to two digits behind the last mark are decimals, whichever mark it is; three are if the currency has three. */
function splitDecimals(text: string, { decimalMark, scale }: NumberFormat): [string, string] {
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  const tail = text.slice(last + 1);
  const isDecimal =
    last >= 0 &&
    /^\d+$/u.test(tail) &&
    tail.length <= scale &&
    (tail.length < 3 || text[last] === decimalMark);
  return isDecimal ? [text.slice(0, last), tail] : [text, ""];
}

/** The decimal mark that most numbers of the document have. */
export function voteDecimalMark(lines: readonly TextLine[]): "." | "," {
  let commas = 0;
  let points = 0;
  for (const { words } of lines) {
    for (const { text } of words) {
      if (/\d,\d\d(?:[-+)]|$)/u.test(text)) commas += 1;
      else if (/\d\.\d\d(?:[-+)]|$)/u.test(text)) points += 1;
    }
  }
  return commas > points ? "," : ".";
}

/** "-1234.50" for -123450 at two digits. */
export function toDecimal(units: number, scale: number): string {
  const digits = String(Math.abs(units)).padStart(scale + 1, "0");
  return `${units < 0 ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
