// Whether a word, or several, are the name of a city somewhere, or its beginning. Filters answer, wrongly once in 256 times.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { CITY_START_LENGTH_MIN } from "../../knowledge/sections.ts";

export type CityKind = "city" | "beginning" | "none";

/** Shorter names are words too. */
const CITY_LENGTH_MIN = 3;

/** @param hash of the folded name without spaces, see `hashText` */
export function cityKind({ cities }: Knowledge, hash: number, length: number): CityKind {
  if (length < CITY_LENGTH_MIN) return "none";
  if (cities.names.has(hash)) return "city";
  return length >= CITY_START_LENGTH_MIN && cities.starts.has(hash) ? "beginning" : "none";
}
