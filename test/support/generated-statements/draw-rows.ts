// Columns and rows of the tables of a generated statement.
import type { StatementDrawing } from "./drawing.ts";
import type { CellKind, GeneratedLayout } from "./layouts.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";
import type { DrawnColumn, DrawnRow, TablePage } from "./table.ts";

const WIDTHS: Readonly<Record<CellKind, number>> = {
  date: 66,
  "value date": 62,
  description: 0,
  reference: 62,
  type: 34,
  debit: 76,
  credit: 76,
  amount: 82,
  balance: 86,
};
const isAmountCell = (kind: CellKind): boolean =>
  kind === "debit" || kind === "credit" || kind === "amount" || kind === "balance";

/** Descriptions take what the other columns leave. */
function widthsOf(
  { sheet, layout, format, style }: StatementDrawing,
  page: TablePage,
): (kind: CellKind) => number {
  const scale = style.size / 8.5;
  const widest = sheet.widthOf(format.date("2025-09-28"), { size: style.size }) + 12;
  const fixed = (kind: CellKind): number => {
    const width = WIDTHS[kind] * scale;
    return kind === "date" || kind === "value date" ? Math.max(width, widest) : width;
  };
  const free = layout.columns.reduce((left, kind) => left - fixed(kind), page.right - page.left);
  return (kind) => (kind === "description" ? free : fixed(kind));
}

/** The same account, with descriptions that go on in the next line where their column ends. */
export function wrapDescriptions(
  drawing: StatementDrawing,
  page: TablePage,
  ledger: Ledger,
): Ledger {
  const { sheet, style } = drawing;
  const width = widthsOf(drawing, page)("description") - 8;
  const wrap = (text: string): string[] => {
    const lines: string[] = [];
    for (const word of text.split(" ")) {
      const longer = [lines.at(-1), word].filter(Boolean).join(" ");
      if (lines.length > 0 && sheet.widthOf(longer, { size: style.size }) <= width)
        lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  };
  const entries = ledger.entries.map((entry) => ({
    ...entry,
    description: entry.description.flatMap(wrap),
  }));
  return { ...ledger, entries };
}

export function columnsOf(drawing: StatementDrawing, page: TablePage): DrawnColumn[] {
  const { layout, labels, format, style } = drawing;
  const widths = widthsOf(drawing, page);
  let left = page.left;
  return layout.columns.map((kind) => {
    const width = widths(kind);
    const from = left;
    left += width;
    const words = {
      date: labels.date,
      "value date": labels.valueDate,
      description: labels.description,
      reference: labels.reference,
      type: labels.type,
      debit: labels.debit,
      credit: labels.credit,
      amount: labels.amount,
      balance: labels.balance,
    }[kind];
    const isAmount = isAmountCell(kind);
    return {
      heading: stacked(format.word(words), layout.isHeadingStacked, width / style.size),
      x: isAmount ? from + width : from,
      isAmount,
    };
  });
}

/** In two lines where the layout asks for it, or where one would not fit. */
function stacked(text: string, isStacked: boolean, widthInLetters: number): readonly string[] {
  const words = text.split(" ");
  if (words.length < 2 || (!isStacked && text.length * 0.62 < widthInLetters)) return [text];
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half).join(" "), words.slice(half).join(" ")];
}

export function rowsOf(drawing: StatementDrawing, ledger: Ledger): DrawnRow[] {
  const { layout, labels, format } = drawing;
  const entries = layout.isNewestFirst ? ledger.entries.toReversed() : ledger.entries;
  const rows = entries.map((entry, at): DrawnRow => {
    const isFirst = entries[at - 1]?.date !== entry.date;
    const isLast = entries[at + 1]?.date !== entry.date;
    return {
      cells: layout.columns.map((kind) => cellOf(drawing, kind, entry, { isFirst, isLast })),
    };
  });
  if (!layout.hasBalanceRows) return rows;
  const balanceRow = (label: string, units: number): DrawnRow => ({
    cells: layout.columns.map((kind) =>
      kind === "description" ? [label] : kind === "balance" ? [format.balance(units)] : [""],
    ),
    isBold: true,
  });
  const [opening, closing] = labels.carried;
  return [balanceRow(opening, ledger.opening), ...rows, balanceRow(closing, ledger.closing)];
}

/** Whether a row is the first and the last one of its day. */
interface PlaceInDay {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function cellOf(
  { layout, format }: StatementDrawing,
  kind: CellKind,
  entry: LedgerEntry,
  { isFirst, isLast }: PlaceInDay,
): readonly string[] {
  const { description, units, balance } = entry;
  const onLine = (text: string): readonly string[] =>
    layout.isAmountOnLastLine ? [...description.slice(1).map(() => ""), text] : [text];
  switch (kind) {
    case "date":
      return [layout.hasBlankDates && !isFirst ? "" : format.date(entry.date)];
    case "value date":
      return [format.date(entry.valueDate)];
    case "description":
      return description;
    case "reference":
      return [entry.reference];
    case "type":
      return [format.type(entry)];
    case "debit":
    case "credit":
      return onLine(units < 0 === (kind === "debit") ? format.amount(units) : "");
    case "amount":
      return onLine(format.signed(units));
    case "balance":
      return onLine(layout.hasBlankDates && !isLast ? "" : format.balance(balance));
  }
}

/** Whether the balance after a row is printed. */
export function isBalancePrinted(
  layout: GeneratedLayout,
  entries: readonly LedgerEntry[],
  at: number,
): boolean {
  if (!layout.columns.includes("balance")) return false;
  return !layout.hasBlankDates || entries[at + 1]?.date !== entries[at]?.date;
}
