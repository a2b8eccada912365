// What the cases of one ledger share, and what a case returns: payments in the order of their days.
import type { Periodicity, IncomeType } from "../../src/model/recurrence.ts";
import type { EntryType } from "../../src/model/transaction.ts";
import type { Random } from "../../test/support/random.ts";
import type { BankCalendar, BankRegion } from "../../workers/recurrence/calendar/bank-days.ts";
import type { DayRange, Schedule } from "./schedules.ts";

/** How money moves, which decides the text of the bank and the days on which it is posted. */
export const RAILS = [
  "card",
  "direct debit",
  "standing order",
  "bank credit",
  "transfer",
  "person",
  "fee",
] as const;
export type Rail = (typeof RAILS)[number];

export interface Payee {
  readonly name: string;
  /** Null: not in any knowledge base. */
  readonly website: string | null;
  readonly type: "person" | "organization";
  /** A name of the category set. */
  readonly category: string;
  /** Sells subscriptions, so that two yearly payments are enough to see one. */
  readonly isKnownSubscription: boolean;
}

export interface Payment {
  /** The day on which it is posted. */
  readonly day: number;
  /** Whole cents. */
  readonly cents: number;
  /** Where it differs from the plan: after the payee changed its name, or for another intermediary. */
  readonly payee?: Payee;
  /** More words of the bank line: an amount in a foreign currency, a purpose. */
  readonly note?: string;
  readonly currency?: string;
}

/** Payments of one payee. With a periodicity they are a series, without one they are a habit or single purchases. */
export interface Plan {
  readonly case: string;
  readonly payee: Payee;
  readonly entryType: EntryType;
  readonly rail: Rail;
  readonly intermediary?: string;
  readonly payments: readonly Payment[];
  /** Null: not a series. */
  readonly periodicity: Periodicity | null;
  /** Days between payments, where the periodicity is `other`. */
  readonly periodDays?: number;
  readonly incomeType?: IncomeType;
  /** A series that a detector may leave out. */
  readonly isOptional?: boolean;
  /** First day of the second run, of a payment that stopped and began again. */
  readonly restartDay?: number;
}

export interface LedgerContext {
  readonly random: Random;
  readonly region: BankRegion;
  readonly calendar: BankCalendar;
  readonly currency: string;
  /** Days of the ledger. */
  readonly range: DayRange;
  /** Days for which payments are planned: they go on after the ledger, so that the next one is known. */
  readonly planned: DayRange;
  /** A payee of a list that no other case of the ledger has. */
  readonly draw: (payees: readonly Payee[]) => Payee;
}

export type CaseBuilder = (context: LedgerContext) => readonly Plan[];

/** Longest period of a series (a year) and some posting. */
export const PLANNED_AFTER_DAYS = 400;

/**
 * Following: a debit that falls due on a day without settlement is collected on the next one (Nacha Operating Rules, 8.102
 * "settlement date"; Bacs, "Direct Debit: a guide": "the first working day after"; EPC016-06 SEPA Direct Debit Core rulebook, 4.3.1).
 * Preceding: pay is paid on the last bank day before (TVöD § 24 (1); GOV.UK "When you get paid" for benefits; SSA,
 * "Schedule of Social Security Benefit Payments"; practice of employers).
 * Any: card networks authorise on every day.
 */
export type Posting = "following" | "preceding" | "any";

export function postedOn(calendar: BankCalendar, posting: Posting, due: number): number {
  if (posting === "any") return due;
  return posting === "following" ? calendar.following(due) : calendar.preceding(due);
}

/** Cents of the payment with this place in its series, on this day. */
export type AmountRule = (index: number, day: number) => number;

/** The payments of a schedule over the planned days, or over `range`. */
export function paymentsOf(
  { calendar, planned }: LedgerContext,
  schedule: Schedule,
  posting: Posting,
  amount: AmountRule | number,
  range: DayRange = planned,
): readonly Payment[] {
  return schedule(range).map((due, index) => ({
    day: postedOn(calendar, posting, due),
    cents: typeof amount === "number" ? amount : amount(index, due),
  }));
}

/** Prices of subscriptions: .99, .49, .00 endings are the usual price points (Schindler & Kirby 1997). */
export const pricePoint = (random: Random, low: number, high: number): number =>
  100 * random.integer(low, high) + random.pick([99, 99, 99, 49, 0]);

/** Whole cents between two amounts in units. */
export const centsBetween = (random: Random, low: number, high: number): number =>
  random.integer(Math.round(low * 100), Math.round(high * 100));

/** A number with mean 0 and variance 1 (Box and Muller 1958). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** An amount around a median, with a share of its spread; purchases are skewed, which log-normal amounts are too. */
export const spreadAround = (random: Random, medianCents: number, spread: number): number =>
  Math.max(50, Math.round(medianCents * Math.exp(spread * normal(random))));

/** A day in the middle of the ledger: some payments are before it and some after. */
export function turningDay({ random, range }: LedgerContext): number {
  const length = range.until - range.from;
  return range.from + Math.round(length * (0.35 + 0.3 * random.next()));
}
