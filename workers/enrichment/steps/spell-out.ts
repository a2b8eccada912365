// Step: abbreviations in names of which it is certain what they stand for.
import type { Line } from "../line.ts";
import {
  bankFounders,
  centres,
  churches,
  countyOffices,
  courts,
  medicalPlaces,
  nameAbbreviations,
  systems,
} from "./name-words.ts";

const SCHOOL_DISTRICT = /^\d{1,3}$/u;

const isDistrict = (next: string): boolean => next === "dist" || next === "district";

/** What an abbreviation stands for beside these words, null when they do not say. */
type Explained = (next: string, before: string) => string | null;

/** `BENTON CO TREAS`, `DELTA REG MED CTR`, `PEST CTRL`: abbreviations that only the words beside them explain. */
const explained: ReadonlyMap<string, Explained> = new Map<string, Explained>([
  ["ctrl", (_, before) => (before === "pest" || before === "animal" ? "control" : null)],
  ["ch", (_, before) => (churches.has(before) ? "church" : null)],
  ["bk", (_, before) => (bankFounders.has(before) ? "bank" : null)],
  ["ct", (_, before) => (courts.has(before) ? "court" : centres.has(before) ? "center" : null)],
  ["crt", (_, before) => (courts.has(before) || before === "of" ? "court" : null)],
  ["off", (_, before) => (before === "tax" ? "office" : null)],
  ["prop", (next) => (next === "mgmt" || next === "management" ? "property" : null)],
  ["sd", (next) => (SCHOOL_DISTRICT.test(next) ? "school district" : null)],
  [
    "sch",
    (next) => (SCHOOL_DISTRICT.test(next) ? "school district" : isDistrict(next) ? "school" : null),
  ],
  ["sys", (_, before) => (systems.has(before) ? "system" : null)],
  ["treas", () => "treasurer"],
  ["co", (next) => (countyOffices.has(next) ? "county" : null)],
  ["med", (next) => (medicalPlaces.has(next) ? "medical" : null)],
  ["reg", (next) => (next === "med" || next === "hosp" ? "regional" : null)],
]);

/** `MKT` → market: an abbreviation of a word that names end with. Others are as likely initials. */
function spelledOut(text: string, abbreviations: ReadonlyMap<string, string>): string | null {
  const whole = abbreviations.get(text);
  return whole !== undefined && nameAbbreviations.has(text) ? whole : null;
}

/** What the token stands for, folded; null when it is a whole word. */
export function spelledAt(
  line: Line,
  at: number,
  abbreviations: ReadonlyMap<string, string>,
): string | null {
  const text = line.tokens[at]?.text ?? "";
  const next = line.tokens[at + 1]?.text ?? "";
  const before = line.tokens[at - 1]?.text ?? "";
  return explained.get(text)?.(next, before) ?? spelledOut(text, abbreviations);
}
