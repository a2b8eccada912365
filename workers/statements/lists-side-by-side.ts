// Lists of their own next to each other, such as "Checks and debits", "Deposits and credits" and "Daily balance", with columns that
// differ: each is read as a table below the others.
import { type DayOrder, findDates } from "./dates.ts";
import { datesAtStart } from "./line-dates.ts";
import { divideLine, type TextLine } from "./lines.ts";
import { findMoney, type NumberFormat } from "./money.ts";
import { type HeaderCell, isMoneyRole } from "./header-cell.ts";
import { tableHeaderOf } from "./table-header.ts";

/** In points. */
const DAY_SHIFT_MAX = 45;
const ROWS_MAX = 60;
/** In heights of a line: the headings of the lists stand right above their columns. */
const HEADING_GAP_MAX = 1.5;

/** The lines, where lists stand next to each other with the lines of each behind those of the one left of it. */
export function splitLists(
  lines: readonly TextLine[],
  order: DayOrder,
  format: NumberFormat,
): TextLine[] {
  const split: TextLine[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as TextLine;
    const header = tableHeaderOf(line, undefined, findMoney(line, format));
    const cells = header === null ? [] : firstCells(header);
    split.push(line);
    if (cells.length === 0) continue;
    const edges = edgesOf(cells, lines.slice(at + 1, at + 1 + ROWS_MAX), order);
    const end = endOfRows(lines, at + 1, edges, order);
    if (end === at + 1) continue;
    const first = isHeading(lines[at - 1], line) ? at - 1 : at;
    split.splice(split.length - (at - first) - 1);
    split.push(...listsOf(lines.slice(first, end), edges));
    at = end - 1;
  }
  return split;
}

/** The cells of the dates that lists begin with; empty: there is one list, or rows of the same columns stand side by side. */
function firstCells(header: readonly HeaderCell[]): HeaderCell[] {
  const starts = header.flatMap(({ role }, at) => (role === "date" ? [at] : []));
  if (starts.length < 2 || starts[0] !== 0) return [];
  const lists = starts.map((start, at) => header.slice(start, starts[at + 1]));
  const columns = lists.map((list) => list.map(({ role }) => role).join(" "));
  const areTables = lists.every((list) => list.some(({ role }) => isMoneyRole(role)));
  return areTables && new Set(columns).size > 1 ? lists.flatMap((list) => list.slice(0, 1)) : [];
}

/** Where the lists behind the first one begin, in points: days may begin left of their heading. */
function edgesOf(
  cells: readonly HeaderCell[],
  rows: readonly TextLine[],
  order: DayOrder,
): number[] {
  const lefts = cells.map(({ left }) => left);
  for (const line of rows)
    for (const { from } of findDates(line, order)) {
      const left = line.words[from]?.left ?? 0;
      const distances = cells.map((cell) => Math.abs(cell.left - left));
      const at = distances.indexOf(Math.min(...distances));
      if ((distances[at] ?? 0) < DAY_SHIFT_MAX) lefts[at] = Math.min(lefts[at] ?? left, left);
    }
  return lefts.slice(1).map((left) => left - 1);
}

const isHeading = (above: TextLine | undefined, line: TextLine): boolean =>
  above?.page === line.page &&
  line.top - above.bottom < (line.bottom - line.top) * HEADING_GAP_MAX &&
  !/\d/u.test(above.plain.join(""));

/** The first line that does not have a row of at least one list, beginning with its date. */
function endOfRows(
  lines: readonly TextLine[],
  from: number,
  edges: readonly number[],
  order: DayOrder,
): number {
  const end = lines.findIndex((line, at) => {
    if (at < from) return false;
    return divideLine(line, edges).some(
      (part) => part !== null && datesAtStart(part, order).length === 0,
    );
  });
  return end < 0 ? lines.length : end;
}

function listsOf(lines: readonly TextLine[], edges: readonly number[]): TextLine[] {
  const parts = lines.map((line) => divideLine(line, edges));
  return [0, ...edges].flatMap((_, list) => parts.flatMap((line) => line[list] ?? []));
}
