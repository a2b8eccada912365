// An account without a transaction in its period prints its number and two balances. Without it, a document would look reconciled
// though a whole account was not read.
import type { StatementAccount } from "../../src/model/bank-statement.ts";
import type { AccountReading } from "./account-reading.ts";
import type { AccountPart } from "./accounts.ts";
import { isBalanceFact } from "./sections.ts";
import { type ChainResult, followChain } from "./chain.ts";
import type { PageLine } from "./layout.ts";
import { CARD_WORDS, NO_ACTIVITY, type StatementColumn, TOTAL_WORD } from "./lexicon.ts";
import { provenClosings } from "./proven-closings.ts";
import { isDated, type StatementTable } from "./rows.ts";
import { isPendingHeading } from "./section-heading.ts";
import { isMoneyRole } from "./header-cell.ts";

/**
 * Its balances alone; null: its opening or its closing balance is not printed, nor are those of its rows. Without a number only balances
 * that differ tell of an account, whose rows were not read then.
 */
export function readingWithoutRows(part: AccountPart): AccountReading | null {
  const [opening] = part.openings;
  if (opening === undefined) return readingOfBalances(part);
  const closings =
    part.number === null
      ? part.closings.filter((units) => units !== opening)
      : closingsOf(part, opening);
  if (closings.length === 0)
    return hasTableOfOpening(part, opening) ? readingOfEnds(opening) : readingOfBalances(part);
  const chain = followChain([], opening, { closings }, 1);
  const areOnly = new Set(part.openings).size === 1 && new Set(closings).size === 1;
  return {
    ...{ rows: [], chainRows: [], cells: [], sense: 1, isNewestFirst: false, repairs: [] },
    chain: {
      ...chain,
      breaks: chain.breaks.map((one) => ({ ...one, page: closingPage(part) })),
      isComplete: areOnly && isInactive({ ...part, lines: bookedLines(part.lines) }, chain),
    },
    givenOpening: opening,
    givenClosings: { closings },
  };
}

/** Of the rows of a table: fewer may be those of a summary. */
const BALANCES_MIN = 3;

/** Where the amounts of all rows were lost: nothing is known of the account but that it is there. null: nothing shows that. */
function readingOfBalances({ tables, number }: AccountPart): AccountReading | null {
  const balances = tables.flatMap(({ lines }) => lines.filter(isRowOfOneBalance));
  const isLost = tables.some(hasColumns) && balances.length >= BALANCES_MIN;
  return number === null || !isLost ? null : readingOfEnds(null);
}

/** Of an account of which nothing proves that there were no transactions. */
function readingOfEnds(givenOpening: number | null): AccountReading {
  const givenClosings = { closings: [] };
  return {
    ...{ rows: [], chainRows: [], cells: [], sense: 1, isNewestFirst: false, repairs: [] },
    chain: { ...followChain([], givenOpening, givenClosings, 1), isComplete: false },
    ...{ givenOpening, givenClosings },
  };
}

const hasColumns = ({ header }: Pick<StatementTable, "header">): boolean => {
  const roles = new Set(header.map(({ role }) => role));
  return roles.has("description") && roles.has("balance") && [...roles].some(isAmountRole);
};

/** "1 Jan  B/F balance  250.00" alone in a table below its header: an account of which no closing balance is printed. */
function hasTableOfOpening(
  { number, openings, tables, lines }: AccountPart,
  opening: number,
): boolean {
  const isOpening = ({ facts }: PageLine): boolean => facts.some(({ kind }) => kind === "opening");
  return (
    number !== null &&
    openings.length === 1 &&
    tables.some(
      (table) => table.isHeaderPrinted && hasColumns(table) && table.lines.some(isOpening),
    ) &&
    !lines.some((line) => line.facts.length === 0 && hasOther(line, opening))
  );
}

const isAmountRole = (role: StatementColumn): boolean => isMoneyRole(role) && role !== "balance";

const isRowOfOneBalance = (line: PageLine): boolean =>
  isDated(line) &&
  line.facts.length === 0 &&
  line.money.filter(({ isCertain }) => isCertain).length === 1;

/** Without what stands below a heading of transactions that are not booked yet. */
function bookedLines(lines: readonly PageLine[]): PageLine[] {
  let isPending = false;
  return lines.filter(({ heading, facts }) => {
    if (heading !== null) isPending = isPendingHeading(heading);
    else if (facts.some(isBalanceFact)) isPending = false;
    return !isPending;
  });
}

/** A current balance may be of another day, so that only the same one counts. */
function closingsOf({ closings, weakClosings, lines }: AccountPart, opening: number): number[] {
  if (closings.length > 0) return [...closings];
  const proven = provenClosings(lines);
  return proven.length > 0 ? [...proven] : weakClosings.filter((units) => units === opening);
}

const closingPage = ({ lines }: AccountPart): number =>
  lines.findLast(({ facts }) =>
    facts.some(({ kind }) => kind === "closing" || kind === "weak closing"),
  )?.page ?? 1;

/**
 * Whether nothing shows that there were transactions. Equal balances do not: those that were not read may cancel each other out. Of
 * recognised words all may have been lost, so that only the statement itself proves it.
 */
function isInactive(
  { lines, totalCredits, totalDebits }: AccountPart,
  { opening }: ChainResult,
): boolean {
  if ((totalCredits ?? 0) > 0 || (totalDebits ?? 0) > 0) return false;
  if (lines.some((line) => isDated(line) && line.facts.length === 0 && hasOther(line, opening)))
    return false;
  if (lines.some(({ plain }) => NO_ACTIVITY.find(plain) !== null)) return true;
  if (lines.some(({ words }) => words.some(({ source }) => source === "ocr"))) return false;
  return !lines.some((line) => !isAboutLimits(line) && hasOther(line, opening));
}

/** Limits and averages; a total is one of transactions. */
const isAboutLimits = ({ plain, facts }: PageLine): boolean =>
  CARD_WORDS.find(plain) !== null || (facts.length > 0 && TOTAL_WORD.find(plain) === null);

/** Whether it has an amount that is not the balance. */
const hasOther = ({ money }: PageLine, opening: number | null): boolean =>
  money.some(
    ({ units, isCertain }) => isCertain && units !== 0 && units !== Math.abs(opening ?? 0),
  );

/**
 * Next to accounts with transactions, those without are left out where their balances are those of another one, whose second number
 * they have. A document without any transaction is a statement only where period and balances prove that there was none.
 */
export function withProvenInactive(
  accounts: readonly StatementAccount[],
  hasPeriod: boolean,
): StatementAccount[] {
  const active = accounts.filter(({ transactions }) => transactions.length > 0);
  if (active.length === 0)
    return hasPeriod && accounts.every(({ verdict }) => verdict === "reconciled")
      ? [...accounts]
      : [];
  // Of an account with an opening balance alone, that one decides; many begin with nothing.
  const isRepeated = ({ opening, closing, unproven }: StatementAccount): boolean =>
    active.some(
      (other) =>
        other.opening === opening &&
        (opening === closing
          ? unproven.length > 0 && Number(opening) !== 0
          : other.closing === closing),
    );
  return accounts.filter((account) => account.transactions.length > 0 || !isRepeated(account));
}
