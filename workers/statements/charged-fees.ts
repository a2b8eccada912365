// Fees that stand in a column next to the amounts and are in the balances too: each is a transaction behind that of its row.
import type { PartTables } from "./rows-of-tables.ts";
import type { TableRow } from "./rows.ts";

/** With the fees as rows of their own; empty: no row has an amount, a fee and a balance. */
export function feeTrials({ part, tables }: PartTables): PartTables[] {
  const changed = tables.map((table) => ({ ...table, rows: table.rows.flatMap(withFeeRow) }));
  const isMore = changed.some(({ rows }, at) => rows.length > (tables[at]?.rows.length ?? 0));
  return isMore ? [{ part, tables: changed }] : [];
}

/** The balance of the row is that behind the fee. */
function withFeeRow(row: TableRow): TableRow[] {
  const cells = [...row.cells];
  const roleOf = (at: number): string | null => row.columns[at]?.role ?? null;
  const fee = cells.filter(([at, { units }]) => roleOf(at) === "fee" && units > 0);
  const balance = cells.filter(([at]) => roleOf(at) === "balance");
  const amounts = cells.filter((cell) => ![...fee, ...balance].includes(cell));
  if (fee.length !== 1 || balance.length !== 1 || amounts.length === 0) return [row];
  return [
    { ...row, cells: new Map(amounts) },
    { ...row, cells: new Map([...fee, ...balance]), description: `${row.description} Fee` },
  ];
}
