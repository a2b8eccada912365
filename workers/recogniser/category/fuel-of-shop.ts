// Fuel that a supermarket sells at its pumps: many print the same name for both, and one word behind it.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import type { Reading } from "../read.ts";

/** Shops that may have pumps. */
const shopsWithPumps: ReadonlySet<string> = new Set([
  "groceries",
  "department and discount stores",
  "convenience stores",
]);

/** `PFS`: a petrol filling station. */
const fuelWords: ReadonlySet<string> = new Set([
  "fuel",
  "fuels",
  "gas",
  "gasoline",
  "petrol",
  "pfs",
]);

/**
 * What a line is for whose shop is followed, in front of the place, by a word of fuel.
 * @returns index of the category `fuel` of consumers; null: no such word, or another sort of merchant
 */
export function fuelOfShop(
  { line, party, hints, place, placeFrom }: Reading,
  { merchants, lexicon }: Knowledge,
): number | null {
  if (party.kind !== "merchant" || hints.direction === 0) return null;
  const trade = lexicon.categories[(merchants.category[party.merchant] ?? 0) - 1] ?? "";
  if (!shopsWithPumps.has(trade)) return null;
  const end = place === null ? line.tokens.length : placeFrom;
  for (let at = party.span.from + 1; at < end; at++)
    if (fuelWords.has(line.tokens[at]?.text ?? "")) return lexicon.categories.indexOf("fuel");
  return null;
}
