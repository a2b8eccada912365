// From words to accounts with transactions and a verdict. Pure: the same words give the same statement.
import type {
  BankStatement,
  StatementAccount,
  StatementBreak,
  StatementRepair,
  StatementTransaction,
  TransactionEvidence,
} from "../../src/model/bank-statement.ts";
import { type AccountReading, isExact, isProven, type RowCells } from "./account-reading.ts";
import { type AccountPart, joinAccountParts } from "./accounts.ts";
import { withProvenInactive } from "./accounts-without-rows.ts";
import type { ChainBreak } from "./chain.ts";
import { statementCurrency } from "./currency.ts";
import { type DayOrder, findDates, type PrintedDate, toIsoDate } from "./dates.ts";
import { type DocumentLines, readDocumentLines } from "./document.ts";
import type { DocumentFacts } from "./document-facts.ts";
import { printedValue } from "./evidence.ts";
import { kindOfPart, periodOfDocument, readStatementHeader } from "./header.ts";
import { isOtherDocument } from "./invoices.ts";
import type { PageLine } from "./layout.ts";
import { withListedAccounts } from "./listed-accounts.ts";
import { toDecimal } from "./money.ts";
import { yearOfMonths } from "./month-years.ts";
import { readAccountPart } from "./part-reading.ts";
import type { Period } from "./period.ts";
import { datesOfRows, type YearSources } from "./row-dates.ts";
import type { TableRow } from "./rows.ts";
import { findSignals } from "./signals.ts";
import { checkReading, type RowSums, sumsOfAll, totalOf } from "./verdict.ts";
import { withoutSideNotes } from "./side-notes.ts";
import type { PageWord } from "./words.ts";

/**
 * What was read from the words of a document. Accounts without transactions are left out unless their number and balances are
 * printed. Of an invoice nothing was read.
 * @param facts of the file; null: not known
 * @param submittedAt milliseconds since 1970; null: not known, so rows without any year in the document have no date
 */
export function understandStatement(
  words: readonly PageWord[],
  facts: DocumentFacts | null = null,
  submittedAt: number | null = null,
): Pick<BankStatement, "accounts" | "header" | "signals"> {
  const { read, accounts: readAccounts } = readWithoutNotes(words, readDocument(words));
  const latest = latestDate(read.lines, read.order);
  const document: ReadDocument = {
    ...read,
    period: periodOfDocument(read),
    years: {
      printed: latest?.year ?? yearOfMonths(read.lines),
      latestDay: latest === null ? null : toIsoDate(latest.year, latest.month, latest.day),
      createdAt: facts?.createdAt ?? null,
      submittedAt,
    },
  };
  const understood = toAccounts(readAccounts, document);
  const found = withProvenInactive(
    understood.map(({ account }) => account),
    document.period !== null,
  );
  const { lines, format } = read;
  const accounts = isOtherDocument(lines, found)
    ? []
    : withListedAccounts(found, lines, (units) => toDecimal(units, format.scale));
  const numbers = new Set(accounts.map(({ number }) => number));
  const otherNumbers = read.parts
    .flatMap(({ otherNumbers: others }) => others)
    .filter((number) => !numbers.has(number));
  const aboveTotals = new Map(understood.map((one) => [one.account, one.aboveTotals]));
  const signals = findSignals({ accounts, aboveTotals, words, otherNumbers, facts });
  return { accounts, header: readStatementHeader(words, facts), signals };
}

interface ReadParts {
  readonly read: DocumentLines;
  readonly accounts: readonly ReadAccount[];
}

function readDocument(words: readonly PageWord[]): ReadParts {
  const read = readDocumentLines(words);
  return { read, accounts: readDocumentAccounts(read.parts) };
}

/** Without what stands right of a statement, where the printed balances prove all of its accounts then, and had not before. */
function readWithoutNotes(words: readonly PageWord[], whole: ReadParts): ReadParts {
  if (whole.accounts.every(({ reading }) => isExact(reading))) return whole;
  const others = withoutSideNotes(words);
  if (others === null) return whole;
  const without = readDocument(others);
  const areProven =
    without.accounts.length > 0 &&
    without.accounts.length <= whole.accounts.length &&
    without.accounts.every(({ reading }) => isProven(reading) && isDescribed(reading));
  return areProven ? without : whole;
}

