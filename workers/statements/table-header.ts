// Headers of tables: which column stands where, from words that may go over two lines.
import { type HeaderCell, isMoneyRole } from "./header-cell.ts";
import {
  withCharges,
  withLoanColumns,
  withMarkColumn,
  withPayments,
  withSectionAsText,
} from "./header-directions.ts";
import { hasLetters, isProse } from "./header-prose.ts";
import { CARD_WORDS, plainWord, ROLE_PHRASES, type StatementColumn } from "./lexicon.ts";
import { type LinePiece, linePieces } from "./line-pieces.ts";
import { makeLine, type TextLine } from "./lines.ts";
import type { Money } from "./money.ts";
import { sectionHeadingOf } from "./section-heading.ts";
import type { PageWord } from "./words.ts";

/** In heights of a line. */
const STACKED_GAP_MAX = 1.2;
const SPACE_WIDTH_MAX = 1.5;

/**
 * The cells of a line that is the header of a table, empty where it does not name the amounts; null: it is another line.
 * @param headerAbove the cells of the line above, which may be the second one of a header; null: it is another line
 */
export function tableHeaderOf(
  printed: TextLine,
  above: TextLine | undefined,
  money: readonly Money[],
  headerAbove?: readonly HeaderCell[] | null,
): HeaderCell[] | null {
  const headings = withoutSum(
    printed,
    money.filter(({ isCertain }) => isCertain),
  );
  if (headings === null || isOfValues(headings)) return null;
  const line = withoutGlued(headings);
  const named = withSectionAsText(line, cellsOf(line));
  const cells = withLoanColumns(line, withCharges(line, withPayments(line, named)));
  if (isProse(line, cells) || (headings !== printed && !isOfRows(cells))) return null;
  return beginsWithSection(cells) ? [] : headerWith(cells, line, above, headerAbove);
}

/** Whether a day, a text and an amount stand in each row: values with a label each are another line. */
const isOfRows = (cells: readonly HeaderCell[]): boolean =>
  isHeader(cells) && cells.some(isText) && cells.some(({ role }) => role === "date");

/** So many headings in front of the sum. */
const NAMED_MIN = 3;

/**
 * "Date  Amount  Description          totaling $4,210.11.": the heading of a section may go on in the line of the headings of columns.
 * The line without it; null: it has amounts elsewhere.
 */
function withoutSum(line: TextLine, amounts: readonly Money[]): TextLine | null {
  const [amount, ...others] = amounts;
  if (amount === undefined) return line;
  const pieces = linePieces(line);
  const [note, sum] = [pieces.at(-1)?.words ?? [], amount.words[0]];
  const isBehindWords = sum !== undefined && note.indexOf(sum) > 0;
  if (others.length > 0 || !isBehindWords || pieces.length <= NAMED_MIN) return null;
  return makeLine(pieces.slice(0, -1).flatMap(({ words }) => words));
}

/** The cells of the line, with those of the line above where both are one header. */
function headerWith(
  cells: HeaderCell[],
  line: TextLine,
  above: TextLine | undefined,
  headerAbove: readonly HeaderCell[] | null | undefined,
): HeaderCell[] | null {
  const isNear = isNextLine(above, line);
  if (isNear && isHeadingBelow(above, headerAbove, line)) return null;
  const isStacked = isNear && !isHeadingOfTable(above, line, isHeader(cells));
  const own = isHeader(cells) && !isSectionHeading(line) ? withMarkColumn(cells) : null;
  if (!isStacked || cells.length === 0 || /\d/u.test(above.plain.join(""))) return own;
  const spanning = spanningCells(above, line);
  const upper = wholeCells(withoutCells(above, spanning)).flatMap((cell) =>
    firstOfTwo(cell, line, cells),
  );
  const merged = mergeCells(upper, replaceCells(cells, spanning));
  const both = withDirections(mergeCells(cellsAbove(merged, headerAbove), merged), headerAbove);
  const isMore = both.length > cells.length || spanning.length > 0;
  return isHeader(both) && isMore ? withMarkColumn(both) : own;
}

