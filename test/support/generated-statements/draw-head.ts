// Head and foot of the pages of a generated statement, and the facts of its accounts: numbers, periods, balances, totals.
import { PAGE_FOOT, PAGE_MARGIN, type StatementDrawing } from "./drawing.ts";
import type { Ledger } from "./ledger.ts";
import { type DrawnColumn, drawTable, type TablePage } from "./table.ts";

const TITLE_SIZE = 15;

export function drawFoot({ sheet, labels, bank }: StatementDrawing): void {
  const y = sheet.height - PAGE_FOOT / 2;
  sheet.line([PAGE_MARGIN, y - 6], [sheet.width - PAGE_MARGIN, y - 6], "#ccc");
  sheet.text(bank, PAGE_MARGIN, y, { size: 7, colour: "#666" });
  sheet.text(`${labels.page} ${String(sheet.page)}`, sheet.width - PAGE_MARGIN, y, {
    ...{ size: 7, colour: "#666", align: "right" },
  });
}

export function drawHead(drawing: StatementDrawing, page: TablePage): void {
  const { sheet, layout, labels, bank, holder, format } = drawing;
  sheet.text(bank, PAGE_MARGIN, page.y, { size: TITLE_SIZE, isBold: true, colour: "#1a4480" });
  const title = layout.isCard ? labels.card.title : format.word(labels.title);
  sheet.text(title, page.right, page.y + 3, { size: 12, align: "right" });
  page.y += 40;
  for (const line of [holder.name, ...holder.address]) {
    sheet.text(line, PAGE_MARGIN, page.y, { size: 10 });
    page.y += 13;
  }
  page.y += 16;
}

/** Both accounts with their balances: their rows are further below. */
export function drawOverview(
  drawing: StatementDrawing,
  page: TablePage,
  ledgers: readonly Ledger[],
): void {
  const { labels, format, style } = drawing;
  const column = (heading: readonly string[], x: number, isAmount: boolean): DrawnColumn => {
    return { heading: [heading[0] ?? ""], x, isAmount };
  };
  drawTable(
    page,
    [
      column(labels.account, PAGE_MARGIN, false),
      column(labels.opening, page.right - 130, true),
      column(labels.closing, page.right, true),
    ],
    ledgers.map(({ number, opening, closing }) => ({
      cells: [[number], [format.total(opening)], [format.total(closing)]],
    })),
    style,
  );
  page.y += 18;
}

/** Account, period and, unless they are rows of the table, balances and totals. */
export function drawFacts(drawing: StatementDrawing, page: TablePage, ledger: Ledger): void {
  const { sheet, labels, format, layout, start, end } = drawing;
  const period = `${format.fullDate(start)} ${format.word(labels.to)} ${format.fullDate(end)}`;
  const facts: [string, string][] = [
    [format.word(labels.account), ledger.number],
    [format.word(labels.period), period],
  ];
  const isSide = layout.summary === "side box";
  const top = page.y;
  for (const [label, text] of facts) {
    sheet.text(`${label}: ${text}`, page.left, page.y, { size: 9.5 });
    page.y += 14;
  }
  if (layout.summary === "none") {
    page.y += 10;
    return;
  }
  const width = 230;
  const left = isSide ? page.right - width : page.left;
  let y = isSide ? top - 40 : page.y + 6;
  const lines = summaryOf(drawing, ledger);
  if (isSide) sheet.fill(left - 8, y - 6, width + 16, lines.length * 15 + 8, "#f0ece2");
  for (const [label, text] of lines) {
    sheet.text(label, left, y, { size: 9.5 });
    sheet.text(text, left + width, y, { size: 9.5, align: "right", isBold: true });
    y += 15;
  }
  page.y = Math.max(page.y, y) + 14;
}

function summaryOf(
  { labels, format, layout, end }: StatementDrawing,
  ledger: Ledger,
): [string, string][] {
  const sum = (sign: number): number =>
    ledger.entries.reduce(
      (total, { booked }) => total + (booked * sign > 0 ? Math.abs(booked) : 0),
      0,
    );
  const { card, sections } = labels;
  const names = layout.isCard
    ? [card.opening, card.payments, card.purchases, card.closing]
    : [
        format.word(labels.opening),
        sections.deposits,
        sections.withdrawals,
        format.word(labels.closing),
      ];
  const values = [ledger.opening, null, null, ledger.closing].map((units, at) =>
    units === null ? format.amount(sum(at === 1 ? 1 : -1)) : format.total(units),
  );
  const lines = names.map((name, at): [string, string] => [name, values[at] ?? ""]);
  if (!layout.isCard) return lines;
  return [
    ...lines,
    [card.limit, format.amount(500_000)],
    [card.minimum, format.amount(2_500)],
    [card.due, format.fullDate(end)],
  ];
}