/** What stands right of the amounts may be the texts of the rows. */
const isDescribed = ({ rows }: AccountReading): boolean =>
  rows.every(({ description }) => description !== "");

interface ReadDocument extends DocumentLines {
  readonly period: Period | null;
  /** What gives rows without a year one, without a period. */
  readonly years: Omit<YearSources, "period">;
}

/** "07-02-46" may be the number of a branch, whose last digits would be the latest year. */
const BRANCH_NUMBER = /^\d{2}-\d{2}-\d{2}$/u;

/** Of the dates with a year that are printed; null: none is. */
function latestDate(lines: readonly PageLine[], order: DayOrder): WholeDate | null {
  const dates = lines.flatMap((line) => findDates(line, order));
  const certain = dates.filter(({ words }) => !BRANCH_NUMBER.test(words[0]?.text ?? ""));
  const found = [certain, dates]
    .map((some) => some.filter(hasYear))
    .find((some) => some.length > 0);
  const dayOf = ({ year, month, day }: WholeDate): string => toIsoDate(year, month, day);
  const near = found === undefined ? [] : withoutFarYears(found);
  return near.toSorted((a, b) => (dayOf(a) < dayOf(b) ? 1 : -1))[0] ?? null;
}

/** The end of a draw period or of a card lies years behind the year of most dates, of which there are at least two. */
function withoutFarYears(dates: readonly WholeDate[]): readonly WholeDate[] {
  const counts = [...Map.groupBy(dates, ({ year }) => year)];
  const most = Math.max(...counts.map(([, { length }]) => length));
  if (most < 2) return dates;
  const usual = Math.max(
    ...counts.flatMap(([year, { length }]) => (length === most ? [year] : [])),
  );
  return dates.filter(({ year }) => year <= usual + 1);
}

interface WholeDate extends PrintedDate {
  readonly year: number;
}

const hasYear = (date: PrintedDate): date is WholeDate => date.year !== null;

interface ReadAccount {
  readonly part: AccountPart;
  readonly reading: AccountReading;
}

interface UnderstoodAccount {
  readonly account: StatementAccount;
  /** See `CheckedReading`, in decimal. */
  readonly aboveTotals: string | null;
}

function toAccounts(read: readonly ReadAccount[], document: ReadDocument): UnderstoodAccount[] {
  const all = sumsOfAll(read.map(({ reading }) => reading));
  return read.map((account) => toAccount(account, document, all));
}

/** Several of which one is not exact are one, if its balances follow from all rows: a number in a text had begun another. */
function readDocumentAccounts(parts: readonly AccountPart[]): readonly ReadAccount[] {
  const read = parts.flatMap((part) => readAccount(part, parts));
  const [first, ...others] = parts;
  const isAnyEmpty = read.some(({ reading }) => reading.rows.length === 0);
  if (first === undefined || read.length < 2 || isAnyEmpty) return read;
  if (read.every(({ reading }) => isExact(reading))) return read;
  const joined = joinAccountParts([first, ...others]);
  const whole = readAccount(joined, [joined]);
  return whole.some(({ reading }) => isProven(reading) && hasRowsOf(reading, read)) ? whole : read;
}

/** Empty: it has neither rows nor balances without rows. */
function readAccount(part: AccountPart, parts: readonly AccountPart[]): ReadAccount[] {
  const reading = readAccountPart(part, parts);
  return reading === null ? [] : [{ part, reading }];
}

/** What began the other account may be a row that is not one. */
const hasRowsOf = ({ rows }: AccountReading, read: readonly ReadAccount[]): boolean =>
  rows.length + read.length > read.reduce((sum, { reading }) => sum + reading.rows.length, 0);

