// Dates of a recognised statement that are worth another look: they are in no balance, so a wrong or lost one is not seen there.
import type {
  PrintedValue,
  StatementAccount,
  StatementResult,
  StatementTransaction,
} from "../model/bank-statement.ts";

/** Of one document: a layout that prints each date once has many rows without one. */
const DATES_MAX = 24;
/** A layout prints every date when at least this share of its rows has one. */
const PRINTED_SHARE_MIN = 0.7;
/** Of fewer, it does when two rows after each other have the same date printed. */
const REPEATED_SHARE_MIN = 0.4;
/** Of neighbours that are not in order: above, a document has no order that a date could break. */
const DISORDER_SHARE_MAX = 0.15;

type PlaceOfDate = Pick<PrintedValue, "page" | "box">;

/**
 * Where a row has no date though nearly all others of its account have one, or though something was read in its place: in their
 * column, at the height of its amount or its text.
 */
export function lostDates(result: StatementResult): PlaceOfDate[] {
  if ("fault" in result) return [];
  return result.accounts
    .flatMap(({ transactions }) => {
      const lost = transactions.filter(({ evidence }) => evidence.date === null);
      const share = 1 - lost.length / transactions.length;
      const isEveryPrinted =
        share >= PRINTED_SHARE_MIN || (share >= REPEATED_SHARE_MIN && hasRepeated(transactions));
      return lost.flatMap((row) => {
        const place = placeOfDate(row, transactions);
        return place !== null && (isEveryPrinted || beginsAt(row, place)) ? [place] : [];
      });
    })
    .slice(0, DATES_MAX);
}

const hasRepeated = (rows: readonly StatementTransaction[]): boolean =>
  rows.some(({ date, evidence }, at) => {
    const before = rows[at - 1];
    return evidence.date !== null && before?.evidence.date != null && before.date === date;
  });

/** Whether the text of a row begins where dates stand. */
const beginsAt = ({ evidence }: StatementTransaction, { box }: PlaceOfDate): boolean => {
  const [left = 0] = evidence.description[0]?.box ?? [];
  return left > box[0] - (box[3] - box[1]) && left < box[2];
};

/**
 * The other dates of the page have a distance from the amount of their row, or from its text: pages may be skewed. What a speck
 * made of a text may be much higher than its line.
 */
function placeOfDate(
  row: StatementTransaction,
  rows: readonly StatementTransaction[],
): PlaceOfDate | null {
  const own = anchorOf(row);
  if (own === null) return null;
  const others = rows.flatMap((other) => {
    const { date } = other.evidence;
    const anchor = anchorOf(other);
    return date?.page === own.page && anchor?.page === own.page && anchor.kind === own.kind
      ? [{ box: date.box, below: date.box[1] - anchor.top }]
      : [];
  });
  if (others.length === 0) return null;
  const top = own.top + medianLength(others.map(({ below }) => below));
  const left = Math.min(...others.map(({ box }) => box[0]));
  const right = Math.max(...others.map(({ box }) => box[2]));
  const height = medianLength(others.map(({ box }) => box[3] - box[1]));
  return { page: own.page, box: [left, top, right, top + height] };
}

const medianLength = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** What shows the height of a row; null: nothing of it was recognised. */
function anchorOf({
  evidence: { amount, description },
}: StatementTransaction): { kind: "amount" | "text"; page: number; top: number } | null {
  if (amount?.source === "ocr") return { kind: "amount", page: amount.page, top: amount.box[1] };
  const [text] = description;
  return text?.source === "ocr" ? { kind: "text", page: text.page, top: text.box[1] } : null;
}

