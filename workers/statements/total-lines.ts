// Totals below the rows of a table that no label names: what they add up shows that they are not transactions, and that a balance next
// to them is the closing one.
import { type Column, columnOf } from "./columns.ts";
import type { PrintedDate } from "./dates.ts";
import type { PageLine } from "./layout.ts";
import { FACT_PHRASES, TOTAL_WORD } from "./lexicon.ts";
import type { Money } from "./money.ts";

/** By the index of the column. */
export type Cells = ReadonlyMap<number, Money>;

interface RowAbove {
  readonly cells: Cells;
  readonly columns: readonly Column[];
}

interface RowsAbove {
  /** Of the line below them. */
  readonly columns: readonly Column[];
  /** In the order of the document, also of tables before, whose columns may be others. */
  readonly rows: readonly RowAbove[];
}

interface RowOfTable {
  /** Without words, it is that of a row above. */
  readonly date: PrintedDate | null;
  readonly cells: Cells;
}

/** What stands above a line in its table, and in those before. */
interface TableAbove extends Pick<RowsAbove, "columns"> {
  readonly own: readonly RowOfTable[];
  readonly earlier: readonly RowAbove[];
}

/** "Turnover / closing balance" */
const CLOSING = FACT_PHRASES.find(([kind]) => kind === "closing")?.[1];
/** No shop has this name. */
const SUBTOTAL = /^sub-?total$/u;
/** Fewer rows may add up to another one by chance. */
const ROWS_OF_SUM_MIN = 3;

/**
 * Whether a line has such a word, or names the closing balance, and amounts of both directions, which no transaction has; or no date, and
 * such a word and amounts that are sums of rows up to it, or both directions, each the sum of all rows; or no date and either the word "subtotal" or the sum of all rows of its table.
 */
export function isTotal(line: PageLine, cells: Cells, table: TableAbove): boolean {
  const { columns } = table;
  const hasWord = TOTAL_WORD.find(line.plain) !== null;
  const roles = new Set([...cells.keys()].map((at) => columns[at]?.role));
  const isBoth =
    (roles.has("debit") && roles.has("credit")) || (hasWord && areOnlyTwo(cells, table));
  if (isBoth && (hasWord || CLOSING?.find(line.plain) != null)) return true;
  if (line.dates.length > 0) return false;
  if (line.plain.some((word) => SUBTOTAL.test(word))) return true;
  return areSums(cells, table, hasWord) || (beginsWithTotal(line) && isSumOfOthers(cells, table));
}

const beginsWithTotal = ({ plain }: PageLine): boolean => TOTAL_WORD.find(plain)?.from === 0;

/** "Total payments for this period" in the column of the charges: its one amount is the sum of rows of the other direction. */
function isSumOfOthers(cells: Cells, { columns, own, earlier }: TableAbove): boolean {
  const [[at, amount] = [-1, undefined], ...more] = cells;
  const role = columns[at]?.role;
  if (amount === undefined || more.length > 0 || (role !== "debit" && role !== "credit"))
    return false;
  const other = columns.findIndex(
    (column) => column.role === (role === "debit" ? "credit" : "debit"),
  );
  const rows = [...earlier, ...own.map((row) => ({ cells: row.cells, columns }))];
  return other >= 0 && isSum(amount.units, other, { columns, rows });
}

/** With such a word, of rows up to the line; in both directions, of all rows; else the one amount of all rows of the table. */
function areSums(cells: Cells, table: TableAbove, hasWord: boolean): boolean {
  const { columns, own, earlier } = table;
  const roleOf = (at: number): string | null => columns[at]?.role ?? null;
  const roles = new Set([...cells.keys()].map(roleOf));
  const hasBoth = roles.has("debit") && roles.has("credit");
  const lacking = hasWord || hasBoth ? null : lackingRole(roles, columns);
  // Only here: most lines of a document are neither, and have all rows of it above them.
  if (!hasWord && !hasBoth && lacking === null) return isSumOfAll(cells, table);
  const rows = [...earlier, ...own.map((row) => ({ cells: row.cells, columns }))];
  if (hasWord) return [...cells].every(([at, { units }]) => isSum(units, at, { columns, rows }));
  // Without a word a sum of the last rows proves little: the last one alone may have the same amount.
  return (
    rows.length >= ROWS_OF_SUM_MIN &&
    [...cells].every(([at, { units }]) => {
      const role = roleOf(at);
      return isSumOfRole(units, role === "balance" ? lacking : role, rows);
    })
  );
}

