// Step: names that a narrow field cut off. A last word that nobody knows and that begins like a usual last word of names
// is completed (`MAMA ROSAS PIZZERI` → pizzeria); what is too short to tell is left out.
import type { Line, Span } from "../line.ts";
import { flagsOfWord, type Knowledge } from "../knowledge/knowledge.ts";
import { endWords } from "./name-words.ts";

/** Fields of names are 18 to 26 characters wide with what stands in front of the name; a shorter text was not cut off. */
const FIELD_LENGTH_MIN = 16;
/** Shorter beginnings fit too many words. */
const BEGINNING_LENGTH_MIN = 3;
/** One or two letters that are no word are what is left of one. */
const REST_LENGTH_MAX = 2;

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
  const length = last.end - (line.tokens[field]?.start ?? 0);
  if (length < FIELD_LENGTH_MIN || isKnown(last.text, knowledge)) return asWritten;
  if (last.text.length <= REST_LENGTH_MAX) return { span: withoutLast(name), lastWord: null };
  if (last.text.length < BEGINNING_LENGTH_MIN) return asWritten;
  const lastWord = endWords.find((word) => word.startsWith(last.text)) ?? null;
  return { span: name, lastWord };
}

const isKnown = (text: string, knowledge: Knowledge): boolean =>
  flagsOfWord(knowledge, text) !== 0 || knowledge.abbreviations.has(text);

const withoutLast = ({ from, to }: Span): Span => ({ from, to: to - 1 });
