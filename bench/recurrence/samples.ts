// What a detector of recurring payments reads and returns, and what is true of a labelled ledger.
import type {
  ExpectedPayment,
  IncomeType,
  LedgerEntry,
  Periodicity,
} from "../../src/model/recurrence.ts";

export interface LedgerTransactionSample extends LedgerEntry {
  readonly id: string;
  readonly intermediary: string | null;
}

export type ExpectedInterval = Pick<
  ExpectedPayment,
  "earliestDate" | "latestDate" | "lowestAmount" | "highestAmount"
>;

export interface DetectedGroup {
  readonly transactionIds: readonly string[];
  readonly periodicity: Periodicity;
  /** YYYY-MM-DD; null: no further payment is expected. */
  readonly nextDate: string | null;
  /** Units of the currency. */
  readonly nextAmount: number | null;
  /** Within which the next payment is expected; undefined: the detector gives no intervals. */
  readonly nextInterval?: ExpectedInterval | null;
  readonly isActive: boolean;
  /** 0..1. */
  readonly confidence: number;
  /** Undefined: the detector does not tell income. Null: not income. */
  readonly incomeType?: IncomeType | null;
}

/** @param asOf YYYY-MM-DD: the ledger is complete until the end of this day */
export type Detector = (
  entries: readonly LedgerTransactionSample[],
  asOf: string,
) => readonly DetectedGroup[];

export interface TruePayment {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly amount: number;
}

export interface TrueSeries {
  readonly id: string;
  /** The phenomenon that it is an example of. */
  readonly case: string;
  readonly periodicity: Periodicity;
  readonly transactionIds: readonly string[];
  /** Where a payment stopped for a time and began again: its runs. Reporting the last run alone is correct too. */
  readonly runs: readonly (readonly string[])[];
  /** Not required: too few payments to tell, or an irregular source. Reporting it is neither right nor wrong. */
  readonly isRequired: boolean;
  /** Null: ended so recently, or so slow, that the ledger cannot show it. */
  readonly isActive: boolean | null;
  /** The next payment after the end of the ledger; null when there is not one. */
  readonly next: TruePayment | null;
  /** Null: not income. */
  readonly incomeType: IncomeType | null;
}

export const NOISE_LEVELS = ["clean", "realistic", "hard"] as const;
export type NoiseLevel = (typeof NOISE_LEVELS)[number];

export interface LabelledLedger {
  readonly id: string;
  readonly level: NoiseLevel | "public" | "hand-labelled";
  /** YYYY-MM-DD. */
  readonly asOf: string;
  readonly entries: readonly LedgerTransactionSample[];
  readonly series: readonly TrueSeries[];
  /** The case of each transaction by its id, of habits and one-off purchases too. */
  readonly cases: ReadonlyMap<string, string>;
  /** Rows that neither belong to a group nor are wrong in one: repeated rows of one payment. */
  readonly ignored: ReadonlySet<string>;
}

/** Fewer payments than these do not show a period: two gaps that agree are the least, see `isShown`. */
const PAYMENTS_MIN = 3;
const KNOWN_YEARLY_PAYMENTS_MIN = 2;

/**
 * Whether a ledger shows enough payments of a series to require that it is found.
 * @param isKnownSubscription the payee sells subscriptions, so that two yearly payments are enough
 */
export function isShown(
  periodicity: Periodicity,
  payments: number,
  isKnownSubscription: boolean,
): boolean {
  const isKnownYearly = periodicity === "yearly" && isKnownSubscription;
  return payments >= (isKnownYearly ? KNOWN_YEARLY_PAYMENTS_MIN : PAYMENTS_MIN);
}
