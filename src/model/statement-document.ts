// A bank statement that was submitted: the stored document, what is read from it, and what the API needs of the stage.
import type { BankStatement, StatementFault, StatementHeaderResult } from "./bank-statement.ts";
import type { HolderType } from "./transaction.ts";

/**
 * queued → processing → processed or failed; processed → unenriched, when its transactions could not be enriched. v3 names the first two
 * `processing`, what was read `completed`, the last `error`.
 */
export const STATEMENT_STATUSES = [
  "queued",
  "processing",
  "processed",
  "unenriched",
  "failed",
] as const;
export type StatementStatus = (typeof STATEMENT_STATUSES)[number];

/** Whether the document was read: only then it has results. */
export const isRead = (status: StatementStatus): boolean =>
  status === "processed" || status === "unenriched";

/** Why a document failed: a fault of the document, or `internal_error` after its second crash. */
export type StatementFailure = StatementFault | "internal_error";

export interface StatementDocument {
  readonly org: string;
  /** UUID. */
  readonly id: string;
  /** Of the uploaded file, or as renamed. */
  readonly name: string | null;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly status: StatementStatus;
  /** Bytes. */
  readonly size: number;
  /** 0 until it was read. */
  readonly pages: number;
  readonly accountHolderId: string | null;
  /** Of v2: the type of account by which the transactions are categorised where there is no account holder. */
  readonly accountType: HolderType | null;
  /** ISO 4217, of v2: for accounts that print none. */
  readonly currency: string | null;
  /** Null unless it failed. */
  readonly failure: StatementFailure | null;
  /** The batch in which the transactions are enriched; null before it was read, or without transactions. */
  readonly batchId: string | null;
}

export type StatementKey = Pick<StatementDocument, "org" | "id">;

/** A document with what only its processing needs. */
export interface StoredStatement extends StatementDocument {
  /** Encrypted; null: there is none, or the document is done. */
  readonly password: string | null;
  /** How often its reader was lost. */
  readonly crashes: number;
}

/** What the end of its processing sets of a document. */
export type StatementEnd = Pick<StatementDocument, "failure" | "batchId" | "pages"> & {
  readonly status: "processed" | "failed";
};

/** A page of a list by a place in it. */
export interface StatementQuery {
  /** Milliseconds; the first is inclusive, the second exclusive. */
  readonly createdAfter: number | null;
  readonly createdBefore: number | null;
  readonly status: readonly StatementStatus[] | null;
  readonly after: readonly [createdAt: number, id: string] | null;
  readonly limit: number;
}

/** A page of a list by its number, from 0. `query`: a part of the name, in any letter case. */
export interface NumberedStatements {
  /** Null: any; else any of these. */
  readonly status: readonly StatementStatus[] | null;
  readonly accountHolderId: string | null;
  readonly query: string | null;
  readonly order: "asc" | "desc";
  readonly page: number;
  readonly perPage: number;
}

/** A document with what was read, once it is processed. */
export interface StatementReading {
  readonly document: StatementDocument;
  readonly statement: BankStatement;
  /** Ids of the transactions, by account and row: deterministic, so that a repeated reading gives the same ones. */
  readonly transactionIds: readonly (readonly string[])[];
  /** What the transactions of each account are submitted with, also where nothing is printed. */
  readonly submitted: readonly {
    /** ISO 4217. */
    readonly currency: string;
    /** YYYY-MM-DD, by row. */
    readonly dates: readonly string[];
  }[];
}

export interface StatementUpload {
  /** Of a submission that may be repeated: a UUID for the document, whose outcome is that of the first. Left out: a new one. */
  readonly id?: string;
  readonly name: string | null;
  /** Read once, never held as a whole. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Of a locked PDF; null: none. Kept encrypted until the document is read. */
  readonly password: string | null;
  readonly accountHolderId: string | null;
  /** Of v2: makes an account holder that is not there, once the file is accepted. */
  readonly accountType: HolderType | null;
  readonly currency: string | null;
}

