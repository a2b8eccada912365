// Which of day and month the document prints first.
import {
  type DayOrder,
  type PrintedDate,
  printedDateAt,
  printedDayOrder,
  toIsoDate,
} from "./dates.ts";
import type { TextLine } from "./lines.ts";
import { type Period, printedPeriod } from "./period.ts";

const ORDERS: readonly DayOrder[] = ["day first", "month first"];

/**
 * As numbers above 12 show it; where they do not, the order in which the rows lie in the printed period; where both do, or neither
 * does, dollars of the US decide.
 */
export function voteDayOrder(lines: readonly TextLine[], isUs: boolean): DayOrder {
  return printedDayOrder(lines) ?? orderOfPeriod(lines) ?? (isUs ? "month first" : "day first");
}

/** null: the period does not decide. */
function orderOfPeriod(lines: readonly TextLine[]): DayOrder | null {
  const rows = lines.filter((line) => line.words.length > 1 && isOpen(line));
  if (rows.length === 0) return null;
  const periods = lines.flatMap((line) => (isOpen(line) ? [] : (periodInBoth(line) ?? [])));
  const fitting = ORDERS.filter((order) =>
    rows.every((row) => {
      const date = printedDateAt(row, 0, order);
      return date !== null && periods.some((period) => liesInPeriod(date, period));
    }),
  );
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** Whether the line begins with a date that is another one in the other order. */
function isOpen(line: TextLine): boolean {
  const [a, b] = ORDERS.map((order) => printedDateAt(line, 0, order));
  return a?.month !== b?.month;
}

/** A period in numbers, which itself depends on the order, proves nothing. */
function periodInBoth(line: TextLine): Period | null {
  const [a, b] = ORDERS.map((order) => printedPeriod(line, order));
  return a?.start === b?.start && a?.end === b?.end ? (a ?? null) : null;
}

function liesInPeriod({ year, month, day }: PrintedDate, { start, end }: Period): boolean {
  const years = year === null ? [start, end].map((date) => Number(date.slice(0, 4))) : [year];
  return years.some((one) => {
    const date = toIsoDate(one, month, day);
    return date >= start && date <= end;
  });
}
