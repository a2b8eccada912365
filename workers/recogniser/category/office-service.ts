// What a city or a county is paid for, where the line names it: water and taxes are bills, not fees of an office.
import { isReference, type Line, type Span } from "../line.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import type { PatternMatch } from "../../knowledge/patterns.ts";
import type { Reading } from "../read.ts";
import { lookUp } from "../text/word-map.ts";

type OfficeService = "utilities" | "taxes";

const services: ReadonlyMap<string, OfficeService> = new Map([
  ["water", "utilities"],
  ["wastewater", "utilities"],
  ["sewer", "utilities"],
  ["sewage", "utilities"],
  ["trash", "utilities"],
  ["garbage", "utilities"],
  ["sanitation", "utilities"],
  ["electric", "utilities"],
  ["tax", "taxes"],
  ["taxes", "taxes"],
]);

/** `UTILITY`, `UTILITIES` and what a field left of them. */
const UTILITY = "utilit";

/** Whatever else the words name: these are what an office takes fees for. */
const feesOfOffices: ReadonlySet<string> = new Set(
  `parking permit permits license licenses licence licensing registration court courts clerk dmv library libraries park
   parks rec recreation fire police ticket tickets citation citations zoo museum golf pool marina airport transit arena
   cemetery animal`.split(/\s+/u),
);

/** `12 WATER ST` is where it is. */
const streets: ReadonlySet<string> = new Set([
  "st",
  "street",
  "ave",
  "avenue",
  "rd",
  "road",
  "ln",
  "way",
]);

const serviceOf = (word: string): OfficeService | null =>
  services.get(word) ?? (word.startsWith(UTILITY) ? "utilities" : null);

/**
 * The word that names what an office is paid for.
 * @param named where the office is named, and what follows it
 * @returns null where no word names it, or another names what the fee is for
 */
function serviceIn(
  line: Line,
  named: Span,
  knowledge: Knowledge,
): { readonly category: number; readonly at: number } | null {
  let found: { category: number; at: number } | null = null;
  for (let at = named.from; at < named.to; at++) {
    const token = line.tokens[at];
    if (token === undefined || isReference(line, at)) continue;
    const word = lookUp(knowledge.abbreviations, token) ?? token.text;
    if (feesOfOffices.has(word)) return null;
    // The first word behind OF is the name: `CITY OF WATER VALLEY`.
    const isName = line.tokens[at - 1]?.text === "of";
    if (isName || streets.has(line.tokens[at + 1]?.text ?? "")) continue;
    const service = serviceOf(word);
    if (service === null) continue;
    found ??= { category: knowledge.lexicon.categories.indexOf(service), at };
  }
  return found;
}

/** Money that leaves for an office: the word that names what it is for. What an office pays out has other words. */
export function serviceOfOffice(
  { line, party, hints, placeFrom }: Reading,
  trade: PatternMatch | null,
  knowledge: Knowledge,
): { readonly category: number; readonly at: number } | null {
  if (party.kind === "none" || hints.direction === 0) return null;
  const category =
    party.kind === "merchant"
      ? (knowledge.merchants.category[party.merchant] ?? 0) - 1
      : (trade?.row.category ?? -1);
  if (knowledge.lexicon.categories[category] !== "government") return null;
  return serviceIn(
    line,
    { from: party.span.from, to: Math.max(party.span.to, placeFrom) },
    knowledge,
  );
}