function toAccount(
  { part, reading }: ReadAccount,
  document: ReadDocument,
  all: RowSums | null,
): UnderstoodAccount {
  const { chain, chainRows } = reading;
  const { scale } = document.format;
  const decimal = (units: number): string => toDecimal(units, scale);
  const sum = chainRows.reduce((total, row, at) => total + row.units * (chain.signs[at] ?? -1), 0);
  const checked = checkReading(part, reading, all);
  const breaks = [...chain.breaks, ...checked.breaks];
  const firstBreak = breaks[0] ?? null;
  const account: StatementAccount = {
    number: part.number,
    ...kindOfPart(part, document.parts),
    currency: statementCurrency(part.lines, document.format) ?? document.currency,
    period: document.parts.every(({ period }) => period === null) ? document.period : part.period,
    opening: chain.opening === null ? null : decimal(chain.opening),
    isOpeningCalculated: isOpeningCalculated(part, reading),
    closing: chain.closing === null ? null : decimal(chain.closing),
    sum: decimal(sum),
    totalIncoming: decimal(totalOf(reading, 1)),
    totalOutgoing: decimal(totalOf(reading, -1)),
    verdict: checked.verdict,
    unproven: checked.unproven,
    firstBreak: firstBreak === null ? null : toBreak(firstBreak, decimal),
    repairs: repairsOf(reading, scale),
    transactions: toTransactions(part, reading, document),
  };
  const aboveTotals = checked.aboveTotals > 0 ? decimal(checked.aboveTotals) : null;
  return { account, aboveTotals };
}

/** Whether the opening balance is not printed. The minus of a recognised one may have been put back. */
function isOpeningCalculated(part: AccountPart, { chain }: AccountReading): boolean {
  const { opening } = chain;
  const printed = [...part.openings, ...part.weakOpenings];
  return opening !== null && !printed.some((one) => Math.abs(one) === Math.abs(opening));
}

const toBreak = (
  { page, row, difference }: ChainBreak,
  decimal: (units: number) => string,
): StatementBreak => ({ page, row, difference: decimal(difference) });

const DIRECTIONS = { "-1": "debit", "1": "credit" } as const;

/** In the order of the rows. */
function repairsOf(
  { chain, chainRows, repairs }: AccountReading,
  scale: number,
): StatementRepair[] {
  const directions = chain.flipped.map((index) => {
    const to = chain.signs[index] ?? -1;
    return {
      ...{ index, page: undefined, field: "direction" as const },
      from: DIRECTIONS[to === 1 ? "-1" : "1"],
      to: DIRECTIONS[to],
    };
  });
  const values = repairs.map(({ index, field, from, to, page }) => {
    const shown = (value: number): string =>
      field === "direction" ? DIRECTIONS[value < 0 ? "-1" : "1"] : toDecimal(value, scale);
    return { index, page, field, from: from === null ? null : shown(from), to: shown(to) };
  });
  return [...directions, ...values]
    .sort((a, b) => a.index - b.index)
    .map(({ index, page, ...repair }) => ({
      page: page ?? chainRows[index]?.page ?? 1,
      row: index + 1,
      ...repair,
    }));
}

function toTransactions(
  part: AccountPart,
  { rows, chain, chainRows, cells }: AccountReading,
  document: ReadDocument,
): StatementTransaction[] {
  const { scale } = document.format;
  const dates = datesOfRows(rows, { ...document.years, period: part.period ?? document.period });
  return chainRows.map((row, at) => ({
    date: dates[at] ?? null,
    isYearInferred: dates[at] != null && rows[at]?.date?.year === null,
    description: rows[at]?.description ?? "",
    amount: toDecimal(row.units, scale),
    direction: DIRECTIONS[chain.signs[at] ?? -1],
    balance: row.balance === null ? null : toDecimal(row.balance, scale),
    page: row.page,
    row: row.row,
    evidence: evidenceOf(rows[at], cells[at]),
  }));
}

const evidenceOf = (
  row: TableRow | undefined,
  cells: RowCells | undefined,
): TransactionEvidence => ({
  date: printedValue(row?.date?.words ?? []),
  description: (row?.descriptionLines ?? []).flatMap((line) => printedValue(line) ?? []),
  amount: printedValue(cells?.amount.words ?? []),
  balance: printedValue(cells?.balance?.words ?? []),
});
