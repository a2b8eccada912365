// The tables and lists of an evaluation, as text.
import {
  calibrationErrorByChance,
  calibrationErrorOf,
  calibrationOf,
  type ConfidentAnswer,
  FIGURE_NAMES,
  FIGURES,
  figuresOf,
  groupsOf as merchantGroupsOf,
  intervalOf,
  isCategoryRight,
  isMerchantRight,
  isPersonFound,
  isTakenForPerson,
  isWebsiteRight,
  type Outcome,
  percentOf,
  type Ratio,
  ratioOf,
} from "./measure.ts";

const ERRORS_SHOWN_MAX = 50;
const CONFUSIONS_SHOWN_MAX = 25;

const shown = (ratio: Ratio | null): string =>
  ratio === null ? "–" : `${percentOf(ratio).toFixed(1)} %`;

/** The rows with their columns aligned; the first column to the left, the others to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  return rows.map(line).join("\n");
}

function groupsOf(
  outcomes: readonly Outcome[],
  keyOf: (outcome: Outcome) => string | null,
): readonly (readonly [string, readonly Outcome[]])[] {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const key = keyOf(outcome);
    if (key === null) continue;
    const group = groups.get(key) ?? [];
    group.push(outcome);
    groups.set(key, group);
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}

const figureRow = (name: string, outcomes: readonly Outcome[]): string[] => {
  const figures = figuresOf(outcomes);
  return [name, String(outcomes.length), ...FIGURE_NAMES.map((figure) => shown(figures[figure]))];
};

const countryOf = ({ one: { item } }: Outcome): string =>
  `${item.country ?? item.currency} ${item.accountType ?? "none"}`;

/** The figures of all lines, of every country and set, and of every sort of line. */
export function figuresTable(outcomes: readonly Outcome[]): string {
  const rows = [["", "lines", ...FIGURE_NAMES], figureRow("all", outcomes)];
  const groupings = [countryOf, ({ one }: Outcome) => one.label.kind || null];
  for (const keyOf of groupings) {
    const groups = groupsOf(outcomes, keyOf);
    if (groups.length > 1) rows.push(...groups.map(([name, group]) => figureRow(name, group)));
  }
  return table(rows);
}

/** Every figure with its interval of 95 %. */
export function intervalsTable(outcomes: readonly Outcome[]): string {
  const rows = FIGURE_NAMES.flatMap((name) => {
    const ratio = ratioOf(outcomes, FIGURES[name]);
    const interval = intervalOf(outcomes, FIGURES[name]);
    if (ratio === null || interval === null) return [];
    const { low, high } = interval;
    return [
      [name, shown(ratio), `${low.toFixed(1)} to ${high.toFixed(1)}`, `of ${String(ratio.of)}`],
    ];
  });
  const groups = merchantGroupsOf(outcomes).size;
  return `${table(rows)}\n${String(outcomes.length)} lines of ${String(groups)} merchants and shapes`;
}

function calibrationTable(answers: readonly ConfidentAnswer[]): string {
  const bins = calibrationOf(answers);
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const rows = bins.map(({ count, stated, correct }) => [
    percent(stated),
    percent(correct),
    String(count),
  ]);
  return `${table([["stated", "true", "lines"], ...rows])}\nmean distance ${percent(calibrationErrorOf(bins))}, by chance ${percent(calibrationErrorByChance(answers))}`;
}

/** Stated confidence of names and of categories against the truth, in ten bins each. */
export function calibrationTables(outcomes: readonly Outcome[]): string {
  const named = outcomes.flatMap((outcome): ConfidentAnswer[] => {
    const right = outcome.merchant === "" ? null : isMerchantRight(outcome);
    return right === null ? [] : [{ confidence: outcome.confidence, right }];
  });
  const categorised = outcomes.flatMap((outcome): ConfidentAnswer[] => {
    const right = outcome.categoryConfidence === 0 ? null : isCategoryRight(outcome);
    return right === null ? [] : [{ confidence: outcome.categoryConfidence, right }];
  });
  return `names\n${calibrationTable(named)}\n\ncategories\n${calibrationTable(categorised)}`;
}

