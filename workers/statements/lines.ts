// Words to lines, by their baselines. The order of the words in the file means nothing.
import { plainWord } from "./lexicon.ts";
import type { PageWord } from "./words.ts";

export interface TextLine {
  readonly page: number;
  readonly top: number;
  readonly bottom: number;
  readonly words: readonly PageWord[];
  /** The words in lower case, without accents and marks: what labels are looked up in. */
  readonly plain: readonly string[];
}

/** As a share of the height of a word. */
const BASELINE_TOLERANCE = 0.4;

/** All lines from top to bottom, page by page; words from left to right. */
export function toLines(words: readonly PageWord[]): TextLine[] {
  const ordered = [...words].sort(
    (a, b) => a.page - b.page || middle(a) - middle(b) || a.left - b.left,
  );
  const groups: PageWord[][] = [];
  for (const word of ordered) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (group !== undefined && first !== undefined && isSameLine(first, word)) group.push(word);
    else groups.push([word]);
  }
  return groups.map(makeLine);
}

const middle = (word: PageWord): number => (word.top + word.bottom) / 2;

function isSameLine(first: PageWord, word: PageWord): boolean {
  const height = Math.min(first.bottom - first.top, word.bottom - word.top);
  return (
    first.page === word.page && Math.abs(middle(first) - middle(word)) < height * BASELINE_TOLERANCE
  );
}

/** Of words that stand next to each other. */
export function makeLine(group: readonly PageWord[]): TextLine {
  const words = [...group].sort((a, b) => a.left - b.left);
  return {
    page: words[0]?.page ?? 0,
    top: Math.min(...words.map(({ top }) => top)),
    bottom: Math.max(...words.map(({ bottom }) => bottom)),
    words,
    plain: words.map(({ text }) => plainWord(text)),
  };
}
