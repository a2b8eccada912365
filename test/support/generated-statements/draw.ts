// Draws a generated statement: head, summary, tables or sections, foot of each page.
import { drawFacts, drawFoot, drawHead, drawOverview } from "./draw-head.ts";
import { columnsOf, rowsOf, wrapDescriptions } from "./draw-rows.ts";
import { drawSections } from "./draw-sections.ts";
import { PAGE_FOOT, PAGE_MARGIN, type StatementDrawing } from "./drawing.ts";
import type { Ledger } from "./ledger.ts";
import { drawTable, type TablePage } from "./table.ts";

export function drawStatement(drawing: StatementDrawing, ledgers: readonly Ledger[]): void {
  const { sheet, labels, bank, style } = drawing;
  const page: TablePage = {
    sheet,
    left: PAGE_MARGIN,
    right: sheet.width - PAGE_MARGIN,
    bottom: sheet.height - PAGE_FOOT,
    y: PAGE_MARGIN,
    turn: () => {
      drawFoot(drawing);
      sheet.nextPage();
      sheet.text(bank, PAGE_MARGIN, PAGE_MARGIN - 10, { size: 8, colour: "#555" });
      page.y = PAGE_MARGIN + 14;
    },
  };
  drawHead(drawing, page);
  if (ledgers.length > 1) drawOverview(drawing, page, ledgers);
  for (const [index, ledger] of ledgers.entries())
    drawAccount(drawing, page, wrapDescriptions(drawing, page, ledger), index);
  page.y += style.size * 2;
  if (page.y > page.bottom - style.size * 4) page.turn();
  sheet.text(labels.notice, PAGE_MARGIN, page.y, { size: 7, colour: "#666" });
  drawFoot(drawing);
}

function drawAccount(
  drawing: StatementDrawing,
  page: TablePage,
  ledger: Ledger,
  index: number,
): void {
  const { sheet, layout, style } = drawing;
  if (index > 0) page.y += 24;
  if (page.y > page.bottom - 150) page.turn();
  drawFacts(drawing, page, ledger);
  if (layout.hasSections) drawSections(drawing, page, ledger);
  else drawTable(page, columnsOf(drawing, page), rowsOf(drawing, ledger), style);
  page.y += style.size;
  sheet.line([page.left, page.y], [page.right, page.y]);
  page.y += style.size;
}
