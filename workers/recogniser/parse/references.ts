// References of letters and digits: `2K4LM8AB9`, `PP0ABC123`. Each comes once, so that their letters tell the tagger nothing: as of a
// number, it sees of one how long it is.
import { digitsIn } from "../line.ts";
import type { Token } from "../text/tokenise.ts";

/** A shorter one may be a postcode, or the number of a shop: `SW1A1AA`, `F5412`. */
const LENGTH_MIN = 8;
const DIGITS_MIN = 2;
/** `FOREVER21`, `1800FLOWERS` are names: a reference has letters between digits or digits between letters. */
const RUNS_MIN = 3;
/** Longer ones are alike, as are those of more digits: from three on it is a value in any place of a line, see `isReference`. */
const LENGTH_COUNTED_MAX = 12;
export const DIGITS_COUNTED_MAX = 3;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Runs of digits and of other characters. */
function runsOf(text: string): number {
  let runs = 1;
  for (let at = 1; at < text.length; at++)
    if (isDigit(text.charCodeAt(at)) !== isDigit(text.charCodeAt(at - 1))) runs++;
  return runs;
}

/** Whether so many letters and digits, in so many runs of either, are a reference. */
export const areReference = (length: number, digits: number, runs: number): boolean =>
  length >= LENGTH_MIN && digits >= DIGITS_MIN && runs >= RUNS_MIN;

/** What counts of a reference: how long it is, and whether it has two digits or at least three. */
export const referenceSort = (length: number, digits: number): number =>
  Math.min(length, LENGTH_COUNTED_MAX) * (DIGITS_COUNTED_MAX + 1) +
  Math.min(digits, DIGITS_COUNTED_MAX);

/** Sorts of references are below it. */
export const REFERENCE_SORTS = referenceSort(LENGTH_COUNTED_MAX, DIGITS_COUNTED_MAX) + 1;

/** Whether it is a reference that holds letters. */
export const isMixedReference = ({ kind, text }: Token): boolean =>
  kind === "mixed" && areReference(text.length, digitsIn(text), runsOf(text));

/** See `referenceSort`. */
export const sortOfReference = ({ text }: Token): number =>
  referenceSort(text.length, digitsIn(text));
