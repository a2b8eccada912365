// Whether two rows stand next to each other: with more paper between them, a row that was not read may have stood there.
import type { TableRow } from "./rows.ts";

/** In distances of rows: from twice as much on, another row may have stood between. */
const ROW_DISTANCE_MAX = 1.5;
const DISTANCES_MIN = 3;

export type AreNext = (a: TableRow, b: TableRow) => boolean;

/** Of the rows of one account; where there are too few, or on other pages, none are next to each other. */
export function measureRows(rows: readonly TableRow[]): AreNext {
  const distances = rows
    .slice(1)
    .flatMap((row, at) => {
      const before = rows[at];
      return before === undefined ? [] : (distanceOf(before, row) ?? []);
    })
    .sort((a, b) => a - b);
  const usual = distances[Math.floor(distances.length / 2)] ?? 0;
  return (a, b) => {
    const distance = distances.length < DISTANCES_MIN ? null : distanceOf(a, b);
    return distance !== null && distance < usual * ROW_DISTANCE_MAX;
  };
}

/** null: they are on other pages. */
function distanceOf(a: TableRow, b: TableRow): number | null {
  const [top, other] = [topOf(a), topOf(b)];
  return a.page !== b.page || top === null || other === null ? null : Math.abs(top - other);
}

const topOf = ({ date, descriptionLines }: TableRow): number | null =>
  (date?.words[0] ?? descriptionLines[0]?.[0])?.top ?? null;
