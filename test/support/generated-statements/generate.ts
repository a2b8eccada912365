// Bank statements as files, made from a seed, each with its truth in the form of the public samples. Layouts are drawn with the
// words of every country and sent through every medium. Odd seeds are holdout: they are measured and never looked at.
import type { StatementVerdict } from "../../../src/model/bank-statement.ts";
import { toDecimal } from "../../../workers/statements/money.ts";
import { createRandom, type Random } from "../random.ts";
import { type Country, COUNTRY_LIST, type GeneratedLocale } from "./countries.ts";
import { drawStatement } from "./draw.ts";
import { isBalancePrinted } from "./draw-rows.ts";
import { chooseFormat } from "./formats.ts";
import { GENERATED_LAYOUTS, type GeneratedLayout } from "./layouts.ts";
import { type Ledger, makeLedger, toIso, withContradiction } from "./ledger.ts";
import { isPicture, type StatementMedium, toMedium } from "./media.ts";
import { openSheet, SHEET_FONTS } from "./sheet.ts";

export interface GeneratedTruth {
  readonly layout: string;
  readonly locale: GeneratedLocale;
  readonly medium: StatementMedium;
  readonly isHoldout: boolean;
  readonly institution: string;
  readonly accountHolder: { readonly name: string; readonly type: string };
  readonly period: { readonly start: string; readonly end: string };
  readonly accounts: readonly {
    readonly number: string;
    readonly currency: string;
    readonly openingBalance: string;
    readonly closingBalance: string;
    readonly verdict: StatementVerdict;
    readonly transactions: readonly {
      readonly date: string;
      readonly amount: string;
      readonly direction: "credit" | "debit";
      /** null: not printed. */
      readonly balance: string | null;
    }[];
  }[];
}

export interface GeneratedStatement {
  /** With the ending of its type. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly truth: GeneratedTruth;
}

/** Seeds in which each layout has met each country once for development and once as holdout. */
export const SEEDS_OF_ALL = GENERATED_LAYOUTS.length * COUNTRY_LIST.length * 2;

/** Of the statements, those whose balances contradict an amount. */
const CONTRADICTION_SHARE = 0.12;
const ROWS_MAX = 60;
/** What fits on a page next to head and summary. */
const ROWS_OF_PICTURE_MAX = 14;
/** One lies level, so that its letters stand among the words. */
const WATERMARKS = [
  { text: "COPY", degrees: -45 },
  { text: "SPECIMEN", degrees: -30 },
  { text: "DUPLICATE", degrees: 30 },
  { text: "COPY", degrees: 0 },
] as const;
const DAY_MS = 86_400_000;

/**
 * The same file for the same seed and medium.
 * @param pictureRows most rows where the medium is a picture; fewer are taken where they do not fit on its page
 */
export async function generateStatement(
  seed: number,
  medium: StatementMedium,
  pictureRows = ROWS_OF_PICTURE_MAX,
): Promise<GeneratedStatement> {
  const pair = Math.floor(seed / 2);
  const layout = GENERATED_LAYOUTS[pair % GENERATED_LAYOUTS.length];
  const country = COUNTRY_LIST[pair % COUNTRY_LIST.length];
  if (layout === undefined || country === undefined) throw new Error("A seed is not negative.");
  const random = createRandom(seed * 7_919 + 17);
  const { start, end } = periodOf(random, layout);
  const ledgers = makeLedgers(random, country, layout, {
    start,
    rows: isPicture(medium) ? pictureRows : ROWS_MAX * layout.accounts,
    days: (end - start) / DAY_MS + 1,
  });
  const labels = random.pick(country.labels);
  const bank = random.pick(country.banks);
  const holder = random.pick(country.holders);
  const sheet = openSheet(
    random.pick(SHEET_FONTS),
    ["US", "CA"].includes(country.locale) ? "letter" : "A4",
    `${labels.title[0] ?? ""} ${toIso(end)}`,
    medium === "watermark" ? random.pick(WATERMARKS) : null,
  );
  const style = {
    size: random.pick([8, 8.5, 9]),
    ruled: random.pick(["lines", "stripes", "none", "grid"] as const),
    isHeadingDark: random.chance(0.3),
    hasHeadingOnce: layout.hasHeadingOnce,
    gap: random.pick([0.15, 0.4, 0.7]),
  };
  drawStatement(
    {
      ...{ sheet, random, country, labels, layout, style, bank, holder },
      format: chooseFormat(random, country, layout, labels),
      ...{ start: toIso(start), end: toIso(end) },
    },
    ledgers,
  );
  const pages = sheet.page;
  if (isPicture(medium) && pages > 1) return generateStatement(seed, medium, pictureRows - 2);
  const bytes = await toMedium(await sheet.end(), pages, medium, seed);
  return {
    name: `${medium}-${String(seed).padStart(4, "0")}.${isPicture(medium) ? "jpg" : "pdf"}`,
    bytes,
    truth: {
      ...{ layout: layout.name, locale: country.locale, medium, isHoldout: seed % 2 === 1 },
      ...{ institution: bank, accountHolder: { name: holder.name, type: holder.type } },
      period: { start: toIso(start), end: toIso(end) },
      accounts: ledgers.map((ledger) => truthOf(ledger, layout, country)),
    },
  };
}

/** A month, or from the middle of December to that of January. Times as Date.UTC gives them. */
function periodOf(random: Random, layout: GeneratedLayout): { start: number; end: number } {
  const year = random.integer(2023, 2025);
  if (!layout.hasYear) return { start: Date.UTC(year, 11, 14), end: Date.UTC(year + 1, 0, 13) };
  const month = random.integer(0, 11);
  return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 0) };
}

interface LedgerPlan {
  readonly start: number;
  readonly days: number;
  /** Most of all accounts together. */
  readonly rows: number;
}

function makeLedgers(
  random: Random,
  country: Country,
  layout: GeneratedLayout,
  { start, days, rows }: LedgerPlan,
): Ledger[] {
  const most = Math.max(Math.floor(rows / layout.accounts), 2);
  const least = Math.min(layout.rowsMin, most);
  const ledgers = Array.from({ length: layout.accounts }, () =>
    makeLedger(random, country, {
      ...{ from: start, days, isCard: layout.isCard, lines: layout.lines },
      rows: random.integer(least, most),
    }),
  );
  const [first, ...others] = ledgers;
  return first !== undefined && random.chance(CONTRADICTION_SHARE)
    ? [withContradiction(random, first), ...others]
    : ledgers;
}

function truthOf(
  ledger: Ledger,
  layout: GeneratedLayout,
  country: Country,
): GeneratedTruth["accounts"][number] {
  const { entries } = ledger;
  const isContradicted = entries.some(({ units, booked }) => units !== booked);
  return {
    ...{ number: ledger.number, currency: country.currency },
    openingBalance: toDecimal(ledger.opening, 2),
    closingBalance: toDecimal(ledger.closing, 2),
    verdict: isContradicted ? "not_reconciled" : "reconciled",
    transactions: entries.map(({ date, units, balance }, at) => ({
      date,
      amount: toDecimal(Math.abs(units), 2),
      direction: units < 0 ? "debit" : "credit",
      balance: isBalancePrinted(layout, entries, at) ? toDecimal(balance, 2) : null,
    })),
  };
}