const THRESHOLDS = [0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

/** Precision and recall of names when those are left out that are less sure than a threshold. */
export function thresholdTable(outcomes: readonly Outcome[]): string {
  const rows = THRESHOLDS.map((threshold) => {
    const left = outcomes.map((outcome) =>
      outcome.confidence < threshold ? { ...outcome, merchant: "", website: "" } : outcome,
    );
    const { merchant, precision, recall, website } = figuresOf(left);
    return [threshold.toFixed(1), ...[precision, recall, merchant, website].map(shown)];
  });
  return table([["threshold", "precision", "recall", "merchant", "website"], ...rows]);
}

export function coverageTable(outcomes: readonly Outcome[]): string {
  const share = (test: (outcome: Outcome) => boolean | null): string =>
    shown(ratioOf(outcomes, test));
  return table([
    ["named", share(({ merchant }) => merchant !== "")],
    ["with a website", share(({ website }) => website !== "")],
    ["with a category", share(({ category }) => category !== "not enough information")],
    ["persons called persons", share(isPersonFound)],
    ["others called persons", share(isTakenForPerson)],
  ]);
}

export function confusionTable(outcomes: readonly Outcome[]): string {
  const missed = outcomes.filter((outcome) => isCategoryRight(outcome) === false);
  const pairs = groupsOf(
    missed,
    ({ one, category }) => `${one.label.categories?.join("|") ?? ""} → ${category}`,
  );
  const most = pairs.slice(0, CONFUSIONS_SHOWN_MAX);
  return table([
    ["category", "lines"],
    ...most.map(([pair, group]) => [pair, String(group.length)]),
  ]);
}

/** A wrong name weighs more than a missing one, that more than a wrong category, and that more than a wrong website. */
function severityOf(outcome: Outcome): number {
  const category = isCategoryRight(outcome) === false ? 2 : 0;
  const website = isWebsiteRight(outcome) === false ? 1 : 0;
  if (isMerchantRight(outcome) !== false) return category + website;
  return (outcome.merchant === "" ? 4 : 8) + category + website;
}

/** The wrong outcomes, the worst first. */
function worstOf<T extends Outcome>(outcomes: readonly T[], countMax = Infinity): readonly T[] {
  return outcomes
    .map((outcome) => ({ outcome, severity: severityOf(outcome) }))
    .filter(({ severity }) => severity > 0)
    .sort((a, b) => b.severity - a.severity)
    .slice(0, countMax)
    .map(({ outcome }) => outcome);
}

/** One line for each wrong answer, the worst first: what was found, and the label in brackets. */
export const errorList = (outcomes: readonly Outcome[], all: boolean): string =>
  worstOf(outcomes, all ? undefined : ERRORS_SHOWN_MAX)
    .map(errorLine)
    .join("\n");

/** The worst of all lines, each with what would mend it, and how many of them each would mend. */
export function mendTable<T extends Outcome>(
  outcomes: readonly T[],
  mendsOf: (outcome: T) => readonly string[],
): string {
  const worst = worstOf(outcomes, ERRORS_SHOWN_MAX).map((outcome) => ({
    outcome,
    mends: mendsOf(outcome),
  }));
  const counts = new Map<string, number>();
  for (const mend of worst.flatMap(({ mends }) => mends))
    counts.set(mend, (counts.get(mend) ?? 0) + 1);
  const lines = worst.map(({ outcome, mends }) => `${errorLine(outcome)} → ${mends.join("; ")}`);
  const rows = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([mend, count]) => [mend, String(count)]);
  return `${lines.join("\n")}\n\n${table([["what would mend", "lines"], ...rows])}`;
}

function errorLine(outcome: Outcome): string {
  const { one, merchant, website, category, by } = outcome;
  const { label, item } = one;
  const wrong: string[] = [];
  const add = (isRight: boolean | null, found: string, right: readonly string[] | null): void => {
    if (isRight === false) wrong.push(`${found || "–"} (${right?.join("|") || "–"})`);
  };
  add(isMerchantRight(outcome), merchant, label.merchants);
  add(isWebsiteRight(outcome), website, label.websites);
  add(isCategoryRight(outcome), category, label.categories);
  const direction = item.entryType === "outgoing" ? "-" : "+";
  return `${direction} ${item.description} [${by ?? "no merchant"}] ${wrong.join(" · ")}`;
}
