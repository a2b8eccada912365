// What else a page may be, where its balances do not follow from what was read: a sentence below the table that became a row, columns
// whose headings name something else, a balance among the rows. Each is read on trial, and only one that leads from the printed opening
// to the printed closing balance is taken.
import { type AccountReading, isExact, isProven } from "./account-reading.ts";
import type { AccountPart } from "./accounts.ts";
import type { PageLine } from "./layout.ts";
import { BALANCE_STEM, DATED_BALANCE, plainWord, TRANSFER_STEM } from "./lexicon.ts";
import type { Money } from "./money.ts";
import { columnTrials } from "./column-trials.ts";
import { feeTrials } from "./charged-fees.ts";
import {
  type PartTables,
  readRowsOfTables,
  type ReadPartTable,
  rowsThatCount,
} from "./rows-of-tables.ts";
import { isDatedRow } from "./row-lines.ts";
import type { StatementTable, TableRow } from "./rows.ts";
import { areFeesAlone, isMoneyRole } from "./header-cell.ts";
import { undatedCharges } from "./undated-charges.ts";
import { totalOf } from "./verdict.ts";

export interface FirstReading extends PartTables {
  readonly first: AccountReading;
}

type ReadTables = (part: AccountPart, tables: readonly ReadPartTable[]) => AccountReading | null;

/** Of each kind: so few that a false one could hardly be exact to the cent, and that a document is read in its time. */
const TRIALS_MAX = 24;
const ROWS_MAX = 400;
/** More rows whose direction is open make a trial long, and many sums possible. */
const OPEN_MAX = 24;

/**
 * Another reading that the printed balances prove; null: there is none, or several that differ. Of those that leave different rows out,
 * the one that more balances prove is taken.
 */
export function readOtherwise(reading: FirstReading, read: ReadTables): AccountReading | null {
  const { first } = reading;
  const open = first.chainRows.filter(({ sign }) => sign === 0).length;
  if (first.rows.length > ROWS_MAX || open > OPEN_MAX) return null;
  const dated = reading.part.tables.flatMap(({ lines }) => lines.filter(isDatedRow)).length;
  const paired = pairedClosings(reading.part.lines);
  for (const { trialsOf, isProof } of KINDS) {
    const proven = trialsOf(reading)
      .slice(0, TRIALS_MAX)
      .flatMap((trial) => read(trial.part, trial.tables) ?? [])
      .filter(
        (one) => isProof(one, first) && isOneAccount(one, paired) && one.rows.length * 2 >= dated,
      );
    if (proven.length > 0) return onlyOne(proven);
  }
  return null;
}

/** Closing balances of lines with two, of which one is of the year or of what is held. */
const pairedClosings = (lines: readonly PageLine[]): ReadonlySet<number> =>
  new Set(
    lines
      .filter(({ facts }) => facts.some(({ isOther }) => isOther))
      .flatMap(({ facts }) => facts)
      .flatMap(({ kind, money }) => (kind === "closing" && money !== null ? [money.units] : [])),
  );

/**
 * Another closing balance would be that of another account, whose rows were left out, unless it is an amount of this one below the wrong
 * label.
 */
const isOneAccount = (
  { chain, chainRows, givenClosings }: AccountReading,
  paired: ReadonlySet<number>,
): boolean =>
  givenClosings.closings.every(
    (units) =>
      units === chain.closing ||
      paired.has(Math.abs(units)) ||
      chainRows.some((row) => row.units === Math.abs(units)) ||
      Math.abs(units) === Math.abs(chain.opening ?? Number.NaN),
  );

/** Whether each balance follows, up to a printed closing one that the last row has too: nothing behind it is part of the account. */
function isDense(reading: AccountReading): boolean {
  const { chainRows, isNewestFirst, givenOpening, givenClosings, repairs } = reading;
  const last = (isNewestFirst ? chainRows[0] : chainRows.at(-1))?.balance ?? null;
  const { closings, weakClosings = [] } = givenClosings;
  return (
    isExact(reading) &&
    repairs.length === 0 &&
    givenOpening !== null &&
    last !== null &&
    [...closings, ...weakClosings].includes(last)
  );
}

/**
 * Also that no row that prints its date is missing, because the total of a list may stand for its rows; unless most rows were not read at
 * first.
 */
