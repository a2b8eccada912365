// Rows below the heading of another section whose amounts stand in none of the columns above them: a table of its own, whose header is not
// known.
import { type Column, amountColumns, columnOf } from "./columns.ts";
import type { PageLine } from "./layout.ts";
import { isDated, type StatementTable } from "./rows.ts";

/** Fewer rows do not show where the amounts of a table stand. */
const ROWS_MIN = 3;

/** The same table, or the parts that its headings divide it into. */
export function tableParts<Table extends StatementTable>(table: Table): Table[] {
  if (table.header.length === 0) return [table];
  const at = table.lines.findIndex((line, place) => isOtherTable(table, line, place));
  if (at < 0) return [table];
  const heading = table.lines[at]?.heading ?? null;
  const rest = { header: [], isHeaderPrinted: false, heading, isHeadingAbove: true, checks: null };
  return [
    { ...table, lines: table.lines.slice(0, at) },
    { ...table, ...rest, lines: table.lines.slice(at + 1) },
  ];
}

function isOtherTable(
  { header, lines }: StatementTable,
  { heading }: PageLine,
  at: number,
): boolean {
  if (heading !== "credit" && heading !== "debit") return false;
  const before = rowsIn(lines.slice(0, at));
  const behind = rowsIn(lines.slice(at + 1));
  if (before.length === 0 || behind.length < ROWS_MIN) return false;
  const columns = amountColumns(before, header).filter(({ role }) => role !== "reference");
  return behind.every((row) => !hasAmountIn(row, columns));
}

const rowsIn = (lines: readonly PageLine[]): readonly PageLine[] =>
  lines.filter((line) => isDated(line) && line.facts.length === 0);

const hasAmountIn = ({ money }: PageLine, columns: readonly Column[]): boolean =>
  money.some((one) => one.isCertain && columnOf(one, columns) >= 0);
