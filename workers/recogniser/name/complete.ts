// Names that a narrow field cut off. An unknown last word is completed by the word that usually stands
// there (`MAMA ROSAS PIZZERI` → pizzeria, `BAIT & TAC` → tackle); what is too short to tell is left out.
import type { Line, Span } from "../line.ts";
import { isIn, isTextIn, lookUp, lookUpText } from "../text/word-map.ts";
import { flagsOfWord, type Knowledge, usageOfWord } from "../../knowledge/knowledge.ts";
import { WordFlag } from "../../knowledge/sections.ts";
import { followers } from "./name-pairs.ts";
import { endWords, endWordSet, lowerWords } from "./name-words.ts";

/** Fields of names are 16 to 28 characters wide with what stands in front of the name; a shorter text was not cut off. */
const FIELD_LENGTH_MIN = 16;
/** The name of a company in a payment between accounts. */
const ACCOUNT_FIELD_LENGTH = 16;
/** A name of a card line that is as long filled its field. */
const cardFieldLengths: ReadonlySet<number> = new Set([22, 25, 26]);
/** Shorter beginnings fit too many words. */
const BEGINNING_LENGTH_MIN = 3;
/** The first letters of last words → the words, in the order of the list. */
const endWordsByStart = Map.groupBy(endWords, (word) => word.slice(0, BEGINNING_LENGTH_MIN));
/** A word of names at large needs more of itself than one that names usually end with. */
const USUAL_BEGINNING_LENGTH_MIN = 4;
/** One or two letters that are not a word are what is left of one. */
const REST_LENGTH_MAX = 2;
/** As many names as this hold a word that is usual, see USAGE_SHIFT. */
const USUAL_MIN = 3;
/** Less than this is not a name without the word that was cut off. */
const LEFT_LENGTH_MIN = 8;
/** More words than this begin alike: they say nothing. */
const USUAL_WORDS_MAX = 400;

/** From here on a beginning that fits several words is believed to be the first of them. */
const SURE_LENGTH = 5;

export interface Completed {
  readonly span: Span;
  /** The whole last word, folded; null when the name is as it was written. */
  readonly lastWord: string | null;
}

/** A single letter that no field cut off from its word is the number of a shop or the like. */
const withoutLetter = (line: Line, name: Span, last: string): Completed => ({
  span: last.length === 1 && name.to - name.from > 2 ? withoutLast(line, name) : name,
  lastWord: null,
});

/** `HILLSBOROUGH COU`: behind a word that is not an ordinary one. */
function isCounty(line: Line, name: Span, beginning: string, knowledge: Knowledge): boolean {
  if (beginning.length < BEGINNING_LENGTH_MIN || !"county".startsWith(beginning)) return false;
  const before = flagsOfWord(knowledge, line.tokens[name.to - 2]?.text ?? "");
  return (before & WordFlag.plain) === 0;
}

/** The next field begins right behind the name: it filled its own. */
const isGluedBehind = (line: Line, at: number, end: number): boolean =>
  line.tokens[at]?.start === end;

/** @param field where the field of the name begins: tokens from there to the end of the name are in it */
export function completeName(
  line: Line,
  name: Span,
  field: number,
  knowledge: Knowledge,
): Completed {
  const asWritten = { span: name, lastWord: null };
  const last = line.tokens[name.to - 1];
  if (last?.kind !== "word" || name.to - name.from < 2) return asWritten;
  const isGlued = isGluedBehind(line, name.to, last.end);
  const length = last.end - (line.tokens[field]?.start ?? 0);
  if (!isGlued && length < FIELD_LENGTH_MIN) return withoutLetter(line, name, last.text);
  return completedField(line, name, last.text, length, isGlued, knowledge);
}

/** The name that may have filled its field of `length`; `isGlued`: it surely did. */
function completedField(
  line: Line,
  name: Span,
  last: string,
  length: number,
  isGlued: boolean,
  knowledge: Knowledge,
): Completed {
  const asWritten = { span: name, lastWord: null };
  const following = followerOf(line, name, last);
  if (following !== null) return { span: name, lastWord: following === last ? null : following };
  if (!isGlued && isKnown(last, knowledge)) return asWritten;
  if (isCounty(line, name, last, knowledge)) return { span: name, lastWord: "county" };
  const isFull = isGlued || length === ACCOUNT_FIELD_LENGTH || cardFieldLengths.has(length);
  return completedLast(line, name, last, isFull ? knowledge : null, isGlued);
}

/** The name whose last word is unknown, or known and may have lost its end. */
function completedLast(
  line: Line,
  name: Span,
  last: string,
  words: Knowledge | null,
  isGlued: boolean,
): Completed {
  if (isTextIn(endWordSet, last)) return { span: name, lastWord: isGlued ? pluralOf(last) : null };
  if (last.length <= REST_LENGTH_MAX) return { span: withoutLast(line, name), lastWord: null };
  return completed(line, name, last, words);
}

