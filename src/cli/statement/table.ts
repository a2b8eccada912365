// What `ledgerline statement` prints for people: the header of each file, its accounts, and what to look at.
import type {
  BankStatement,
  StatementAccount,
  AccountEnd,
  StatementHeader,
  StatementHolder,
} from "../../model/bank-statement.ts";
import { alignColumns } from "../columns.ts";
import { printable } from "../enrich/values/printable.ts";

export interface FileStatement {
  readonly file: string;
  readonly statement: BankStatement;
}

const VERDICTS: Readonly<Record<StatementAccount["verdict"], string>> = {
  reconciled: "reconciled",
  reconciled_with_repairs: "reconciled with repairs",
  not_reconciled: "not reconciled",
  not_checkable: "not checkable",
};

/** Longer than every path and reason. */
const CELL_CHARACTERS_MAX = 4_096;
const HEADER_WORDS = ["Institution", "Holder", "Address", "Period", "Pages", "Signals", "File"];
const ACCOUNT_WORDS = [
  ...["Account", "Name", "Period", "Rows"],
  ...["Opening", "+ Sum", "= Closing", "Currency", "Verdict"],
];

/** Lines without their breaks: the headers, then the accounts, then repairs, breaks and signals. */
export function describeStatements(statements: readonly FileStatement[]): string[] {
  const hasSeveral = statements.length > 1;
  const accounts = statements.flatMap(({ file, statement }) =>
    statement.accounts.map((account) => [...(hasSeveral ? [file] : []), ...accountCells(account)]),
  );
  const notes = statements.flatMap(notesOf);
  return [
    ...alignSafely([HEADER_WORDS, ...statements.map(headerCells)]),
    "",
    ...alignSafely([[...(hasSeveral ? ["File"] : []), ...ACCOUNT_WORDS], ...accounts]),
    ...(notes.length === 0 ? [] : ["", ...notes.map(safe)]),
  ];
}

const alignSafely = (rows: readonly (readonly string[])[]): string[] =>
  alignColumns(rows.map((row) => row.map(safe)));

/** Documents come from strangers: no text of theirs may control the terminal. */
const safe = (text: string): string => printable(text, CELL_CHARACTERS_MAX);

function headerCells({ file, statement }: FileStatement): string[] {
  const { header, pages, signals } = statement;
  return [
    header.institution ?? "-",
    holderText(header.holder),
    addressText(header.holder),
    periodText(header.period),
    String(pages),
    signals.length === 0 ? "none" : String(signals.length),
    file,
  ];
}

function holderText(holder: StatementHolder | null): string {
  if (holder?.name == null) return holder?.type ?? "-";
  return holder.type === null ? holder.name : `${holder.name} (${holder.type})`;
}

function addressText(holder: StatementHolder | null): string {
  if (holder?.address == null) return "-";
  const { street, postcode, city, state, country } = holder.address;
  const parts = [street, postcode, city, state, country].filter((part) => part !== null);
  return parts.length === 0 ? "-" : parts.join(", ");
}

const periodText = (period: StatementHeader["period"]): string =>
  period === null ? "-" : `${period.start} to ${period.end}`;

function accountCells(account: StatementAccount): string[] {
  const { number, name, type, period, opening, isOpeningCalculated, closing } = account;
  return [
    number ?? "-",
    name ?? type ?? "-",
    periodText(period),
    String(account.transactions.length),
    opening === null ? "-" : `${opening}${isOpeningCalculated ? " (calculated)" : ""}`,
    account.sum,
    closing ?? "-",
    account.currency ?? "-",
    VERDICTS[account.verdict],
  ];
}

const UNPROVEN: Readonly<Record<AccountEnd, string>> = {
  opening_balance: "no opening balance is printed, so nothing proves the first amount",
  closing_balance: "no closing balance is printed, so nothing proves that the last row is there",
};

/** Where neither the rows nor a period have a year, the dates are a guess that the reader should see. */
function yearNotes({
  period,
  transactions,
}: Pick<StatementAccount, "period" | "transactions">): string[] {
  const days = transactions
    .flatMap(({ date, isYearInferred }) => (isYearInferred && date !== null ? [date] : []))
    .sort();
  const [first] = days;
  if (period !== null || first === undefined) return [];
  return [
    `no year is printed in ${String(days.length)} rows and no period; it was inferred: ${first} to ${days.at(-1) ?? first}`,
  ];
}

/** Inferred years, unproven ends, repairs and breaks by account, then the signals of a changed document. */
function notesOf({ file, statement }: FileStatement): string[] {
  const at = (page: number | null, row: number | null): string =>
    (page === null ? "" : `page ${String(page)}`) + (row === null ? "" : `, row ${String(row)}`);
  const ofAccounts = statement.accounts.flatMap(({ firstBreak, repairs, unproven, ...account }) => [
    ...yearNotes(account).map((note) => `${file}: ${note}`),
    ...unproven.map((end) => `${file}: ${UNPROVEN[end]}`),
    ...repairs.map(({ page, row, field, from, to }) =>
      field === "repeated_row"
        ? `${file}: ${at(page, null)}: row ${String(row)} of ${String(from)} is printed again and counted once`
        : from === null
          ? `${file}: ${at(page, row)}: ${field} ${to} follows from the others`
          : `${file}: ${at(page, row)}: ${field.replace("_", " ")} ${from} was read as ${to}`,
    ),
    ...(firstBreak === null
      ? []
      : [
          `${file}: ${at(firstBreak.page, firstBreak.row)}: the printed balance differs by ${firstBreak.difference}`,
        ]),
  ]);
  const signals = statement.signals.map(
    ({ kind, reason, page }) =>
      `${file}: ${page === null ? "document" : at(page, null)}: signal ${kind}: ${reason}`,
  );
  return [...ofAccounts, ...signals];
}
