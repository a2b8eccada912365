// Lines with what stands in them: dates, amounts, the header of a table, facts such as an opening balance, headings.
import { type PrintedDate, type DayOrder, printedDateAt } from "./dates.ts";
import {
  type StatementColumn,
  CREDIT_SECTION,
  DEBIT_SECTION,
  FACT_PHRASES,
  type FactKind,
  IGNORED_SECTION,
  type PhraseAt,
  ROLE_PHRASES,
} from "./lexicon.ts";
import type { TextLine } from "./lines.ts";
import { findMoney, type Money, type NumberFormat } from "./money.ts";

export interface HeaderCell {
  readonly role: StatementColumn;
  readonly left: number;
  readonly right: number;
}

export interface Fact {
  readonly kind: FactKind;
  /** null: a label without a value. */
  readonly money: Money | null;
}

export type Heading = "credit" | "debit" | "ignored";

export interface PageLine extends TextLine {
  /** Dates at the start of the line, of which there may be two. */
  readonly dates: readonly PrintedDate[];
  readonly money: readonly Money[];
  /** null: the line is not the header of a table. */
  readonly header: readonly HeaderCell[] | null;
  readonly facts: readonly Fact[];
  readonly heading: Heading | null;
}

const MONEY_ROLES: ReadonlySet<StatementColumn> = new Set(["debit", "credit", "balance", "amount"]);
export const isMoneyRole = (role: StatementColumn): boolean => MONEY_ROLES.has(role);

const HEADING_WORDS_MAX = 8;
const STACKED_GAP_MAX = 1.2;
const DATES_AT_START_MAX = 2;
const LABEL_START_MAX = 2;
/** A number of the row, a mark, or a day of the week. */
const ROW_MARK =
  /\d|^.{1,2}$|^(?:mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|sun|mon-?tag|lun|mar|mer|jeu|ven|sam|dim|mie|jue|vie|dom|gio|sab)[.,]?$|day,?$/u;

/** @param order of day and month in the document */
export function readLines(
  lines: readonly TextLine[],
  order: DayOrder,
  format: NumberFormat,
): PageLine[] {
  const moneyOf = lines.map((line) => findMoney(line, format));
  return lines.map((line, index) => {
    const dates = datesAtStart(line, order);
    const isDateWord = (at: number): boolean => dates.some(({ from, to }) => at >= from && at < to);
    const money = (moneyOf[index] ?? []).filter(({ from }) => !isDateWord(from));
    const header = dates.length > 0 ? null : tableHeaderOf(line, lines[index - 1], money);
    const below = lines[index + 1];
    const belowMoney = below?.page === line.page ? (moneyOf[index + 1] ?? []) : [];
    const facts = header === null ? factsOf(line, dates, money, belowMoney) : [];
    const heading = header === null ? headingOf(line, money, dates) : null;
    return { ...line, dates, money, header, facts, heading };
  });
}

/** The first date is in the first or second place: a number of the row may precede it. */
export function datesAtStart(line: TextLine, order: DayOrder): PrintedDate[] {
  const isNumbered = ROW_MARK.test(line.plain[0] ?? "");
  const first =
    printedDateAt(line, 0, order) ?? (isNumbered ? printedDateAt(line, 1, order) : null);
  if (first === null) return [];
  const dates = [first];
  while (dates.length < DATES_AT_START_MAX) {
    const next = printedDateAt(line, dates.at(-1)?.to ?? 0, order);
    if (next === null) break;
    dates.push(next);
  }
  return dates;
}

export function tableHeaderOf(
  line: TextLine,
  above: TextLine | undefined,
  money: readonly Money[],
): HeaderCell[] | null {
  if (money.some(({ isCertain }) => isCertain)) return null;
  const cells = cellsOf(line);
  if (isHeader(cells)) return cells;
  const isStacked =
    above?.page === line.page &&
    line.top - above.bottom < (line.bottom - line.top) * STACKED_GAP_MAX;
  if (!isStacked || cells.length === 0) return null;
  const both = mergeCells(cellsOf(above), cells);
  return isHeader(both) && both.length > cells.length ? both : null;
}