/** "Descrizione operazioni" in the upper line alone: a header of two lines has what the lower one has no other heading for. */
const cellsAbove = (
  cells: readonly HeaderCell[],
  headerAbove: readonly HeaderCell[] | null | undefined,
): readonly HeaderCell[] =>
  isHeader(cells)
    ? (headerAbove ?? []).filter(({ role }) => cells.every((own) => own.role !== role))
    : [];

/** "Withdrawal" and "Deposit" two lines above "Amount (INR)": what is in each column. */
const withDirections = (
  cells: readonly HeaderCell[],
  headerAbove: readonly HeaderCell[] | null | undefined,
): HeaderCell[] =>
  cells.map((cell) => {
    const above = headerAbove?.find(({ left, right }) => left < cell.right && cell.left < right);
    const isNamed = cell.role === "amount" && (above?.role === "debit" || above?.role === "credit");
    return isNamed ? { ...cell, role: above.role } : cell;
  });

const isText = ({ role }: HeaderCell): boolean => role === "description";

/** "Credit limit   Minimum payment   Payment due date" stands over what a card has once. */
const isOfValues = ({ plain, words }: TextLine): boolean =>
  CARD_WORDS.find(plain) !== null || words.some(({ text }) => REFERENCE.test(text));

/** "UNR2PTT5FPUQ7CU7 CAUSALE SALDO FATT.": the headings of columns have no such number. */
const REFERENCE = /^(?=.*\d)(?=.*\p{L})[\p{L}\d]{10,}$/u;

const isNextLine = (above: TextLine | undefined, line: TextLine): above is TextLine =>
  above?.page === line.page && line.top - above.bottom < (line.bottom - line.top) * STACKED_GAP_MAX;

/** "Opérations au crédit" names no columns: nothing but words of one heading, without a gap. */
const isSectionHeading = (line: TextLine): boolean =>
  sectionHeadingOf(line.plain) !== null && linePieces(line).length === 1;

/** "Payments" below a whole header: the first section, where it stands below the headings of dates or texts. */
function isHeadingBelow(
  above: TextLine,
  headerAbove: readonly HeaderCell[] | null | undefined,
  line: TextLine,
): boolean {
  if (!isSectionHeading(line)) return false;
  const cells = headerAbove ?? cellsOf(above);
  const { left, right } = edgesOf(line.words);
  const over = cells.filter((cell) => cell.left < right && left < cell.right);
  return (
    isHeader(cells) &&
    over.length > 0 &&
    over.every(({ role }) => role === "date" || role === "description" || role === "reference")
  );
}

/** "Purchases and other charges" above a table, where the first column begins or, above a whole header, anywhere. */
const isHeadingOfTable = (above: TextLine, line: TextLine, isWhole: boolean): boolean =>
  above.words.length > 1 &&
  sectionHeadingOf(above.plain) !== null &&
  ((isWhole && linePieces(above).length === 1) ||
    (above.words[0]?.left ?? 0) < (line.words[0]?.left ?? 0) + line.bottom - line.top);

const GLUED = /^(.*\p{Ll})(\p{Lu}.*)$/u;

/** "ImportoD/A": headings of columns without a gap between them are words of their own. */
function withoutGlued(line: TextLine): TextLine {
  const words = line.words.flatMap((word) => {
    const parts = GLUED.exec(word.text)?.slice(1) ?? [];
    if (parts.length === 0 || !parts.every(isColumnWord)) return [word];
    const [first = ""] = parts;
    const edge = word.left + ((word.right - word.left) * first.length) / word.text.length;
    return parts.map((text, at) => ({
      ...word,
      text,
      ...(at === 0 ? { right: edge } : { left: edge }),
    }));
  });
  return words.length === line.words.length ? line : makeLine(words);
}

const isColumnWord = (text: string): boolean =>
  ROLE_PHRASES.some(([, phrases]) => phrases.has(plainWord(text)));

interface SpanningCell extends HeaderCell {
  /** What it has in the lower line. */
  readonly own: { readonly left: number; readonly right: number };
}

/** "Amounts deducted from" above "your account ($)": a heading whose words begin in one line and end in the other. */
function spanningCells(above: TextLine, line: TextLine): SpanningCell[] {
  const lower = linePieces(line);
  return linePieces(above).flatMap((upper) =>
    lower.flatMap((piece) => {
      if (upper.left >= piece.right || piece.left >= upper.right) return [];
      return spanningCellsOf(upper, piece);
    }),
  );
}