/** @param words where to look for a word that names hold at large; null: what stands there is as likely a name */
function completed(line: Line, name: Span, beginning: string, words: Knowledge | null): Completed {
  const asWritten = { span: name, lastWord: null };
  if (beginning.length < BEGINNING_LENGTH_MIN) return asWritten;
  const fitting = (endWordsByStart.get(beginning.slice(0, BEGINNING_LENGTH_MIN)) ?? []).filter(
    (word) => word.startsWith(beginning),
  );
  // `AUT`: of auto and automotive, what both begin with.
  const shared = fitting.find((word) => fitting.every((other) => other.startsWith(word)));
  if (shared !== undefined && fitting.length > 1) return { span: name, lastWord: shared };
  const [first, ...others] = fitting;
  if (first === undefined)
    return words === null ? asWritten : usuallyCompleted(line, name, beginning, words);
  const isOne = others.every((word) => word.startsWith(first.slice(0, SURE_LENGTH)));
  if (isOne || beginning.length >= SURE_LENGTH) return { span: name, lastWord: first };
  return { span: withoutLast(line, name), lastWord: null };
}

/** What fills its field and is not a known word is the rest of one, and the words before it are the name. */
function usuallyCompleted(
  line: Line,
  name: Span,
  beginning: string,
  knowledge: Knowledge,
): Completed {
  const lastWord = usualWord(beginning, knowledge);
  if (lastWord !== null) return { span: name, lastWord };
  const asWritten = { span: name, lastWord: null };
  if (knowledge.words.find(beginning) >= 0 || isTiedToLast(line, name, knowledge)) return asWritten;
  if (isUnusableBeginning(beginning, knowledge)) return asWritten;
  const shorter = withoutLast(line, name);
  const left = (line.tokens[shorter.to - 1]?.end ?? 0) - (line.tokens[shorter.from]?.start ?? 0);
  const isEnough = shorter.to - shorter.from >= 2 && left >= LEFT_LENGTH_MIN;
  return isEnough ? { span: shorter, lastWord: null } : asWritten;
}

/** A word of so many letters that no known one begins with is as likely a whole name of its own: `THE LITTLE DIPPER`. */
const OWN_WORD_LENGTH_MIN = 6;

function isUnusableBeginning(word: string, { words }: Knowledge): boolean {
  if (word.length < OWN_WORD_LENGTH_MIN) return false;
  const [from, to] = words.prefixRange(word);
  return from === to;
}

/** What no name ends with. */
const beginnings: ReadonlySet<string> = new Set(
  "el la los las le les il da do don dona san santa santo st saint mt mc chez my our mr mrs dr miss".split(
    " ",
  ),
);

/** `TORTILLERIA EL MAIZ`, `DIAZ & KERR`: without its last word the name would be half of one. */
function isTiedToLast(line: Line, name: Span, knowledge: Knowledge): boolean {
  const before = line.tokens[name.to - 2]?.text ?? "";
  if (before.length === 1 || beginnings.has(before)) return true;
  const isName = (flagsOfWord(knowledge, before) & (WordFlag.firstName | WordFlag.lastName)) !== 0;
  const last = line.tokens[name.to - 1];
  return last?.before === "&" && isName;
}

/** What usually stands behind the word before, if the last word is its beginning. */
function followerOf(line: Line, name: Span, beginning: string): string | null {
  let before = name.to - 2;
  if (before > name.from && isIn(lowerWords, line.tokens[before])) before--;
  const words = lookUp(followers, line.tokens[before]);
  return words?.find((word) => word.startsWith(beginning)) ?? null;
}

/** Of the words that begin like this the one that names hold most, where it is far ahead of the others. */
function usualWord(beginning: string, knowledge: Knowledge): string | null {
  if (beginning.length < USUAL_BEGINNING_LENGTH_MIN) return null;
  const [from, to] = knowledge.words.prefixRange(beginning);
  if (to - from > USUAL_WORDS_MAX) return null;
  let best = -1;
  for (let at = from; at < to; at++)
    if (usageOfWord(knowledge, at) > (best < 0 ? 0 : usageOfWord(knowledge, best))) best = at;
  if (best < 0 || usageOfWord(knowledge, best) < USUAL_MIN) return null;
  const word = knowledge.words.keyAt(best);
  for (let at = from; at < to; at++) {
    if (usageOfWord(knowledge, at) < usageOfWord(knowledge, best) - 1 || at === best) continue;
    if (usageOfWord(knowledge, at) > 0 && !isOfOneStem(knowledge.words.keyAt(at), word))
      return null;
  }
  // Names do not end with names of people and places.
  const isPlain =
    (flagsOfWord(knowledge, word) & (WordFlag.plain | WordFlag.place | WordFlag.lastName)) <=
    WordFlag.plain;
  return word === beginning || !isPlain ? null : word;
}

/** `roofing`, `roofers`: not more than an ending apart. */
const isOfOneStem = (one: string, other: string): boolean =>
  one.startsWith(other) || other.startsWith(one);

/** `PEDIATRIC` of a name that filled its field: a usual last word of which the S was cut off. */
const pluralOf = (word: string): string | null =>
  isTextIn(endWordSet, `${word}s`) ? `${word}s` : null;

const isKnown = (text: string, knowledge: Knowledge): boolean => {
  const flags = flagsOfWord(knowledge, text);
  // Short ones are names of people and places by chance.
  const isSaying = text.length >= SURE_LENGTH ? flags !== 0 : (flags & WordFlag.plain) !== 0;
  return isSaying || lookUpText(knowledge.abbreviations, text) !== undefined;
};

/** The name without its last word, and without what joined that to it: `SEPTIC SOLUTIONS OF BA`. */
function withoutLast(line: Line, { from, to }: Span): Span {
  let end = to - 1;
  while (end - 1 > from && isIn(lowerWords, line.tokens[end - 1])) end--;
  return { from, to: end };
}
