// Abbreviations in names of which it is certain what they stand for.
import type { Line } from "../line.ts";
import type { Token } from "../text/tokenise.ts";
import { lookUp, type WordMap, wordMap } from "../text/word-map.ts";
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

/** Next to these REST is the word: `REST HAVEN`, `BED REST`. Elsewhere in a name it is a restaurant: `JADE GARDEN REST`. */
const restsOf: ReadonlySet<string> = new Set(
  "the of and to a bed back head eternal area stop home homes haven assured easy well ez lawn hill".split(
    " ",
  ),
);

/** What an abbreviation stands for next to these words, null when they do not decide it. */
type Explained = (next: string, before: string) => string | null;

/** `BENTON CO TREAS`, `DELTA REG MED CTR`, `PEST CTRL`: abbreviations that only the words next to them explain. */
const explained = wordMap<Explained>([
  ["ctrl", (_, before) => (before === "pest" || before === "animal" ? "control" : null)],
  ["ch", (_, before) => (churches.has(before) ? "church" : null)],
  ["bk", (_, before) => (bankFounders.has(before) ? "bank" : null)],
  ["ct", (_, before) => (courts.has(before) ? "court" : centres.has(before) ? "center" : null)],
  ["crt", (_, before) => (courts.has(before) || before === "of" ? "court" : null)],
  ["off", (_, before) => (before === "tax" ? "office" : null)],
  [
    "prop",
    (next) => (next === "mgmt" || next === "management" || next === "m" ? "property" : null),
  ],
  ["sd", (next) => (SCHOOL_DISTRICT.test(next) ? "school district" : null)],
  [
    "sch",
    (next) => (SCHOOL_DISTRICT.test(next) ? "school district" : isDistrict(next) ? "school" : null),
  ],
  ["sys", (_, before) => (systems.has(before) ? "system" : null)],
  ["hm", (_, before) => (before === "funeral" || before === "nursing" ? "home" : null)],
  ["phys", (_, before) => (before === "emerg" || before === "emergency" ? "physicians" : null)],
  [
    "emerg",
    (next) => (next === "phys" || next === "physicians" || next === "med" ? "emergency" : null),
  ],
  ["elec", (next) => (next === "coop" || next === "cooperative" ? "electric" : null)],
  ["rest", (next, before) => (restsOf.has(before) || restsOf.has(next) ? null : "restaurant")],
  ["treas", () => "treasurer"],
  ["co", (next) => (countyOffices.has(next) ? "county" : null)],
  ["med", (next) => (medicalPlaces.has(next) ? "medical" : null)],
  ["reg", (next) => (next === "med" || next === "hosp" ? "regional" : null)],
]);

/** `MKT` → market: an abbreviation of a word that names end with. Others are as likely initials. */
function spelledOut(token: Token | undefined, abbreviations: WordMap<string>): string | null {
  const whole = lookUp(abbreviations, token);
  return whole !== undefined && nameAbbreviations.has(token?.text ?? "") ? whole : null;
}

/** What the token stands for, folded; null when it is a whole word. */
export function spelledAt(
  line: Line,
  at: number,
  abbreviations: WordMap<string> | null,
): string | null {
  const token = line.tokens[at];
  const next = line.tokens[at + 1]?.text ?? "";
  const before = line.tokens[at - 1]?.text ?? "";
  const byNeighbours = lookUp(explained, token)?.(next, before) ?? null;
  return byNeighbours ?? (abbreviations === null ? null : spelledOut(token, abbreviations));
}
