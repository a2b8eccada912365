// Step: a merchant whose name a fixed-width field cut off.
import { isReference, type Line, type Span } from "../line.ts";
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import { AliasFlag, WordFlag } from "../../knowledge/sections.ts";
import type { FoundMerchant } from "./merchant.ts";
import { type Candidate, type MerchantContext, ownerOf } from "./owner.ts";

/** A name that was cut off must show at least this much of itself. */
const CUT_LENGTH_MIN = 11;

/** A word that is no ordinary one: `CITY AND COUNTY OF` may go on as anything. */
function isDistinctive(line: Line, span: Span, knowledge: Knowledge): boolean {
  const ordinary = WordFlag.plain | WordFlag.place;
  for (let i = span.from; i < span.to; i++) {
    const text = line.tokens[i]?.text ?? "";
    if (text.length >= 4 && (flagsOfWord(knowledge, text) & ordinary) === 0) return true;
  }
  return false;
}

/** Width of the name of a company in a payment between accounts. */
const COMPANY_FIELD_LENGTH = 16;

/** More aliases than this begin like the name: it says too little. */
const CUT_ALIASES_MAX = 8;

/** The one owner, by name, of the aliases that begin with the text; null when there are several or none. */
function onlyOwner(name: string, context: MerchantContext, knowledge: Knowledge): Candidate | null {
  const [first, end] = knowledge.aliases.keys.prefixRange(name);
  if (end - first > CUT_ALIASES_MAX) return null;
  const nameOf = (owner: Candidate): number => knowledge.merchants.name[owner.merchant] ?? 0;
  let found: Candidate | null = null;
  for (let alias = first; alias < end; alias++) {
    const owner = ownerOf(alias, context, knowledge);
    if (owner === null || owner.fit === "none" || owner.fit === "state") continue;
    if (found !== null && nameOf(owner) !== nameOf(found)) return null;
    found ??= owner;
  }
  return found;
}

/** A name cut off by a fixed-width field: the one merchant whose alias begins like this. */
export function findCutMerchant(
  line: Line,
  parts: readonly string[],
  whole: Span,
  context: MerchantContext,
  knowledge: Knowledge,
): FoundMerchant | null {
  let to = whole.from;
  while (to < whole.to && !isReference(line, to)) to++;
  const span = { from: whole.from, to };
  const name = parts.slice(span.from, span.to).join("");
  if (span.to - span.from < 2 || name.length < CUT_LENGTH_MIN) return null;
  // `UNIVERSITY OF KE`: where the field is full, ordinary words are enough.
  const isFull = line.tokens[to - 1]?.end === COMPANY_FIELD_LENGTH && span.from === 0;
  if (!isFull && !isDistinctive(line, span, knowledge)) return null;
  const owner = onlyOwner(name, context, knowledge);
  if (owner === null || owner.unusual) return null;
  const hand = (owner.flags & AliasFlag.hand) !== 0;
  return hand || owner.fit === "exact" ? { merchant: owner.merchant, span, by: "cut off" } : null;
}
