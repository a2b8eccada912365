// The accounts of a document: which tables, facts and period belong to which account number. A file may hold several
// accounts, and several statements of one account.
import { isSameNumber } from "./account-number.ts";
import { checkWordAbove, checkWordOf } from "./check-words.ts";
import { type DayOrder, type PrintedDate, toIsoDate } from "./dates.ts";
import type { PageLine } from "./layout.ts";
import type { FactKind } from "./lexicon.ts";
import type { Fact } from "./line-facts.ts";
import { pointedUnits } from "./lost-points.ts";
import type { Money } from "./money.ts";
import { addCurrencyEnds, type CurrencyLists, findCurrencyLists } from "./currency-lists.ts";
import { isBehindDay, isTextLine, leftAt, leftOfRow, textLeftOf } from "./row-edges.ts";
import { withOwnHeadings } from "./part-headings.ts";
import { isDayOfPeriod, type Period, printedPeriod } from "./period.ts";
import { isDated, type StatementTable } from "./rows.ts";
import { createSectionTracker } from "./sections.ts";
import { type AccountNumbers, accountNumbersIn } from "./titled-numbers.ts";
import { isPendingHeading } from "./section-heading.ts";

/** By the value, in minor units, what was read in its place at first; null: nothing. */
export type RestoredEnds = Map<number, number | null>;

export interface AccountPart {
  number: string | null;
  /** Labelled numbers that were printed too. */
  readonly otherNumbers: string[];
  period: Period | null;
  /** Printed values that may be the opening balance, in minor units. */
  readonly openings: number[];
  /** Values that are the opening balance only if the rows lead from them: a balance carried forward between header and rows. */
  readonly weakOpenings: number[];
  readonly closings: number[];
  /** Values that are the closing balance only if the rows lead to them, such as a current balance or one carried forward. */
  readonly weakClosings: number[];
  /** Of those, what has a decimal mark that was put back, with what was read; null: it was found late. */
  readonly restored: {
    readonly openings: RestoredEnds;
    readonly closings: RestoredEnds;
  };
  totalCredits: number | null;
  totalDebits: number | null;
  /** Whether these stand above the number, where those of all accounts do. */
  areTotalsAboveNumber: boolean;
  readonly tables: (Omit<StatementTable, "lines"> & { readonly lines: PageLine[] })[];
  readonly lines: PageLine[];
}

const NO_HEADING = { heading: null, isHeadingAbove: false, checks: null } as const;
/** In heights of a line. */
const ROW_LINE_GAP = 1.6;

/** The accounts in the order of the document; those without a table have no rows. */
export function splitAccounts(lines: readonly PageLine[], order: DayOrder): AccountPart[] {
  const splitter = createSplitter(order, findCurrencyLists(lines), accountNumbersIn(lines));
  for (const [index, line] of lines.entries()) splitter.add(line, lines[index + 1]);
  return join(withOwnHeadings(splitter.parts));
}

interface Splitter {
  readonly parts: readonly AccountPart[];
  add(line: PageLine, below: PageLine | undefined): void;
}

