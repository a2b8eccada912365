// The currency of lines: printed as a code or a sign with the amounts, or next to a label; what a sign alone leaves open,
// marks of the country decide.
import { CURRENCIES } from "../../src/model/currencies.ts";
import type { TextLine } from "./lines.ts";
import { findMoney, type NumberFormat } from "./money.ts";

const CODES: ReadonlySet<string> = new Set(CURRENCIES);
const LABELLED =
  /(?:currency|curr|ccy|wahrung|devise|moneda|valuta|divisa|moeda|amounts? in|in|all amounts (?:are )?in)\s*[:(]?\s*(?<code>[A-Z]{3})\b/iu;
const BRACKETED = /\((?<code>[A-Z]{3})\)|\b(?<account>[A-Z]{3}) (?:account|current|savings)\b/iu;
/** A sign that several currencies have, such as "$". */
const OPEN = "";
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/south african rand/iu, "ZAR"],
  [/indian rupee/iu, "INR"],
  [/pounds? sterling/iu, "GBP"],
  [/\bus dollars?/iu, "USD"],
  [/canadian dollars?/iu, "CAD"],
  [/australian dollars?/iu, "AUD"],
  [/swiss francs?|schweizer franken/iu, "CHF"],
];
/** "48.00 US DOLLAR": what was paid abroad. */
const FOREIGN_AMOUNT = /\d[.,]\d\d +(?:\p{L}+ ){0,2}\p{L}+/gu;
/** What only statements of one country print. */
const COUNTRY_MARKS: readonly (readonly [RegExp, string, RegExp])[] = [
  [
    /\bBSB\b|\bABN\b|\bBPAY\b|EFTPOS|\bAFSL\b|\b(?:NSW|VIC|QLD|TAS|ACT),? \d{4}\b|\b\d{4},? Australia\b/u,
    "AUD",
    /\$/u,
  ],
  [/\b\d{4},? New Zealand\b|\bNZBN\b/iu, "NZD", /\$/u],
  [/\bSingapore,? \d{6}\b|\bPayNow\b/iu, "SGD", /\$/u],
  [/\b(?:Kowloon|New Territories|Wan ?Chai|Central), Hong Kong\b/iu, "HKD", /\$/u],
  [/\bCLABE\b/u, "MXN", /\$/u],
  [/\b[A-Z]\d[A-Z] \d[A-Z]\d\b|chequing|interac|\btransit (?:no|number)/iu, "CAD", /\$/u],
  [
    /member fdic|\bfdic\b|\bncua\b|routing (?:no|number)|\baba\b|\bach\b|checking|\b[A-Z]{2} \d{5}(?:-\d{4})?\b/iu,
    "USD",
    /\$/u,
  ],
  [/member fdic|\bncua\b|equal housing lender/iu, "USD", /^[^€£]*$/u],
  [/\bIFSC\b|\bMICR\b|\bUPI\b|\bNEFT\b|\bRTGS\b|\bIMPS\b/u, "INR", /./u],
  [/\bsort code\b|\b\d{2}-\d{2}-\d{2}\b/iu, "GBP", /£|^[^€$]*$/u],
  [/\bR\s?\d[\d ,]*[.,]\d\d\b|branch code\s*:?\s*\d{6}|\(pty\)/iu, "ZAR", /./u],
  [
    /\bIBAN\b\s*:?\s*(?:DE|FR|NL|ES|IT|AT|BE|IE|PT|FI)\d\d|\b(?:DE|FR|NL|ES|IT|AT|BE|IE|PT|FI)\d\d(?: ?\d{4}){3}/u,
    "EUR",
    /./u,
  ],
  [/\bCH\d\d(?: ?\d{4}){3}/u, "CHF", /./u],
  [/\bGB\d\d ?[A-Z]{4}(?: ?\d{4}){3}/u, "GBP", /./u],
];

/** What most amounts of the lines have, or what a label reports; null: nothing printed tells. */
export function statementCurrency(lines: readonly TextLine[], format: NumberFormat): string | null {
  const counts = new Map<string, number>();
  for (const line of lines)
    for (const { currency, text } of findMoney(line, format)) {
      const sign = currency ?? (/\p{Sc}/u.test(text) ? OPEN : null);
      if (sign !== null) counts.set(sign, (counts.get(sign) ?? 0) + 1);
    }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most === undefined || most[0] === OPEN ? labelledCurrency(lines) : most[0];
}

function labelledCurrency(lines: readonly TextLine[]): string | null {
  for (const line of lines) {
    const text = line.words.map((word) => word.text).join(" ");
    const groups = LABELLED.exec(text)?.groups ?? BRACKETED.exec(text)?.groups;
    const code = groups?.["code"] ?? groups?.["account"] ?? "";
    if (CODES.has(code)) return code;
    const named = NAMES.find(([name]) => name.test(text.replaceAll(FOREIGN_AMOUNT, "")));
    if (named !== undefined) return named[1];
  }
  return null;
}

/** From marks of a country, such as a sort code or the last line of an address; null: there are none. */
export function inferCurrency(lines: readonly TextLine[]): string | null {
  const text = lines.map((line) => line.words.map((word) => word.text).join(" ")).join("\n");
  const found = COUNTRY_MARKS.find(([mark, , sign]) => mark.test(text) && sign.test(text));
  return found?.[1] ?? null;
}
