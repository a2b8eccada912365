// Lines of a postal address into its parts.
import { COUNTRIES } from "../../src/model/countries.ts";
import type { StatementAddress } from "../../src/model/bank-statement.ts";
import { plainWord } from "./lexicon.ts";

const US =
  /^(?<city>.*?),?\s*\b(?<state>A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TAI]|W[AVIY]|PR)\.?,?\s+(?<postcode>\d{5,6}(?:-\d{4})?)$/u;
const CA =
  /^(?<city>.*?),?\s*\b(?<state>AB|BC|MB|N[BLSTU]|ON|PE|QC|SK|YT)?,?\s*(?<postcode>[A-Z]\d[A-Z]\s?\d[A-Z]\d)$/u;
const AU = /^(?<city>.*?),?\s*\b(?<state>NSW|VIC|QLD|SA|WA|TAS|ACT|NT),?\s+(?<postcode>\d{4})$/u;
const GB = /^(?<city>.*?),?\s*(?<postcode>[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})$/u;
const NL = /^(?<postcode>\d{4}\s?[A-Z]{2})\s+(?<city>\p{L}.+)$/u;
const IN = /^(?<city>.*?)[,\s]*[-–\s]\s*(?<postcode>\d{3}\s?\d{3})$/u;
const FRONT = /^(?<country>[A-Z]{1,2})?-?(?<postcode>\d{4,5})\s+(?<city>\p{L}.+)$/u;
const BACK = /^(?<city>\p{L}.*?),?\s+(?<postcode>\d{4,6})$/u;
const ALONE = /^(?<city>)(?<postcode>\d{4,6})$/u;
const FORMS: readonly (readonly [form: RegExp, country: string | null])[] = [
  [US, "US"],
  [CA, "CA"],
  [AU, "AU"],
  [GB, "GB"],
  [NL, "NL"],
  [FRONT, null],
  [BACK, null],
  [IN, "IN"],
  [ALONE, null],
];
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt"];
const LETTER_COUNTRIES: Readonly<Record<string, string>> = {
  D: "DE",
  F: "FR",
  A: "AT",
  I: "IT",
  B: "BE",
};
const MORE_NAMES: readonly (readonly [string, string])[] = [
  ["usa", "US"],
  ["u.s.a", "US"],
  ["united states of america", "US"],
  ["uk", "GB"],
  ["england", "GB"],
  ["scotland", "GB"],
  ["wales", "GB"],
  ["hong kong", "HK"],
  ["holland", "NL"],
];

function countryNames(): Map<string, string> {
  const names = new Map<string, string>(MORE_NAMES);
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: "region" });
    for (const code of COUNTRIES) names.set(plainNameText(display.of(code) ?? code), code);
  }
  return names;
}

const plainNameText = (text: string): string => text.split(/\s+/u).map(plainWord).join(" ");
const COUNTRY_NAMES = countryNames();

/** ISO 3166-1 alpha-2 of the name of a country in one of seven languages; null: it is something else. */
const countryOfName = (text: string): string | null =>
  COUNTRY_NAMES.get(plainNameText(text.replace(/[.,]$/u, ""))) ?? null;

/** Whether a line may be the last one of an address: it has a postcode, or names a country. */
export const isPlaceLine = (text: string): boolean => {
  const upper = text.trim();
  return (
    countryOfName(upper) !== null ||
    countryOfName(upper.split(",").at(-1)?.trim() ?? "") !== null ||
    (!/^\d+$/u.test(upper) && FORMS.some(([form]) => form.test(upper))) ||
    countryOfName(upper.replace(/\s+\d{4,6}$/u, "")) !== null
  );
};

/** @param lines from the street on, at least one */
export function readPostalAddress(lines: readonly string[]): StatementAddress {
  const parts = (lines.length === 1 ? (lines[0] ?? "").split(/,\s*(?=\S)/u) : [...lines])
    .map((line) => line.trim().replace(/,$/u, ""))
    .filter(Boolean);
  const { country, lines: rest } = takeCountry(parts);
  const joined = joinedPlace(rest);
  const place = placeOf(joined.place);
  const city = place?.city ?? (country === null ? null : joined.place);
  return {
    street: joined.street.length === 0 ? null : joined.street.join(", "),
    postcode: place?.postcode ?? null,
    ...splitState(city, place?.state ?? null),
    country: country ?? place?.country ?? (city === null ? null : countryOfName(city)),
  };
}

/** A country in a line of its own, or behind the city. */
function takeCountry(lines: readonly string[]): { country: string | null; lines: string[] } {
  const last = lines.at(-1) ?? "";
  const named = countryOfName(last);
  if (named !== null && lines.length > 1) return { country: named, lines: lines.slice(0, -1) };
  const [, front, tail = ""] = /^(.+),\s*([^,\d]+)$/u.exec(last) ?? [];
  const behind = countryOfName(tail);
  return front === undefined || behind === null
    ? { country: null, lines: [...lines] }
    : { country: behind, lines: [...lines.slice(0, -1), front] };
}

/** A postcode may stand in a line of its own below the city. */
function joinedPlace(parts: readonly string[]): { street: string[]; place: string } {
  const last = parts.at(-1) ?? "";
  const before = parts.at(-2);
  const isAlone = placeOf(last)?.city === "" || /^(?:[A-Z]{2,3})\s+\d{4,6}$/u.test(last);
  return isAlone && before !== undefined
    ? { street: parts.slice(0, -2), place: `${before}, ${last}` }
    : { street: parts.slice(0, -1), place: last };
}

interface AddressPlace {
  readonly city: string;
  readonly state: string | null;
  readonly postcode: string;
  readonly country: string | null;
}

function placeOf(text: string): AddressPlace | null {
  for (const [form, country] of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const letter = groups["country"];
    return {
      city: (groups["city"] ?? "").replace(/[,\s]+$/u, ""),
      state: groups["state"] ?? null,
      postcode: groups["postcode"] ?? "",
      country: letter === undefined ? country : (LETTER_COUNTRIES[letter] ?? letter),
    };
  }
  return null;
}

/** "Mumbai, Maharashtra" */
function splitState(
  city: string | null,
  state: string | null,
): { city: string | null; state: string | null } {
  const [first = "", second, ...more] = (city ?? "").split(/,\s*/u);
  if (state !== null || second === undefined || more.length > 0)
    return { city: city === "" ? null : city, state };
  return countryOfName(second) === null
    ? { city: first, state: second }
    : { city: first, state: null };
}
