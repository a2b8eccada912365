// Decimal numbers as text: what a bank wrote keeps its digits, and sums are exact.

/** More digits are not an amount of money. They bound what a sum costs. */
const DIGITS_MAX = 18;
const DECIMAL = /^([+-])?(\d*)(?:\.(\d*))?$/u;

/**
 * "-12.30" from "-12,30", "+5." or ".5"; null for anything else. With both marks, the last one is the decimal mark and the
 * other groups thousands; one mark alone is the decimal mark, as the formats with a fixed notation prescribe.
 */
export function parseDecimal(text: string): string | null {
  const trimmed = text.trim();
  const mark = trimmed.lastIndexOf(",") > trimmed.lastIndexOf(".") ? "," : ".";
  const other = mark === "," ? "." : ",";
  const isGrouped = trimmed.includes(other) && isGrouping(trimmed, mark, other);
  const plain = isGrouped ? trimmed.replaceAll(other, "") : trimmed;
  return compose(DECIMAL.exec(plain.replace(mark, ".")));
}

function compose(match: RegExpExecArray | null): string | null {
  const [, sign, whole = "", fraction = ""] = match ?? [];
  const length = whole.length + fraction.length;
  if (length === 0 || whole.length > DIGITS_MAX || fraction.length > DIGITS_MAX) return null;
  const units = whole.replace(/^0+(?=\d)/u, "") || "0";
  const digits = fraction === "" ? units : `${units}.${fraction}`;
  return sign === "-" ? negate(digits) : digits;
}

/** "1,234,567.89": groups of three between the marks. */
function isGrouping(text: string, mark: string, other: string): boolean {
  const [whole = ""] = text.split(mark);
  const groups = whole.replace(/^[+-]/u, "").split(other);
  return groups.every((group, at) => (at === 0 ? /^\d{1,3}$/u : /^\d{3}$/u).test(group));
}

/** "-12.30" ⇄ "12.30". */
export function negate(amount: string): string {
  if (amount.startsWith("-")) return amount.slice(1);
  return /[1-9]/u.test(amount) ? `-${amount}` : amount;
}

/** The exact sum; "0" for none. All are results of `parseDecimal`. */
export function addDecimals(amounts: Iterable<string>): string {
  let sum = 0n;
  let scale = 0;
  for (const amount of amounts) {
    const digits =
      amount.length - 1 - (amount.includes(".") ? amount.indexOf(".") : amount.length - 1);
    if (digits > scale) {
      sum *= 10n ** BigInt(digits - scale);
      scale = digits;
    }
    sum += BigInt(amount.replace(".", "")) * 10n ** BigInt(scale - digits);
  }
  const text = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, "0");
  const fraction = scale === 0 ? "" : `.${text.slice(text.length - scale)}`;
  return `${sum < 0n ? "-" : ""}${text.slice(0, text.length - scale)}${fraction}`;
}

export function isZero(amount: string): boolean {
  return !/[1-9]/u.test(amount);
}
