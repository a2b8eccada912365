// Whether two rows stand next to each other: with more paper between them, a row that was not read may have stood there.
import type { TableRow } from "./rows.ts";

/** In distances of rows: from twice as much on, another row may have stood between. */
const ROW_DISTANCE_MAX = 1.5;
const DISTANCES_MIN = 3;

export type AreNext = (a: TableRow, b: TableRow) => boolean;

/**
 * Of the rows of one account; where there are too few, or on other pages, none are next to each other. From row to row, the lines of a row
 * that was lost may be those of the one above it; from the last line of a row, a short one above a lost one has as much paper as a long one.
 */
export function measureRows(rows: readonly TableRow[]): AreNext {
  const isNear = [fromTop, fromLastLine].map((distanceOf) => usualDistance(rows, distanceOf));
  return (a, b) => isNear.every((near) => near(a, b));
}

type Distance = (above: TableRow, below: TableRow) => number | null;

function usualDistance(rows: readonly TableRow[], distanceOf: Distance): AreNext {
  const between = (a: TableRow, b: TableRow): number | null => {
    const [top, other] = [topOf(a), topOf(b)];
    if (a.page !== b.page || top === null || other === null) return null;
    return top < other ? distanceOf(a, b) : distanceOf(b, a);
  };
  const distances = rows
    .slice(1)
    .flatMap((row, at) => {
      const before = rows[at];
      return before === undefined ? [] : (between(before, row) ?? []);
    })
    .sort((a, b) => a - b);
  const usual = distances[Math.floor(distances.length / 2)] ?? 0;
  return (a, b) => {
    const distance = distances.length < DISTANCES_MIN ? null : between(a, b);
    return distance !== null && distance < usual * ROW_DISTANCE_MAX;
  };
}

const fromTop: Distance = (above, below) => (topOf(below) ?? 0) - (topOf(above) ?? 0);

const fromLastLine: Distance = (above, below) => {
  const last = above.descriptionLines.at(-1)?.[0]?.top ?? 0;
  return (topOf(below) ?? 0) - Math.max(last, topOf(above) ?? 0);
};

const topOf = ({ date, descriptionLines }: TableRow): number | null =>
  (date?.words[0] ?? descriptionLines[0]?.[0])?.top ?? null;