function createSplitter(order: DayOrder, lists: CurrencyLists, numbers: AccountNumbers): Splitter {
  let part = newPart(null, []);
  const parts = [part];
  let hasRows = false;
  /** The last line of the open row: the numbers of others stand in its description. */
  let row: PageLine | null = null;
  let [rowLeft, textLeft] = [0, 0];
  const continuesRow = (line: PageLine): boolean => {
    const height = line.bottom - line.top;
    const isBelow = row?.page === line.page && line.top - row.bottom < height * ROW_LINE_GAP;
    const isIndented = leftAt(line, 0) > rowLeft + height;
    if (!isBelow || !isTextLine(line) || !(isIndented || isBehindDay(line, textLeft))) return false;
    row = line;
    return true;
  };
  const sections = createSectionTracker();
  const begin = (number: string | null): void => {
    part = newPart(number, part.tables.at(-1)?.header ?? []);
    parts.push(part);
    hasRows = false;
    sections.end();
  };
  /** The table goes on: whether the number is that of another account, only its balances show. */
  const beginInTable = (number: string): void => {
    const { period, tables } = part;
    part = { ...newPart(number, []), period, tables: tables.slice(-1).map(emptyTable) };
    parts.push(part);
  };
  const identify = (line: PageLine, below: PageLine | undefined): void => {
    const period = periodOf(line, order);
    if (period !== null && hasRows && isNextPeriod(period, part)) begin(null);
    part.period ??= period;
    const number = line.header === null ? numbers.of(line, below) : null;
    if (number !== null && numbers.isOther(line, number, part.number)) {
      if (hasRows) begin(number);
      else if (hasEnds(part)) beginInTable(number);
      else if (hasContinuedNumber(part)) part.number = number;
    }
    addNumber(part, number);
  };
  return {
    parts,
    add: (line, below) => {
      if (hasRows && lists.has(line)) begin(null);
      addCurrencyEnds(part, lists.get(line));
      const isRow = isDated(line) && line.facts.length === 0;
      sections.add(line, isRow);
      if (isRow) [row, rowLeft, textLeft] = [line, leftOfRow(line), textLeftOf(line)];
      else if (isAboveItsDay(line, part))
        [row, rowLeft, hasRows] = [line, Number.NEGATIVE_INFINITY, true];
      else if (!continuesRow(line)) {
        row = null;
        identify(line, below);
      }
      for (const fact of line.facts) {
        if (addFact(part, fact, hasRows) !== "next account") continue;
        begin(null);
        addFact(part, fact, false);
      }
      if (line.header === null) part.tables.at(-1)?.lines.push(line);
      else {
        const isHeadingAbove = part.lines.at(-1)?.heading != null;
        const checks = checkWordOf(line) ?? checkWordAbove(part.lines, sections.heading());
        const table = { heading: sections.heading(), isHeadingAbove, checks, lines: [] };
        part.tables.push({ header: line.header, isHeaderPrinted: true, ...table });
      }
      part.lines.push(line);
      hasRows ||= isRow;
    },
  };
}

/** An amount under a printed header without dates, which stand below the amounts. */
const isAboveItsDay = (line: PageLine, { tables }: AccountPart): boolean => {
  const { header = [], isHeaderPrinted = false } = tables.at(-1) ?? {};
  return (
    isHeaderPrinted &&
    !header.some(({ role }) => role === "date") &&
    line.header === null &&
    line.facts.length === 0 &&
    line.dates.length === 0 &&
    line.money.some(({ isCertain }) => isCertain)
  );
};

const newPart = (number: string | null, header: StatementTable["header"]): AccountPart => ({
  number,
  otherNumbers: [],
  period: null,
  openings: [],
  weakOpenings: [],
  closings: [],
  weakClosings: [],
  restored: { openings: new Map(), closings: new Map() },
  totalCredits: null,
  totalDebits: null,
  areTotalsAboveNumber: false,
  tables: [{ header, isHeaderPrinted: false, ...NO_HEADING, lines: [] }],
  lines: [],
});

const emptyTable = (table: Omit<StatementTable, "lines">): AccountPart["tables"][number] => ({
  ...table,
  lines: [],
});

function addNumber(part: AccountPart, number: string | null): void {
  if (number !== null && part.number !== null && part.number !== number)
    part.otherNumbers.push(number);
  part.number ??= number;
}

/** "Account number 40001111 - continued" at the top of a page may stand above the number of the next account. */
const hasContinuedNumber = ({ number, lines: [first] }: AccountPart): boolean =>
  first?.plain.includes("continued") === true &&
  first.words.some(({ text }) => text === number?.split(" ")[0]);

/** Whether number and both balances are printed, so that what follows may be another account. */
const hasEnds = ({ number, openings, closings }: AccountPart): boolean =>
  number !== null && openings.length > 0 && closings.length > 0;

/**
 * A number that comes back continues its account, unless that one has ended. The accounts of a summary in front of their tables are
 * those of the tables.
 */
function join(parts: readonly AccountPart[]): AccountPart[] {
  const joined: AccountPart[] = [];
  for (const part of parts) {
    const summary = joined.findIndex((one) => isEmpty(one) && isNumberedAlike(one, part));
    const at = summary < 0 ? joined.length - 1 : summary;
    const earlier = joined[at];
    if (earlier === undefined || !isEmpty(earlier) || !isContinued(earlier, part)) {
      joined.push(part);
      continue;
    }
    addPart(earlier, part);
    joined.push(...joined.splice(at, 1));
  }
  return joined;
}

