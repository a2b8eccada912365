import type { Facts } from "../../../model/facts.ts";
import type { TransactionStatus } from "../parsed-file.ts";
import type { RunRow } from "../run/run-files.ts";
import type { CurrencyReader } from "../values/currency.ts";
import { printable } from "../values/printable.ts";
import { withoutNumbers } from "./clean-name.ts";

/** Counts what was found while the records pass, in bounded memory. */
export interface Tally {
  add(row: RunRow): void;
  /** Rows so far. */
  rows(): number;
  /** Rows that got facts. */
  enriched(): number;
  /** Messages about the first bad lines, then their number. */
  badLines(): string[];
  /** The table at the end. `elapsedMs`: of the whole run. */
  summary(elapsedMs: number): string[];
}

interface TallyGroup {
  count: number;
  /** Integer minor units by currency; money arriving is positive. */
  readonly sums: Map<string, bigint>;
}

interface Counts {
  lines: number;
  enriched: number;
  bad: number;
  /** Rows with an organization that the knowledge does not have. */
  unknown: number;
  /** Rows without a counterparty. */
  nameless: number;
  duplicates: number;
  /** Rows whose category is from a column of the bank. */
  fromBankCategory: number;
  fromBankType: number;
  /** Rows left out of the sums because of their status. */
  readonly excluded: Map<TransactionStatus, number>;
  /** Words of status columns that are not known. */
  readonly unknownStatuses: Map<string, number>;
}

const BAD_LINES_SHOWN_MAX = 20;
const ROWS_SHOWN_MAX = 10;
/** Distinct words of status columns that are counted and shown. */
const UNKNOWN_STATUSES_MAX = 10;
/** With fewer lines the time is mostly that of the start. */
const RATE_LINES_MIN = 10_000;
/** Merchants counted at the same time. When there are more, the rare half is dropped, so only rare ones are undercounted. */
const MERCHANTS_MAX = 50_000;

/** @param files their names, for messages */
export function createTally(currencies: CurrencyReader, files: readonly string[]): Tally {
  const counts: Counts = {
    ...{
      lines: 0,
      enriched: 0,
      bad: 0,
      unknown: 0,
      nameless: 0,
      duplicates: 0,
      fromBankCategory: 0,
      fromBankType: 0,
    },
    excluded: new Map(),
    unknownStatuses: new Map(),
  };
  const shown: string[] = [];
  const categories = new Map<string, TallyGroup>();
  const merchants = new Map<string, number>();
  const unknown = new Map<string, number>();
  const names = new Map<string, string>();
  const addCounterparty = ({ entities }: Facts): void => {
    const { name = null, type, website } = entities?.counterparty ?? {};
    if (name === null) counts.nameless += 1;
    else if (type === "organization" && website === null) {
      counts.unknown += 1;
      const group = withoutNumbers(name).toLowerCase();
      if (!names.has(group) && names.size <= MERCHANTS_MAX) names.set(group, withoutNumbers(name));
      countMerchant(unknown, group);
    } else countMerchant(merchants, name);
  };
  return {
    add: (row) => {
      counts.lines += 1;
      if (row.facts === null) {
        counts.bad += 1;
        if (shown.length < BAD_LINES_SHOWN_MAX) {
          const file = printable(files[row.file] ?? "", 200);
          const reason = printable(row.error ?? "no result", 200);
          shown.push(`${file}, line ${String(row.line)}: ${reason}`);
        }
        return;
      }
      counts.enriched += 1;
      if (row.categorySource === "bank_category") counts.fromBankCategory += 1;
      if (row.categorySource === "bank_type") counts.fromBankType += 1;
      if (isCounted(row, counts)) addToCategory(categories, row, currencies);
      addCounterparty(row.facts);
    },
    rows: () => counts.lines,
    enriched: () => counts.enriched,
    badLines: () => {
      const more = counts.bad - shown.length;
      return more > 0 ? [...shown, `… and ${formatCount(more)} more bad lines`] : shown;
    },
    summary: (elapsedMs) => [
      ...categoryTable(categories, currencies),
      ...merchantTable(merchants, "Top merchants"),
      ...merchantTable(
        new Map([...unknown].map(([group, count]) => [names.get(group) ?? group, count])),
        "Unknown merchants",
      ),
      "",
      ...bankLines(counts),
      ...excludedLines(counts),
      totals(counts, unknown.size, elapsedMs),
    ],
  };
}

/** Money that did not move, or that another file has already counted, is left out of the sums. */
function isCounted({ reading, duplicateOf }: RunRow, counts: Counts): boolean {
  if (duplicateOf !== null) {
    counts.duplicates += 1;
    return false;
  }
  if (!reading.ok) return true;
  const { status, unknownStatus } = reading.transaction;
  if (unknownStatus !== null) countUnknownStatus(counts.unknownStatuses, unknownStatus);
  if (status === "booked") return true;
  counts.excluded.set(status, (counts.excluded.get(status) ?? 0) + 1);
  return false;
}

