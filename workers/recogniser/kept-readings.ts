// Readings, kept for the lines of the same text and for those that differ from it in numbers and references only: what a merchant or
// a bank writes comes again with another reference, day or number of a shop.
import type { RecogniserInput } from "../../src/model/transaction.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { areUnusualAlike } from "./category/amount.ts";
import type { Hints } from "./hints.ts";
import type { Line } from "./line.ts";
import { createRecent, KEPT_TEXT_LENGTH_MAX, TEXTS_MET } from "./kept-lines.ts";
import { createMetAgain } from "./met-again.ts";
import {
  differsInNumbers,
  differsInValues,
  hashWithoutValues,
  holdsReference,
  isFoundWithNumber,
  type NumberUse,
  numberUseOf,
  type TaggedLine,
  withNumbersOf,
} from "./number-use.ts";
import { hashSeed, hashText } from "./text/hash.ts";
import { splitFields } from "./parse/split.ts";
import { normaliseText } from "./text/normalise.ts";
import { createTokeniser, type Tokenise } from "./text/tokenise.ts";

/** Readings that are kept for sure, and at most twice as many. Some 4 kB each. */
const READINGS_KEPT = 2048;

/** A line with all that its reading depends on. */
export interface LineToRead {
  readonly item: RecogniserInput;
  readonly hints: Hints;
}

/** @param sizedFor is given the categories for which it was asked whether the amount is unusual: nothing else depends on it */
export type ReadAnew<Reading> = (asked: LineToRead, sizedFor: number[]) => Reading;

interface KeptReading<Reading> {
  readonly asked: LineToRead;
  readonly reading: Reading;
  readonly sizedFor: readonly number[];
  /** See `numberUseOf`; undefined before a line with other numbers came. */
  use: NumberUse | null | undefined;
}

/** Whether lines of one text are read alike. */
function isReadLike(
  kept: KeptReading<unknown>,
  { item, hints }: LineToRead,
  knowledge: Knowledge,
): boolean {
  const { asked, sizedFor } = kept;
  return (
    asked.item.entryType === item.entryType &&
    asked.item.currency === item.currency &&
    asked.item.country === item.country &&
    asked.item.accountType === item.accountType &&
    areUnusualAlike(asked.hints.size, hints.size, sizedFor, knowledge)
  );
}

/** The line of a text that differs from one that was read in numbers and references only; null of another one. */
function lineLike(
  { line, hints }: TaggedLine,
  text: string,
  tokenised: Tokenise,
  knowledge: Knowledge,
): Line | null {
  if (differsInNumbers(line, text)) return withNumbersOf(line, text);
  if (!holdsReference(line)) return null;
  const own = splitFields({ text, tokens: tokenised(text) }, hints, knowledge);
  return differsInValues(line, own) ? own : null;
}

/** The reading of a line of this text, where it follows from the one that is kept; null where it does not. */
function readingOfText<Reading extends TaggedLine>(
  kept: KeptReading<Reading>,
  text: string,
  tokenised: Tokenise,
  knowledge: Knowledge,
): Reading | null {
  const { reading } = kept;
  if (reading.line.text === text) return reading;
  if (kept.use === null) return null;
  const line = lineLike(reading, text, tokenised, knowledge);
  if (line === null) return null;
  kept.use ??= numberUseOf(reading, knowledge);
  if (kept.use === null || isFoundWithNumber(line, kept.use, knowledge)) return null;
  return { ...reading, line };
}

/**
 * The function with its answers kept, see `keepByText`: under the hash of the text without its numbers and references, and what does
 * not answer for the others of that hash under the hash of its whole text. No answer depends on the lines before. One for each thread.
 */
export function keepReadings<Reading extends TaggedLine>(
  readAnew: ReadAnew<Reading>,
  knowledge: Knowledge,
): (asked: LineToRead) => Reading {
  const recent = createRecent<number, KeptReading<Reading>>(READINGS_KEPT);
  const isMetAgain = createMetAgain(TEXTS_MET);
  const tokenised = createTokeniser();
  const keptFor = (key: number, asked: LineToRead, text: string): Reading | null => {
    const kept = recent.get(key);
    if (kept === undefined || !isReadLike(kept, asked, knowledge)) return null;
    return readingOfText(kept, text, tokenised, knowledge);
  };
  return (asked) => {
    const text = normaliseText(asked.item.description);
    if (text.length > KEPT_TEXT_LENGTH_MAX) return readAnew(asked, []);
    const shape = hashWithoutValues(text);
    const ofShape = keptFor(shape, asked, text);
    if (ofShape !== null) return ofShape;
    const isTaken = (recent.get(shape)?.reading.line.text ?? text) !== text;
    const key = isTaken ? hashText(hashSeed, text) : shape;
    const ofText = isTaken ? keptFor(key, asked, text) : null;
    if (ofText !== null) return ofText;
    if (!isMetAgain(key)) return readAnew(asked, []);
    const sizedFor: number[] = [];
    const reading = readAnew(asked, sizedFor);
    recent.set(key, { asked, reading, sizedFor, use: undefined });
    return reading;
  };
}
