// Rows that are printed as plain text, with one space between all values: their amounts stand in no columns, only in an order.
import { datesAtStart } from "./line-dates.ts";
import { makeLine, type TextLine } from "./lines.ts";
import { isMoneyRole } from "./header-cell.ts";
import { tableHeaderOf } from "./table-header.ts";
import type { PageWord } from "./words.ts";

const AMOUNT =
  /^[-+(\u2212]?(?:\p{Lu}{0,3}\p{Sc})?[-+\u2212]?\d[\d.,'’]*[.,]\d{2}[-+)]?(?:CR|DR)?$/iu;
const SIGN_WORD = /^(?:CR|DR)$/iu;
const ROWS_MIN = 4;
/** In heights of a line: a wider gap sets columns apart. */
const GAP_MAX = 0.75;
/** In heights of a line: amounts of a column end closer to each other. */
const RAGGED_MIN = 2;
/** In points, between the right edges of the made columns: more than any amount is wide. */
const COLUMN_STEP = 150;

/** The same lines with the last two amounts of each row below those of the others, where all rows are of this kind. */
export function alignPlainRows(lines: readonly TextLine[]): readonly TextLine[] {
  const dated = lines.filter((line) => endsWithAmounts(line) && hasDate(line));
  if (dated.length < ROWS_MIN || !dated.every((line) => isPlain(line))) return lines;
  const rights = dated.map(({ words }) => words.at(-1)?.right ?? 0);
  const height = Math.max(...dated.map(({ top, bottom }) => bottom - top));
  if (Math.max(...rights) - Math.min(...rights) < height * RAGGED_MIN) return lines;
  const edge = Math.max(...lines.map(({ words }) => words.at(-1)?.right ?? 0));
  const rows = new Set(dated);
  return lines.map((line) => {
    if (rows.has(line)) return aligned(line, amountsOf(line), edge);
    const names = isPlain(line) ? moneyNamesOf(line) : [];
    return names.length === 2 ? aligned(line, names, edge) : line;
  });
}

const hasDate = (line: TextLine): boolean => datesAtStart(line, "day first").length > 0;
const endsWithAmounts = (line: TextLine): boolean => amountsOf(line).length === 2;

const isPlain = ({ words, top, bottom }: TextLine): boolean =>
  words.every(
    ({ left, source }, at) =>
      source !== "ocr" && left - (words[at - 1]?.right ?? left) < (bottom - top) * GAP_MAX,
  );

/** The words of the amounts at the end of a line, each with its CR or DR. */
function amountsOf({ words }: TextLine): PageWord[][] {
  const amounts: PageWord[][] = [];
  let to = words.length;
  while (to > 0) {
    const from = SIGN_WORD.test(words[to - 1]?.text ?? "") ? to - 2 : to - 1;
    if (!AMOUNT.test(words[from]?.text ?? "")) break;
    amounts.unshift(words.slice(from, to));
    to = from;
  }
  return amounts;
}

/**
 * The names of the columns of amounts and of balances; empty: the line is not such a header. Behind a debit and a credit column too, one
 * amount of a row is printed, and the balances alone show which: that name is "Amount" then.
 */
function moneyNamesOf(line: TextLine): PageWord[][] {
  const cells = (tableHeaderOf(line, undefined, []) ?? []).filter(({ role }) => isMoneyRole(role));
  const names = cells.map((cell) =>
    line.words.filter(({ left, right }) => left >= cell.left && right <= cell.right),
  );
  const [debit, credit, balance, ...more] = names;
  const isSplit = more.length === 0 && cells[2]?.role === "balance";
  if (!isSplit || debit === undefined || credit === undefined || balance === undefined)
    return names;
  const all = [...debit, ...credit];
  return [all.map((word, at) => ({ ...word, text: at === 0 ? "Amount" : "/" })), balance];
}

/** The line with its groups of words at the right edges of the made columns. */
function aligned(line: TextLine, groups: readonly (readonly PageWord[])[], edge: number): TextLine {
  const moved = groups.flatMap((group, at) => {
    const shift = edge + COLUMN_STEP * (at + 1) - (group.at(-1)?.right ?? 0);
    return group.map((word) => ({
      ...word,
      ...{ left: word.left + shift, right: word.right + shift, printed: word.printed ?? word },
    }));
  });
  const lefts = new Set(groups.flat().map(({ left }) => left));
  return makeLine([...line.words.filter(({ left }) => !lefts.has(left)), ...moved]);
}
