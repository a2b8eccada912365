// "Bal $7,100.12" in small type below each amount: apps print the balance behind a row in a line of its own, where it looks like one
// more row.
import { findMoney, type NumberFormat } from "./money.ts";
import { makeLine, type TextLine } from "./lines.ts";

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
  const isBalance = lines.map((line) => isOfBalance(line, format));
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
    if (below.has(at)) return [];
    return next !== undefined && below.has(at + 1) ? [joined(line, next, right)] : [line];
  });
}

function isOfBalance(line: TextLine, format: NumberFormat): boolean {
  const [money, ...more] = LABEL.test(line.plain[0] ?? "") ? findMoney(line, format) : [];
  return (
    money?.isCertain === true &&
    money.from === 1 &&
    more.length === 0 &&
    money.to === line.words.length
  );
}

/** The place of the balance is right of the page, as wide as it is printed: all of them end where they end below each other. */
const joined = (line: TextLine, { words }: TextLine, right: number): TextLine =>
  makeLine([
    ...line.words,
    ...words.slice(1).map((word) => ({
      ...word,
      ...{ top: line.top, bottom: line.bottom },
      left: word.left + right + COLUMN_GAP,
      right: word.right + right + COLUMN_GAP,
      printed: word.printed ?? word,
    })),
  ]);
