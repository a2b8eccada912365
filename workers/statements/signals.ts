// What a forged document would show too, each with the numbers it rests on. Each alone is weak, and none changes a value.
import type {
  PrintedValue,
  StatementAccount,
  StatementSignal,
  StatementTransaction,
} from "../../src/model/bank-statement.ts";
import type { Box } from "./affine.ts";
import type { DocumentFacts, NumberFont } from "./document-facts.ts";
import type { PageWord } from "./words.ts";

export interface SignalInput {
  readonly accounts: readonly StatementAccount[];
  /** By how much the rows of an account are above both printed totals, where its balances are exact; null: they are not. */
  readonly aboveTotals: ReadonlyMap<StatementAccount, string | null>;
  readonly words: readonly PageWord[];
  /** Labelled account numbers that no account of the document has. */
  readonly otherNumbers: readonly string[];
  /** null: not known. */
  readonly facts: DocumentFacts | null;
}

const DAY_MS = 86_400_000;
const MODIFIED_DAYS_MIN = 1;
/** Transactions may be posted some days around a period. */
const PERIOD_DAYS = 3;
/** Values of a kind that must be alike before one that differs is rare. */
const LIKE_MIN = 8;
const LIKE_SHARE = 0.9;
const RARE_MAX = 2;
/** Points: below, any printer differs; above, it is another column. */
const MISALIGNED_MIN = 1;
const MISALIGNED_MAX = 12;
const ALIGNED = 0.3;
const NUMBER_DIGITS_DIFFERENT_MAX = 2;

/** All signals of a document. */
export function findSignals(input: SignalInput): StatementSignal[] {
  return [
    ...fileSignals(input.facts),
    ...coveredWords(input),
    ...rareFonts(input),
    ...input.accounts.flatMap((account) => [
      ...misalignedAmounts(account),
      ...arithmeticBreaks(account),
      ...totalsExceeded(input.aboveTotals.get(account) ?? null),
      ...datesOutside(account),
      ...dateOutOfOrder(account),
    ]),
    ...conflictingNumbers(input),
  ];
}

function fileSignals(facts: DocumentFacts | null): StatementSignal[] {
  if (facts === null) return [];
  const whole = { page: null, box: null };
  const usual = facts.isLinearized ? 2 : 1;
  const signals: StatementSignal[] = [];
  if (facts.trailers !== null && facts.trailers > usual)
    signals.push({
      kind: "incremental_updates",
      reason: `The file was changed ${String(facts.trailers - usual)} times after it had been written.`,
      ...whole,
    });
  const { createdAt, modifiedAt } = facts;
  const days = createdAt === null || modifiedAt === null ? 0 : (modifiedAt - createdAt) / DAY_MS;
  if (days >= MODIFIED_DAYS_MIN)
    signals.push({
      kind: "modified_after_creation",
      reason: `The file was modified ${String(Math.floor(days))} days after it was created.`,
      ...whole,
    });
  return signals;
}

const overlaps = (a: Box, b: Box): boolean =>
  a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

function coveredWords({ facts, words }: SignalInput): StatementSignal[] {
  return (facts?.annotations ?? []).flatMap(({ page, kind, box }) => {
    const covered = words.find(
      (word) =>
        word.page === page &&
        /\d/u.test(word.text) &&
        overlaps(box, [word.left, word.top, word.right, word.bottom]),
    );
    if (covered === undefined) return [];
    const reason = `An annotation (${kind}) lies over the number "${covered.text}".`;
    return [{ kind: "annotations_over_text" as const, reason, page, box }];
  });
}

/** Of amounts and balances in rows only: headings have other fonts. */
function rareFonts({ facts, accounts }: SignalInput): StatementSignal[] {
  const fonts = facts?.fonts ?? [];
  return [amountOf, balanceOf].flatMap((valueOf) => {
    const used = accounts
      .flatMap(({ transactions }) => transactions)
      .flatMap((row) => fontAt(valueOf(row), fonts) ?? []);
    const keyOf = ({ font, size }: NumberFont): string => `${font} ${String(size)}`;
    const usual = mostFrequent(used.map(keyOf));
    const rare = used.filter((font) => keyOf(font) !== usual);
    if (usual === null || used.length < LIKE_MIN || rare.length === 0 || rare.length > RARE_MAX)
      return [];
    return rare.map((number) => ({
      kind: "rare_font" as const,
      reason: `"${number.text}" is printed in ${keyOf(number)}, ${String(used.length - rare.length)} others of its column in ${usual}.`,
      page: number.page,
      box: number.box,
    }));
  });
}

