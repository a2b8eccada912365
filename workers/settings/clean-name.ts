// The clean name, the key of learned corrections: the words of a descriptor at the place of the name, without the parts that
// change with each payment. It does not depend on the recognised entity: that entity was incorrect, and the correction
// must not apply to lines where it is correct.
import type { Reading } from "../recogniser/recogniser.ts";
import { digitsIn, isReference } from "../recogniser/line.ts";

/** Numbers that are part of a name are short: `7-ELEVEN`, `MOTEL 6`. */
const NAME_DIGITS_MAX = 2;

/**
 * A number that belongs to a name: without the figure of `7-ELEVEN` a word would be left that other names have too. After
 * an unknown name it is the number of a shop.
 */
function isOfName({ line, parties: { party } }: Reading, at: number): boolean {
  const token = line.tokens[at];
  if (party.kind === "none" || token?.kind !== "number") return false;
  const to = party.kind === "merchant" ? party.span.to : party.span.to - 1;
  return party.span.from <= at && at < to && digitsIn(token.text) <= NAME_DIGITS_MAX;
}

/**
 * The words of the name area in capitals, one space between them, without store numbers, references and blanked values,
 * and without the marks of those it went through. Empty when no letter is left.
 */
export function cleanName(reading: Reading): string {
  const { line, placed, parties } = reading;
  const { party, through } = parties;
  const isMarked = party.kind !== "none" && through.length > 0;
  const words: string[] = [];
  for (let at = isMarked ? party.span.from : placed.span.from; at < placed.span.to; at++) {
    const word = line.tokens[at]?.text ?? "";
    if (!isReference(line, at) || isOfName(reading, at)) words.push(word);
  }
  const name = words.join(" ").toUpperCase();
  return /\p{L}/u.test(name) ? name : "";
}