function isProvenWithAll(reading: AccountReading, first: AccountReading): boolean {
  if (!isProven(reading) || turnsWrongly(reading, first)) return false;
  if (reading.rows.length >= first.rows.length * 2) return true;
  const days = new Set(reading.rows.map(({ date }) => date?.words[0]));
  return first.rows.every(({ date }) => date?.words[0] === undefined || days.has(date.words[0]));
}

const TURNED_MIN = 3;

/**
 * Whether the directions of one or two rows are other ones: a wrong digit may make up for that; or those of rows whose words name them.
 */
function turnsWrongly(reading: AccountReading, first: AccountReading): boolean {
  const before = new Map(
    first.cells.map(({ amount }, at) => {
      const sign = first.chain.signs[at];
      return [amount, { sign, isNamed: first.rows[at]?.direction === sign }];
    }),
  );
  const turned = reading.cells.flatMap(({ amount }, at) => {
    const own = before.get(amount);
    return own === undefined || own.sign === reading.chain.signs[at] ? [] : [own];
  });
  const isFew = turned.length > 0 && turned.length < TURNED_MIN;
  return isFew || turned.some(({ isNamed }) => isNamed);
}

function onlyOne(proven: readonly AccountReading[]): AccountReading | null {
  const most = Math.max(...proven.map(({ chain }) => chain.links));
  const best = proven.filter(({ chain }) => chain.links === most);
  const [one] = best;
  return new Set(best.map(contentOf)).size === 1 ? (one ?? null) : null;
}

/** Amounts, directions and ends. */
const contentOf = ({ chain, chainRows }: AccountReading): string =>
  [
    chain.opening,
    chain.closing,
    ...chainRows.map(({ units }, at) => units * (chain.signs[at] ?? 1)),
  ].join(" ");

const tableRowsWithout = (
  { part, tables }: FirstReading,
  left: ReadonlySet<TableRow>,
): PartTables => ({
  part,
  tables: tables.map((table) => ({ ...table, rows: table.rows.filter((row) => !left.has(row)) })),
});

/**
 * Without what stands in tables of their own, next to those with balances: checks that are listed again, terms of deposits. Rows with the
 * text of another one repeat or contradict that one.
 */
function listTrials(reading: FirstReading): PartTables[] {
  const rowsWhere = (hasBalances: boolean): readonly TableRow[] =>
    reading.tables.flatMap(({ rows }) => (rows.some(hasBalance) === hasBalances ? rows : []));
  const [own, others] = [rowsWhere(true), rowsWhere(false)];
  const texts = new Set(own.map(({ description }) => description));
  if (own.length === 0 || others.length === 0) return [];
  const isRepeated = others.some(({ description }) => texts.has(description));
  const amounts = new Set(own.flatMap(amountsOfDay));
  const isCopy =
    others.length >= COPY_MIN &&
    others.every((row) => !isDirected(row) && amountsOfDay(row).some((one) => amounts.has(one)));
  return isRepeated && !isCopy ? [] : [tableRowsWithout(reading, new Set(others))];
}

/** A single row may be a second purchase. */
const COPY_MIN = 3;

/** A row in the other direction is not the same one. */
const isDirected = ({ direction, section, cells }: TableRow): boolean =>
  direction !== 0 || section !== 0 || [...cells.values()].some(({ sign }) => sign !== 0);

/** With the day of the row. */
const amountsOfDay = ({ date, cells }: TableRow): string[] =>
  [...cells.values()].map(({ units }) => [date?.month, date?.day, units].join(" "));

/** Without tables with balances, next to others: a list of what the rows did to another account, such as a core fund. */
function mirrorTrials(reading: FirstReading): PartTables[] {
  const mirrors = reading.tables.flatMap(({ rows }) => (rows.some(hasBalance) ? rows : []));
  return mirrors.length === 0 ? [] : [tableRowsWithout(reading, new Set(mirrors))];
}

const hasBalance = ({ cells, columns }: TableRow): boolean =>
  [...cells.keys()].some((at) => columns[at]?.role === "balance");

/** With interest that is charged next to no day. */
function chargeTrials({ part, tables }: FirstReading): PartTables[] {
  const last = tables.flatMap(({ rows }) => rows).at(-1);
  const rows = last === undefined ? [] : undatedCharges(part, last);
  const isOfLast = (one: ReadPartTable): boolean => last !== undefined && one.rows.includes(last);
  const added = tables.map((one) =>
    isOfLast(one) ? { ...one, rows: [...one.rows, ...rows] } : one,
  );
  return rows.length === 0 ? [] : [{ part, tables: added }];
}