const amountOf = (row: StatementTransaction): PrintedValue | null => row.evidence.amount;
const balanceOf = (row: StatementTransaction): PrintedValue | null => row.evidence.balance;

const fontAt = (
  value: PrintedValue | null,
  fonts: readonly NumberFont[],
): NumberFont | undefined =>
  value === null
    ? undefined
    : fonts.find(({ page, box }) => page === value.page && overlaps(box, value.box));

function mostFrequent(values: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most !== undefined && most[1] >= values.length * LIKE_SHARE ? most[0] : null;
}

/** Among amounts with the same mark behind them, the right edges of a column are one. */
function misalignedAmounts({ transactions }: StatementAccount): StatementSignal[] {
  const values = transactions
    .flatMap(({ evidence }) => [evidence.amount, evidence.balance])
    .filter((value) => value?.source === "text")
    .flatMap((value) => value ?? []);
  const byMark = Map.groupBy(values, markOf);
  const isOutside = new Set([...byMark.values()].flatMap(valuesOutsideColumns));
  return values.flatMap((value) => {
    const alike = isOutside.has(value) ? (byMark.get(markOf(value)) ?? []) : [];
    const near = alike.filter((other) => other !== value && isNear(other, value));
    const [first] = near;
    if (first === undefined || near.length < LIKE_MIN) return [];
    const isColumn = near.every((other) => Math.abs(other.box[2] - first.box[2]) <= ALIGNED);
    const distance = Math.abs(value.box[2] - first.box[2]);
    if (!isColumn || distance < MISALIGNED_MIN) return [];
    const reason = `"${value.text}" ends ${distance.toFixed(1)} points next to its column of ${String(near.length)} amounts.`;
    return [{ kind: "misaligned_amount" as const, reason, page: value.page, box: value.box }];
  });
}

const isNear = (one: PrintedValue, other: PrintedValue): boolean =>
  Math.abs(one.box[2] - other.box[2]) < MISALIGNED_MAX;

/**
 * The values that may be misaligned: those outside of all others near them, which end at one place. In long statements thousands of
 * values are in columns; without this, each would be compared with each.
 */
function valuesOutsideColumns(alike: readonly PrintedValue[]): readonly PrintedValue[] {
  const sorted = alike.toSorted((one, other) => one.box[2] - other.box[2]);
  const edgeAt = (at: number): number => sorted[at]?.box[2] ?? Infinity;
  let from = 0;
  let to = 0;
  return sorted.filter((value, at) => {
    const edge = value.box[2];
    while (edge - edgeAt(from) >= MISALIGNED_MAX) from += 1;
    while (to < sorted.length && edgeAt(to) - edge < MISALIGNED_MAX) to += 1;
    // The first and the last of the others near it.
    const least = edgeAt(from === at ? at + 1 : from);
    const most = edgeAt(to - 1 === at ? at - 1 : to - 1);
    return most - least <= 2 * ALIGNED && (least - edge > ALIGNED || edge - most > ALIGNED);
  });
}

const markOf = ({ text }: PrintedValue): string => /[^\d]*$/u.exec(text)?.[0] ?? "";

function arithmeticBreaks({ firstBreak, transactions }: StatementAccount): StatementSignal[] {
  if (firstBreak === null) return [];
  const { page, row, difference } = firstBreak;
  const value = transactions.find((transaction) => transaction.row === row)?.evidence;
  const ends = transactions.length === 0 ? "The closing balance" : "The printed totals";
  const place = row === null ? ends : `The balance behind row ${String(row)}`;
  const box = value?.balance?.box ?? value?.amount?.box ?? null;
  return [
    {
      kind: "arithmetic_break",
      reason: `${place} and the transactions differ by ${difference}.`,
      ...{ page, box },
    },
  ];
}

