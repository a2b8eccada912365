// What stands in a line of a table: its amounts by column, the words that describe it, and a printed direction.
import { type Column, columnOf } from "./columns.ts";
import { findDates, type PrintedDate } from "./dates.ts";
import { type HeaderCell, isMoneyRole } from "./header-cell.ts";
import type { PageLine } from "./layout.ts";
import { CREDIT_WORD, DEBIT_WORD } from "./lexicon.ts";
import type { Money } from "./money.ts";
import type { PageWord } from "./words.ts";

export const isAmountColumn = (column: Column | undefined): boolean =>
  column !== undefined &&
  (column.role === null || column.role === "fee" || isMoneyRole(column.role));

export const haveLetters = (words: readonly PageWord[]): boolean =>
  words.some(({ text }) => /\p{L}/u.test(text));

/** By the index of the column. */
export function amountsByColumn(line: PageLine, columns: readonly Column[]): Map<number, Money> {
  const cells = new Map<number, Money>();
  for (const money of line.money) {
    const at = columnOf(money, columns);
    const column = columns[at];
    if (column === undefined || !isAmountColumn(column)) continue;
    // A number without decimals is an amount only where the amounts of the column end.
    const isAligned = Math.abs(money.right - column.right) < (line.bottom - line.top) / 2;
    if (!money.isCertain && !isAligned) continue;
    if (money.isCertain || cells.get(at)?.isCertain !== true) cells.set(at, money);
  }
  return cells;
}

/** The words of a line without its dates and amounts and, next to a column of descriptions, without its type and reference. */
export function describedBy(
  line: PageLine,
  cells: ReadonlyMap<number, Money>,
  header: readonly HeaderCell[],
): readonly PageWord[] {
  const description = header.find(({ role }) => role === "description");
  const used = [...line.dates, ...cells.values(), ...datesBehind(line, header, description)];
  const all = line.words.filter((_, at) => !used.some(({ from, to }) => at >= from && at < to));
  const free = withoutRowNumber(withoutNotes(all, header), line);
  if (description === undefined) return free;
  const others = header.filter(({ role }) => role === "type" || role === "reference");
  const text = textFrom(free, description);
  const isOther = (word: PageWord): boolean => {
    if (text.has(word)) return false;
    const whole = pieceAt(free, word);
    const isText = whole.some((one) => text.has(one) || isBelow(one, description));
    return others.some((cell) => (isText ? [word] : whole).some((one) => isBelow(one, cell)));
  };
  const described = free.filter((word) => !isOther(word));
  // Of a check, the number is all that there is next to its type, or next to the word.
  return haveLetters(described) && !described.every(isCheckWord) ? described : free;
}

/** The words around one of them without a gap between them: a heading is narrower than what stands in its column. */
function pieceAt(words: readonly PageWord[], word: PageWord): readonly PageWord[] {
  const at = words.indexOf(word);
  const isApart = (place: number): boolean => {
    const [before, one] = [words[place - 1], words[place]];
    if (before === undefined || one === undefined) return true;
    return one.left - before.right > (one.bottom - one.top) * WORD_GAP_MAX;
  };
  let [from, to] = [at, at + 1];
  while (!isApart(from)) from -= 1;
  while (!isApart(to)) to += 1;
  return words.slice(from, to);
}

const isCheckWord = ({ text }: PageWord): boolean => /^che(?:ck|que)s?$/iu.test(text);

/** Behind the last column, a box may stand next to the table. */
function withoutNotes(
  words: readonly PageWord[],
  header: readonly HeaderCell[],
): readonly PageWord[] {
  const last = header.at(-1);
  if (last === undefined || !isMoneyRole(last.role)) return words;
  const own = words.filter(({ left, top, bottom }) => left < last.right + bottom - top);
  return haveLetters(own) ? own : words;
}

/** Left of the day, rows may be counted. */
function withoutRowNumber(words: readonly PageWord[], line: PageLine): readonly PageWord[] {
  const [first, ...others] = words;
  const isNumber = first === line.words[0] && /^\d{1,4}$/u.test(first?.text ?? "");
  return isNumber && line.dates[0]?.from === 1 && haveLetters(others) ? others : words;
}

