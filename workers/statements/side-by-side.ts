// Tables that print several rows in one line, such as lists of checks: their header repeats itself.
import { type DayOrder, findDates } from "./dates.ts";
import { datesAtStart } from "./line-dates.ts";
import { divideLine, makeLine, type TextLine } from "./lines.ts";
import { findMoney, type Money, type NumberFormat } from "./money.ts";
import { type HeaderCell, isMoneyRole } from "./header-cell.ts";
import { tableHeaderOf } from "./table-header.ts";

/** In points: words may begin a little left of their header. */
const MARGIN = 6;
/** In points: days may begin far left of their heading where each list is as narrow as its words. */
const DAY_SHIFT_MAX = 30;

/** Where the rows of a line begin, in points. */
interface RowPlaces {
  readonly first: number;
  /** Of the others; empty: there is one row in a line. */
  readonly others: readonly number[];
}

interface RowPart {
  readonly line: TextLine;
  /** In points, how far right of the first row of its line. */
  readonly right: number;
}

/** The lines with each row in a line of its own. */
export function splitSideBySide(
  lines: readonly TextLine[],
  order: DayOrder,
  format: NumberFormat,
): TextLine[] {
  let places: RowPlaces = { first: 0, others: [] };
  const isRow = ({ line }: RowPart): boolean =>
    findDates(line, order).length > 0 && findMoney(line, format).some(({ isCertain }) => isCertain);
  return lines.flatMap((line, at) => {
    const header = headerOf(line, lines[at - 1], findMoney(line, format));
    if (header !== null) places = placesOf(header);
    if (header !== null || places.others.length === 0) return [line];
    const parts = partsOf(line, places);
    const found = [parts, partsOf(line, atDays(line, places, order))].find((some) =>
      some.every((part) => datesAtStart(part.line, order).length > 0),
    );
    if (found !== undefined) return found.map((part) => part.line);
    return parts.length > 1 && parts.every(isRow) ? parts.map(belowFirst) : [line];
  });
}

/** Of one line; or of two, where that is a header which repeats itself. */
function headerOf(
  line: TextLine,
  above: TextLine | undefined,
  money: readonly Money[],
): readonly HeaderCell[] | null {
  const own = tableHeaderOf(line, undefined, money);
  if (own !== null) return own;
  const stacked = tableHeaderOf(line, above, money);
  return stacked !== null && placesOf(stacked).others.length > 0 ? stacked : null;
}

/** Where the header begins again. */
function placesOf(header: readonly HeaderCell[]): RowPlaces {
  const dates = header.filter(({ role }) => role === "date").length;
  const size = header.length / dates;
  const isRepeated = dates > 1 && header.every(({ role }, at) => role === header[at % size]?.role);
  const first = header[0]?.left ?? 0;
  // Two dates in a row are those of the transaction and of the booking.
  if (!isRepeated || !header.slice(0, size).some(({ role }) => isMoneyRole(role)))
    return { first, others: [] };
  return { first, others: header.filter((_, at) => at > 0 && at % size === 0).map(leftOf) };
}

const leftOf = ({ left }: HeaderCell): number => left;

/** The places where the days of a line are that stand left of their headings. */
function atDays(line: TextLine, { first, others }: RowPlaces, order: DayOrder): RowPlaces {
  const lefts = findDates(line, order).map(({ from }) => line.words[from]?.left ?? 0);
  const isOf = (place: number, left: number): boolean =>
    left < place && place - left < DAY_SHIFT_MAX;
  return {
    first,
    others: others.map((place) => lefts.find((left) => isOf(place, left)) ?? place),
  };
}

function partsOf(line: TextLine, { first, others }: RowPlaces): RowPart[] {
  const edges = others.map((left) => left - MARGIN);
  return divideLine(line, edges).flatMap((part, at) =>
    part === null ? [] : [{ line: part, right: (others[at - 1] ?? first) - first }],
  );
}

/** Below the headings of the first row, which give dates that do not begin a row their place. */
const belowFirst = ({ line, right }: RowPart): TextLine =>
  makeLine(
    line.words.map((word) => ({
      ...word,
      left: word.left - right,
      right: word.right - right,
      printed: word.printed ?? word,
    })),
  );
