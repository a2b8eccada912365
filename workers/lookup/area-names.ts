// Names of countries, states and cities as people write them, from the tables in this folder.
import { readWordTable } from "../../src/shared/word-table.ts";

type AreaNames = readonly (readonly [name: string, key: string])[];

const readNames = (table: string): AreaNames =>
  [...readWordTable(new URL(table, import.meta.url))].flatMap(([key, names]) =>
    names.map((name) => [name, key] as const),
  );

/** Name → country: further English names, and the names in the country's own languages. */
export const countryNicknames = readNames("country-names.txt");
/** Name → state or province, `US-VA`. */
export const stateNames = readNames("state-names.txt");
/** Name → key of the city in the knowledge base. */
export const cityNicknames = readNames("city-names.txt");
