// Which of two columns of days is that of the transactions, where their headings say it.
import type { HeaderCell } from "./header-cell.ts";
import type { TextLine } from "./lines.ts";

const OF_POSTING = /^(?:post(?:ed|ing)?|process(?:ed|ing)?)\b/u;
const OF_TRANSACTION = /^(?:tran|trans|transaction|purchase)\b/u;

/**
 * "Post Date  Trans Date": the day of a row is that of its transaction, and the one left of it is then another one, as that of the value
 * is. Without a column of the days of transactions, those of posting are the days of the rows.
 * @param above the line above, where the header has two lines
 */
export function withPostingDates(
  cells: readonly HeaderCell[],
  line: TextLine,
  above: TextLine | undefined,
): HeaderCell[] {
  const named = (cell: HeaderCell, pattern: RegExp): boolean =>
    cell.role === "date" &&
    [above, line].some((of) =>
      of?.words.some(
        ({ left, right }, at) =>
          left < cell.right && right > cell.left && pattern.test(of.plain[at] ?? ""),
      ),
    );
  const days = cells.find((cell) => named(cell, OF_TRANSACTION));
  return cells.map((cell) =>
    days !== undefined && cell.left < days.left && named(cell, OF_POSTING)
      ? { ...cell, role: "value date" }
      : cell,
  );
}
