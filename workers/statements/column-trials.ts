// The amounts of another column than the one that is headed as that of the amounts.
import type { Money } from "./money.ts";
import { isDatedRow } from "./row-lines.ts";
import { type PartTables, readRowsOfTables } from "./rows-of-tables.ts";

/** In points: the amounts of a column end at one edge. */
const EDGE_TOLERANCE = 3;
/** A table of more has numbers that are not money. */
const COLUMNS_MAX = 6;

/** With the amounts of another column of each row, such as the principal next to a payment and its interest. */
export function columnTrials({ part, tables }: PartTables): PartTables[] {
  const used = new Set(
    tables.flatMap(({ rows }) =>
      rows.flatMap(({ cells, columns }) =>
        [...cells].flatMap(([at, money]) => (columns[at]?.role == null ? [] : [money])),
      ),
    ),
  );
  const rows = part.tables
    .flatMap(({ lines }) => lines.filter(isDatedRow))
    .filter(({ money }) => money.some(({ isCertain }) => isCertain));
  const others = rows.map(({ money }) => money.filter((one) => one.isCertain && !used.has(one)));
  return (others[0] ?? []).slice(0, COLUMNS_MAX).flatMap((first) => {
    const column = others.flatMap((row) => row.find((one) => isBelow(one, first)) ?? []);
    if (column.length < rows.length) return [];
    const place = { left: Math.min(...column.map(({ left }) => left)), right: first.right };
    const moved = part.tables.map((table) => ({
      ...table,
      header: table.header
        .flatMap((cell) =>
          cell.role === "amount"
            ? [
                { ...cell, role: "reference" as const },
                { ...cell, ...place },
              ]
            : [cell],
        )
        .toSorted((a, b) => a.left - b.left),
    }));
    return [{ part: { ...part, tables: moved }, tables: readRowsOfTables(moved) }];
  });
}

const isBelow = (one: Money, first: Money): boolean =>
  Math.abs(one.right - first.right) < EDGE_TOLERANCE;
