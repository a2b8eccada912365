// Countries and their currencies (i18n-iso-countries, currency-codes), and the public suffixes that occur at all.
import type { MerchantDraft } from "./draft.ts";
import { websiteOf } from "./websites.ts";

interface CurrencyRow {
  readonly code: string;
  readonly countries: readonly string[];
}

interface CountryNames {
  readonly getNames: (language: string) => Readonly<Record<string, string>>;
  readonly getAlpha2Code: (name: string, language: string) => string | undefined;
}

/** Currencies that are written under another country's name in the list, or used far beyond their own. */
const mainCountry: Readonly<Record<string, string>> = {
  USD: "US",
  GBP: "GB",
  AUD: "AU",
  CHF: "CH",
  NZD: "NZ",
  DKK: "DK",
  NOK: "NO",
};

/** `United States of America (The)` → `United States of America`. */
const withoutArticle = (name: string): string => name.replace(/\s*\(the\)/iu, "").trim();

export async function readRegions(): Promise<{
  currencyCountries: Record<string, string[]>;
  countryNames: Record<string, string>;
}> {
  const { default: countries } = (await import("i18n-iso-countries")) as unknown as {
    default: CountryNames;
  };
  const { default: currencies } = (await import("currency-codes")) as unknown as {
    default: { data: CurrencyRow[] };
  };
  const countryNames: Record<string, string> = {};
  for (const [code, name] of Object.entries(countries.getNames("en")).sort())
    countryNames[code] = name;
  countryNames["US"] = "United States";
  const currencyCountries: Record<string, string[]> = {};
  for (const { code, countries: names } of currencies.data) {
    const main = mainCountry[code];
    const codes = names
      .map((name) => countries.getAlpha2Code(withoutArticle(name), "en"))
      .filter((country) => country !== undefined);
    currencyCountries[code] = main === undefined ? codes : [main];
  }
  return { currencyCountries, countryNames };
}

/** Suffixes of the websites we know: enough to tell `HULU.COM` from `ST.JOHN` without the whole public suffix list. */
export function suffixesOf(merchants: readonly MerchantDraft[]): string[] {
  const suffixes = new Set<string>();
  for (const { website, sites } of merchants) {
    for (const domain of [website, ...sites.map((site) => site[1])]) {
      const suffix = domain === null ? undefined : websiteOf(domain)?.suffix;
      if (suffix !== undefined) suffixes.add(suffix);
    }
  }
  return [...suffixes].sort();
}
