// Where the texts of a table begin: right of the edge of their heading, where that one is set in the middle of a wide column.
import type { HeaderCell } from "./header-cell.ts";
import type { PageLine } from "./layout.ts";

/** Rows whose text begins at one edge; fewer do not show it. */
const ROWS_MIN = 3;
const SHARE_MIN = 0.6;

/** The header with the left edge of the column of descriptions where most rows with a day have it. */
export function withTextEdge(
  header: readonly HeaderCell[],
  lines: readonly PageLine[],
): readonly HeaderCell[] {
  const cell = header.find(({ role }) => role === "description");
  if (cell === undefined) return header;
  const firsts = lines.flatMap((line) => firstOfText(line) ?? []);
  const edge = firsts.find(
    ({ left, height }) =>
      left < cell.left - height &&
      firsts.filter((one) => Math.abs(one.left - left) < height / 2).length >=
        Math.max(ROWS_MIN, firsts.length * SHARE_MIN),
  );
  if (edge === undefined || isOfOther(edge.left, header, cell)) return header;
  return header.map((one) => (one === cell ? { ...cell, left: edge.left } : one));
}

/** Whether the words between that edge and the heading are those of another column. */
const isOfOther = (edge: number, header: readonly HeaderCell[], cell: HeaderCell): boolean =>
  header.some(
    ({ role, left, right }) =>
      role !== "date" && role !== "description" && right > edge && left < cell.left,
  );

/** Behind the days of a row. */
function firstOfText({
  words,
  dates,
  money,
}: PageLine): { readonly left: number; readonly height: number } | null {
  const word = words[dates.at(-1)?.to ?? words.length];
  if (word === undefined || money.length === 0) return null;
  return { left: word.left, height: word.bottom - word.top };
}
