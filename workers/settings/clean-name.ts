// The clean name, the key of learned corrections: the words of a descriptor at the place of the name, without the parts that
// change with each payment. It does not depend on the recognised entity: that entity was incorrect, and the correction
// must not apply to lines where it is correct.
import { WordFlag } from "../knowledge/sections.ts";
import { LABEL } from "../recogniser/parse/labels.ts";
import type { Reading } from "../recogniser/read.ts";
import { digitsIn, isReference } from "../recogniser/line.ts";

const NAMES: ReadonlySet<number> = new Set([LABEL.name, LABEL.person]);

/** Numbers that are part of a name are short: `7-ELEVEN`, `MOTEL 6`. */
const NAME_DIGITS_MAX = 2;

/**
 * A number that belongs to a name: without the figure of `7-ELEVEN` a word would be left that other names have too. After
 * an unknown name it is the number of a shop.
 */
function isOfName({ line, party }: Reading, at: number): boolean {
  const token = line.tokens[at];
  if (party.kind === "none" || token?.kind !== "number") return false;
  const to = party.kind === "merchant" ? party.span.to : party.span.to - 1;
  return party.span.from <= at && at < to && digitsIn(token.text) <= NAME_DIGITS_MAX;
}

/** `NETFLIX.COM` is the name of `NETFLIX`, too: whether the ending belongs to it is read differently from line to line. */
const isEnding = ({ line, tagging }: Reading, at: number): boolean =>
  line.tokens[at]?.before === "." && ((tagging.flags[at] ?? 0) & WordFlag.domainEnding) !== 0;

/**
 * The words of the name area in capitals, one space between them, without store numbers, references and blanked values,
 * and without the marks of those it went through. The name area is what the parser and the ranker call a name; without any,
 * all of the line but its place. Empty when no letter is left.
 */
export function cleanName(reading: Reading): string {
  const { line, ranked, tagging, placeFrom } = reading;
  const span = ranked[0]?.candidate.span ?? { from: 0, to: 0 };
  const isNamed = (at: number): boolean =>
    NAMES.has(tagging.labels[at] ?? -1) || (span.from <= at && at < span.to);
  const hasName = line.tokens.some((_, at) => isNamed(at));
  const words = line.tokens
    .filter(
      (_, at) =>
        (hasName ? isNamed(at) : at < placeFrom) &&
        !isEnding(reading, at) &&
        (!isReference(line, at) || isOfName(reading, at)),
    )
    .map(({ text }) => text)
    // Of a mark that is not a letter nothing may be left.
    .filter((text) => text !== "");
  const name = words.join(" ").toUpperCase();
  return /\p{L}/u.test(name) ? name : "";
}
