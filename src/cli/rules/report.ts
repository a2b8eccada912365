import type { Facts } from "../../model/facts.ts";
import type { Rule } from "../../model/rules.ts";
import { printable } from "../enrich/values/printable.ts";
import { safeText, table } from "../explain/table.ts";
import { changesOf, shownChanges } from "./changes.ts";
import type { BadLine, TestedLine, TestedLines } from "./read-transactions.ts";

/** The result of the test. */
export interface RuleTest {
  readonly rules: readonly Rule[];
  readonly lines: TestedLines;
  readonly changed: readonly TestedChange[];
  /** Places of the rules that could all be left out, and nothing would be different. */
  readonly needless: readonly number[];
  /** Lines on which the recogniser failed. */
  readonly unrecognised: number;
  /** How often a rule failed, by its place; of those that did. */
  readonly failures: ReadonlyMap<number, number>;
}

export interface TestedChange {
  readonly line: TestedLine;
  readonly before: Facts;
  readonly after: Facts;
  /** Places of the rules that changed it. */
  readonly rules: readonly number[];
}

const BAD_LINES_SHOWN_MAX = 20;

/** Messages about the first lines that could not be read, then their number. */
export function badLineTexts(bad: readonly BadLine[]): readonly string[] {
  const shown = bad
    .slice(0, BAD_LINES_SHOWN_MAX)
    .map(({ line, reason }) => `line ${String(line)}: ${printable(reason, 200)}`);
  const more = bad.length - shown.length;
  return more > 0 ? [...shown, `… and ${String(more)} more bad lines`] : shown;
}

/** A table of what would change, and a summary. */
export function textReport(test: RuleTest): string {
  const head = ["LINE", "DESCRIPTION", "FIELD", "BEFORE", "AFTER", "RULES"];
  const rows = test.changed.flatMap(changeRows);
  const lines = rows.length === 0 ? [] : [...table([head, ...rows], 0).flat(), ""];
  return [...lines, ...summary(test), ""].join("\n");
}

/** The first row names the line; the rows below are more changes of the same line. */
function changeRows({ line, before, after, rules }: TestedChange): string[][] {
  return shownChanges(before, after).map((change, index) =>
    [
      ...(index === 0 ? [String(line.line), line.description] : ["", ""]),
      ...change,
      index === 0 ? rules.join(", ") : "",
    ].map(safeText),
  );
}

function summary({ lines, changed, needless, unrecognised, failures }: RuleTest): string[] {
  const total = lines.lines.length - unrecognised;
  const failed = [...failures].map(([rule, count]) => `${String(rule)} (${times(count)})`);
  return [
    `${String(changed.length)} of ${String(total)} transactions would change.`,
    ...(needless.length > 0 ? [`Rules that make no difference here: ${spans(needless)}.`] : []),
    ...(failed.length > 0 ? [`Rules that failed and were skipped: ${failed.join(", ")}.`] : []),
    ...(unrecognised > 0
      ? [
          `The recogniser failed on ${String(unrecognised)} ${unrecognised === 1 ? "line" : "lines"}.`,
        ]
      : []),
  ];
}

const times = (count: number): string => (count === 1 ? "once" : `${String(count)} times`);

/** Rising numbers, neighbours together: `1, 4-7`. */
function spans(numbers: readonly number[]): string {
  const starts = numbers.filter((number) => !numbers.includes(number - 1));
  const ends = numbers.filter((number) => !numbers.includes(number + 1));
  return starts
    .map((start, index) =>
      start === ends[index] ? String(start) : `${String(start)}-${String(ends[index])}`,
    )
    .join(", ");
}

/** The same for programs, with every field that would change. */
export function jsonReport(test: RuleTest): string {
  const { lines, changed, needless, unrecognised, failures } = test;
  const report = {
    transactions: lines.lines.length - unrecognised,
    changed: changed.length,
    changes: changed.map((one) => ({
      line: one.line.line,
      description: one.line.description,
      rules: one.rules,
      fields: changesOf(one.before, one.after),
    })),
    needless_rules: needless,
    failed_rules: [...failures].map(([rule, count]) => ({ rule, count })),
    unrecognised,
    bad_lines: lines.bad,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
