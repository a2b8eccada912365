// Reports: incorrect results as customers report them, and their resolution.
import type { AccountingCategory, Counterparty, Facts } from "./facts.ts";
import type { LedgerTransaction } from "./ledger-transaction.ts";
import type { CorrectedParts, Correction } from "./tenant-settings.ts";

/**
 * open -> pending -> resolved | rejected, and from open to the last two directly. The last two are final. Every move is an
 * event that happens once, because no report comes into the same state twice.
 */
export const REPORT_STATUSES = ["open", "pending", "resolved", "rejected"] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

const NEXT: Readonly<Record<ReportStatus, readonly ReportStatus[]>> = {
  open: ["pending", "resolved", "rejected"],
  pending: ["resolved", "rejected"],
  resolved: [],
  rejected: [],
};

export const mayMove = (from: ReportStatus, to: ReportStatus): boolean => NEXT[from].includes(to);

/** Length of a rejection reason in characters; at least one. */
export const REJECTION_REASON_LENGTH_MAX = 1024;
/** Length of a corrected merchant or category in characters; at least one. */
export const CORRECTED_NAME_LENGTH_MAX = 256;
/** Length of a corrected address in characters; at least one. */
export const CORRECTED_ADDRESS_LENGTH_MAX = 1024;
/** Corrections an organization may have. */
export const CORRECTIONS_MAX = 10_000;

export interface NewReport {
  readonly transactionId: string;
  /** What is wrong, in the customer's words; may be empty. */
  readonly description: string;
  /** Names of the fields that are wrong. */
  readonly fields: readonly string[];
  /** The right values as the customer gave them, by their names in the v2 API; may be empty. */
  readonly expected: Readonly<Record<string, ExpectedValue>>;
  /** Gets the events of this report in addition to the webhooks; null: it has none. */
  readonly webhookUrl: string | null;
}

/** The right value of a field: a text, or a list. */
export type ExpectedValue = string | readonly (string | number)[];

/** Selects reports of one organization; null: any. */
export interface OwnReportFilter {
  readonly status: ReportStatus | null;
  readonly transactionId: string | null;
}

/** A page by its number, from 0. */
export interface NumberedPage {
  readonly page: number;
  readonly perPage: number;
}

/** The reports of such a page in parts, and how many there are on all pages. */
export interface NumberedReports {
  readonly count: number;
  readonly parts: AsyncIterable<readonly Report[]>;
}

export interface Report extends NewReport {
  readonly org: string;
  readonly id: string;
  /** Of the transaction; the report goes with it. */
  readonly accountHolderId: string | null;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** When it came into its state. */
  readonly updatedAt: number;
  readonly status: ReportStatus;
  /** Null unless it is rejected. */
  readonly rejectionReason: string | null;
}

/** The report as the v3 API and its events show it. */
export function reportResource(report: Report): Record<string, unknown> {
  return {
    transaction_id: report.transactionId,
    description: report.description,
    fields: report.fields,
    id: report.id,
    created_at: new Date(report.createdAt).toISOString(),
    status: report.status,
    rejection_reason: report.rejectionReason,
  };
}

/** What is right instead. A field that is left out is not corrected; null: there is none. */
export interface CorrectedFields {
  readonly merchant?: string | null;
  /** A domain, such as `example.com`. */
  readonly website?: string | null;
  readonly type?: Counterparty["type"];
  /** One of our own categories, or one of the holder's set; several of either as one text, see `labelText`. */
  readonly category?: string | null;
  readonly accounting?: AccountingCategory | null;
  /** An address as people write it. */
  readonly location?: string | null;
}

/** What an operator does with a report. */
export type ReportMove =
  | { readonly status: "pending" }
  | { readonly status: "resolved"; readonly corrected: CorrectedFields | null }
  | { readonly status: "rejected"; readonly rejectionReason: string };

/** Why fields cannot be corrected like that, each in words. */
const PROBLEM_WORDS = {
  unknown_website: "No merchant matches this website: name the merchant too",
  no_counterparty: "The transaction has no counterparty: name the merchant",
  unknown_category: "This category does not exist for this type of account and this direction",
  no_category: "The transaction has no account holder, and so no category",
  no_accounting: "Only transactions of businesses have an accounting category",
  unreadable: "The transaction cannot be enriched, and so not be corrected",
} as const;
export type CorrectionProblem = keyof typeof PROBLEM_WORDS;

/**
 * Why a report was not moved; nothing was changed then. `final`: a report in this state does not come into the other.
 * `busy`: others kept changing the transaction meanwhile.
 */
export type MoveRefusal =
  | { readonly reason: "not_found" | "corrections_full" | "busy" }
  | { readonly reason: "final"; readonly status: ReportStatus }
  | { readonly reason: "not_correctable"; readonly problem: CorrectionProblem };

export function refusalWords(refusal: MoveRefusal, to: ReportStatus): string {
  switch (refusal.reason) {
    case "not_found":
      return "Report not found";
    case "final":
      return `The report is ${refusal.status}: it cannot become ${to}`;
    case "not_correctable":
      return PROBLEM_WORDS[refusal.problem];
    case "corrections_full":
      return `An organization may have at most ${String(CORRECTIONS_MAX)} corrections: drop some, or resolve without`;
    case "busy":
      return "Others are changing the same at the same time";
  }
}

/** What an operator's correction comes to for one line. */
export type CorrectedLine =
  | {
      readonly ok: true;
      /** The name in the line by which later ones are known; empty when it has none. */
      readonly cleanName: string;
      readonly parts: CorrectedParts;
      /** The correct values for this one. */
      readonly facts: Facts;
    }
  | { readonly ok: false; readonly problem: CorrectionProblem };

/** What a report that was resolved has corrected. */
export interface CorrectionDone {
  /** Whether the transaction was still there to be corrected. */
  readonly transaction: boolean;
  readonly cleanName: string;
  /** What is remembered for later lines; null: nothing, as the line has no name or is not there any more. */
  readonly correctionId: string | null;
}

/** A correction as it is kept. */
export interface StoredCorrection extends Correction {
  readonly org: string;
  readonly id: string;
  /** The only account holder whose transactions led to it, with which it is erased; null: several, or none. */
  readonly accountHolderId: string | null;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Raised by every change, which names the one it saw. */
  readonly revision: number;
}

/** Selects reports of all organizations; null: any. */
export interface ReportFilter {
  readonly org: string | null;
  readonly status: ReportStatus | null;
}

/** What a resolved report changes in addition to itself. */
export interface Correcting {
  /** Null: it no longer exists. */
  readonly transaction: {
    readonly seen: LedgerTransaction;
    readonly next: LedgerTransaction;
  } | null;
  /** Null: nothing is learned. */
  readonly correction: (CorrectionChange & { readonly settingsVersion: string }) | null;
}

/** A correction that replaces the one that was read; null: it is the first with its key. */
export interface CorrectionChange {
  readonly seen: StoredCorrection | null;
  readonly next: StoredCorrection;
}