function countUnknownStatus(words: Map<string, number>, word: string): void {
  const count = words.get(word);
  if (count !== undefined || words.size < UNKNOWN_STATUSES_MAX) words.set(word, (count ?? 0) + 1);
}

function excludedLines({ excluded, unknownStatuses, duplicates }: Counts): string[] {
  const lines: string[] = [];
  if (excluded.size > 0) {
    const texts = [...excluded].map(([status, count]) => `${formatCount(count)} ${status}`);
    lines.push(`left out of the sums by their status: ${texts.join(", ")}`);
  }
  if (unknownStatuses.size > 0) {
    const texts = [...unknownStatuses].map(
      ([word, count]) => `"${printable(word, 40)}" (${formatCount(count)})`,
    );
    lines.push(`unknown status, counted as booked: ${texts.join(", ")}`);
  }
  if (duplicates > 0)
    lines.push(
      `left out of the sums as duplicates of another file: ${formatCount(duplicates)} (same date, amount, currency and description, and the same account and id where both rows have one)`,
    );
  return lines;
}

function bankLines({ fromBankCategory, fromBankType }: Counts): string[] {
  if (fromBankCategory + fromBankType === 0) return [];
  return [
    `categories from the bank's own columns: ${formatCount(fromBankCategory)} from its category, ${formatCount(fromBankType)} from its type`,
  ];
}

function totals(counts: Counts, unknownNames: number, elapsedMs: number): string {
  const seconds = elapsedMs / 1000;
  const isSpeed = seconds > 0 && counts.lines >= RATE_LINES_MIN;
  const rate = isSpeed ? ` (${formatCount(Math.round(counts.lines / seconds))} lines/s)` : "";
  const share = counts.enriched === 0 ? 0 : (counts.unknown / counts.enriched) * 100;
  const names =
    counts.unknown === 0
      ? ""
      : `, ${formatCount(unknownNames)} ${unknownNames === 1 ? "name" : "names"}`;
  return [
    `lines ${formatCount(counts.lines)}`,
    `enriched ${formatCount(counts.enriched)}`,
    `bad ${formatCount(counts.bad)}`,
    `unknown merchants ${formatCount(counts.unknown)} (${share.toFixed(1)} %${names})`,
    ...(counts.nameless === 0 ? [] : [`no counterparty ${formatCount(counts.nameless)}`]),
    `${seconds.toFixed(1)} s${rate}`,
  ].join(" · ");
}

function addToCategory(
  categories: Map<string, TallyGroup>,
  { facts, reading }: RunRow,
  currencies: CurrencyReader,
): void {
  const name = facts?.categories?.general ?? "(no category)";
  const group = categories.get(name) ?? { count: 0, sums: new Map<string, bigint>() };
  group.count += 1;
  if (reading.ok) {
    const { amount, currency } = reading.transaction;
    const size = currencies.minorUnits(Math.abs(Number(amount)), currency);
    const minor = amount.startsWith("-") ? -size : size;
    group.sums.set(currency, (group.sums.get(currency) ?? 0n) + minor);
  }
  categories.set(name, group);
}

function countMerchant(merchants: Map<string, number>, name: string): void {
  const count = merchants.get(name);
  merchants.set(name, (count ?? 0) + 1);
  if (count !== undefined || merchants.size <= MERCHANTS_MAX) return;
  const rare = [...merchants].sort((a, b) => a[1] - b[1]).slice(0, MERCHANTS_MAX / 2);
  for (const [rareName] of rare) merchants.delete(rareName);
}

function categoryTable(
  categories: ReadonlyMap<string, TallyGroup>,
  currencies: CurrencyReader,
): string[] {
  if (categories.size === 0) return [];
  const rows = [...categories]
    .sort(([, a], [, b]) => b.count - a.count)
    .slice(0, ROWS_SHOWN_MAX)
    .map(([name, group]) => {
      const sums = [...group.sums].sort(([a], [b]) => a.localeCompare(b));
      const texts = sums.map(
        ([currency, sum]) => `${currencies.format(sum, currency)} ${currency}`,
      );
      return [printable(name), formatCount(group.count), texts.join(", ")];
    });
  return ["", ...alignTable([["Top categories", "count", "net sum"], ...rows])];
}

function merchantTable(merchants: ReadonlyMap<string, number>, title: string): string[] {
  if (merchants.size === 0) return [];
  const rows = [...merchants]
    .sort(([, a], [, b]) => b - a)
    .slice(0, ROWS_SHOWN_MAX)
    .map(([name, count]) => [printable(name), formatCount(count), ""]);
  return ["", ...alignTable([[title, "count", ""], ...rows])];
}

/** First column to the left, the others to the right. */
function alignTable(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

function formatCount(count: number): string {
  return count.toLocaleString("en");
}
