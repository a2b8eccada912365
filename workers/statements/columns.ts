// Columns of amounts in a table: clusters of right edges, named by the header above them.
import type { PageLine } from "./layout.ts";
import type { StatementColumn } from "./lexicon.ts";
import type { Money } from "./money.ts";
import { type HeaderCell, isMoneyRole } from "./header-cell.ts";

export interface Column {
  readonly left: number;
  readonly right: number;
  /** null: there is no header that could name it. */
  readonly role: StatementColumn | null;
}

interface Cluster {
  left: number;
  right: number;
  readonly lines: Set<number>;
  /** Numbers that are certainly money. */
  certain: number;
  /** The decimal marks of the numbers. */
  readonly marks: string[];
}

/** In points. */
const EDGE_TOLERANCE = 4;
/** What leaving a column without a name costs, in points of distance. */
const UNNAMED_COST = 60;
/** What a point of paper between a column and its heading costs: the heading of the last column may be lost. */
const GAP_COST = 2;

/**
 * Columns from the amounts of rows.
 * @param header empty: none
 */
export function amountColumns(rows: readonly PageLine[], header: readonly HeaderCell[]): Column[] {
  // Text recognition loses words of headers, and tears numbers.
  const isRecognised = rows.some(({ words }) => words.some(({ source }) => source === "ocr"));
  const found = mergeClusters(clusterEdges(rows, header));
  const printed = header.length === 0 ? signedAmounts(found, rows) : found;
  const clusters = isRecognised
    ? printed.filter((cluster) => !isInTexts(cluster, rows, header) && !areDays(cluster, printed))
    : printed;
  const cells = header.filter(
    ({ role }) => isMoneyRole(role) || role === "reference" || role === "fee",
  );
  const named = nameClusters(clusters, cells);
  // A header whose words name no amounts is in a language that is not known, so the balances have to tell.
  const hasAmounts = named.some(
    (role) => role === "amount" || role === "debit" || role === "credit",
  );
  const unnamed = hasAmounts && !isRecognised ? "reference" : null;
  return clusters.map(({ left, right, certain, lines }, index) => {
    // The last of the columns is mostly the balance, whose heading may be in words that are not known.
    const isOpen = index === clusters.length - 1 && hasAmounts && !named.includes("balance");
    const role = named[index] ?? (isOpen ? null : unnamed);
    // "account" is left of "Added to your account": where nothing else is an amount, amounts stand below it; and those of a lost
    // heading left of the balances take theirs.
    const isAmount = role === "reference" || (role === "balance" && index < clusters.length - 1);
    const isWrong = !hasAmounts && isAmount && certain * 2 > lines.size;
    return { left, right, role: isWrong ? null : role };
  });
}

/** As a share of the rows: fewer amounts under the heading of the texts are parts of these, such as "REF 874465.51". */
const TEXT_SHARE_MAX = 0.15;

function isInTexts(
  { left, right, lines }: Cluster,
  rows: readonly PageLine[],
  header: readonly HeaderCell[],
): boolean {
  const text = header.find(({ role }) => role === "description");
  if (text === undefined || left >= text.right || right <= text.left) return false;
  return lines.size <= rows.length * TEXT_SHARE_MAX;
}

const SIGNED_SHARE_MIN = 0.8;

/**
 * Without a header, where nearly all rows have one amount with a plus or a minus right of all others, numbers of few rows are in their texts:
 * "Sent from a friend, pizza £12 each".
 */
function signedAmounts(
  clusters: readonly Cluster[],
  rows: readonly PageLine[],
): readonly Cluster[] {
  const last = clusters.at(-1);
  if (last === undefined || last.lines.size < rows.length * SIGNED_SHARE_MIN) return clusters;
  const amounts = rows.flatMap(({ money }) => money.filter(({ right }) => right > last.left));
  const isText = ({ lines }: Cluster): boolean => lines.size <= rows.length * TEXT_SHARE_MAX;
  const areTexts = clusters.slice(0, -1).every(isText);
  return areTexts && amounts.every(({ sign }) => sign !== 0) ? [last] : clusters;
}

const DAYS_MIN = 2;
/** One of so many may be misread. */
const MARKS_SHARE = 10;

/** "13.03" left of amounts such as "182,13-": numbers of which all have the other decimal mark than those of the last column are days. */
function areDays(cluster: Cluster, clusters: readonly Cluster[]): boolean {
  const last = clusters.findLast(({ marks }) => marks.length >= DAYS_MIN);
  const [mark] = cluster.marks;
  if (last === undefined || last === cluster || cluster.marks.length < DAYS_MIN) return false;
  const alike = last.marks.filter((other) => other === mark).length;
  return cluster.marks.every((other) => other === mark) && alike * MARKS_SHARE < last.marks.length;
}

