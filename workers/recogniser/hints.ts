// What is known of a transaction apart from its text: where it can have taken place, and what its amount is worth.
import type { Knowledge } from "../knowledge/knowledge.ts";
import { countryOfArea, packArea } from "../knowledge/sections.ts";
import { sizeOf, unitsOf } from "./category/amount.ts";
import { keepByTexts } from "./kept-texts.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

export interface Hints {
  /** 1 = money leaves the account, 0 = money arrives. */
  readonly direction: 0 | 1;
  /** ISO 3166-1 alpha-2 of the account's country when it is certain enough to look places up there, else null. */
  readonly home: string | null;
  /** Packed countries the merchant may be in; empty = nothing known. */
  readonly countries: readonly number[];
  /** Logarithm of the amount, or NO_SIZE; see `sizeOf`. */
  readonly size: number;
  /** Merchant category code (ISO 18245) that was sent; null: none. */
  readonly mcc: number | null;
}

/** What was sent in addition to the text. */
export type Sent = Pick<
  RecogniserInput,
  "entryType" | "currency" | "country" | "amount" | "accountType" | "mcc"
>;

/** What the currency and the country of the account tell. */
interface CurrencyHints extends Pick<Hints, "home" | "countries"> {
  /** See `unitsOf`. */
  readonly units: number | undefined;
}

function currencyHintsOf(
  currency: string,
  country: string | null,
  knowledge: Knowledge,
): CurrencyHints {
  const units = unitsOf(currency, knowledge);
  const stated = country?.slice(0, 2).toUpperCase() ?? "";
  // Another code (the v2 API takes any two letters) is not a country, and must not stand against what the text has.
  if (Object.hasOwn(knowledge.lexicon.countryNames, stated))
    return { home: stated, countries: [packArea(stated)], units };
  const countries = knowledge.lexicon.currencyCountries[currency] ?? [];
  const home = countries.length === 1 ? (countries[0] ?? null) : null;
  return { home, countries: countries.map(packArea), units };
}

function hintsWith(sent: Sent, { home, countries, units }: CurrencyHints): Hints {
  const { entryType, amount, accountType, mcc = null } = sent;
  const direction = entryType === "outgoing" ? 1 : 0;
  const size = sizeOf(amount, units, accountType === "consumer");
  return { direction, home, countries, size, mcc };
}

export const hintsOf = (sent: Sent, knowledge: Knowledge): Hints =>
  hintsWith(sent, currencyHintsOf(sent.currency, sent.country, knowledge));

/** Pairs of currency and country that each thread keeps ready; a power of two. */
const CURRENCIES_KEPT = 256;

/** The same, quicker for a currency and country that came before. One for each thread. */
export function createHints(knowledge: Knowledge): (sent: Sent) => Hints {
  const hintsOfBoth = keepByTexts(
    (currency, country) => currencyHintsOf(currency, country, knowledge),
    CURRENCIES_KEPT,
  );
  return (sent) => hintsWith(sent, hintsOfBoth(sent.currency, sent.country));
}

/**
 * `exact`: listed there. `open`: trades everywhere, or we do not know where we are. `none`: trades in other countries.
 * `state`: trades in other states of the country.
 */
export type AreaFit = "exact" | "open" | "none" | "state";

/** How well a merchant's packed areas `areas[from..to)` fit; `state` is the packed state of the line, 0 = unknown. */
export function fitOfAreas(
  areas: Uint32Array,
  from: number,
  to: number,
  countries: readonly number[],
  state: number,
): AreaFit {
  if (from === to || countries.length === 0) return "open";
  let listed = false;
  let elsewhere = false;
  for (let i = from; i < to; i++) {
    const area = areas[i] ?? 0;
    const country = countryOfArea(area);
    if (!countries.includes(country)) continue;
    if (area === country || state === 0 || area === state) listed = true;
    else elsewhere = true;
  }
  if (listed) return "exact";
  if (!elsewhere) return "none";
  return state === 0 ? "exact" : "state";
}
