// Tables of a generated statement by kind: deposits, withdrawals, checks in mini tables next to each other, balances by day.
import type { StatementDrawing } from "./drawing.ts";
import { columnsOf, rowsOf } from "./draw-rows.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";
import { drawTable, type TablePage } from "./table.ts";

const CHECKS_IN_A_LINE = 2;
/** Every third debit of a statement with sections is a check. */
const CHECK_EVERY = 3;

export function drawSections(drawing: StatementDrawing, page: TablePage, ledger: Ledger): void {
  const { labels, layout, format, style } = drawing;
  const { sections, card } = labels;
  const credits = ledger.entries.filter(({ units }) => units > 0);
  const debits = ledger.entries.filter(({ units }) => units < 0);
  const isCheck = (_: LedgerEntry, at: number): boolean => !layout.isCard && at % CHECK_EVERY === 2;
  const parts: [string, readonly LedgerEntry[]][] = [
    [layout.isCard ? card.payments : sections.deposits, credits],
    [
      layout.isCard ? card.purchases : sections.withdrawals,
      debits.filter((entry, at) => !isCheck(entry, at)),
    ],
  ];
  for (const [name, entries] of parts) {
    if (entries.length === 0) continue;
    drawSectionTitle(drawing, page, name);
    drawTable(page, columnsOf(drawing, page), rowsOf(drawing, { ...ledger, entries }), style);
    drawSectionTotal(drawing, page, name, entries);
  }
  const checks = debits.filter(isCheck);
  if (checks.length > 0) {
    drawSectionTitle(drawing, page, sections.checks);
    drawSideBySide(
      drawing,
      page,
      checks,
      [labels.date[0] ?? "", sections.checkNumber, labels.amount[0] ?? ""],
      (entry) => [format.date(entry.date), entry.reference.slice(0, 4), format.amount(entry.units)],
    );
    drawSectionTotal(drawing, page, sections.checks, checks);
  }
  if (layout.isCard) return;
  const days = ledger.entries.filter((entry, at) => ledger.entries[at + 1]?.date !== entry.date);
  drawSectionTitle(drawing, page, sections.daily);
  drawSideBySide(
    drawing,
    page,
    days,
    [labels.date[0] ?? "", "", labels.balance[0] ?? ""],
    (entry) => [format.date(entry.date), "", format.balance(entry.balance)],
  );
}

function drawSectionTitle({ sheet, style }: StatementDrawing, page: TablePage, name: string): void {
  page.y += style.size;
  if (page.y > page.bottom - 80) page.turn();
  sheet.text(name, page.left, page.y, { size: style.size + 2.5, isBold: true });
  page.y += style.size * 2.2;
}

function drawSectionTotal(
  { sheet, labels, format, style }: StatementDrawing,
  page: TablePage,
  name: string,
  entries: readonly LedgerEntry[],
): void {
  const total = entries.reduce((sum, { booked }) => sum + booked, 0);
  if (page.y > page.bottom - style.size * 2) page.turn();
  const bold = { size: style.size, isBold: true };
  sheet.text(`${labels.total} ${name.toLowerCase()}`, page.left, page.y, bold);
  sheet.text(format.total(Math.abs(total)), page.right, page.y, { ...bold, align: "right" });
  page.y += style.size * 2;
}

/** The same three columns twice, next to each other; the order runs down the left one first. */
function drawSideBySide(
  { style }: StatementDrawing,
  page: TablePage,
  entries: readonly LedgerEntry[],
  headings: readonly string[],
  cells: (entry: LedgerEntry) => readonly string[],
): void {
  const width = (page.right - page.left) / CHECKS_IN_A_LINE;
  const columns = Array.from({ length: CHECKS_IN_A_LINE }, (_, part) => {
    const from = page.left + part * width;
    return [
      { heading: [headings[0] ?? ""], x: from, isAmount: false },
      { heading: [headings[1] ?? ""], x: from + 80, isAmount: false },
      { heading: [headings[2] ?? ""], x: from + width - 30, isAmount: true },
    ];
  }).flat();
  const lines = Math.ceil(entries.length / CHECKS_IN_A_LINE);
  const rows = Array.from({ length: lines }, (_, line) => ({
    cells: Array.from({ length: CHECKS_IN_A_LINE }, (__, part) => {
      const entry = entries[line + part * lines];
      return (entry === undefined ? ["", "", ""] : cells(entry)).map((text) => [text]);
    }).flat(),
  }));
  drawTable(page, columns, rows, style);
}
