// Directions that the balances leave open. With all of them turned, and the balance owed in the place of owned (or owned in the place
// of owed), the rows add up as well. Then only what is printed decides: totals, CR and DR, payments to a card, and which product it is.
import type { AccountReading } from "./account-reading.ts";
import type { AccountPart } from "./accounts.ts";
import { isPayment } from "./card-account.ts";
import { CREDIT_ROW, DEBIT_ROW, plainWord, PRINCIPAL } from "./lexicon.ts";
import type { Money } from "./money.ts";
import type { TableRow } from "./rows.ts";
import { totalOf } from "./verdict.ts";

const VOTES_SHARE = 3;

/** 1: credits raise the balance; -1: it is what is owed; null: nothing that is printed decides. */
type DecidedSense = -1 | 1 | null;

export interface PrintedKind {
  /** By the words of cards. */
  readonly isCard: boolean;
  /** As printed; null: the type is from words that need not be those of the account. */
  readonly name: string | null;
  readonly type: string | null;
}

/** The reading in the directions that what is printed decides; marked where nothing does. */
export function withDecidedDirections(
  reading: AccountReading,
  part: AccountPart,
  kind: PrintedKind,
): AccountReading {
  const isLoan = kind.type === "loan" && hasPrincipal(part);
  if (reading.chain.links === 0 || hasPrintedDirection(reading, kind.isCard, isLoan))
    return reading;
  const isNamed = kind.name !== null || isLoan;
  const sense = senseByTotals(reading, part) ?? senseByWords(reading, kind, isNamed);
  if (sense === reading.sense) return reading;
  const isRepaired = reading.repairs.some(({ field }) => field === "direction");
  return sense === null || isRepaired ? { ...reading, areDirectionsOpen: true } : turned(reading);
}

const turned = (reading: AccountReading): AccountReading => ({
  ...reading,
  sense: reading.sense === 1 ? -1 : 1,
  chainRows: reading.chainRows.map((row) => ({ ...row, sign: opposite(row.sign) })),
  chain: { ...reading.chain, signs: reading.chain.signs.map((sign) => opposite(sign)) },
});

/** Not `-sign`, which may be -0. */
const opposite = <Sign extends -1 | 0 | 1>(sign: Sign): Sign => (0 - sign) as Sign;

/**
 * A heading of debits or credits, a section, a word in the row or behind the amount would be the same in both readings. "Transactions" of
 * a loan are mostly payments.
 */
const hasPrintedDirection = (reading: AccountReading, isCard: boolean, isLoan: boolean): boolean =>
  reading.rows.some((row, at) => isDirectionPrinted(row, reading.cells[at]?.amount ?? null)) ||
  (!isLoan && areSectionsDirections(reading, isCard));

function isDirectionPrinted(row: TableRow, amount: Money | null): boolean {
  if (amount === null || amount.units === 0) return false;
  const column = [...row.cells].find(([, money]) => money === amount)?.[0] ?? -1;
  const role = row.columns[column]?.role ?? null;
  // "Payments" of a line of credit lower what is owed: alone, such a heading names no direction.
  const isOneOfTwo = (["debit", "credit"] as const).every((one) =>
    row.columns.some((other) => other.role === one),
  );
  return (
    amount.isSignWord || row.direction !== 0 || (role !== "amount" && role !== null && isOneOfTwo)
  );
}

/**
 * "Transactions" above amounts that have signs is not a heading of debits, nor is "Payments" of a card, as it is elsewhere, above rows that
 * thank for one.
 */
function areSectionsDirections({ rows, cells, chain }: AccountReading, isCard: boolean): boolean {
  const inSections = rows.flatMap((row, at) => {
    const isOfCard = isCard && row.section < 0 && isPayment(row);
    const amount = cells[at]?.amount;
    if (row.section === 0 || isOfCard || amount === undefined) return [];
    return [amount.units > 0 && amount.sign === 0 && chain.signs[at] === row.section];
  });
  const agreed = inSections.filter(Boolean).length;
  return agreed > 0 && agreed * 2 >= inSections.length;
}

/** The printed totals of credits and debits are those of the rows, or those of the rows the other way round. */
function senseByTotals(
  reading: AccountReading,
  { totalCredits, totalDebits }: AccountPart,
): DecidedSense {
  const [credits, debits] = [totalOf(reading, 1), totalOf(reading, -1)];
  if (credits === debits) return null;
  if (totalCredits === credits && totalDebits === debits) return reading.sense;
  return totalCredits === debits && totalDebits === credits ? otherSense(reading) : null;
}

