// Step: names that a narrow field cut off. A last word that nobody knows and that begins like a usual last word of names
// is completed (`MAMA ROSAS PIZZERI` → pizzeria); what is too short to tell is left out.
import type { Line, Span } from "../line.ts";
import { flagsOfWord, type Knowledge } from "../knowledge/knowledge.ts";
import { WordFlag } from "../knowledge/sections.ts";
import { endWords, endWordSet } from "./name-words.ts";

/** Fields of names are 18 to 26 characters wide with what stands in front of the name; a shorter text was not cut off. */
const FIELD_LENGTH_MIN = 16;
/** Shorter beginnings fit too many words. */
const BEGINNING_LENGTH_MIN = 3;
/** One or two letters that are no word are what is left of one. */
const REST_LENGTH_MAX = 2;

/** From here on a beginning that fits several words is believed to be the first of them. */
const SURE_LENGTH = 5;

export interface Completed {
  readonly span: Span;
  /** The whole last word, folded; null when the name is as it was written. */
  readonly lastWord: string | null;
}

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
  // The next field begins right behind it: the name filled its own.
  const isGlued = line.tokens[name.to]?.start === last.end;
  const length = last.end - (line.tokens[field]?.start ?? 0);
  if (!isGlued && (length < FIELD_LENGTH_MIN || isKnown(last.text, knowledge))) return asWritten;
  if (endWordSet.has(last.text))
    return { span: name, lastWord: isGlued ? pluralOf(last.text) : null };
  if (last.text.length <= REST_LENGTH_MAX) return { span: withoutLast(name), lastWord: null };
  return completed(name, last.text);
}

function completed(name: Span, beginning: string): Completed {
  const asWritten = { span: name, lastWord: null };
  if (beginning.length < BEGINNING_LENGTH_MIN) return asWritten;
  const [first, ...others] = endWords.filter((word) => word.startsWith(beginning));
  if (first === undefined) return asWritten;
  const isOne = others.every((word) => word.startsWith(first.slice(0, SURE_LENGTH)));
  if (isOne || beginning.length >= SURE_LENGTH) return { span: name, lastWord: first };
  return { span: withoutLast(name), lastWord: null };
}

/** `PEDIATRIC` of a name that filled its field: a usual last word of which the S was cut off. */
const pluralOf = (word: string): string | null => (endWordSet.has(`${word}s`) ? `${word}s` : null);

const isKnown = (text: string, knowledge: Knowledge): boolean => {
  const flags = flagsOfWord(knowledge, text);
  // Short ones are names of people and places by chance.
  const isSaying = text.length >= SURE_LENGTH ? flags !== 0 : (flags & WordFlag.plain) !== 0;
  return isSaying || knowledge.abbreviations.has(text);
};

const withoutLast = ({ from, to }: Span): Span => ({ from, to: to - 1 });
