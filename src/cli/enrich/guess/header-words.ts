import { readWordTable, sectionOf } from "../../../shared/word-table.ts";
import { plainWords } from "../values/plain-words.ts";

const ROLES = [
  "date",
  "payee",
  "memo",
  "amount",
  "debit",
  "credit",
  "direction",
  "currency",
  "balance",
  "country",
  "address",
  "foreign",
  "status",
  "kind",
  "category",
  "id",
  "account",
  "ignore",
] as const;

/**
 * The role of a column. `foreign`: amount or currency of the purchase, not of the account. `kind` and `category`: the
 * bank's own words for a transaction. `ignore`: known and unused.
 */
export type ColumnRole = (typeof ROLES)[number];

interface HeaderMatch {
  readonly role: ColumnRole;
  /** Lower is better: the position in the role's section, plus a penalty when only a part of the header matched. */
  readonly rank: number;
}

const TABLE = readWordTable(new URL("header-words.txt", import.meta.url));
const ALONE_ONLY = new Set(sectionOf(TABLE, "alone only"));
const PARTIAL_PENALTY = 1000;
const FOREIGN = /\b(?:foreign|original|orig|local|fremdwahrung|origine|extranjera|estera)\b/u;

/** Every possible role of a header cell, best first; empty when no phrase matches. */
export type HeaderMatcher = (header: string) => readonly HeaderMatch[];

export function createHeaderMatcher(): HeaderMatcher {
  const phrases = new Map<string, HeaderMatch[]>();
  for (const role of ROLES) {
    for (const [rank, phrase] of sectionOf(TABLE, role).entries()) {
      phrases.set(phrase, [...(phrases.get(phrase) ?? []), { role, rank }]);
    }
  }
  return (header) => matchHeader(phrases, header);
}

function matchHeader(
  phrases: ReadonlyMap<string, readonly HeaderMatch[]>,
  header: string,
): readonly HeaderMatch[] {
  if (header.length > 60) return [];
  // "Description1" and "Description 1" are the same.
  const words = plainWords(header).replace(/(?<=\p{L})(?=\d+$)/u, " ");
  const exact = phrases.get(words);
  if (exact !== undefined) return exact;
  // A unit in brackets or behind the word: "Betrag (€)", "Bedrag (EUR)", "Amount GBP", "CAD$".
  const bare = plainWords(header.replaceAll(/\([^)]*\)|\b[A-Z]{3}\b/gu, " "));
  if (bare === "" && /^\s*[A-Z]{3}\s*\$?\s*$/u.test(header)) {
    return header.includes("$") ? [{ role: "amount", rank: PARTIAL_PENALTY }] : [];
  }
  const partial = phrases.get(bare) ?? longestInside(phrases, words);
  const penalised = partial.map(({ role, rank }) => ({ role, rank: rank + PARTIAL_PENALTY }));
  if (!FOREIGN.test(words)) return penalised;
  const isForeign = penalised.some(({ role }) => ["amount", "currency", "foreign"].includes(role));
  return isForeign ? [{ role: "foreign", rank: PARTIAL_PENALTY }] : penalised;
}

function longestInside(
  phrases: ReadonlyMap<string, readonly HeaderMatch[]>,
  words: string,
): readonly HeaderMatch[] {
  let best = "";
  for (const phrase of phrases.keys()) {
    if (phrase.length <= best.length || ALONE_ONLY.has(phrase)) continue;
    if (` ${words} `.includes(` ${phrase} `)) best = phrase;
  }
  return phrases.get(best) ?? [];
}
