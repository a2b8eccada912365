// Boxes that stand right of a table, such as the summary of a card next to its transactions: their lines are not of its rows.
import { type DayOrder, findDates } from "./dates.ts";
import { makeLine, type TextLine } from "./lines.ts";
import { findMoney, type NumberFormat } from "./money.ts";
import { isMoneyRole } from "./header-cell.ts";
import { tableHeaderOf } from "./table-header.ts";

/** In heights of a line. */
const BOX_GAP_MIN = 2;
const HEADER_CELLS_MIN = 3;
/** In points: words of a box may begin a little left of its first one. */
const MARGIN = 2;

/** The lines with those of a box before the header that it stands next to, until the end of the page: there, no row is before them. */
export function splitSideBoxes(
  lines: readonly TextLine[],
  order: DayOrder,
  format: NumberFormat,
): TextLine[] {
  const split: TextLine[] = [];
  let box: { readonly page: number; readonly left: number; end: number } | null = null;
  for (const [at, line] of lines.entries()) {
    const above = lines[at - 1];
    const left = boxNextToHeader(line, above, format);
    if (left !== null && !isColumn(left, lines.slice(at + 1), { order, format, page: line.page })) {
      // The header may have two lines.
      const end = above?.page === line.page ? split.length - 1 : split.length;
      box = { page: line.page, left, end };
    }
    const parts = box?.page === line.page ? partsAt(line, box.left) : { own: [line], ofBox: [] };
    split.push(...parts.own);
    split.splice(box?.end ?? 0, 0, ...parts.ofBox);
    if (box !== null) box.end += parts.ofBox.length;
  }
  return split;
}

/** Where a label with an amount begins, behind a gap and a whole header; null: nowhere. */
function boxNextToHeader(
  line: TextLine,
  above: TextLine | undefined,
  format: NumberFormat,
): number | null {
  // Most lines end otherwise, and amounts are looked for in none of them.
  if (!/\d\D?\d\d\D*$/u.test(line.words.at(-1)?.text ?? "")) return null;
  const [money, ...more] = findMoney(line, format).filter(({ isCertain }) => isCertain);
  if (money === undefined || more.length > 0 || money.to < line.words.length) return null;
  const height = line.bottom - line.top;
  const from = line.words.findIndex((word, at) => {
    const gap = word.left - (line.words[at - 1]?.right ?? word.left);
    return gap > height * BOX_GAP_MIN && at < money.from && !isBeforeGap(line, at, money.from);
  });
  const first = line.words[from];
  if (from < 0 || first === undefined) return null;
  const header = tableHeaderOf(makeLine(line.words.slice(0, from)), above, []);
  const last = header?.at(-1);
  if (header === null || last === undefined || header.length < HEADER_CELLS_MIN) return null;
  return isMoneyRole(last.role) && last.right < first.left ? first.left - MARGIN : null;
}

/** Whether another gap follows before the amount: between two columns of a header. */
const isBeforeGap = (line: TextLine, from: number, to: number): boolean =>
  line.words
    .slice(from + 1, to)
    .some(
      (word, at) =>
        word.left - (line.words[from + at]?.right ?? word.left) > line.bottom - line.top,
    );

interface Below {
  readonly order: DayOrder;
  readonly format: NumberFormat;
  readonly page: number;
}

/** Whether most rows below have an amount there: it is a column whose heading has other words. */
function isColumn(
  left: number,
  lines: readonly TextLine[],
  { order, format, page }: Below,
): boolean {
  const rows = lines.filter((line) => line.page === page && findDates(line, order)[0]?.from === 0);
  const filled = rows.filter((line) =>
    findMoney(line, format).some((money) => money.isCertain && money.left > left),
  );
  return filled.length * 2 > rows.length;
}

interface LineParts {
  readonly own: readonly TextLine[];
  readonly ofBox: readonly TextLine[];
}

/** Nothing of it is of the box where a word goes over the edge. */
function partsAt(line: TextLine, edge: number): LineParts {
  const own = line.words.filter((word) => word.right <= edge);
  const ofBox = line.words.filter((word) => word.left >= edge);
  if (own.length + ofBox.length < line.words.length) return { own: [line], ofBox: [] };
  const lineOf = (words: typeof own): TextLine[] => (words.length === 0 ? [] : [makeLine(words)]);
  return { own: lineOf(own), ofBox: lineOf(ofBox) };
}