const mergeCells = (above: readonly HeaderCell[], cells: readonly HeaderCell[]): HeaderCell[] =>
  [
    ...cells,
    ...above.filter((cell) => !cells.some((own) => own.left < cell.right && cell.left < own.right)),
  ].sort((a, b) => a.left - b.left);

function cellsOf(line: TextLine): HeaderCell[] {
  const cells: HeaderCell[] = [];
  let at = 0;
  while (at < line.plain.length) {
    const cell = cellAt(line, at);
    if (cell !== null)
      cells.push({
        role: cell.role,
        left: line.words[at]?.left ?? 0,
        right: line.words[cell.to - 1]?.right ?? 0,
      });
    at = cell?.to ?? at + 1;
  }
  return cells;
}

function cellAt(line: TextLine, at: number): { role: StatementColumn; to: number } | null {
  let best: { role: StatementColumn; to: number } | null = null;
  for (const [role, phrases] of ROLE_PHRASES) {
    const found = phrases.find(line.plain.slice(at, at + 6));
    if (found?.from !== 0 || isTorn(line, at, at + found.to)) continue;
    if (best === null || at + found.to > best.to) best = { role, to: at + found.to };
  }
  return best;
}

/** Whether a phrase goes over the gap between two columns. */
function isTorn({ words }: TextLine, from: number, to: number): boolean {
  return words
    .slice(from + 1, to)
    .some((word, index) => word.left - (words[from + index]?.right ?? 0) > word.bottom - word.top);
}

function isHeader(cells: readonly HeaderCell[]): boolean {
  const roles = new Set(cells.map(({ role }) => role));
  const hasMoney = cells.some(({ role }) => isMoneyRole(role));
  const hasText = roles.has("date") || roles.has("description");
  return hasMoney && hasText && roles.size >= 2;
}

interface FactLabel extends PhraseAt {
  readonly kind: FactKind;
}

function factsOf(
  line: TextLine,
  dates: readonly PrintedDate[],
  money: readonly Money[],
  below: readonly Money[],
): Fact[] {
  const start = dates.at(-1)?.to ?? 0;
  const labels = labelsOf(line, start);
  if (dates.length > 0) {
    const [label] = labels;
    if (label?.from !== start || !["opening", "closing", "weak closing"].includes(label.kind))
      return [];
  }
  return labels.map((label, index) => {
    const end = labels[index + 1]?.from ?? line.words.length;
    const values = money.filter(({ from }) => from >= label.to && from < end);
    const certain = values.filter(({ isCertain }) => isCertain);
    const inLine = certain.at(-1) ?? values.at(-1);
    return { kind: label.kind, money: inLine ?? valueBelow(line, label, below) };
  });
}

function labelsOf(line: TextLine, start: number): FactLabel[] {
  const labels: FactLabel[] = [];
  let at = start;
  while (at < line.plain.length) {
    const found = FACT_PHRASES.flatMap(([kind, phrases]) => {
      const phrase = phrases.find(line.plain, at);
      return phrase === null ? [] : [{ ...phrase, kind }];
    })
      .filter(({ kind, from }) => kind !== "other fact" || from - start < LABEL_START_MAX)
      .sort((a, b) => a.from - b.from || b.to - a.to)[0];
    if (found === undefined) break;
    labels.push(found);
    at = found.to;
  }
  return labels;
}

/** In the next line, between the label and the next word behind it. */
function valueBelow(line: TextLine, label: FactLabel, below: readonly Money[]): Money | null {
  const left = (line.words[label.from]?.left ?? 0) - (line.bottom - line.top);
  const right = line.words[label.to]?.left ?? Number.POSITIVE_INFINITY;
  return below.find((value) => value.isCertain && value.left >= left && value.left < right) ?? null;
}

function headingOf(
  line: TextLine,
  money: readonly Money[],
  dates: readonly PrintedDate[],
): Heading | null {
  if (dates.length > 0 || money.some(({ isCertain }) => isCertain)) return null;
  const words = line.plain.filter((word) => !/^\(?(?:continued|cont'?d|cont\.)\)?$/u.test(word));
  if (words.length > HEADING_WORDS_MAX) return null;
  const text = words.join(" ");
  if (IGNORED_SECTION.find(words)?.from === 0) return "ignored";
  if (CREDIT_SECTION.has(text)) return "credit";
  return DEBIT_SECTION.has(text) ? "debit" : null;
}
