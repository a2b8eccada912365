// Totals below the rows of a table that no label names: what they add up shows that they are not transactions.
import type { Column } from "./columns.ts";
import type { PageLine } from "./layout.ts";
import { TOTAL_WORD } from "./lexicon.ts";
import type { Money } from "./money.ts";

/** By the index of the column. */
type Cells = ReadonlyMap<number, Money>;

interface RowAbove {
  readonly cells: Cells;
  readonly columns: readonly Column[];
}

export interface RowsAbove {
  /** Of the line below them. */
  readonly columns: readonly Column[];
  /** In the order of the document, also of tables before, whose columns may be others. */
  readonly rows: readonly RowAbove[];
}

/**
 * Whether a line has such a word and amounts that are sums of rows up to it, or amounts of both directions, which no transaction
 * has.
 */
export function isTotal(line: PageLine, cells: Cells, above: RowsAbove): boolean {
  if (TOTAL_WORD.find(line.plain) === null) return false;
  const roles = new Set([...cells.keys()].map((at) => above.columns[at]?.role));
  if (roles.has("debit") && roles.has("credit")) return true;
  return [...cells].every(([at, { units }]) => isSum(units, at, above));
}

/** Whether it is what the last rows, as many as there need be, have in this column. */
function isSum(units: number, at: number, { columns, rows }: RowsAbove): boolean {
  const role = columns[at]?.role ?? null;
  let sum = 0;
  return rows.toReversed().some((row) => {
    const isSame = row.columns === columns;
    // A page without a credit has one column less.
    const own = isSame ? at : row.columns.findIndex((column) => column.role === role);
    sum += isSame || role !== null ? (row.cells.get(own)?.units ?? 0) : 0;
    return sum === units;
  });
}
