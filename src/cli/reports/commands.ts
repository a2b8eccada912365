// The commands about reports and their arguments. What they do is in reports.ts.
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { domainOf } from "../../shared/domain-name.ts";
import type { AccountingCategory, Counterparty } from "../../model/facts.ts";
import {
  CORRECTED_ADDRESS_LENGTH_MAX,
  CORRECTED_NAME_LENGTH_MAX,
  type CorrectedFields,
  REJECTION_REASON_LENGTH_MAX,
  REPORT_STATUSES,
  type ReportMove,
  type ReportStatus,
} from "../../model/report.ts";
import { parseLimit, parseOrganization, type SetExitCode } from "../arguments.ts";
import {
  dropCorrection,
  listCorrections,
  listReports,
  moveReport,
  type ReportCommandDeps,
  showReport,
} from "./reports.ts";

export interface ReportCliDeps {
  /** Opens the reports for one command and closes them after it. */
  withReports(command: (deps: ReportCommandDeps) => Promise<number>): Promise<number>;
}

const SHOWN = 50;
const ACCOUNTING: readonly AccountingCategory[] = [
  "operational expenses",
  "cost of goods sold",
  "revenue",
  "financing",
  "taxes",
  "investing",
  "not enough information",
];

export function addReportCommands(program: Command, deps: ReportCliDeps, done: SetExitCode): void {
  const reports = program
    .command("reports")
    .description("list and resolve reports of customers; list and delete corrections");
  addLooking(reports, deps, done);
  addMoves(reports, deps, done);
  addCorrections(reports, deps, done);
}

interface ListFlags {
  readonly organization?: string;
  readonly limit: number;
}

const withListFlags = (command: Command): Command =>
  command
    .option("--organization <name>", "only of this organization", parseOrganization)
    .option("--limit <number>", "number of reports at most", parseLimit, SHOWN);

function addLooking(reports: Command, { withReports }: ReportCliDeps, done: SetExitCode): void {
  withListFlags(reports.command("list"))
    .description("list reports of all organizations, oldest first")
    .addOption(new Option("--status <status>", "only these").choices(REPORT_STATUSES))
    .action(async (flags: ListFlags & { readonly status?: ReportStatus }) => {
      const { organization = null, status = null, limit } = flags;
      done(await withReports((part) => listReports(part, organization, status, limit)));
    });
  reports
    .command("show <id>")
    .description("print a report as JSON, with its current transaction")
    .action(async (id: string) => {
      done(await withReports((part) => showReport(part, id)));
    });
}

interface MoveFlags {
  readonly reason?: string;
  // Empty: the transaction has no counterparty.
  readonly merchant?: string;
  readonly website?: string;
  readonly type?: Counterparty["type"];
  readonly category?: string;
  readonly accounting?: AccountingCategory;
  readonly location?: string;
}

function addMoves(reports: Command, { withReports }: ReportCliDeps, done: SetExitCode): void {
  reports
    .command("move <id>")
    .description("change the status of a report; a resolved one may have the correct values")
    .addArgument(new Argument("<status>", "the new status").choices(REPORT_STATUSES.slice(1)))
    .option("--reason <text>", "reason of a rejection", parseReason)
    .option("--merchant <name>", "the correct counterparty (empty: none)", parseFieldName)
    .option("--website <domain>", "website of the merchant (empty: none)", parseWebsite)
    .addOption(
      new Option("--type <type>", "type of the counterparty").choices(["person", "organization"]),
    )
    .option(
      "--category <name>",
      "a built-in category or one of the holder's set (empty: none)",
      parseFieldName,
    )
    .addOption(new Option("--accounting <name>", "accounting category").choices(ACCOUNTING))
    .option("--location <address>", "the correct location (empty: none)", parseAddress)
    .action(
      async (
        id: string,
        status: ReportStatus,
        { reason, ...corrected }: MoveFlags,
        command: Command,
      ) => {
        const move = moveOf(status, reason, fieldsOf(corrected));
        if (typeof move === "string") command.error(`error: ${move}`);
        else done(await withReports((part) => moveReport(part, id, move)));
      },
    );
}

const fieldsOf = (flags: Omit<MoveFlags, "reason">): CorrectedFields =>
  Object.fromEntries(
    Object.entries(flags).map(([field, text]) => [field, text === "" ? null : text]),
  );

/** The move, or what is wrong about it. */
function moveOf(
  status: ReportStatus,
  reason: string | undefined,
  corrected: CorrectedFields,
): ReportMove | string {
  const isCorrected = Object.keys(corrected).length > 0;
  if (status !== "resolved" && isCorrected) return "a correction needs --status resolved.";
  if (status === "rejected")
    return reason === undefined
      ? "a rejected report needs a --reason."
      : { status, rejectionReason: reason };
  if (reason !== undefined) return "only a rejected report has a --reason.";
  const { merchant, website, type } = corrected;
  if (merchant === null && (typeof website === "string" || type !== undefined))
    return "with an empty --merchant, --website and --type are not allowed.";
  return status === "resolved"
    ? { status, corrected: isCorrected ? corrected : null }
    : { status: "pending" };
}

function addCorrections(reports: Command, { withReports }: ReportCliDeps, done: SetExitCode): void {
  const corrections = reports
    .command("corrections")
    .description("learned corrections of resolved reports");
  withListFlags(corrections.command("list"))
    .description("list corrections, newest first")
    .action(async (flags: ListFlags) => {
      const { organization = null, limit } = flags;
      done(await withReports((part) => listCorrections(part, organization, limit)));
    });
  corrections
    .command("drop <id>")
    .description("delete a correction: later transactions are recognised without it")
    .action(async (id: string) => {
      done(await withReports((part) => dropCorrection(part, id)));
    });
}

function parseReason(text: string): string {
  const reason = boundedText(text, REJECTION_REASON_LENGTH_MAX);
  if (reason === "") throw new InvalidArgumentError("At least one character.");
  return reason;
}

const parseFieldName = (text: string): string => boundedText(text, CORRECTED_NAME_LENGTH_MAX);

const parseAddress = (text: string): string => boundedText(text, CORRECTED_ADDRESS_LENGTH_MAX);

function parseWebsite(text: string): string {
  const website = boundedText(text, CORRECTED_NAME_LENGTH_MAX);
  if (website === "") return website;
  const domain = domainOf(website);
  if (domain === null) throw new InvalidArgumentError("A domain such as example.com.");
  return domain;
}

/** Without the spaces around it. */
function boundedText(text: string, max: number): string {
  const trimmed = text.trim();
  if (Array.from(trimmed).length > max)
    throw new InvalidArgumentError(`At most ${String(max)} characters.`);
  return trimmed;
}