/** A piece may hold headings of several columns that touch each other: each phrase that goes over the two lines is one. */
function spanningCellsOf(upper: LinePiece, lower: LinePiece): SpanningCell[] {
  const cells: SpanningCell[] = [];
  let start = 0;
  while (start < upper.words.length) {
    const words = upper.words.slice(start);
    const found = beginsHeading(words) ? spanningCellAt(words, lower.words) : null;
    if (found !== null) cells.push(found.cell);
    start += found?.upperWords ?? 1;
  }
  return cells;
}

/** Few words of a text do, which is asked before all the words below are tried. */
function beginsHeading(words: readonly PageWord[]): boolean {
  const [first = ""] = headerWords(textOf(words.slice(0, 1)), 0);
  return ROLE_PHRASES.some(([, phrases]) => phrases.begins(first));
}

/** The longest phrase that begins with the first of the upper words. */
function spanningCellAt(
  upper: readonly PageWord[],
  lower: readonly PageWord[],
): { readonly cell: SpanningCell; readonly upperWords: number } | null {
  let best: { readonly cell: SpanningCell; readonly upperWords: number; words: number } | null =
    null;
  for (
    let upperWords = 1;
    upperWords <= Math.min(upper.length, HEADER_WORDS_MAX - 1);
    upperWords += 1
  ) {
    const above = upper.slice(0, upperWords);
    const a = edgesOf(above);
    for (const [from, first] of lower.entries()) {
      if (first.left >= a.right) break;
      // No more than a heading has: lines of prose are long.
      const below = lower.slice(from, from + HEADER_WORDS_MAX - upperWords);
      if (edgesOf(below).right <= a.left) continue;
      const cell = cellAt(textOf([...above, ...below]), 0, upperWords);
      if (cell === null || cell.to <= (best?.words ?? 0)) continue;
      const own = edgesOf(below.slice(0, cell.to - upperWords));
      if (a.left >= own.right || own.left >= a.right) continue;
      const [left, right] = [Math.min(a.left, own.left), Math.max(a.right, own.right)];
      best = { cell: { role: cell.role, left, right, own }, upperWords, words: cell.to };
    }
  }
  return best;
}

const edgesOf = (words: readonly PageWord[]): { left: number; right: number } => ({
  left: Math.min(...words.map(({ left }) => left)),
  right: Math.max(...words.map(({ right }) => right)),
});

/**
 * Only what stands in the place of the lower words goes: the upper ones may reach over the heading next to them, and both may reach
 * over its edge where headings are wider than their columns.
 */
const replaceCells = (
  cells: readonly HeaderCell[],
  others: readonly SpanningCell[],
): readonly HeaderCell[] => [
  ...cells.filter(
    ({ left, right }) =>
      !others.some(({ own }) => (left + right) / 2 < own.right && (left + right) / 2 > own.left),
  ),
  ...others.map(({ role, left, right }) => ({ role, left, right })),
];

/** "TRANSACTION DESCRIPTION" above "DATE": what is left of the upper line where its first word goes on below. */
function withoutCells(line: TextLine, cells: readonly HeaderCell[]): TextLine {
  const words = line.words.filter((word) =>
    cells.every(({ left, right }) => word.left < left || word.right > right),
  );
  return words.length === line.words.length || words.length === 0 ? line : makeLine(words);
}

/** Cells that stand alone between gaps: words of a heading do not. */
function wholeCells(line: TextLine): HeaderCell[] {
  const gap = line.bottom - line.top;
  return cellsOf(line).filter(({ left, right }) =>
    line.words.every(
      (word) =>
        !hasLetters(word) ||
        (word.left >= left && word.right <= right) ||
        word.left - right > gap / 2 ||
        left - word.right > gap / 2,
    ),
  );
}

const mergeCells = (above: readonly HeaderCell[], cells: readonly HeaderCell[]): HeaderCell[] =>
  [
    ...cells,
    ...above.filter((cell) => !cells.some((own) => own.left < cell.right && cell.left < own.right)),
  ].sort((a, b) => a.left - b.left);