/**
 * A page without a credit has no column for the sum of those of the pages before, which is taken for a balance then. The direction that
 * the columns of a table lack, of a line with an amount of the other one and such a balance; null: they lack none.
 */
function lackingRole(
  roles: ReadonlySet<string | null>,
  columns: readonly Column[],
): "debit" | "credit" | null {
  if (roles.size !== 2 || !roles.has("balance")) return null;
  const [role, ...more] = (["debit", "credit"] as const).filter((one) => !roles.has(one));
  const isLacking = more.length === 0 && !columns.some((column) => column.role === role);
  return isLacking ? (role ?? null) : null;
}

/** Whether it is what all rows have in columns of this role, and at least one of them has. */
const isSumOfRole = (units: number, role: string | null, rows: readonly RowAbove[]): boolean => {
  if (role === null) return false;
  const all = rows.flatMap(({ cells, columns }) =>
    [...cells].filter(([at]) => columns[at]?.role === role).map(([, money]) => money.units),
  );
  return all.length > 0 && all.reduce((sum, one) => sum + one, 0) === units;
};

/** Whether it has amounts in two columns whose headings are not known, and no row above has. */
const areOnlyTwo = (cells: Cells, { columns, own }: TableAbove): boolean => {
  const unnamed = (some: Cells): number =>
    [...some.keys()].filter((at) => columns[at]?.role === null).length;
  return (
    unnamed(cells) > 1 &&
    own.length >= ROWS_OF_SUM_MIN &&
    own.every((row) => unnamed(row.cells) < 2)
  );
};

/** Of rows that print a date and an amount each: another row would do so too. */
function isSumOfAll(cells: Cells, { columns, own }: TableAbove): boolean {
  const [amount] = cells.values();
  if (own.length < ROWS_OF_SUM_MIN || cells.size !== 1) return false;
  if (columns.some(({ role }) => role === "balance")) return false;
  if (own.some((row) => (row.date?.words ?? []).length === 0 || row.cells.size !== 1)) return false;
  const sum = own
    .flatMap((row) => [...row.cells.values()])
    .reduce((total, { units }) => total + units, 0);
  return sum === amount?.units;
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

interface RowsOfLines {
  readonly table: { readonly lines: readonly PageLine[] };
  readonly rows: readonly RowAbove[];
}

/**
 * Balances, in minor units, in lines behind all rows of an account with such a word, amounts of both directions and a balance, where one
 * of the amounts is a sum of rows: the other one may be as wrong as the balance.
 */
export function balancesOfTotals(tables: readonly RowsOfLines[]): number[] {
  const last = tables.findLastIndex(({ rows }) => rows.length > 0);
  const rows = tables.flatMap((table) => table.rows);
  const columns = rows.at(-1)?.columns ?? [];
  const amounts = new Set(rows.flatMap(({ cells }) => [...cells.values()]));
  const lines = tables.slice(last).flatMap(({ table }) => table.lines);
  const isOfRow = (line: PageLine): boolean => line.money.some((money) => amounts.has(money));
  return lines
    .slice(lines.findLastIndex(isOfRow) + 1)
    .flatMap((line) => balanceOfTotal(line, { columns, rows }) ?? []);
}

function balanceOfTotal(line: PageLine, above: RowsAbove): number | null {
  if (line.dates.length > 0 || line.header !== null || TOTAL_WORD.find(line.plain) === null)
    return null;
  const certain = line.money.filter(({ isCertain }) => isCertain);
  const roleOf = (money: Money): string | null =>
    above.columns[columnOf(money, above.columns)]?.role ?? null;
  const cells = new Map(certain.map((money) => [roleOf(money), money]));
  const at = (role: string): number => above.columns.findIndex((column) => column.role === role);
  const [debit, credit, balance] = ["debit", "credit", "balance"].map((role) => cells.get(role));
  if (debit === undefined || credit === undefined || balance === undefined) return null;
  // What the rows change the balance by is not a balance.
  if (balance.units === Math.abs(credit.units - debit.units)) return null;
  const isProven =
    (debit.units > 0 && isSum(debit.units, at("debit"), above)) ||
    (credit.units > 0 && isSum(credit.units, at("credit"), above));
  return isProven ? (balance.sign < 0 ? -balance.units : balance.units) : null;
}