/** Two changed amounts that cancel each other out leave the balances exact. So does a reversal that a bank takes off both totals. */
function totalsExceeded(aboveTotals: string | null): StatementSignal[] {
  if (aboveTotals === null) return [];
  const reason = `The credits and the debits of the rows are each ${aboveTotals} more than the printed totals.`;
  return [{ kind: "totals_differ", reason, page: null, box: null }];
}

function datesOutside({ period, transactions }: StatementAccount): StatementSignal[] {
  if (period === null) return [];
  const start = Date.parse(period.start) - PERIOD_DAYS * DAY_MS;
  const end = Date.parse(period.end) + PERIOD_DAYS * DAY_MS;
  const outside = transactions.filter(({ date, isYearInferred }) => {
    const at = date === null || isYearInferred ? start : Date.parse(date);
    return at < start || at > end;
  });
  const [first] = outside;
  if (first === undefined) return [];
  const count = String(outside.length);
  return [
    {
      kind: "dates_outside_period",
      reason: `${count} of ${String(transactions.length)} transactions are outside ${period.start} to ${period.end}, the first on ${first.date ?? ""}.`,
      page: first.page,
      box: first.evidence.date?.box ?? null,
    },
  ];
}

/** Rows with a printed date that must be in order before one that is not stands out. */
const ORDERED_MIN = 6;
/** Banks list purchases of some days in the order in which they were posted. */
const ORDER_DAYS = 7;

/** A row that alone is out of order: without it, all printed dates rise, or all fall. */
function dateOutOfOrder({ transactions }: StatementAccount): StatementSignal[] {
  const rows = transactions.flatMap((row) => {
    const { date: printed } = row.evidence;
    return printed === null || row.date === null
      ? []
      : [{ date: row.date, page: printed.page, box: printed.box }];
  });
  const days = rows.map(({ date }) => Date.parse(date) / DAY_MS);
  if (rows.length <= ORDERED_MIN || isRising(days) || isRising(negated(days))) return [];
  const [rising, falling] = [oneOutOfOrder(days), oneOutOfOrder(negated(days))];
  const row = rows[rising ?? falling ?? -1];
  if (row === undefined) return [];
  const order = rising === null ? "fall" : "rise";
  const reason = `${row.date} is out of order: the ${String(rows.length - 1)} other dates of the account ${order}.`;
  return [{ kind: "date_out_of_order", reason, page: row.page, box: row.box }];
}

const negated = (days: readonly number[]): number[] => days.map((day) => -day);

/** Where the one day is without which all days rise. The first and the last row may be sections of one row each. */
function oneOutOfOrder(days: readonly number[]): number | null {
  const fall = days.findIndex((day, at) => at > 0 && day < (days[at - 1] ?? day));
  // Of two rows next to each other that are swapped, either may be the one.
  const [farthest] = [fall - 1, fall]
    .filter((at) => at > 0 && at < days.length - 1 && isRising(days.toSpliced(at, 1)))
    .sort((a, b) => distanceAt(days, b) - distanceAt(days, a));
  return farthest !== undefined && distanceAt(days, farthest) >= ORDER_DAYS ? farthest : null;
}

const isRising = (days: readonly number[]): boolean =>
  days.every((day, at) => at === 0 || day >= (days[at - 1] ?? day));

/** Days from a date to the nearest one that would be in order there. */
const distanceAt = (days: readonly number[], at: number): number => {
  const day = days[at] ?? 0;
  return Math.max((days[at - 1] ?? day) - day, day - (days[at + 1] ?? day), 0);
};

/** Numbers of the same length that differ in one or two digits only: of other accounts more would differ. */
function conflictingNumbers({ accounts, otherNumbers }: SignalInput): StatementSignal[] {
  return accounts.flatMap(({ number }) => {
    const own = digitsOf(number ?? "");
    const other = otherNumbers.find((candidate) => {
      const digits = digitsOf(candidate);
      const different = Array.from(digits).filter((digit, at) => digit !== own[at]).length;
      return (
        digits.length === own.length && different > 0 && different <= NUMBER_DIGITS_DIFFERENT_MAX
      );
    });
    if (other === undefined) return [];
    const reason = `The account is printed as "${number ?? ""}" and as "${other}".`;
    return [{ kind: "conflicting_account_number" as const, reason, page: null, box: null }];
  });
}

const digitsOf = (text: string): string => text.replaceAll(/[^\dA-Z]/gu, "");