/** Refused before anything is kept. */
export type StatementRefusal = "too_large" | "unsupported_type" | "empty" | "holder_not_found";

export type StatementSubmission =
  | { readonly ok: true; readonly document: StatementDocument }
  | { readonly ok: false; readonly reason: StatementRefusal };

/** Null: no such document. `not_processed`: its status is another one. */
export type ReadingOutcome =
  | { readonly kind: "reading"; readonly reading: StatementReading }
  | { readonly kind: "not_processed"; readonly status: StatementStatus }
  | null;

/** The stage as the API sees it. All throw LedgerlineError `unavailable` when the store or the log cannot be reached. */
export interface Statements {
  /** Resolves once the file is stored and the work is in the log. */
  submit(org: string, upload: StatementUpload): Promise<StatementSubmission>;
  get(org: string, id: string): Promise<StatementDocument | null>;
  /** Newest first. `status`: any of these. */
  list(org: string, query: StatementQuery): Promise<readonly StatementDocument[]>;
  /** Of v2. */
  listPage(org: string, query: NumberedStatements): Promise<readonly StatementDocument[]>;
  /** Whether there is such a document. */
  rename(org: string, id: string, name: string): Promise<boolean>;
  /** Removes document, file and results; its transactions stay where they were enriched. Whether there was one. */
  remove(org: string, id: string): Promise<boolean>;
  reading(org: string, id: string): Promise<ReadingOutcome>;
  /** Reads the header of the first page now, ahead of all whole documents. Null: no such document. */
  verify(org: string, id: string): Promise<StatementHeaderResult | null>;
}

/** What went wrong, as a sentence for the submitter. */
export const STATEMENT_FAILURE_MESSAGES: Readonly<Record<StatementFailure, string>> = {
  unsupported_type: "The file is not a PDF, PNG or JPEG.",
  too_large: "The document has more in it than can be kept: submit its parts.",
  too_many_pages: "The document has too many pages: submit its parts.",
  too_many_pixels: "A picture in the document is too large.",
  damaged: "The file is damaged and cannot be opened.",
  password_needed: "The PDF is locked, and no password was sent with it.",
  password_wrong: "The PDF is locked, and the password that was sent does not open it.",
  no_text: "No text was found in the document.",
  no_transactions: "No transactions were found: the document does not look like a bank statement.",
  time_limit: "Reading the document took too long.",
  memory_limit: "Reading the document took too much memory.",
  internal_error: "The document could not be processed because of an internal error.",
};

const V3_STATUS = {
  queued: "processing",
  processing: "processing",
  processed: "completed",
  // Of v3, what is read from a document and what is found out about its transactions are two things.
  unenriched: "completed",
  failed: "error",
} as const satisfies Record<StatementStatus, string>;

/** The status in the words of the v3 API. */
export const shownStatementStatus = (status: StatementStatus): string => V3_STATUS[status];

/** The document as the v3 API and its events show it. */
export function statementResource(document: StatementDocument): {
  readonly id: string;
  readonly name: string | null;
  readonly status: (typeof V3_STATUS)[StatementStatus];
  readonly created_at: string;
  readonly file: { readonly no_pages: number; readonly size: number };
  readonly error: {
    readonly code: "invalid_bank_statement" | "internal_error";
    readonly message: string;
    readonly fault: StatementFailure;
  } | null;
} {
  const { id, name, status, createdAt, pages, size, failure } = document;
  const code = failure === "internal_error" ? failure : "invalid_bank_statement";
  return {
    id,
    name,
    status: V3_STATUS[status],
    created_at: new Date(createdAt).toISOString(),
    file: { no_pages: pages, size },
    error:
      failure === null
        ? null
        : { code, message: STATEMENT_FAILURE_MESSAGES[failure], fault: failure },
  };
}