/** The words from the edge of the column of descriptions to the first wide gap: they may reach below the next heading. */
function textFrom(words: readonly PageWord[], cell: HeaderCell): ReadonlySet<PageWord> {
  const first = words.findIndex(
    ({ left, top, bottom }) => left > cell.left - (bottom - top) && left < cell.right,
  );
  const text = new Set<PageWord>();
  for (const [at, word] of words.entries()) {
    if (at < first || first < 0) continue;
    const before = words[at - 1];
    const gap = at === first || before === undefined ? 0 : word.left - before.right;
    if (gap > (word.bottom - word.top) * WORD_GAP_MAX) break;
    text.add(word);
  }
  return text;
}

const isBelow = (word: PageWord, { left, right }: HeaderCell): boolean =>
  word.left < right && word.right > left;

/** Days of settlement or value in columns right of the description. In which order their numbers stand does not matter here. */
function datesBehind(
  line: PageLine,
  header: readonly HeaderCell[],
  description: HeaderCell | undefined,
): readonly PrintedDate[] {
  if (description === undefined) return [];
  const cells = header.filter(
    ({ role, left }) => (role === "date" || role === "value date") && left > description.right,
  );
  if (cells.length === 0) return [];
  return findDates(line, "day first").filter(({ words }) =>
    words.some((word) => cells.some((cell) => isBelow(word, cell))),
  );
}

/** In heights of a word: more is the paper between two columns. */
const WORD_GAP_MAX = 0.6;
/** Whether descriptions stand right of all amounts: the numbers there are those of texts. */
export const isBehindAmounts = (description: HeaderCell, header: readonly HeaderCell[]): boolean =>
  header.every(({ role, right }) => !isMoneyRole(role) || right < description.left);

/** "* Gap in check sequence", "## These fees include VAT" */
const FOOTNOTE_MARK = /^(?:\*+|#{2,}|[†‡§]+)$/u;
/** More words left of the description are a sentence below the table. */
const LEFT_WORDS_MAX = 4;

/**
 * The words of a line without amounts that continue the text of a row: those in the column of descriptions. Left of it, the time or the
 * year may stand below the day. null: it has none.
 */
export function textUnder(
  line: PageLine,
  header: readonly HeaderCell[],
  columns: readonly Column[],
): readonly PageWord[] | null {
  const all = describedBy(line, NO_CELLS, header);
  const [first] = line.words;
  const cell = header.find(({ role }) => role === "description");
  const date = header.find(({ role }) => role === "date" || role === "value date");
  const height = line.bottom - line.top;
  const amounts = columns.filter(isAmountColumn).map(({ left }) => left);
  if (first === undefined) return null;
  if (cell !== undefined && isBehindAmounts(cell, header))
    return first.left > cell.left - height ? all : null;
  const edge = Math.min(...amounts);
  if (first.left >= edge || isNote(line, edge)) return null;
  if (cell === undefined || date === undefined || date.left > cell.left) return all;
  if (first.left > date.left + height) return all;
  const from = line.words.findIndex(({ left }) => Math.abs(left - cell.left) < height);
  const [own, before] = [line.words[from], line.words[from - 1]];
  const isApart = own !== undefined && before !== undefined && own.left - before.right > height;
  return isApart && from <= LEFT_WORDS_MAX
    ? all.filter((word) => line.words.indexOf(word) >= from)
    : null;
}

/** A footnote, or a sentence below the table: it goes on where the amounts stand, without a gap. */
const isNote = ({ words, top, bottom }: PageLine, edge: number): boolean =>
  FOOTNOTE_MARK.test(words[0]?.text ?? "") ||
  words.some(
    ({ left }, at) =>
      left >= edge && left - (words[at - 1]?.right ?? left) < (bottom - top) * WORD_GAP_MAX,
  );

const NO_CELLS: ReadonlyMap<number, Money> = new Map();

/** From a column of types: 1 for credit, 0: there is none. */
export function printedDirection(line: PageLine, header: readonly HeaderCell[]): -1 | 0 | 1 {
  // A column of codes may stand next to that of directions.
  const types = header.filter(({ role }) => role === "type");
  const words = line.plain.filter((_, at) => {
    const word = line.words[at];
    return types.some(
      ({ left, right }) => word !== undefined && word.left < right && word.right > left,
    );
  });
  if (words.some((word) => CREDIT_WORD.has(word))) return 1;
  return words.some((word) => DEBIT_WORD.has(word)) ? -1 : 0;
}
