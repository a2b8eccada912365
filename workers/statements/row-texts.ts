// Which lines of text are of which row, where they stand above its amount too: in cells that are set in the middle or at the bottom of
// their row. The paper between the rows shows it, or days that begin rows whose amounts end them.
import type { PageLine } from "./layout.ts";

/** Of rows with lines of text between them; fewer do not show how a table is set. */
const BLOCKS_MIN = 3;
/** Of rows that begin with a day above their amount. */
const DATED_MIN = 2;
/** Of these, in which one gap is that between two rows. */
const CLEAR_SHARE_MIN = 0.9;
/** Lines of one table are set to the same distances, but for rounding and noise. */
const GAP_TOLERANCE = 0.96;
/** As a share of the gap between two rows: a line in smaller type is a little nearer to the next one than to the one above. */
const OTHER_GAP_MAX = 0.92;

/** Of the lines between two amounts: so few may be the headings of parts of the table. */
const HEADING_SHARE_MAX = 0.2;

interface LineKinds {
  /** Whether it has the amounts of a row. */
  isAmount(line: PageLine): boolean;
  /** Whether no row goes on over it: a heading, a total, a day above rows. */
  isEnd(line: PageLine): boolean;
  /** Whether a row begins with the day in it. */
  isDay(line: PageLine): boolean;
}

/**
 * From the line with the amount of a row to all lines of it, itself among them, from top to bottom. Rows that have no line above their
 * amount, and the lines below up to the next one, are left out.
 */
export function textsByRow(
  lines: readonly PageLine[],
  kinds: LineKinds,
): ReadonlyMap<PageLine, readonly PageLine[]> {
  const runs = runsOf(lines, kinds);
  const blocks = runs.flatMap((run) => betweenAmounts(run, kinds));
  const edge = edgeOf(blocks);
  if (edge === null && !endWithAmounts(blocks)) return new Map();
  const lefts = blocks.flatMap(({ lines }) => lines.slice(1, -1).map(leftOf)).sort((a, b) => a - b);
  const left = lefts[Math.floor(lefts.length * HEADING_SHARE_MAX)] ?? 0;
  return new Map(runs.flatMap((run) => rowsOfRun(run, { edge, left }, kinds)));
}

type Lines = readonly PageLine[];

/** Lines of one page with nothing between them that ends a row. */
function runsOf(lines: Lines, { isAmount, isEnd }: LineKinds): Lines[] {
  const runs: PageLine[][] = [[]];
  for (const line of lines) {
    const run = runs.at(-1) ?? [];
    const ends = !isAmount(line) && isEnd(line);
    if (ends || (run.length > 0 && run[0]?.page !== line.page)) runs.push(ends ? [] : [line]);
    else run.push(line);
  }
  return runs;
}

/** The lines from one amount to the next one, with both. */
interface BetweenAmounts {
  readonly lines: Lines;
  /** Of the line that begins a row with its day; -1: there is none. */
  readonly day: number;
  /** From the bottom of each line to that of the next one, in points or pixels. */
  readonly gaps: readonly number[];
}

function betweenAmounts(run: Lines, { isAmount, isDay }: LineKinds): BetweenAmounts[] {
  const amounts = run.flatMap((line, at) => (isAmount(line) ? [at] : []));
  return amounts.slice(1).map((to, at) => {
    const lines = run.slice(amounts[at], to + 1);
    const day = lines.findIndex((line, place) => place > 0 && !isAmount(line) && isDay(line));
    return { lines, day, gaps: gapsOf(lines) };
  });
}

const gapsOf = (lines: Lines): number[] =>
  lines.slice(1).map(({ bottom }, at) => bottom - (lines[at]?.bottom ?? bottom));

const hasTexts = ({ lines }: BetweenAmounts): boolean => lines.length > 2;

/** From which gap on two lines are of two rows; null: the gaps do not show it. */
function edgeOf(blocks: readonly BetweenAmounts[]): number | null {
  const undated = blocks.filter(({ day }) => day < 0);
  const edge = Math.min(...undated.map(({ gaps }) => Math.max(...gaps))) * GAP_TOLERANCE;
  const withTexts = undated.filter(hasTexts);
  const clear = withTexts.filter(({ gaps }) => {
    const [most = 0, second = 0] = gaps.toSorted((a, b) => b - a);
    return most >= edge && second < edge && second < most * OTHER_GAP_MAX;
  });
  const isClear =
    withTexts.length >= BLOCKS_MIN && clear.length >= withTexts.length * CLEAR_SHARE_MIN;
  return isClear ? edge : null;
}

/** Whether rows that begin with a day above their amount do so right below the amount of the row before. */
function endWithAmounts(blocks: readonly BetweenAmounts[]): boolean {
  const dated = blocks.filter(({ day }) => day > 0);
  const next = dated.filter(({ day }) => day === 1);
  return next.length >= DATED_MIN && next.length >= dated.length * CLEAR_SHARE_MIN;
}

const leftOf = ({ words }: PageLine): number => words[0]?.left ?? 0;

interface TextPlaces {
  /** From which gap on two lines are of two rows; null: rows end with their amounts. */
  readonly edge: number | null;
  /** Where texts between two amounts begin: what stands left of it above the first one is the name of a holder, or a heading. */
  readonly left: number;
}

function rowsOfRun(run: Lines, { edge, left }: TextPlaces, kinds: LineKinds): [PageLine, Lines][] {
  const amounts = run.flatMap((line, at) => (kinds.isAmount(line) ? [at] : []));
  const gaps = gapsOf(run);
  const isText = (line: PageLine | undefined): boolean =>
    line !== undefined && leftOf(line) > left - (line.bottom - line.top) / 2;
  const isNear = (at: number): boolean => edge !== null && (gaps[at] ?? edge) < edge;
  const starts = amounts.map((at, index) => {
    const first = index === 0 ? 0 : (amounts[index - 1] ?? 0) + 1;
    const day = run.findIndex((line, place) => place >= first && place < at && kinds.isDay(line));
    if (day >= 0) return day;
    if (edge === null) return first;
    let start = at;
    while (start > first && isNear(start - 1) && isText(run[start - 1])) start -= 1;
    return start;
  });
  return amounts.flatMap((at, index): [PageLine, Lines][] => {
    const line = run[at];
    const [start = at, next = run.length] = [starts[index], starts[index + 1]];
    let end = at + 1;
    while (end < next && isNear(end - 1)) end += 1;
    const isAsFound = start === at && next === (amounts[index + 1] ?? run.length);
    return line === undefined || isAsFound ? [] : [[line, run.slice(start, end)]];
  });
}
