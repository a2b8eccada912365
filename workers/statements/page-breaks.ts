// Texts of rows that go on at the top of the next page: below the repeated header or, where none is repeated, right above the first row.
import type { Column } from "./columns.ts";
import type { PageLine } from "./layout.ts";
import { textUnder } from "./row-cells.ts";
import type { StatementTable, TableRow } from "./rows.ts";
import type { PageWord } from "./words.ts";

/** From one line of a text to the next one, in heights of a line. */
const LINE_GAP_MAX = 1.6;
/** From the last line of a text to the next row. */
const ROW_GAP_MAX = 3.5;
/** Of the rows of a table, with more than one line of text: without a repeated header, nothing else shows what such a line is. */
const LONGER_SHARE_MIN = 0.5;
/** Below a header, lines that were not taken for its second one: "datum  (debet)  (credit)". */
const HEADER_REST_MAX = 1;

interface RowsByTable<Table extends StatementTable> {
  readonly table: Table;
  readonly rows: readonly TableRow[];
}

interface RowPlace {
  readonly table: StatementTable;
  readonly row: TableRow;
}

/** The rows of an account in the order of the page, those at the end of a page with what the next page has of their texts. */
export function withTextsOverPages<Table extends StatementTable>(
  tables: readonly RowsByTable<Table>[],
): RowsByTable<Table>[] {
  const places = tables.flatMap(({ table, rows }) => rows.map((row) => ({ table, row })));
  const [first] = places;
  const lefts = leftsOf(places);
  // Where cells are set in the middle of their rows, a text above the first row is of that one.
  if (first === undefined || linesAbove(first, first.table.header.length > 0, lefts).length > 0)
    return [...tables];
  const areLong = isLong(places);
  const longer = new Map<TableRow, TableRow>();
  for (const [at, next] of places.entries()) {
    const last = places[at - 1];
    const isSameTable = last?.table === next.table;
    if (last === undefined || (isSameTable && !areLong)) continue;
    if (!goesOn(last, next.table, next.row.page)) continue;
    addTexts(longer, last, linesAbove(next, !isSameTable, lefts));
  }
  const end = places.at(-1);
  if (end !== undefined) addTexts(longer, end, linesBehind(end, tables, lefts));
  return tables.map((one) => ({
    ...one,
    rows: one.rows.map((row) => longer.get(row) ?? row),
  }));
}

function addTexts(
  longer: Map<TableRow, TableRow>,
  { table, row }: RowPlace,
  lines: readonly PageLine[],
): void {
  if (lines.length === 0) return;
  const texts = lines.map((line) => textUnder(line, table.header, row.columns) ?? []);
  longer.set(row, {
    ...row,
    description: [row.description, ...texts.flat().map(({ text }) => text)].join(" "),
    descriptionLines: [...row.descriptionLines, ...texts],
  });
}

/** Where the lines of texts begin. */
const leftsOf = (places: readonly RowPlace[]): readonly number[] =>
  places.flatMap(({ row }) =>
    row.descriptionLines.flatMap(([word]: readonly PageWord[]) => word?.left ?? []),
  );

const isLong = (places: readonly RowPlace[]): boolean =>
  places.filter(({ row }) => row.descriptionLines.length > 1).length >=
  places.length * LONGER_SHARE_MIN;

/** The index of the line that a row begins in; -1: it begins elsewhere than with its day. */
function firstLineOf({ table, row }: RowPlace): number {
  const word = row.date?.words[0];
  const text = row.descriptionLines[0]?.[0];
  if (word === undefined || text === undefined) return -1;
  return table.lines.findIndex(({ words }) => words.includes(word) && words.includes(text));
}

/** Whether that page of a table is the next one of the same list, and nothing ends the list behind the row. */
function goesOn({ table, row }: RowPlace, next: StatementTable, page: number): boolean {
  const rolesOf = ({ header }: StatementTable): string => header.map(({ role }) => role).join();
  if (page !== row.page + 1 || table.heading !== next.heading) return false;
  if (rolesOf(table) !== rolesOf(next)) return false;
  const word = row.descriptionLines.at(-1)?.at(-1);
  const from = table.lines.findIndex(({ words }) => word !== undefined && words.includes(word));
  const behind = table.lines.slice(from + 1).filter((line) => line.page === row.page);
  return from >= 0 && behind.every(({ facts, heading }) => facts.length === 0 && heading === null);
}

/** Whether a line is nothing but text, and begins where texts of rows do. */
const isText = (
  line: PageLine,
  { header }: StatementTable,
  columns: readonly Column[],
  lefts: readonly number[],
): boolean =>
  line.dates.length + line.facts.length === 0 &&
  line.heading === null &&
  lefts.some((left) => Math.abs(left - leftOf(line)) < (line.bottom - line.top) / 2) &&
  textUnder(line, header, columns) !== null;

/**
 * The lines of text above a row, on its page.
 * @param isBelowHeader else the head of the page stands above them
 */
function linesAbove(
  { table, row }: RowPlace,
  isBelowHeader: boolean,
  lefts: readonly number[],
): readonly PageLine[] {
  const at = firstLineOf({ table, row });
  const below = table.lines[at];
  if (below === undefined) return [];
  const lead = table.lines.slice(0, at).filter(({ page }) => page === below.page);
  const edge = isBelowHeader ? Number.NEGATIVE_INFINITY : leftOf(below) + below.bottom - below.top;
  const isOther = (line: PageLine, place: number): boolean =>
    leftOf(line) < edge ||
    !isText(line, table, row.columns, lefts) ||
    !isNear(line, lead[place + 1] ?? below, place === lead.length - 1 ? ROW_GAP_MAX : LINE_GAP_MAX);
  const from = lead.findLastIndex(isOther) + 1;
  return isBelowHeader && from > HEADER_REST_MAX ? [] : lead.slice(from);
}

/** The same below a header that no other row follows. */
function linesBehind(
  end: RowPlace,
  tables: readonly RowsByTable<StatementTable>[],
  lefts: readonly number[],
): readonly PageLine[] {
  const at = tables.findIndex(({ rows }) => rows.includes(end.row));
  const next = tables.slice(at + 1).find(({ table }) => table.lines.length > 0)?.table;
  const [first] = next?.lines ?? [];
  if (next === undefined || first === undefined || !next.isHeaderPrinted) return [];
  if (!goesOn(end, next, first.page)) return [];
  const isOwn = (line: PageLine): boolean => isText(line, next, end.row.columns, lefts);
  const from = next.lines.findIndex(isOwn);
  if (from < 0 || from > HEADER_REST_MAX) return [];
  const behind = next.lines.slice(from);
  const to = behind.findIndex((line, place) => {
    const above = behind[place - 1];
    return !isOwn(line) || (above !== undefined && !isNear(above, line, LINE_GAP_MAX));
  });
  return behind.slice(0, to < 0 ? behind.length : to);
}

const leftOf = ({ words }: PageLine): number => words[0]?.left ?? 0;

const isNear = (line: PageLine, below: PageLine, gapMax: number): boolean =>
  below.top - line.bottom <= (line.bottom - line.top) * gapMax;
