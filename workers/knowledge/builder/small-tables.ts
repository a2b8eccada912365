// The hand-written tables that stay small: categories by code, wording, words, abbreviations, blocked words.
import { businessCategories, consumerCategories } from "../../../src/model/categories.ts";
import { nameTokens } from "../../recogniser/text/keys.ts";
import type { LayoutRow, PatternRow } from "../sections.ts";
import { checkCategory } from "./merchant-tables.ts";
import type { CategoryOfPath } from "./name-suggestions.ts";
import {
  field,
  list,
  optional,
  parseRows,
  type Problems,
  type Row,
  type TableFile,
} from "./rows.ts";

const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** Both directions share one numbering; a category's number is its place here. */
export const categoryNames: readonly string[] = unique([
  ...consumerCategories.outgoing,
  ...consumerCategories.incoming,
]);
export const businessNames: readonly string[] = unique([
  ...businessCategories.outgoing,
  ...businessCategories.incoming,
]);

const categoryNumbers = new Map(categoryNames.map((name, index) => [name, index]));
const businessNumbers = new Map(businessNames.map((name, index) => [name, index]));

export const categoryNumber = (name: string): number => categoryNumbers.get(name) ?? -1;

function businessNumber(row: Row, text: string, problems: Problems): number {
  const name = optional(text);
  if (name === null) return -1;
  const number = businessNumbers.get(name);
  if (number === undefined) problems.add(row, `Unknown business category "${name}".`);
  return number ?? -1;
}

const directions = new Map([
  ["in", 0],
  ["out", 1],
  ["any", 2],
]);

/** `direct * deposit` → [["direct"], ["deposit"]]. */
const partsOf = (pattern: string): string[][] =>
  pattern
    .split("*")
    .map((part) => [...nameTokens(part)])
    .filter((part) => part.length > 0);

export function readWordings(files: readonly TableFile[], problems: Problems): PatternRow[] {
  return files
    .flatMap((file) =>
      parseRows(file, 3, 4, problems).map((row) => {
        const direction = directions.get(field(row, 0).toLowerCase());
        if (direction === undefined)
          problems.add(row, `The direction is in, out or any, not "${field(row, 0)}".`);
        const parts = partsOf(field(row, 1));
        if (parts.length === 0) problems.add(row, "The pattern has no words.");
        checkCategory(row, field(row, 2), problems);
        const business = businessNumber(row, field(row, 3), problems);
        return {
          direction: direction ?? 2,
          parts,
          category: categoryNumber(field(row, 2)),
          business,
        };
      }),
    )
    .filter((row) => row.parts.length > 0 && row.category >= 0);
}

const isLayoutPlace = (text: string): text is LayoutRow["place"] =>
  text === "before" || text === "after" || text === "end";

export function readLayouts(file: TableFile, problems: Problems): LayoutRow[] {
  return parseRows(file, 2, 3, problems).flatMap((row) => {
    const place = field(row, 0);
    const words = nameTokens(field(row, 1));
    const countries = list(field(row, 2));
    const isGood = isLayoutPlace(place) && words.length > 0;
    if (!isGood) problems.add(row, "A row has a place (before, after or end) and a phrase.");
    if (place === "end" && words.length > 1) problems.add(row, "Only single words end a line.");
    for (const country of countries)
      if (!/^[A-Z]{2}$/u.test(country)) problems.add(row, `"${country}" is not a country code.`);
    return isGood ? [{ place, words, countries }] : [];
  });
}

export function readWords(file: TableFile, problems: Problems): PatternRow[] {
  return parseRows(file, 2, 3, problems)
    .map((row) => {
      checkCategory(row, field(row, 1), problems);
      const business = businessNumber(row, field(row, 2), problems);
      return {
        direction: 2,
        parts: partsOf(field(row, 0)),
        category: categoryNumber(field(row, 1)),
        business,
      };
    })
    .filter((row) => row.parts.length > 0 && row.category >= 0);
}

/** A name and the category of who is called like that. */
export interface NamedTrade {
  readonly name: string;
  readonly category: number;
}

export function readIndependents(file: TableFile, problems: Problems): NamedTrade[] {
  return parseRows(file, 2, 2, problems).flatMap((row) => {
    const isKnown = checkCategory(row, field(row, 1), problems);
    return isKnown ? [{ name: field(row, 0), category: categoryNumber(field(row, 1)) }] : [];
  });
}

/** mcc, consumer category, business category, one after the other; the first row of a code wins. */
export function readMccCategories(file: TableFile, problems: Problems): number[] {
  const flat: number[] = [];
  const seen = new Set<number>();
  for (const row of parseRows(file, 2, 3, problems)) {
    const match = /^(\d{1,4})(?:-(\d{1,4}))?$/u.exec(field(row, 0));
    if (match === null) {
      problems.add(row, `"${field(row, 0)}" is not a merchant category code or a range of them.`);
      continue;
    }
    checkCategory(row, field(row, 1), problems);
    const business = businessNumber(row, field(row, 2), problems);
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    for (let mcc = from; mcc <= to; mcc++) {
      if (seen.has(mcc)) continue;
      seen.add(mcc);
      flat.push(mcc, categoryNumber(field(row, 1)), business);
    }
  }
  return flat;
}

/** Index path (`amenity/restaurant`) → category and code. */
export function readPathCategories(
  file: TableFile,
  problems: Problems,
): Map<string, CategoryOfPath> {
  const kinds = new Map<string, CategoryOfPath>();
  for (const row of parseRows(file, 2, 3, problems)) {
    checkCategory(row, field(row, 1), problems);
    const mccs = [...field(row, 2).matchAll(/\d{3,4}/gu)].map((match) => Number(match[0]));
    kinds.set(field(row, 0), { category: field(row, 1), mccs, rank: row.line });
  }
  return kinds;
}

/** Consumer category number → business category number, -1 where the table is silent. */
export function readConsumerToBusiness(file: TableFile, problems: Problems): number[] {
  const numbers = categoryNames.map(() => -1);
  for (const row of parseRows(file, 2, 2, problems)) {
    if (!checkCategory(row, field(row, 0), problems)) continue;
    numbers[categoryNumber(field(row, 0))] = businessNumber(row, field(row, 1), problems);
  }
  return numbers;
}

/** Folded abbreviation → folded word; of several words, joined, as in the keys of aliases. */
export function readAbbreviations(file: TableFile, problems: Problems): Record<string, string> {
  const map: Record<string, string> = {};
  for (const row of parseRows(file, 2, 2, problems)) {
    const tokens = nameTokens(field(row, 0));
    const word = nameTokens(field(row, 1)).join("");
    if (tokens.length !== 1) problems.add(row, `"${field(row, 0)}" is not one word.`);
    else map[tokens[0] ?? ""] = word;
  }
  return map;
}

export const readBlockedWords = (file: TableFile, problems: Problems): Set<string> =>
  new Set(parseRows(file, 1, 1, problems).flatMap((row) => nameTokens(field(row, 0))));