/** Recognised dates that do not fit between their neighbours, or lie outside of the period. */
export function datesOutOfOrder(result: StatementResult): PlaceOfDate[] {
  if ("fault" in result) return [];
  return result.accounts
    .flatMap((account) => {
      const { transactions } = account;
      const breaks = breaksOfOrder(account);
      if (breaks.length > transactions.length * DISORDER_SHARE_MAX + 1) return [];
      const rows = new Set(breaks.flatMap((at) => [at - 1, at]));
      return transactions
        .filter((row, at) => rows.has(at) || isOutside(account, row.date))
        .flatMap(({ evidence: { date } }) =>
          date?.source === "ocr" ? [inColumn(date, transactions)] : [],
        );
    })
    .slice(0, DATES_MAX);
}

/**
 * As wide as the dates below and above it: of a torn date, only a part was found. Where most dates of the page stand elsewhere, it
 * is the second one of its row, whose first was read as something else ("5/2024" for "5/20/24"): the place is that of the first.
 */
function inColumn({ page, box }: PrintedValue, rows: readonly StatementTransaction[]): PlaceOfDate {
  const [left, top, right, bottom] = box;
  const all = rows.flatMap(({ evidence: { date } }) => (date?.page === page ? [date.box] : []));
  const below = all.filter((other) => other[0] < right && other[2] > left);
  const isSecond = below.length * 2 < all.length;
  const column = isSecond ? all.filter((other) => !below.includes(other)) : below;
  const lefts = column.map((other) => other[0]);
  const rights = column.map((other) => other[2]);
  return { page, box: [Math.min(...lefts), top, Math.max(...rights), bottom] };
}

/** Rows that do not follow the one before them, in the order that most rows have. */
function breaksOfOrder({ transactions }: StatementAccount): number[] {
  const steps = transactions.map(({ date }, at) => {
    const before = transactions[at - 1]?.date ?? null;
    return date === null || before === null ? 0 : Math.sign(date.localeCompare(before));
  });
  const isRising = steps.reduce((sum, step) => sum + step, 0) >= 0;
  return steps.flatMap((step, at) => (step === (isRising ? -1 : 1) ? [at] : []));
}

/** Banks post some days late, and print the day of the purchase. */
const PERIOD_MARGIN_MS = 15 * 86_400_000;

const isOutside = ({ period }: StatementAccount, date: string | null): boolean =>
  period !== null &&
  date !== null &&
  (Date.parse(date) < Date.parse(period.start) - PERIOD_MARGIN_MS ||
    Date.parse(date) > Date.parse(period.end) + PERIOD_MARGIN_MS);

/**
 * Whether nothing but dates differs, and they are better: fewer are out of order, or more are printed and as many are in
 * order. Where a document has no order, one that was lost is taken as it is read.
 */
export function hasBetterDates(next: StatementResult, before: StatementResult): boolean {
  if ("fault" in next || "fault" in before) return false;
  if (withoutDates(next.accounts) !== withoutDates(before.accounts)) return false;
  const [a, b] = [measureDates(next.accounts), measureDates(before.accounts)];
  if (a.printed < b.printed) return false;
  if (a.breaks !== b.breaks) return a.breaks < b.breaks || (!b.hasOrder && a.printed > b.printed);
  return a.printed > b.printed;
}

const withoutDates = (accounts: readonly StatementAccount[]): string =>
  accounts
    .map(({ verdict, transactions }) =>
      [
        verdict,
        ...transactions.map(({ amount, direction, balance }) =>
          [amount, direction, balance].join(" "),
        ),
      ].join(),
    )
    .join(";");

function measureDates(accounts: readonly StatementAccount[]): {
  readonly breaks: number;
  readonly printed: number;
  readonly hasOrder: boolean;
} {
  const breaks = accounts.reduce(
    (sum, account) =>
      sum +
      breaksOfOrder(account).length +
      account.transactions.filter(({ date }) => isOutside(account, date)).length,
    0,
  );
  const rows = accounts.flatMap(({ transactions }) => transactions);
  const printed = rows.filter(({ evidence }) => evidence.date !== null).length;
  return { breaks, printed, hasOrder: breaks <= rows.length * DISORDER_SHARE_MAX };
}
