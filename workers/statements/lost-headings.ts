// Headings of columns that text recognition lost on one page and read on another: a table that goes on has the same columns.
import type { PageLine } from "./layout.ts";
import type { HeaderCell } from "./header-cell.ts";
import type { PageWord } from "./words.ts";

/** Recognised headers with the cells of fuller ones, where all that they have stands in the same places. */
export function addLostHeadings(lines: readonly PageLine[]): PageLine[] {
  const headers = lines.flatMap(({ header }) => (header === null ? [] : [header]));
  return lines.map((line) => {
    const { header, words } = line;
    if (header === null || !words.some(({ source }) => source === "ocr")) return line;
    const fuller = headers
      .filter((other) => other.length > header.length && header.every(hasCellOf(other)))
      .reduce<readonly HeaderCell[]>(
        (best, other) => (other.length > best.length ? other : best),
        header,
      );
    const lost = fuller.filter(
      (cell) =>
        !header.some((own) => doOverlap(own, cell)) &&
        !words.some((word) => isOtherHeading(word) && doOverlap(word, cell)),
    );
    return { ...line, header: [...header, ...lost].sort((a, b) => a.left - b.left) };
  });
}

/** From this confidence on, a word is what it was read as. */
const SURE = 0.8;
const LETTERS = /\p{L}{4}/u;

/** "Advances ($)" in the place of "Deposits ($)": another table. */
const isOtherHeading = ({ text, confidence }: PageWord): boolean =>
  confidence >= SURE && LETTERS.test(text);

const hasCellOf =
  (header: readonly HeaderCell[]) =>
  (cell: HeaderCell): boolean =>
    header.some((other) => other.role === cell.role && doOverlap(other, cell));

type Edges = Pick<HeaderCell, "left" | "right">;

/** As a share of the narrower of two headings: those of another table may touch. */
const SHARED_WIDTH_MIN = 0.5;

const doOverlap = (a: Edges, b: Edges): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) >
  Math.min(a.right - a.left, b.right - b.left) * SHARED_WIDTH_MIN;
