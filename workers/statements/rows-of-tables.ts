// The rows of all tables of an account together.
import type { AccountPart } from "./accounts.ts";
import { withTextsOverPages } from "./page-breaks.ts";
import { tableParts } from "./table-parts.ts";
import { withTextEdge } from "./text-edge.ts";
import { readRows, type StatementTable, type TableRow } from "./rows.ts";

export interface ReadTable<Table extends StatementTable> {
  readonly table: Table;
  readonly rows: readonly TableRow[];
  /** Whether they count even without a header, next to tables that have one. Left out: they do not. */
  readonly isCounted?: boolean;
}

/**
 * The rows of the tables of an account: where a header is repeated on the next page, its rows go on. Rows without a date in front of all
 * that have one are those of a summary.
 */
export function readRowsOfTables<Table extends StatementTable>(
  tables: readonly Table[],
): ReadTable<Table>[] {
  const earlier: TableRow[] = [];
  const parts = tables.map(tableParts);
  const read = parts.flat().map((printed) => {
    const table = { ...printed, header: withTextEdge(printed.header, printed.lines) };
    const rows = readRows(table, earlier);
    earlier.push(...rows);
    return { table, rows };
  });
  // What was a part of a table with a header counts as that table does.
  const areCounted = parts.flatMap((some) => some.map((_, at) => at > 0));
  const whole = withTextsOverPages(read).map((one, at) => ({
    ...one,
    isCounted: areCounted[at] === true,
  }));
  const first = whole.findIndex(({ rows }) => rows.some(({ date }) => date !== null));
  return whole.map((one, at) => (at < first ? { ...one, rows: [] } : one));
}

export interface PartTables {
  readonly part: AccountPart;
  readonly tables: readonly ReadPartTable[];
}

export type ReadPartTable = ReadTable<AccountPart["tables"][number]>;

/** Those of tables with a header, where one of these has rows. */
export function rowsThatCount(tables: readonly ReadPartTable[]): (readonly TableRow[])[] {
  const named = tables.filter(
    ({ table, rows, isCounted = false }) =>
      (table.header.length > 0 || isCounted) && rows.length > 0,
  );
  return (named.length > 0 ? named : tables).map(({ rows }) => rows);
}
