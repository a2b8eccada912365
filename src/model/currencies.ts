// Currency codes a transaction may carry.

/**
 * The ISO 4217 codes of the published interface, in its order. Codes that ISO has withdrawn since (BYR, MRO, STD, VEF,
 * HRK, …) stay: old statements still carry them.
 */
// biome-ignore format: one code per line would be 150 lines.
export const CURRENCIES = [
  "EUR", "AED", "AFN", "XCD", "ALL", "AMD", "AOA", "ARS", "USD", "AUD", "AWG", "AZN",
  "BAM", "BBD", "BDT", "XOF", "BGN", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD",
  "INR", "NOK", "BWP", "BYR", "BZD", "CAD", "CDF", "XAF", "CHF", "NZD", "CLP", "CNY",
  "COP", "CRC", "CUP", "CVE", "ANG", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "MAD",
  "ERN", "ETB", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD",
  "HKD", "HNL", "HUF", "IDR", "ILS", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES",
  "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD",
  "ZAR", "LYD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRO", "MUR", "MVR", "MWK",
  "MXN", "MYR", "MZN", "XPF", "NGN", "NIO", "NPR", "OMR", "PEN", "PGK", "PHP", "PKR",
  "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK",
  "SGD", "SHP", "SLL", "SOS", "SRD", "SSP", "STD", "SYP", "SZL", "THB", "TJS", "TMT",
  "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "UYU", "UZS", "VEF", "VND",
  "VUV", "WST", "YER", "ZMW", "ZWL", "HRK",
] as const;

const WITHOUT_MINOR_UNIT: ReadonlySet<string> = new Set(
  "BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" "),
);
const THOUSANDTHS: ReadonlySet<string> = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));

/** Decimal digits of an amount of a currency: the minor unit of ISO 4217. */
export function minorDigits(currency: string): 0 | 2 | 3 {
  if (WITHOUT_MINOR_UNIT.has(currency)) return 0;
  return THOUSANDTHS.has(currency) ? 3 : 2;
}
