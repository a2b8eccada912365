import { readWordTable, sectionOf } from "../../../shared/word-table.ts";

const TABLE = readWordTable(new URL("currency-signs.txt", import.meta.url));
const CODES_IN_TEXT = "codes in text";
const codesInText = new Set(sectionOf(TABLE, CODES_IN_TEXT));
const signs = [...TABLE]
  .filter(([section]) => section !== CODES_IN_TEXT)
  .flatMap(([code, texts]) => texts.map((text) => [text, code] as const));

export interface CurrencyReader {
  /** ISO 4217 code in upper case when the text is one; null otherwise. */
  code(text: string): string | null;
  /** A common code or a currency sign somewhere in the text ("Amount (EUR)", "£12"); null: neither occurs. */
  mentioned(text: string): string | null;
  /** Amount in units of the currency → integer minor units (cents, fils, yen). */
  minorUnits(amount: number, currency: string): bigint;
  /** Integer minor units → "-1,234.56". */
  format(minor: bigint, currency: string): string;
}

/** Codes and fraction digits come from the runtime's tables. */
export function createCurrencyReader(): CurrencyReader {
  const codes = new Set(Intl.supportedValuesOf("currency"));
  const digits = new Map<string, number>();
  const digitsOf = (currency: string): number => {
    const known = digits.get(currency);
    if (known !== undefined) return known;
    const options = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
    const found = options.maximumFractionDigits ?? 2;
    digits.set(currency, found);
    return found;
  };
  const code = (text: string): string | null => {
    const upper = text.trim().toUpperCase();
    return codes.has(upper) ? upper : null;
  };
  return {
    code,
    mentioned: (text) => {
      const word = text
        .match(/(?<!\p{L})[A-Z]{3}(?!\p{L})/gu)
        ?.find((candidate) => codesInText.has(candidate));
      return word ?? signs.find(([sign]) => text.includes(sign))?.[1] ?? null;
    },
    minorUnits: (amount, currency) => BigInt(Math.round(amount * 10 ** digitsOf(currency))),
    format: (minor, currency) => formatMinor(minor, digitsOf(currency)),
  };
}

function formatMinor(minor: bigint, digits: number): string {
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, "0");
  const units = text.slice(0, text.length - digits).replaceAll(/\B(?=(\d{3})+$)/gu, ",");
  const fraction = digits === 0 ? "" : `.${text.slice(text.length - digits)}`;
  return `${minor < 0n ? "-" : ""}${units}${fraction}`;
}
