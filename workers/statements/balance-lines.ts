// "Bal $7,100.12" in small type below each amount: apps print the balance behind a row in a line of its own, where it looks like one
// more row.
import { findMoney, type NumberFormat } from "./money.ts";
import { makeLine, type TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

const LABEL = /^(?:bal|balance|saldo|solde|kontostand)[.:]?$/u;
const LINES_MIN = 3;
/** In heights of a line. */
const GAP_MAX = 2;
/** In points, between the amounts and the balances right of them. */
const COLUMN_GAP = 20;

/** The same lines, with each such balance in the line of its row, right of all amounts. */
export function withBalanceLines(
  lines: readonly TextLine[],
  format: NumberFormat,
): readonly TextLine[] {
  const labels = lines.map((line) => balanceLabelOf(line, format));
  const isBalance = labels.map((at) => at !== null);
  const hasRowAbove = (line: TextLine, at: number): boolean => {
    const above = lines[at - 1];
    return (
      above?.page === line.page &&
      isBalance[at - 1] === false &&
      line.top - above.bottom < (line.bottom - line.top) * GAP_MAX &&
      findMoney(above, format).some(({ isCertain }) => isCertain)
    );
  };
  const below = new Set(
    lines.flatMap((line, at) => (isBalance[at] === true && hasRowAbove(line, at) ? [at] : [])),
  );
  if (below.size < LINES_MIN) return lines;
  const right = Math.max(...lines.flatMap(({ words }) => words.map((word) => word.right)));
  return lines.flatMap((line, at) => {
    const next = lines[at + 1];
    const label = labels[at] ?? 0;
    if (below.has(at)) return label === 0 ? [] : [makeLine(line.words.slice(0, label))];
    return next !== undefined && below.has(at + 1)
      ? [joined(line, next.words.slice((labels[at + 1] ?? 0) + 1), right)]
      : [line];
  });
}

/** The index of the label of a balance that ends its line, alone or set apart from a text; null: it has none. */
function balanceLabelOf(line: TextLine, format: NumberFormat): number | null {
  const [money, ...more] = findMoney(line, format).filter(({ isCertain }) => isCertain);
  if (money === undefined || more.length > 0 || money.to !== line.words.length) return null;
  const at = money.from - 1;
  if (!LABEL.test(line.plain[at] ?? "")) return null;
  const gap = (line.words[at]?.left ?? 0) - (line.words[at - 1]?.right ?? 0);
  return at === 0 || gap > (line.bottom - line.top) * GAP_MAX ? at : null;
}

/** The place of the balance is right of the page, as wide as it is printed: all of them end where they end below each other. */
const joined = (line: TextLine, balance: readonly PageWord[], right: number): TextLine =>
  makeLine([
    ...line.words,
    ...balance.map((word) => ({
      ...word,
      ...{ top: line.top, bottom: line.bottom },
      left: word.left + right + COLUMN_GAP,
      right: word.right + right + COLUMN_GAP,
      printed: word.printed ?? word,
    })),
  ]);
