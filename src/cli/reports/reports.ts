// ledgerline reports: what customers say is wrong, and what is made of it.
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import {
  type CorrectionDone,
  type MoveRefusal,
  refusalWords,
  type Report,
  type ReportMove,
  reportResource,
  type ReportStatus,
  type StoredCorrection,
} from "../../model/report.ts";
import { alignColumns } from "../columns.ts";
import { safeText } from "../explain/table.ts";

/** What the commands need of reports. */
export interface ReportCommandPort {
  /** Oldest first. */
  list(
    filter: { readonly org: string | null; readonly status: ReportStatus | null },
    limit: number,
  ): Promise<readonly Report[]>;
  details(id: string): Promise<{
    readonly report: Report;
    /** Null when it was deleted. */
    readonly transaction: LedgerTransaction | null;
  } | null>;
  move(
    id: string,
    move: ReportMove,
  ): Promise<
    | { readonly ok: true; readonly report: Report; readonly corrected: CorrectionDone | null }
    | { readonly ok: false; readonly refusal: MoveRefusal }
  >;
  /** Newest first; null: of all organizations. */
  corrections(org: string | null, limit: number): Promise<readonly StoredCorrection[]>;
  /** False when there is no such correction. */
  dropCorrection(id: string): Promise<boolean>;
}

export interface ReportCommandDeps {
  readonly reports: ReportCommandPort;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Of the customer's words: enough to see what a report is about. */
const WORDS_LENGTH_MAX = 60;

/** One line each, those that have been waiting longest first. */
export async function listReports(
  deps: ReportCommandDeps,
  org: string | null,
  status: ReportStatus | null,
  limit: number,
): Promise<number> {
  const reports = await deps.reports.list({ org, status }, limit);
  const rows = reports.map((report) => [
    report.id,
    report.org,
    report.status,
    isoOf(report.createdAt),
    report.transactionId,
    report.fields.join(",") || "-",
    firstOf(report.description) || "-",
  ]);
  const head = ["ID", "ORGANIZATION", "STATUS", "CREATED", "TRANSACTION", "FIELDS", "WORDS"];
  print(deps, [head, ...rows]);
  return moreOf(deps, reports.length, limit);
}

/** Everything about one as JSON, with its transaction as it is now. */
export async function showReport(deps: ReportCommandDeps, id: string): Promise<number> {
  const found = await deps.reports.details(id);
  if (found === null) return refused(deps, "Report not found");
  const { report, transaction } = found;
  const shown = {
    ...reportResource(report),
    org: report.org,
    updated_at: isoOf(report.updatedAt),
    expected: report.expected,
    transaction: transaction === null ? null : transactionOf(transaction),
  };
  deps.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
  return 0;
}

/** Takes a report up, resolves it or rejects it. */
export async function moveReport(
  deps: ReportCommandDeps,
  id: string,
  move: ReportMove,
): Promise<number> {
  const outcome = await deps.reports.move(id, move);
  if (!outcome.ok) return refused(deps, refusalWords(outcome.refusal, move.status));
  deps.stderr.write(`Report ${id} is ${outcome.report.status}. ${wordsOf(outcome.corrected)}\n`);
  return 0;
}

/** One line each: which lines are corrected, and the corrected fields. */
export async function listCorrections(
  deps: ReportCommandDeps,
  org: string | null,
  limit: number,
): Promise<number> {
  const corrections = await deps.reports.corrections(org, limit);
  const rows = corrections.map((one) => [
    one.id,
    one.org,
    isoOf(one.updatedAt),
    one.entryType,
    one.accountType ?? "-",
    one.cleanName,
    Object.entries(one.parts).map(partWords).join("; "),
  ]);
  const head = ["ID", "ORGANIZATION", "CHANGED", "DIRECTION", "ACCOUNT", "NAME", "CORRECTED TO"];
  print(deps, [head, ...rows]);
  return moreOf(deps, corrections.length, limit);
}

/** Deletes a learned correction; it no longer applies to later lines. */
export async function dropCorrection(deps: ReportCommandDeps, id: string): Promise<number> {
  if (!(await deps.reports.dropCorrection(id))) return refused(deps, "Correction not found");
  deps.stderr.write(
    `Correction ${id} was deleted: later transactions are recognised without it.\n`,
  );
  return 0;
}

function transactionOf({ input, createdAt, facts, error }: LedgerTransaction): object {
  return {
    id: input.id,
    description: input.description,
    date: input.date,
    amount: input.amount,
    entry_type: input.entryType,
    currency: input.currency,
    account_holder_id: input.accountHolderId,
    created_at: isoOf(createdAt),
    ...(facts === null ? {} : (JSON.parse(facts) as object)),
    error,
  };
}

function wordsOf(corrected: CorrectionDone | null): string {
  if (corrected === null) return "Nothing was corrected.";
  const { transaction, cleanName, correctionId } = corrected;
  if (!transaction) return "The transaction was deleted, so it was not corrected.";
  return correctionId === null
    ? "The transaction is corrected. Its line has no name, so later lines are not corrected."
    : `The transaction is corrected; later lines with the name ${safeText(cleanName)} will be corrected as well (correction ${correctionId}).`;
}

type Part = StoredCorrection["parts"][keyof StoredCorrection["parts"]];

function partWords([name, part]: readonly [string, Part]): string {
  if (part === null || part === undefined) return `${name}: none`;
  if ("raw_address" in part) return `${name}: ${part.raw_address ?? "none"}`;
  if ("general" in part) {
    const words = [part.general ?? "none", part.accounting].filter((word) => word !== null);
    return `${name}: ${words.join(", ")}`;
  }
  return `${name}: ${[part.name, part.website].filter((word) => word !== null).join(", ")}`;
}

const isoOf = (at: number): string => new Date(at).toISOString();

function firstOf(text: string): string {
  const characters = Array.from(text);
  const isLong = characters.length > WORDS_LENGTH_MAX;
  return isLong ? `${characters.slice(0, WORDS_LENGTH_MAX - 1).join("")}…` : text;
}

function moreOf({ stderr }: ReportCommandDeps, shown: number, limit: number): number {
  if (shown >= limit) stderr.write(`There may be more than these ${String(limit)}: see --limit.\n`);
  return 0;
}

function refused({ stderr }: ReportCommandDeps, words: string): number {
  stderr.write(`${words}.\n`);
  return 1;
}

function print({ stdout }: ReportCommandDeps, rows: readonly (readonly string[])[]): void {
  for (const line of alignColumns(rows.map((row) => row.map(safeText)))) stdout.write(`${line}\n`);
}