const isEmpty = ({ lines }: AccountPart): boolean => !lines.some(isDated);

const isNumberedAlike = (a: AccountPart, b: AccountPart): boolean =>
  a.number !== null && b.number !== null && isSameNumber(a.number, b.number);

/** Behind an account without rows, another number is of another account only where other balances stand there. */
function isContinued(earlier: AccountPart, part: AccountPart): boolean {
  if (isSameNumber(part.number, earlier.number)) return true;
  if (!hasEnds(earlier)) return false;
  if (!hasEnds(part)) return true;
  const isShared =
    part.openings.some((units) => earlier.openings.includes(units)) ||
    part.closings.some((units) => earlier.closings.includes(units));
  return isShared && !isEmpty(part);
}

/** All parts as those of one account; they are not changed. */
export function joinAccountParts([first, ...others]: readonly [
  AccountPart,
  ...AccountPart[],
]): AccountPart {
  const joined = copyOf(first);
  for (const part of others) addPart(joined, part);
  return joined;
}

const copyOf = (part: AccountPart): AccountPart => ({
  ...part,
  otherNumbers: [...part.otherNumbers],
  openings: [...part.openings],
  weakOpenings: [...part.weakOpenings],
  closings: [...part.closings],
  weakClosings: [...part.weakClosings],
  restored: {
    openings: new Map(part.restored.openings),
    closings: new Map(part.restored.closings),
  },
  tables: part.tables.map((table) => ({ ...table, lines: [...table.lines] })),
  lines: [...part.lines],
});

function addPart(earlier: AccountPart, part: AccountPart): void {
  if (!isSameNumber(part.number, earlier.number)) earlier.otherNumbers.push(part.number ?? "");
  earlier.number ??= part.number;
  earlier.otherNumbers.push(...part.otherNumbers);
  earlier.period ??= part.period;
  earlier.openings.push(...part.openings);
  earlier.weakOpenings.push(...part.weakOpenings);
  earlier.closings.push(...part.closings);
  earlier.weakClosings.push(...part.weakClosings);
  for (const [units, read] of part.restored.openings) earlier.restored.openings.set(units, read);
  for (const [units, read] of part.restored.closings) earlier.restored.closings.set(units, read);
  earlier.totalCredits ??= part.totalCredits;
  earlier.totalDebits ??= part.totalDebits;
  const [first, ...others] = part.tables;
  const last = earlier.tables.at(-1);
  // A table that was divided by a number is one.
  if (first !== undefined && first.header === last?.header) last.lines.push(...first.lines);
  else earlier.tables.push(...(first === undefined ? [] : [first]));
  earlier.tables.push(...others);
  earlier.lines.push(...part.lines);
}

function addFact(part: AccountPart, fact: Fact, hasRows: boolean): "next account" | null {
  const { money } = fact;
  if (money === null) return null;
  const kind = fact.date === undefined ? fact.kind : kindOfDated(part, fact.date, hasRows);
  const value = endValueOf(money);
  if (kind === "weak closing" && !hasRows && part.tables.at(-1)?.isHeaderPrinted === true)
    addEnd(part.weakOpenings, value, part.restored.openings);
  if (fact.isOther === true) return addOther(part, kind, hasRows ? null : value);
  if (kind === "closing") addEnd(part.closings, value, part.restored.closings);
  if (kind === "weak closing" && !part.closings.includes(value.pointed ?? Number.NaN))
    addEnd(part.weakClosings, value, part.restored.closings);
  if (kind === "opening") return addOpening(part, value, hasRows);
  if (value.pointed === null) addTotal(part, kind, money.units);
  return null;
}

function endValueOf(money: Money): EndValue {
  const minus = money.sign < 0 ? -1 : 1;
  const pointed = pointedUnits(money);
  return {
    units: minus * money.units,
    pointed: pointed === null ? null : minus * pointed,
    isFoundLate: money.words.some((word) => word.isFoundLate),
  };
}

