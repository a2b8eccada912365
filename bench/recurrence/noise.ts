// What happens to the rows of a ledger between a payment and its reader: late posting, lost and repeated rows, spellings,
// missing enrichment. Applied to the same plans at several levels, so that levels differ in nothing else.
import type { Random } from "../../test/support/random.ts";
import type { BankCalendar } from "../../workers/recurrence/calendar/bank-days.ts";
import type { NoiseLevel } from "./samples.ts";

/** Probabilities 0..1. */
export interface NoiseRates {
  /** Of a holder whose card rows have the day of posting instead of the day of purchase. */
  readonly postingDates: number;
  /** Bank days from purchase to posting: card transactions clear in one to three business days (Visa and Mastercard rules). */
  readonly postingDelays: readonly number[];
  /** Of a row of a series that never reaches the ledger: another account was used, an import failed. */
  readonly lost: number;
  /** Of a row that is in the ledger twice, with another reference: overlapping imports, pending and posted. */
  readonly repeated: number;
  /** Of a payee that is written in two ways. */
  readonly respelled: number;
  /** Of a row of such a payee that has the other spelling. */
  readonly otherSpelling: number;
  /** Of a row with the other spelling that still has the entity of its payee. */
  readonly keptEntity: number;
  readonly noCounterparty: number;
  readonly noCategory: number;
  readonly wrongCategory: number;
  readonly hasReferences: boolean;
}

/** Rates are chosen, not measured: `realistic` after what aggregators report of their feeds, `hard` about four times as bad. */
export const NOISE: Readonly<Record<NoiseLevel, NoiseRates>> = {
  clean: {
    ...{ postingDates: 0, postingDelays: [0], lost: 0, repeated: 0, respelled: 0 },
    ...{ otherSpelling: 0, keptEntity: 1, noCounterparty: 0, noCategory: 0, wrongCategory: 0 },
    hasReferences: false,
  },
  realistic: {
    ...{ postingDates: 0.5, postingDelays: [0, 1, 1, 1, 2], lost: 0.01, repeated: 0.004 },
    ...{ respelled: 0.12, otherSpelling: 0.3, keptEntity: 0.7, noCounterparty: 0.04 },
    ...{ noCategory: 0.08, wrongCategory: 0.02, hasReferences: true },
  },
  hard: {
    ...{ postingDates: 1, postingDelays: [0, 1, 1, 2, 3], lost: 0.04, repeated: 0.015 },
    ...{ respelled: 0.4, otherSpelling: 0.4, keptEntity: 0.4, noCounterparty: 0.18 },
    ...{ noCategory: 0.35, wrongCategory: 0.08, hasReferences: true },
  },
};

/** The day on which a card payment is posted. */
export function postingDay(
  random: Random,
  calendar: BankCalendar,
  rates: NoiseRates,
  day: number,
): number {
  const delay = random.pick(rates.postingDelays);
  return delay === 0 ? calendar.following(day) : calendar.add(day + 1, delay - 1);
}