/** Without rows that may be something else. */
const rowTrials = (reading: FirstReading): PartTables[] =>
  oddRows(rowsThatCount(reading.tables).flat()).map((left) =>
    tableRowsWithout(reading, new Set(left)),
  );

/**
 * Rows with nothing but a word for balances, such as one of each day; where most rows print their date, each row without one, all such
 * rows from one to the last, those of a list, and all.
 */
function oddRows(rows: readonly TableRow[]): (readonly TableRow[])[] {
  const balances = rows.filter(isBalanceAlone);
  const named = balances.length > 0 ? [balances] : [];
  const odd = rows.filter(({ date }) => (date?.words ?? []).length === 0);
  if (odd.length * 2 > rows.length) return named;
  const isOdd = new Set(odd);
  const end = rows.findLastIndex((row) => !isOdd.has(row)) + 1;
  const last = rows.slice(end);
  return [
    ...named,
    ...odd.map((row) => [row]),
    ...last.map((_, at) => last.slice(at)).filter(({ length }) => length > 1),
    ...[...Map.groupBy(odd, ({ list }) => list).values()].filter(({ length }) => length > 1),
    ...(odd.length > 1 ? [odd] : []),
  ];
}

/** In its line: texts below the last one are not of it. */
const isBalanceAlone = ({ descriptionLines }: TableRow): boolean =>
  DATED_BALANCE.has((descriptionLines[0] ?? []).map(({ text }) => plainWord(text)).join(" "));

/** With lines of labels between rows, headings of amounts or of sections, or repeated headers taken for something else. */
function tableTrials({ part, tables }: FirstReading): PartTables[] {
  const own = tables.map(({ table }) => table);
  const trial = (changed: AccountPart["tables"]): PartTables => ({
    part: { ...part, tables: changed },
    tables: readRowsOfTables(changed),
  });
  const [headed] = own.filter(({ header }) => header.length > 0);
  const lines = own.flatMap((table) => table.lines);
  const unnamed = own.map((table) => ({
    ...table,
    header: table.header.filter(({ role }) => !isMoneyRole(role) && role !== "fee"),
  }));
  const plain = own.map((table) => ({ ...table, header: [], isHeaderPrinted: false }));
  const withoutFacts = own.map((table) => ({
    ...table,
    lines: table.lines.filter(({ facts }) => facts.length === 0),
  }));
  return [
    { part, tables: tables.map((table) => ({ ...withOnlyAmount(table), isCounted: true })) },
    {
      part,
      tables: tables.map((table) => ({
        ...table,
        rows: table.rows.map(withLastAmount),
        isCounted: true,
      })),
    },
    trial(withHeadings(own, (line) => (isOfCharges(line) ? "debit" : line.heading))),
    trial(own.map(withFeesAsRows)),
    trial(withoutFacts),
    trial(unnamed),
    trial(plain),
    ...(headed === undefined || own.length < 2 ? [] : [trial([{ ...headed, lines }])]),
    trial(withHeadings(own, () => null).map((table) => ({ ...table, heading: null }))),
  ];
}

/** Where all rows have one column, it is that of the amounts, whatever other tables have. */
function withOnlyAmount(table: ReadPartTable): ReadPartTable {
  const asAmount = (columns: TableRow["columns"]): TableRow["columns"] =>
    columns.length === 1
      ? columns.map((column) => ({ ...column, role: column.role ?? "amount" }))
      : columns;
  return {
    ...table,
    rows: table.rows.map((row) => ({ ...row, columns: asAmount(row.columns) })),
  };
}

/** "Items deposited  44  0.25  -11.00": of amounts without headings, the last one counts. */
function withLastAmount(row: TableRow): TableRow {
  const { cells, columns } = row;
  const unnamed = [...cells.keys()].filter((at) => columns[at]?.role == null);
  const others = new Set(unnamed.slice(0, -1));
  return { ...row, cells: new Map([...cells].filter(([at]) => !others.has(at))) };
}

const withHeadings = (
  tables: AccountPart["tables"],
  headingOf: (line: PageLine) => PageLine["heading"],
): AccountPart["tables"] =>
  tables.map((table) => ({
    ...table,
    lines: table.lines.map((line) => ({ ...line, heading: headingOf(line) })),
  }));

