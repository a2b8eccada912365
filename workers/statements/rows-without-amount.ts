// Dated lines of a recognised table without an amount ("10" for "10.71", "a7" for "436.47", or nothing at all): where on the page the
// amount should stand.
import type { Box } from "./affine.ts";
import { readDocumentLines } from "./document.ts";
import type { PageLine } from "./layout.ts";
import { levelWords } from "./level-words.ts";
import { bandOfLine } from "./lines.ts";
import type { Money } from "./money.ts";
import type { PageWord } from "./words.ts";

/** Of one page: each is looked at in each column, in several views. */
const ROWS_MAX = 6;
const COLUMNS_MAX = 3;
/** Numbers that end alike make a column. */
const COLUMN_MIN = 3;
/** In heights of a line. */
const EDGE_TOLERANCE = 0.6;

/**
 * The places of lost amounts, one for each column of numbers: text recognition finds nothing in those that are empty.
 * @param words of one page
 */
export function placesOfLostAmounts(words: readonly PageWord[]): Box[] {
  if (!words.some(({ source }) => source === "ocr")) return [];
  const { lines } = readDocumentLines(levelWords(words));
  const rows = lines.filter((_, at) => isRowWithoutAmount(lines, at)).slice(0, ROWS_MAX);
  if (rows.length === 0) return [];
  const columns = columnsOf(lines.filter(isRow));
  return rows.flatMap((row) => columns.map((column) => placeIn(column, row)));
}

const isRow = ({ dates, facts, header }: PageLine): boolean =>
  dates.length > 0 && facts.length === 0 && header === null;

const hasAmount = ({ money }: PageLine): boolean => money.some(({ isCertain }) => isCertain);

/** Whether a dated line has no amount, nor the lines of text below it, up to the next one that is something else. */
function isRowWithoutAmount(lines: readonly PageLine[], at: number): boolean {
  const line = lines[at];
  if (line === undefined || !isRow(line) || hasAmount(line)) return false;
  const next = lines
    .slice(at + 1)
    .find((other) => isRow(other) || hasAmount(other) || other.header !== null);
  return next === undefined || isRow(next) || !hasAmount(next) || next.facts.length > 0;
}

interface NumberColumn {
  readonly left: number;
  readonly right: number;
}

/** From the most numbers to the fewest. */
function columnsOf(rows: readonly PageLine[]): readonly NumberColumn[] {
  const numbers = rows
    .flatMap(({ money, top, bottom }) =>
      money.filter(({ isCertain }) => isCertain).map((one) => ({ ...one, height: bottom - top })),
    )
    .sort((a, b) => a.right - b.right);
  const groups: Pick<Money, "left" | "right">[][] = [];
  for (const number of numbers) {
    const group = groups.at(-1);
    const edge = group?.at(-1)?.right ?? Number.NEGATIVE_INFINITY;
    if (group !== undefined && number.right - edge < number.height * EDGE_TOLERANCE)
      group.push(number);
    else groups.push([number]);
  }
  return groups
    .filter(({ length }) => length >= COLUMN_MIN)
    .sort((a, b) => b.length - a.length)
    .slice(0, COLUMNS_MAX)
    .map((group) => ({
      left: Math.min(...group.map(({ left }) => left)),
      right: Math.max(...group.map(({ right }) => right)),
    }));
}

/** A little wider than the numbers, at the height of the line as it is printed: lines of a photo were made level by moving their words. */
function placeIn({ left, right }: NumberColumn, line: PageLine): Box {
  const { top, bottom } = bandOfLine(line);
  const nearest = line.words.reduce((a, b) => (b.right > a.right ? b : a));
  const moved = (nearest.printed?.top ?? nearest.top) - nearest.top;
  return [left - (bottom - top), top + moved, right, bottom + moved];
}
