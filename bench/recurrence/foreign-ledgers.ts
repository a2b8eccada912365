// Labelled ledgers of generators that other projects wrote. The files are not part of the project (see CONTRIBUTING.md).
// Reported apart, and never used to set a threshold. A detector sees dates, amounts and the text of the row; the name of the
// counterparty is derived from that text alone.
import type { Periodicity, IncomeType } from "../../src/model/recurrence.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { DATA_FOLDER } from "../../test/eval/real-lines.ts";
import { formatDay, parseDay } from "../../workers/recurrence/calendar/days.ts";
import {
  isShown,
  type LabelledLedger,
  type LedgerTransactionSample,
  type TruePayment,
  type TrueSeries,
} from "./samples.ts";

const FILES = [
  "bank-mcp-us.csv.gz",
  "fava-example.csv.gz",
  "fava-huge.csv.gz",
  "fava-long.csv.gz",
  "gigurra-sek.csv",
] as const;

/** The last days of a file show what comes next, so the ledger ends before them. */
const NEXT_SHOWN_DAYS = 35;

const PERIODICITY_OF: Readonly<Record<string, Periodicity>> = {
  P1M: "monthly",
  "P1M~": "monthly",
  P2W: "bi-weekly",
  "P15D(1st,15th)": "semi-monthly",
};
const PERIOD_DAYS_OF: Readonly<Record<string, number>> = { P2W: 14, "P15D(1st,15th)": 15 };
const MONTH_DAYS = 31;

/** Kinds of series that are income, when they are incoming. */
const INCOME_OF: Readonly<Record<string, IncomeType>> = {
  salary: "salary",
  freelance_fixed: "freelance",
  interest: "interest and dividends",
};

type CsvRow = Readonly<Record<string, string>>;

/**
 * The payee in front of ` | `, or the text; without words that have digits (references) and endings of domains.
 * @returns the text itself where nothing is left
 */
export function nameOfText(description: string): string {
  const [payee = ""] = description.split(" | ");
  const words = payee
    .replaceAll(/[*_]/gu, " ")
    .split(/\s+/u)
    .filter((word) => word !== "" && !/\d/u.test(word))
    .map((word) => word.replace(/\.(?:com|net|org)$/iu, ""));
  return words.length === 0 ? payee : words.join(" ");
}

function sampleOf(row: CsvRow, index: number): LedgerTransactionSample {
  const amount = Number(row["amount"]);
  const description = row["description"] ?? "";
  const name = nameOfText(description);
  return {
    ...{ id: `t${String(index + 1)}`, date: row["date"] ?? "", description },
    amount: Math.abs(amount),
    entryType: amount < 0 ? "outgoing" : "incoming",
    currency: row["currency"] ?? "USD",
    counterparty: { id: null, name, website: null, type: "organization" },
    ...{ category: null, intermediary: null },
  };
}

interface LabelledRow {
  readonly entry: LedgerTransactionSample;
  readonly row: CsvRow;
}

function foreignSeries(id: string, rows: readonly LabelledRow[], asOf: string): TrueSeries | null {
  const members = rows.filter(({ entry }) => entry.date <= asOf);
  const [first] = rows;
  const last = members.at(-1);
  if (first === undefined || last === undefined) return null;
  const period = first.row["period"] ?? "";
  const kind = first.row["series_kind"] ?? "";
  const periodicity = PERIODICITY_OF[period];
  if (periodicity === undefined) throw new Error(`The period '${period}' of ${id} is not known`);
  const later = rows.find(({ entry }) => entry.date > asOf)?.entry;
  const next: TruePayment | null =
    later === undefined ? null : { date: later.date, amount: later.amount };
  const days = PERIOD_DAYS_OF[period] ?? MONTH_DAYS;
  const lateDays = parseDay(asOf) - parseDay(last.entry.date) - days;
  return {
    ...{ id, case: kind, periodicity, runs: [], next },
    transactionIds: members.map(({ entry }) => entry.id),
    isRequired: isShown(periodicity, members.length, false),
    isActive: next !== null ? true : lateDays > days / 4 ? false : null,
    incomeType: first.entry.entryType === "incoming" ? (INCOME_OF[kind] ?? null) : null,
  };
}

function holderLedger(id: string, rows: readonly LabelledRow[]): LabelledLedger {
  const last = rows.at(-1)?.entry.date ?? "1970-01-01";
  const asOf = formatDay(parseDay(last) - NEXT_SHOWN_DAYS);
  const shown = rows.filter(({ entry }) => entry.date <= asOf);
  const bySeries = Map.groupBy(rows, ({ row }) => row["series_id"] ?? "");
  const series = [...bySeries]
    .filter(([seriesId]) => seriesId !== "")
    .map(([seriesId, members]) => foreignSeries(seriesId, members, asOf));
  return {
    ...{ id, level: "public", asOf },
    entries: shown.map(({ entry }) => entry),
    series: series.filter((one) => one !== null),
    cases: new Map(
      shown.map(({ entry, row }) => {
        const kind = row["series_kind"] ?? "";
        return [entry.id, kind === "" ? "not a series" : kind];
      }),
    ),
    ignored: new Set(),
  };
}

function fileLedgers(folder: string, file: string): readonly LabelledLedger[] {
  const bytes = readFileSync(join(folder, file));
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const rows: readonly CsvRow[] = parse(text, { bom: true, columns: true });
  const sorted = rows.toSorted((a, b) => (a["date"] ?? "").localeCompare(b["date"] ?? ""));
  const labelled = sorted.map((row, index) => ({ row, entry: sampleOf(row, index) }));
  const byHolder = Map.groupBy(labelled, ({ row }) => row["holder"] ?? "");
  return [...byHolder].map(([holder, of]) =>
    holderLedger(holder === "" ? file : `${file}: ${holder}`, of),
  );
}

/**
 * A ledger for each holder of the public files.
 * @param folder with a folder `ledgers`
 * @returns null when the folder does not exist
 */
export function readForeignLedgers(folder: string = DATA_FOLDER): readonly LabelledLedger[] | null {
  const ledgers = join(folder, "ledgers");
  if (!existsSync(ledgers)) return null;
  return FILES.filter((file) => existsSync(join(ledgers, file))).flatMap((file) =>
    fileLedgers(ledgers, file),
  );
}
