import type { CurrencyReader } from "../values/currency.ts";
import { printable } from "../values/printable.ts";
import type { FinishedRow } from "../run/enrich-chunks.ts";

/** Counts what was found while the records pass, in bounded memory. */
export interface Tally {
  add(record: FinishedRow): void;
  /** Lines that got facts. */
  enriched(): number;
  /** Messages about the first bad lines, then their number. */
  badLines(): string[];
  /** The table at the end. `elapsedMs`: of the whole run. */
  summary(elapsedMs: number): string[];
}

interface Group {
  count: number;
  /** Integer minor units by currency; money arriving is positive. */
  readonly sums: Map<string, bigint>;
}

const BAD_LINES_SHOWN_MAX = 20;
const ROWS_SHOWN_MAX = 10;
/** Of fewer lines the time says only how long a start takes. */
const RATE_LINES_MIN = 10_000;
/** Merchants counted at the same time. When there are more, the rare half is forgotten, so only the rare are undercounted. */
const MERCHANTS_MAX = 50_000;

export function createTally(currencies: CurrencyReader): Tally {
  const counts = { lines: 0, enriched: 0, bad: 0, unknown: 0 };
  const shown: string[] = [];
  const categories = new Map<string, Group>();
  const merchants = new Map<string, number>();
  return {
    add: (record) => {
      counts.lines += 1;
      if (record.facts === null) {
        counts.bad += 1;
        if (shown.length < BAD_LINES_SHOWN_MAX) {
          shown.push(`line ${String(record.line)}: ${printable(record.error ?? "no result", 200)}`);
        }
        return;
      }
      counts.enriched += 1;
      addToCategory(categories, record, currencies);
      const name = record.facts.entities?.counterparty?.name ?? null;
      if (name === null) counts.unknown += 1;
      else countMerchant(merchants, name);
    },
    enriched: () => counts.enriched,
    badLines: () => {
      const more = counts.bad - shown.length;
      return more > 0 ? [...shown, `… and ${formatCount(more)} more bad lines`] : shown;
    },
    summary: (elapsedMs) => [
      ...categoryTable(categories, currencies),
      ...merchantTable(merchants),
      "",
      totals(counts, elapsedMs),
    ],
  };
}

function totals(
  counts: { lines: number; enriched: number; bad: number; unknown: number },
  elapsedMs: number,
): string {
  const seconds = elapsedMs / 1000;
  const isSpeed = seconds > 0 && counts.lines >= RATE_LINES_MIN;
  const rate = isSpeed ? ` (${formatCount(Math.round(counts.lines / seconds))} lines/s)` : "";
  const share = counts.enriched === 0 ? 0 : (counts.unknown / counts.enriched) * 100;
  return [
    `lines ${formatCount(counts.lines)}`,
    `enriched ${formatCount(counts.enriched)}`,
    `bad ${formatCount(counts.bad)}`,
    `unknown merchants ${formatCount(counts.unknown)} (${share.toFixed(1)} %)`,
    `${seconds.toFixed(1)} s${rate}`,
  ].join(" · ");
}

function addToCategory(
  categories: Map<string, Group>,
  { facts, reading }: FinishedRow,
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
  categories: ReadonlyMap<string, Group>,
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

function merchantTable(merchants: ReadonlyMap<string, number>): string[] {
  if (merchants.size === 0) return [];
  const rows = [...merchants]
    .sort(([, a], [, b]) => b - a)
    .slice(0, ROWS_SHOWN_MAX)
    .map(([name, count]) => [printable(name), formatCount(count), ""]);
  return ["", ...alignTable([["Top merchants", "count", ""], ...rows])];
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
