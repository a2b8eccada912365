// Pieces of lines that gaps set apart: what a header is read from, because names and addresses stand side by side there.
import type { TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

export interface TextSegment {
  readonly text: string;
  /** The words in lower case, without accents and marks. */
  readonly plain: readonly string[];
  readonly words: readonly PageWord[];
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Index of the line. */
  readonly line: number;
}

/** In heights of the line. */
const GAP = 0.9;

/** The segments of lines, from top to bottom and from left to right. */
export function toSegments(lines: readonly TextLine[]): TextSegment[] {
  return lines.flatMap((line, at) => {
    const groups: number[][] = [];
    let right = Number.NEGATIVE_INFINITY;
    for (const [index, word] of line.words.entries()) {
      const group = groups.at(-1);
      const isApart = word.left - right > (word.bottom - word.top) * GAP || word.text === "|";
      if (group === undefined || isApart) groups.push([index]);
      else group.push(index);
      right = word.text === "|" ? Number.NEGATIVE_INFINITY : word.right;
    }
    return groups.flatMap((indexes) => segmentOf(line, at, indexes));
  });
}

const COLUMNS_MIN = 3;

/** Whether a label is one of several in its line, so that its value stands below and not next to. */
export function isColumnLabel(segments: readonly TextSegment[], at: number): boolean {
  const own = segments[at];
  if (own === undefined || own.text.endsWith(":")) return false;
  const nextTo = segments.filter(({ line }) => line === own.line);
  return nextTo.length >= COLUMNS_MIN && nextTo.every(({ text }) => !/\d/u.test(text));
}

function segmentOf(line: TextLine, at: number, indexes: readonly number[]): TextSegment[] {
  const used = indexes.filter((index) => line.words[index]?.text !== "|");
  const words = used.flatMap((index) => line.words[index] ?? []);
  if (words.length === 0) return [];
  return [
    {
      text: words.map(({ text }) => text).join(" "),
      plain: used.map((index) => line.plain[index] ?? ""),
      words,
      left: Math.min(...words.map(({ left }) => left)),
      top: Math.min(...words.map(({ top }) => top)),
      right: Math.max(...words.map(({ right }) => right)),
      bottom: Math.max(...words.map(({ bottom }) => bottom)),
      line: at,
    },
  ];
}
