// A table of a generated statement: headings of one or two lines, rules or stripes, pages with or without a repeated heading.
import type { Sheet } from "./sheet.ts";

export interface DrawnColumn {
  /** A line each. */
  readonly heading: readonly string[];
  /** The left edge of texts, the right edge of amounts. */
  readonly x: number;
  readonly isAmount: boolean;
}

export interface DrawnRow {
  /** Of each column, its lines. */
  readonly cells: readonly (readonly string[])[];
  readonly isBold?: boolean;
}

export interface TableStyle {
  readonly size: number;
  readonly ruled: "lines" | "stripes" | "none" | "grid";
  /** White on a dark bar. */
  readonly isHeadingDark: boolean;
  /** The heading is on the first page only. */
  readonly hasHeadingOnce: boolean;
  /** Space between rows, in heights of a line. */
  readonly gap: number;
}

/** Where drawing goes on, and what a page has around its table. */
export interface TablePage {
  readonly sheet: Sheet;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  y: number;
  /** Draws the foot of this page and the head of the next one. */
  turn(): void;
}

const LINE = 1.25;
const DARK = "#23395b";

export function drawTable(
  page: TablePage,
  columns: readonly DrawnColumn[],
  rows: readonly DrawnRow[],
  style: TableStyle,
): void {
  const line = style.size * LINE;
  drawHeading(page, columns, style);
  for (const [index, row] of rows.entries()) {
    const height = Math.max(...row.cells.map((cell) => cell.length)) * line;
    if (page.y + height > page.bottom) {
      page.turn();
      if (!style.hasHeadingOnce) drawHeading(page, columns, style);
    }
    drawRow(page, columns, row, style, index);
    page.y += height + line * style.gap;
  }
}

function drawHeading(page: TablePage, columns: readonly DrawnColumn[], style: TableStyle): void {
  const { sheet, left, right } = page;
  const line = style.size * LINE;
  const lines = Math.max(...columns.map(({ heading }) => heading.length));
  if (page.y + (lines + 2) * line > page.bottom) page.turn();
  const height = lines * line + 4;
  if (style.isHeadingDark) sheet.fill(left - 4, page.y - 3, right - left + 8, height, DARK);
  const colour = style.isHeadingDark ? "#fff" : "#111";
  for (const { heading, x, isAmount } of columns)
    for (const [at, text] of heading.entries())
      sheet.text(text, x, page.y + (lines - heading.length + at) * line, {
        ...{ size: style.size, isBold: true, colour },
        ...(isAmount ? { align: "right" as const } : {}),
      });
  page.y += height;
  if (!style.isHeadingDark) sheet.line([left, page.y - 3], [right, page.y - 3], "#333");
}

function drawRow(
  { sheet, left, right, y }: TablePage,
  columns: readonly DrawnColumn[],
  row: DrawnRow,
  style: TableStyle,
  index: number,
): void {
  const line = style.size * LINE;
  const height = Math.max(...row.cells.map((cell) => cell.length)) * line;
  const below = y + height + (line * style.gap) / 2;
  if (style.ruled === "stripes" && index % 2 === 0)
    sheet.fill(
      left - 4,
      y - (line * style.gap) / 2,
      right - left + 8,
      below - y + (line * style.gap) / 2,
      "#eef2f6",
    );
  for (const [at, { x, isAmount }] of columns.entries())
    for (const [number, text] of (row.cells[at] ?? []).entries())
      sheet.text(text, x, y + number * line, {
        ...{ size: style.size, isBold: row.isBold === true },
        ...(isAmount ? { align: "right" as const } : {}),
      });
  if (style.ruled === "lines" || style.ruled === "grid")
    sheet.line([left, below], [right, below], "#bbb");
  if (style.ruled === "grid")
    for (const { x, isAmount } of columns)
      sheet.line([isAmount ? x + 3 : x - 3, y - 2], [isAmount ? x + 3 : x - 3, below], "#bbb");
}