/** The first opening and the last closing balance count where none follows from the rows. Behind rows, it is not added. */
function addOther(
  { openings, closings }: AccountPart,
  kind: FactKind,
  value: EndValue | null,
): null {
  if (value === null || value.pointed !== null) return null;
  if (kind === "opening") openings.push(value.units);
  else closings.splice(-1, 0, value.units);
  return null;
}

interface EndValue {
  readonly units: number;
  /** With its decimal mark put back; null: it has one. */
  readonly pointed: number | null;
  readonly isFoundLate: boolean;
}

function addOpening(part: AccountPart, value: EndValue, hasRows: boolean): "next account" | null {
  const { openings } = part;
  const isFirst = !hasRows || openings.length === 0;
  const isOther = ![value.units, value.pointed].some((one) => one !== null && isCarried(part, one));
  if (!isFirst && isOther) return "next account";
  if (isFirst) addEnd(openings, value, part.restored.openings);
  return null;
}

/** A mark that was lost may be put back: the rows choose. What was printed with its mark somewhere was not lost. */
function addEnd(
  ends: number[],
  { units, pointed, isFoundLate }: EndValue,
  read: RestoredEnds,
): void {
  if (pointed !== null && !ends.includes(pointed)) read.set(pointed, units);
  if (isFoundLate && !ends.includes(units)) read.set(units, null);
  if (pointed === null && !isFoundLate) read.delete(units);
  ends.push(units, ...(pointed === null ? [] : [pointed]));
}

function addTotal(part: AccountPart, kind: FactKind, total: number): void {
  const isTotal = kind === "total credits" || kind === "total debits";
  if (isTotal && part.totalCredits === null && part.totalDebits === null)
    part.areTotalsAboveNumber = part.number === null;
  if (kind === "total credits") part.totalCredits ??= total;
  if (kind === "total debits") part.totalDebits ??= total;
}

/** Before the rows, a balance is the opening one unless its day is the last one of the period. */
function kindOfDated(part: AccountPart, date: PrintedDate, hasRows: boolean): FactKind {
  if (hasRows) return "closing";
  const { period } = part;
  const isEnd =
    period !== null &&
    period.end.slice(5) === toIsoDate(0, date.month, date.day).slice(5) &&
    period.start.slice(5) !== period.end.slice(5);
  return isEnd || part.openings.length > 0 ? "closing" : "opening";
}

/** At the top of a page, the balance at the end of the page before; at the end of a statement, the opening balance again. */
function isCarried(part: AccountPart, units: number): boolean {
  const dated = part.lines.findLastIndex(isDated);
  // Rows of the same day need not print their date.
  const last = part.lines.filter(
    ({ page, facts }, at) =>
      at >= dated && page === part.lines[dated]?.page && (at === dated || facts.length === 0),
  );
  return (
    last.some(({ money }) => money.some((one) => one.units === Math.abs(units))) ||
    part.openings.includes(units) ||
    part.closings.includes(units) ||
    part.weakClosings.includes(units)
  );
}

/** "Pending from 1 March to 31 March" is not the period of a statement. */
const periodOf = (line: PageLine, order: DayOrder): Period | null =>
  isAmountLine(line) || isPendingHeading(line.heading) ? null : printedPeriod(line, order);

/** A row of a table, and not a period such as "1 March 2026 to 31 March 2026". */
const isAmountLine = ({ plain, money }: PageLine): boolean =>
  /^\d/u.test(plain[0] ?? "") && money.length > 0;

/**
 * A due date with an amount is not a row: where no table and no period was printed, this is the first one. So is one at the foot of the
 * page that the days of all rows are in.
 */
function isNextPeriod(period: Period, { period: earlier, tables, lines }: AccountPart): boolean {
  if (earlier !== null) return !isSamePeriod(period, earlier);
  const days = lines.filter(isDated).flatMap(({ dates }) => dates[0] ?? []);
  return (
    tables.some((table) => table.isHeaderPrinted) &&
    !days.every((day) => isDayOfPeriod(day, period))
  );
}

/** A period of interest may end on the same day; and one of the two may be misread. */
const isSamePeriod = (a: Period, b: Period): boolean => a.start === b.start || a.end === b.end;

/** Numbers are printed in several forms, and with masked digits: the last four decide. */
