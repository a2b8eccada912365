// Step: a name that is written with one slip of the pen.
import { isReference, type Line, type Span } from "../line.ts";
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import { findNear } from "../../knowledge/near-table.ts";
import { AliasFlag } from "../../knowledge/sections.ts";
import { type FoundMerchant, toTheEnd } from "./merchant.ts";
import { type Candidate, type MerchantContext, ownerOf } from "./owner.ts";

/** Words of a name that may be misspelt together. */
const MISSPELT_TOKENS_MAX = 4;

/**
 * A name at the beginning that is one slip from an alias (`CHIK-FIL-A`): only with a word that nobody knows in it, since
 * a slip seldom makes another word, and with nothing behind it.
 */
export function findMisspelt(
  line: Line,
  parts: readonly string[],
  span: Span,
  context: MerchantContext,
  knowledge: Knowledge,
): FoundMerchant | null {
  let to = span.from;
  while (to < span.to && !isReference(line, to)) to++;
  const count = to - span.from;
  if (count < 1 || count > MISSPELT_TOKENS_MAX || !toTheEnd(line, span, to)) return null;
  const words = parts.slice(span.from, to);
  if (words.every((word) => flagsOfWord(knowledge, word) !== 0)) return null;
  const name = words.join("");
  const owner = onlyNear(name, words, context, knowledge);
  if (owner === null) return null;
  return { merchant: owner.merchant, span: { from: span.from, to }, by: "misspelt" };
}

/** Who all aliases belong to that are one slip away; null when they are several's, or the slip makes sense as it is. */
function onlyNear(
  name: string,
  words: readonly string[],
  context: MerchantContext,
  knowledge: Knowledge,
): Candidate | null {
  const { keys, near } = knowledge.aliases;
  let only: Candidate | null = null;
  for (const alias of findNear(near, keys, name)) {
    const key = keys.keyAt(alias);
    const owner = ownerOf(alias, context, knowledge);
    if (owner === null || !isSure(owner) || !isSlipInWord(name, key, words, knowledge)) return null;
    const names = knowledge.merchants.name;
    if (only !== null && names[only.merchant] !== names[owner.merchant]) return null;
    only = owner;
  }
  return only;
}

/** Shorter ones are codes and abbreviations: `NH STATE` is no misspelt `NC STATE`. */
const SLIP_WORD_LENGTH_MIN = 5;

/** Whether the name differs from the key in a word of some length that nobody knows, and not in its first letter. */
function isSlipInWord(
  name: string,
  key: string,
  words: readonly string[],
  knowledge: Knowledge,
): boolean {
  let at = 0;
  while (at < name.length && name.charCodeAt(at) === key.charCodeAt(at)) at++;
  if (at === 0) return false;
  let end = 0;
  for (const word of words) {
    end += word.length;
    if (at < end || end === name.length)
      return word.length >= SLIP_WORD_LENGTH_MIN && flagsOfWord(knowledge, word) === 0;
  }
  return false;
}

const isSure = ({ flags, fit, unusual }: Candidate): boolean =>
  !unusual &&
  (flags & AliasFlag.hand) !== 0 &&
  (flags & AliasFlag.weak) === 0 &&
  (fit === "open" || fit === "exact");
