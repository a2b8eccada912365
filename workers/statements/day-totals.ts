// Lists that print the sum of the rows of a day, with its sign, above these rows: "05 OCT 2026   Total in   + 5,532.96", and for the
// other direction "Total out   - 20.37". The rows print neither their day nor a sign.
import type { PrintedDate } from "./dates.ts";
import { unprinted } from "./day-headings.ts";
import type { PageLine } from "./layout.ts";
import { TOTAL_WORD } from "./lexicon.ts";

/** Sums that are those of the rows below them, at least: any total may be by chance. */
const TOTALS_MIN = 3;

interface DayTotal {
  readonly at: number;
  readonly page: number;
  readonly day: PrintedDate;
  readonly sign: -1 | 1;
  readonly units: number;
  /** Lines of its rows. */
  readonly rows: number[];
  sum: number;
}

/** The lines with the day and the direction at each row, and such totals as headings. */
export function withDayTotals(lines: readonly PageLine[]): readonly PageLine[] {
  const totals = dayTotalsOf(lines);
  const right = totals.filter(({ units, sum }) => units === sum).length;
  if (right < TOTALS_MIN || right * 2 <= totals.length) return lines;
  const shown = [...lines];
  for (const { at, day, sign, rows } of totals) {
    const heading = lines[at];
    if (heading !== undefined)
      shown[at] = { ...heading, ...NO_VALUES, heading: sign > 0 ? "credit" : "debit" };
    for (const row of rows) {
      const line = lines[row];
      const dates = unprinted({ ...day, from: 0, to: 0 });
      if (line !== undefined && dates !== null) shown[row] = { ...line, dates: [dates] };
    }
  }
  return shown;
}

const NO_VALUES = { dates: [], money: [], facts: [] } as const;

function dayTotalsOf(lines: readonly PageLine[]): DayTotal[] {
  const totals: DayTotal[] = [];
  let open: DayTotal | null = null;
  for (const [at, line] of lines.entries()) {
    const total = totalOfLine(line, at, open?.day ?? null);
    if (total !== null) {
      totals.push(total);
      open = total;
    } else if (line.header !== null || line.dates.length > 0 || line.facts.length > 0) {
      if (!goesOnBehind(open, line)) open = null;
    } else if (open !== null) addRow(open, line, at);
  }
  return totals;
}

/** What stands at the top of the next page does not end a total whose rows were not all on the page before. */
const goesOnBehind = (open: DayTotal | null, { page }: PageLine): boolean =>
  open !== null && open.sum < open.units && page === open.page + 1;

function addRow(total: DayTotal, { money }: PageLine, at: number): void {
  const amount = money.findLast(({ isCertain }) => isCertain);
  if (amount === undefined) return;
  total.rows.push(at);
  total.sum += amount.units;
}

/** @param above the day of the rows above; the total of the other direction does not print it again */
function totalOfLine(line: PageLine, at: number, above: PrintedDate | null): DayTotal | null {
  const [date = above] = line.dates;
  const [amount, ...more] = line.money.filter(({ isCertain }) => isCertain);
  const from = line.dates[0]?.to ?? 0;
  const isTotal = TOTAL_WORD.find(line.plain.slice(from))?.from === 0;
  if (date === null || amount === undefined || more.length > 0 || !isTotal) return null;
  if (line.header !== null || amount.sign === 0) return null;
  return {
    at,
    page: line.page,
    day: date,
    sign: amount.sign,
    units: amount.units,
    rows: [],
    sum: 0,
  };
}