/** "Service charge detail" mostly repeats a row, but may be where the charges are the rows. */
const isOfCharges = ({ heading, plain }: PageLine): boolean =>
  heading === "ignored" && plain.some((word) => CHARGE.test(word));

const CHARGE = /^(?:charges?|fees?)$/u;

/** "Service charge detail" with columns of its own. */
const withFeesAsRows = <Table extends StatementTable>(table: Table): Table =>
  table.heading === "ignored" && areFeesAlone(table.header)
    ? {
        ...table,
        heading: "debit",
        header: table.header.map((cell) =>
          cell.role === "fee" ? { ...cell, role: "debit" } : cell,
        ),
      }
    : table;

/** A value that may be the opening or the closing balance, with the row that it would not be a transaction of. */
interface TriedEnd {
  readonly units: number;
  readonly row: TableRow | null;
}

/**
 * Where an opening or a closing balance was not found: the first or the last row in its place, or amounts outside of the rows, each
 * next to a word for balances.
 */
function endTrials({ part, tables, first }: FirstReading): PartTables[] {
  const rows = rowsThatCount(tables).flat();
  const labelled = labelledBalances(part.lines);
  const openings =
    part.openings.length > 0 ? part.openings.map(asEnd) : [...endOf(rows[0]), ...labelled];
  const closings =
    part.closings.length > 0 ? part.closings.map(asEnd) : [...endOf(rows.at(-1)), ...labelled];
  return openings.flatMap((opening) =>
    closings
      .filter((closing) => mayLead(first, opening, closing))
      .map((closing): PartTables => {
        const ends = [opening.row, closing.row];
        return {
          part: { ...part, openings: [opening.units], closings: [closing.units] },
          tables: tables.map((table) => ({
            ...table,
            rows: table.rows.filter((row) => !ends.includes(row)),
          })),
        };
      }),
  );
}

/** Whether the rows between them sum to their difference, or may. The totals of both directions always do. */
function mayLead(reading: AccountReading, opening: TriedEnd, closing: TriedEnd): boolean {
  const { rows, chainRows } = reading;
  const totals = [totalOf(reading, 1), totalOf(reading, -1)];
  if ([opening, closing].every(({ units }) => totals.includes(Math.abs(units)))) return false;
  const between = chainRows.filter((_, at) => rows[at] !== opening.row && rows[at] !== closing.row);
  if (between.some(({ sign }) => sign === 0)) return true;
  const sum = between.reduce((total, { units, sign }) => total + units * sign, 0);
  return Math.abs(closing.units - opening.units) === Math.abs(sum);
}

const asEnd = (units: number): TriedEnd => ({ units, row: null });
const signedUnits = ({ units, sign }: Money): number => (sign < 0 ? -units : units);
const valueOf = (money: Money): TriedEnd => asEnd(signedUnits(money));

/** Amounts next to such a word or below it. A day with a balance may be any of the period. */
const labelledBalances = (lines: readonly PageLine[]): TriedEnd[] =>
  lines.flatMap((line, at) => {
    const above = lines[at - 1];
    const isBelow = above?.page === line.page && above.money.length === 0;
    if (line.dates.length > 0) return [];
    if (!hasBalanceWord(line.plain) && !(isBelow && hasBalanceWord(above.plain))) return [];
    return line.money.filter(({ isCertain }) => isCertain).map(valueOf);
  });

/** A row with one amount and a word for balances. A "balance transfer" may be the first transaction of an account. */
function endOf(row: TableRow | undefined): readonly TriedEnd[] {
  if (row === undefined || row.cells.size !== 1) return [];
  const words = row.description.split(" ").map(plainWord);
  if (!hasBalanceWord(words) || words.some((word) => TRANSFER_STEM.test(word))) return [];
  return [...row.cells.values()].map((money) => ({ units: signedUnits(money), row }));
}

const hasBalanceWord = (words: readonly string[]): boolean =>
  words.some((word) => BALANCE_STEM.test(word));

/** In the order in which they are tried. */
const KINDS = [
  { trialsOf: listTrials, isProof: isDense },
  { trialsOf: mirrorTrials, isProof: isProven },
  { trialsOf: chargeTrials, isProof: isProven },
  { trialsOf: feeTrials, isProof: isProven },
  { trialsOf: rowTrials, isProof: isProven },
  { trialsOf: tableTrials, isProof: isProvenWithAll },
  { trialsOf: columnTrials, isProof: isProvenWithAll },
  { trialsOf: endTrials, isProof: isProven },
] as const;