const otherSense = ({ sense }: AccountReading): -1 | 1 => (sense === 1 ? -1 : 1);

/** A column of what a payment repays is that of a loan, whatever it is called. */
const hasPrincipal = ({ lines }: AccountPart): boolean =>
  lines.some(({ header, plain }) => header !== null && PRINCIPAL.find(plain) !== null);

function senseByWords(reading: AccountReading, kind: PrintedKind, isNamed: boolean): DecidedSense {
  // CR behind the balance of a card is what the bank owes; elsewhere it is the balance of the holder.
  if (reading.cells.some(({ balance }) => balance?.isSignWord === true))
    return kind.isCard ? -1 : 1;
  return kind.isCard ? senseOfNamedCard(reading) : senseByProduct(reading, kind.type, isNamed);
}

function senseOfNamedCard(reading: AccountReading): DecidedSense {
  const [owed, paid] = [senseOfCard(reading), senseOfRows(reading, paymentSign)];
  return paid === null || owed === null || paid === owed ? (owed ?? paid) : null;
}

function senseByProduct(
  reading: AccountReading,
  type: string | null,
  isNamed: boolean,
): DecidedSense {
  const ofRows = senseOfRows(reading, wordSign);
  const isOwed = type === "credit card" || type === "loan";
  // Of other accounts, a plus raises the balance: no other convention is common.
  if (!isOwed) return reading.sense === 1 ? 1 : ofRows;
  // "Visa Account" may be one with a balance of its own: then most amounts, charges, are what lowers it.
  const owed = senseOfCard(reading);
  const agreed = owed === mostlyCharged(reading) ? owed : null;
  const ofName = type === "loan" ? senseOfLoan(reading) : (ofRows ?? agreed);
  return isNamed || ofName === reading.sense ? ofName : ofRows;
}

/** A loan is owed: what is below zero is so from the point of view of the holder. */
function senseOfLoan(reading: AccountReading): DecidedSense {
  const sign = balanceSign(reading);
  return sign === 0 ? null : sign > 0 ? -1 : 1;
}

/**
 * What is owed is mostly printed without a sign. Where all is below zero, either it is owed or the bank owes it: then most amounts have to
 * be charges.
 */
const senseOfCard = (reading: AccountReading): DecidedSense =>
  balanceSign(reading) >= 0 ? -1 : mostlyCharged(reading) === 1 ? 1 : null;

/** Of most balances; 0: as many are above zero as below. */
function balanceSign({ chain, chainRows }: AccountReading): number {
  const balances = [chain.opening, ...chainRows.map(({ balance }) => balance), chain.closing];
  const sum = balances.reduce<number>((total, units) => total + Math.sign(units ?? 0), 0);
  return Math.sign(sum);
}

/** With which most rows are debits. */
function mostlyCharged({ chain, sense }: AccountReading): DecidedSense {
  const sum = chain.signs.reduce<number>((total, sign) => total + sign * sense, 0);
  return sum === 0 ? null : sum < 0 ? 1 : -1;
}

/** As most of the rows report whose words are those of one direction. */
function senseOfRows(
  { rows, chain, sense }: AccountReading,
  signOf: (row: TableRow) => number,
): DecidedSense {
  const votes = rows.map((row, at) => signOf(row) * (chain.signs[at] ?? -1));
  const sum = votes.reduce((total, vote) => total + vote, 0);
  // At least two of three.
  if (Math.abs(sum) * VOTES_SHARE < votes.filter((vote) => vote !== 0).length || sum === 0)
    return null;
  return sum > 0 ? sense : sense === 1 ? -1 : 1;
}

/** On a card, a direct debit is a payment to it, and a salary is not known. */
const paymentSign = (row: TableRow): number => (isPayment(row) ? 1 : 0);

/** "Withdrawal" or "refund". */
function wordSign(row: TableRow): number {
  const words = row.description.split(" ").map(plainWord);
  const [credit, debit] = [CREDIT_ROW, DEBIT_ROW].map((some) =>
    some.find(words) === null ? 0 : 1,
  );
  return isPayment(row) ? 1 : (credit ?? 0) - (debit ?? 0);
}
