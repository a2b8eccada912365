// Parts of a line that stand apart, such as the headings of columns.
import type { TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

export interface LinePiece {
  readonly left: number;
  readonly right: number;
  readonly words: readonly PageWord[];
}

/** In heights of a letter: in type whose letters all have one width, a space is as wide as a letter is high. */
const PIECE_GAP_MIN = 1.2;

/** Words with hardly more than the height of a letter between them. */
export function linePieces({ words }: TextLine): LinePiece[] {
  const pieces: PageWord[][] = [];
  for (const word of words) {
    const last = pieces.at(-1)?.at(-1);
    const isApart =
      last === undefined || word.left - last.right > (word.bottom - word.top) * PIECE_GAP_MIN;
    if (isApart) pieces.push([word]);
    else pieces.at(-1)?.push(word);
  }
  return pieces.map((piece) => ({
    left: piece[0]?.left ?? 0,
    right: piece.at(-1)?.right ?? 0,
    words: piece,
  }));
}
