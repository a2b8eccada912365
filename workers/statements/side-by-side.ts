// Tables that print several rows in one line, such as lists of checks: their header repeats itself.
import type { DayOrder } from "./dates.ts";
import { datesAtStart } from "./line-dates.ts";
import { makeLine, type TextLine } from "./lines.ts";
import { findMoney, type NumberFormat } from "./money.ts";
import { type HeaderCell, isMoneyRole, tableHeaderOf } from "./table-header.ts";

/** In points: words may begin a little left of their header. */
const MARGIN = 6;

/** The lines with each row in a line of its own. */
export function splitSideBySide(
  lines: readonly TextLine[],
  order: DayOrder,
  format: NumberFormat,
): TextLine[] {
  let starts: readonly number[] = [];
  return lines.flatMap((line) => {
    const header = tableHeaderOf(line, undefined, findMoney(line, format));
    if (header !== null) starts = repeatsOf(header);
    if (header !== null || starts.length === 0) return [line];
    const parts = partsOf(line, starts);
    return parts.every((part) => datesAtStart(part, order).length > 0) ? parts : [line];
  });
}

/** Where the header begins again; empty: it does not. */
function repeatsOf(header: readonly HeaderCell[]): number[] {
  const dates = header.filter(({ role }) => role === "date").length;
  const size = header.length / dates;
  const isRepeated = dates > 1 && header.every(({ role }, at) => role === header[at % size]?.role);
  // Two dates in a row are those of the transaction and of the booking.
  if (!isRepeated || !header.slice(0, size).some(({ role }) => isMoneyRole(role))) return [];
  return header.filter((_, at) => at > 0 && at % size === 0).map(({ left }) => left - MARGIN);
}

function partsOf(line: TextLine, starts: readonly number[]): TextLine[] {
  const edges = [Number.NEGATIVE_INFINITY, ...starts, Number.POSITIVE_INFINITY];
  return edges.slice(1).flatMap((end, at) => {
    const start = edges[at] ?? 0;
    const words = line.words.filter(({ left }) => left >= start && left < end);
    return words.length === 0 ? [] : [makeLine(words)];
  });
}
