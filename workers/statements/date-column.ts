// Which of two dates at the start of a row is its date: the one below the heading of the dates.
import type { PrintedDate } from "./dates.ts";
import type { PageLine } from "./layout.ts";
import type { HeaderCell } from "./table-header.ts";

/** The first one, unless only another one stands below the heading, such as "Received by us" in front of "Transaction date". */
export function dateOfRow({ dates }: PageLine, header: readonly HeaderCell[]): PrintedDate | null {
  const [first = null] = dates;
  const cells = header.filter(({ role }) => role === "date");
  const isBelow = ({ words }: PrintedDate): boolean =>
    words.some((word) => cells.some(({ left, right }) => word.left < right && word.right > left));
  if (first === null || isBelow(first)) return first;
  return dates.find(isBelow) ?? first;
}