/** The mark in front of the last two digits. */
const markOf = ({ text }: Money): readonly string[] =>
  /([.,])\d{2}\D*$/u.exec(text)?.slice(1, 2) ?? [];

/** So many digits without a mark are the number of an account. */
const NUMBER_LENGTH_MIN = 10;

function clusterEdges(rows: readonly PageLine[], header: readonly HeaderCell[]): Cluster[] {
  const isUnderHeader = ({ left, right, text }: Money): boolean =>
    text.length < NUMBER_LENGTH_MIN &&
    header.some((cell) => isMoneyRole(cell.role) && left < cell.right && right > cell.left);
  const values = rows
    .flatMap(({ money }, line) =>
      money
        .filter((value) => value.isCertain || isUnderHeader(value))
        .map((value) => ({ value, line })),
    )
    .sort((a, b) => a.value.right - b.value.right);
  const clusters: Cluster[] = [];
  let edge = Number.NEGATIVE_INFINITY;
  for (const { value, line } of values) {
    const last = clusters.at(-1);
    if (last !== undefined && value.right - edge <= EDGE_TOLERANCE) {
      last.left = Math.min(last.left, value.left);
      last.right = value.right;
      last.lines.add(line);
      last.certain += value.isCertain ? 1 : 0;
      last.marks.push(...markOf(value));
    } else
      clusters.push({
        left: value.left,
        right: value.right,
        lines: new Set([line]),
        certain: value.isCertain ? 1 : 0,
        marks: [...markOf(value)],
      });
    edge = value.right;
  }
  return clusters;
}

/** Edges of one column differ where amounts are set left, or have CR behind them: they overlap, and never in one row. */
function mergeClusters(clusters: readonly Cluster[]): Cluster[] {
  const merged: Cluster[] = [];
  for (const cluster of clusters) {
    const last = merged.at(-1);
    const isApart =
      last === undefined ||
      cluster.left >= last.right ||
      [...cluster.lines].some((line) => last.lines.has(line));
    if (isApart) {
      merged.push({ ...cluster, lines: new Set(cluster.lines), marks: [...cluster.marks] });
      continue;
    }
    last.left = Math.min(last.left, cluster.left);
    last.right = Math.max(last.right, cluster.right);
    last.certain += cluster.certain;
    last.marks.push(...cluster.marks);
    for (const line of cluster.lines) last.lines.add(line);
  }
  return merged;
}

/** The names of clusters, from left to right in the order of the header, at the smallest distance. */
function nameClusters(
  clusters: readonly Cluster[],
  cells: readonly HeaderCell[],
): (StatementColumn | null)[] {
  interface Best {
    readonly cost: number;
    readonly roles: readonly (StatementColumn | null)[];
  }
  // best[j]: the clusters so far, named by cells before j.
  let best: Best[] = cells.map(() => ({ cost: 0, roles: [] }));
  best.push({ cost: 0, roles: [] });
  for (const cluster of clusters) {
    const next: Best[] = [];
    for (let used = 0; used <= cells.length; used += 1) {
      const skipped = best[used];
      const cell = cells[used - 1];
      const before = best[used - 1];
      const options: Best[] = [];
      if (skipped !== undefined)
        options.push({
          cost: skipped.cost + UNNAMED_COST * cluster.lines.size,
          roles: [...skipped.roles, null],
        });
      if (cell !== undefined && before !== undefined)
        options.push({
          cost: before.cost + distance(cluster, cell) * cluster.lines.size,
          roles: [...before.roles, cell.role],
        });
      const earlier = next[used - 1];
      if (earlier !== undefined) options.push(earlier);
      next.push(options.reduce((a, b) => (b.cost < a.cost ? b : a)));
    }
    best = next;
  }
  return [...(best.at(-1)?.roles ?? [])];
}

/** Between boxes that do not overlap, the gap; else by how much neither edge fits. */
function distance(cluster: Cluster, cell: HeaderCell): number {
  const gap = Math.max(cluster.left - cell.right, cell.left - cluster.right, 0);
  const edge = Math.min(
    Math.abs(cluster.right - cell.right),
    Math.abs(cluster.left - cell.left),
    Math.abs(cluster.left + cluster.right - cell.left - cell.right) / 2,
  );
  return gap * GAP_COST + Math.min(edge, UNNAMED_COST) / 4;
}

/** The column that an amount stands in; -1: none. */
export function columnOf({ left, right }: Money, columns: readonly Column[]): number {
  let best = -1;
  let overlap = 0;
  for (const [index, column] of columns.entries()) {
    const width = Math.min(right, column.right) - Math.max(left, column.left);
    if (width > overlap) [best, overlap] = [index, width];
  }
  return best;
}
