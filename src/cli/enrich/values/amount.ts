// Amounts as banks print them. The decimal mark is a property of the column, decided over a sample; a single value
// such as "1,234" cannot tell.

export type DecimalMark = "." | ",";

export interface ParsedAmount {
  /** Signed, in units of the currency. Never -0. */
  readonly value: number;
  /** Its size without the sign, exact: decimal text with a point, the digits as the bank wrote them. */
  readonly size: string;
  /** CR/DR, H/S or C/D written behind the number. */
  readonly marker: "credit" | "debit" | null;
}

/** Longer cells are prose; the bound also keeps the pattern below from backtracking over a page of digits. */
const AMOUNT_CHARACTERS_MAX = 40;
const MINUS = /[\u2212\u2013\u2010\u2011]/gu;
const UNIT = String.raw`(?!(?:cr|dr|[cdhs])\b)(?:\p{L}{0,3}\.?\p{Sc}|\p{L}{1,3}\.?)`;
const AMOUNT = new RegExp(
  String.raw`^(\()?\s*([+-])?\s*(?:${UNIT})?\s*(\()?([+-])?\s*(\d(?:[\d.,'’\s]*\d)?|[.,]\d+)` +
    String.raw`\s*(?:${UNIT})?\s*([+-])?\s*(\))?\s*(cr|dr|[cdhs])?\.?$`,
  "iu",
);
const MARKERS: Readonly<Record<string, "credit" | "debit">> = {
  cr: "credit",
  c: "credit",
  h: "credit",
  dr: "debit",
  d: "debit",
  s: "debit",
};

/** Reads one cell; null when it is not an amount. Total: never throws, whatever the text. */
export function parseAmount(text: string, mark: DecimalMark): ParsedAmount | null {
  const match = matchAmount(text);
  if (match === null) return null;
  const [, open, before, innerOpen, middle, body = "", after, close, marker] = match;
  if ((open ?? innerOpen) !== undefined && close === undefined) return null;
  const size = parseBody(body.replaceAll(/[\s’]/gu, "'"), mark);
  if (size === null) return null;
  const negative = [before, middle, after].includes("-") || close !== undefined;
  return {
    value: negative && Number(size) !== 0 ? -Number(size) : Number(size),
    size,
    marker: marker === undefined ? null : (MARKERS[marker.toLowerCase()] ?? null),
  };
}

/** The decimal mark that one cell shows for its column; null when it fits both. */
export function decimalEvidence(text: string): DecimalMark | null {
  const body = matchAmount(text)?.[5];
  if (body === undefined) return null;
  const lastDot = body.lastIndexOf(".");
  const lastComma = body.lastIndexOf(",");
  if (lastDot >= 0 && lastComma >= 0) return lastDot > lastComma ? "." : ",";
  const mark = lastDot >= 0 ? "." : lastComma >= 0 ? "," : null;
  if (mark === null) return null;
  const first = body.indexOf(mark);
  if (first !== body.lastIndexOf(mark)) return mark === "." ? "," : ".";
  const isGroup =
    body.length - first - 1 === 3 && first >= 1 && first <= 3 && !body.startsWith("0");
  return isGroup ? null : mark;
}

function matchAmount(text: string): RegExpExecArray | null {
  if (text.length > AMOUNT_CHARACTERS_MAX) return null;
  return AMOUNT.exec(text.trim().replaceAll(MINUS, "-"));
}

/** Digits with marks, white space and quotes already folded to one apostrophe each. */
function parseBody(body: string, mark: DecimalMark): string | null {
  const other = mark === "." ? "," : ".";
  const parts = body.split(mark);
  if (parts.length === 2) return compose(parts[0] ?? "", parts[1] ?? "");
  // "1.234.567" under a decimal point cannot be anything but grouping.
  if (parts.length > 2) return body.includes(other) ? null : ungroup(body);
  const whole = ungroup(body);
  if (whole !== null) return whole;
  // "12,34" under a decimal point: no grouping has two digits behind it, so there is only one reading.
  const [units = "", fraction = "", ...more] = body.split(other);
  return more.length === 0 && fraction.length <= 2 ? compose(units, fraction) : null;
}

function compose(units: string, fraction: string): string | null {
  const whole = units === "" ? "0" : ungroup(units);
  return whole === null || !/^\d{1,20}$/u.test(fraction) ? null : `${whole}.${fraction}`;
}

/** Whole units with or without grouping: 1234, 1'234, 1,23,456 (India). One kind of separator only. */
function ungroup(text: string): string | null {
  if (!/^(?:\d{1,15}|\d{1,3}(?:([.,'])\d{2,3}(?:\1\d{2,3}){0,3}(?<=\1\d{3}))?)$/u.test(text))
    return null;
  return text.replaceAll(/[.,']/gu, "").replace(/^0+(?=\d)/u, "");
}