/** "Saldo" above "Operación  Liquidación": the balance that follows the rows is the first of two below one heading. */
function firstOfTwo(cell: HeaderCell, line: TextLine, cells: readonly HeaderCell[]): HeaderCell[] {
  const after = Math.max(...cells.map(({ right }) => right));
  const [first, second, ...others] = line.words.filter(({ left }) => left > after);
  const isTwo = first !== undefined && second !== undefined && others.length === 0;
  if (!isTwo || cell.role !== "balance" || cell.left > first.right || cell.right < second.left)
    return [cell];
  const { left, right } = second;
  return [
    { role: "balance", left: first.left, right: first.right },
    { role: "reference", left, right },
  ];
}

function cellsOf(line: TextLine): HeaderCell[] {
  const cells: HeaderCell[] = [];
  let at = 0;
  while (at < line.plain.length) {
    const cell = headingAt(line, at);
    if (cell !== null) {
      const left = line.words[at]?.left ?? 0;
      const right = line.words[cell.to - 1]?.right ?? 0;
      const before = cells.at(-1);
      const isSame =
        before?.role === "reference" &&
        cell.role === "reference" &&
        left - before.right < (line.bottom - line.top) * SPACE_WIDTH_MAX;
      // "Cheque no." in wide type is one heading.
      cells.splice(isSame ? -1 : cells.length, isSame ? 1 : 0, {
        role: cell.role,
        left: isSame ? before.left : left,
        right,
      });
    }
    at = cell?.to ?? at + 1;
  }
  return cells;
}

/** "Payment due date" above a day is not a column of dates. */
const headingAt = (line: TextLine, at: number): ReturnType<typeof cellAt> =>
  line.plain[at - 1] === "due" ? null : cellAt(line, at);

/** The words of two lines one behind the other. */
const textOf = (words: readonly PageWord[]): Pick<TextLine, "words" | "plain"> => ({
  words,
  plain: words.map((word) => plainWord(word.text)),
});

/** @param longerThan words that a phrase goes beyond: those of the line above; 0: there is none */
function cellAt(
  line: Pick<TextLine, "words" | "plain">,
  at: number,
  longerThan = 0,
): { role: StatementColumn; to: number } | null {
  let best: { role: StatementColumn; to: number } | null = null;
  // Words of two lines lie over each other.
  const words = headerWords(line, at).slice(
    0,
    longerThan > 0 ? HEADER_WORDS_MAX : cellWords(line, at),
  );
  for (const [role, phrases] of ROLE_PHRASES) {
    const found = phrases.find(words);
    if (found?.from !== 0 || found.to <= longerThan) continue;
    if (best === null || at + found.to > best.to) best = { role, to: at + found.to };
  }
  return best;
}

const HEADER_WORDS_MAX = 6;
/** "In(£)" and "Amount(INR)". */
const UNIT_BEHIND = /(?<=\p{L})\((?:in ?)?(?:[^)\p{L}]{1,3}|rs\.?|[a-z]{3}|r|kr)\)$/u;

/** "Deposits/" goes on in the line below. */
const headerWords = ({ plain }: Pick<TextLine, "plain">, at: number): string[] =>
  plain.slice(at, at + HEADER_WORDS_MAX).map((word) => {
    const bare = word.replace(UNIT_BEHIND, "");
    return bare.length > 1 ? bare.replace(/[/.]$/u, "") : word;
  });

/** How many words from one on stand before the next gap between two columns, which no phrase goes over. */
function cellWords({ words }: Pick<TextLine, "words">, from: number): number {
  const gap = words
    .slice(from + 1)
    .findIndex(
      (word, index) => word.left - (words[from + index]?.right ?? 0) > word.bottom - word.top,
    );
  return gap < 0 ? HEADER_WORDS_MAX : gap + 1;
}

/** "Deposits  Date  Serial #  Source": the heading of a section in the line of a header that does not name its amounts. */
const beginsWithSection = ([first, second, ...others]: readonly HeaderCell[]): boolean =>
  (first?.role === "credit" || first?.role === "debit") &&
  second?.role === "date" &&
  !others.some(({ role }) => isMoneyRole(role));

function isHeader(cells: readonly HeaderCell[]): boolean {
  const roles = new Set(cells.map(({ role }) => role));
  const hasMoney = cells.some(({ role }) => isMoneyRole(role));
  const hasText = roles.has("date") || roles.has("description");
  return hasMoney && hasText && roles.size >= 2;
}
