import type { Rule } from "../../model/rules.ts";
import type { TestedLine } from "./read-transactions.ts";

/** The facts of lines with some of the rules. */
export interface RuleRun {
  /** Facts as JSON text (src/model/facts.ts) in the order of the lines; null where the recogniser failed. */
  readonly facts: readonly (string | null)[];
  /** How often a rule failed on a line and was skipped. */
  readonly failures: number;
}

/** Runs the recogniser and then these rules over lines, however many. */
export type TestRules = (lines: readonly TestedLine[], rules: readonly Rule[]) => Promise<RuleRun>;

/** A line, with its facts without the rules and with them. */
export interface ChangedLine {
  readonly line: TestedLine;
  readonly before: string;
  readonly after: string;
}

/**
 * Finds the rules that changed each line. A rule changed a line when the facts differ between the rules before it and those
 * including it. Ranges of rules with the same facts at both ends are skipped, so rules that match few lines cost little;
 * two rules that undo each other within such a range are not found.
 */
export async function rulesByLine(
  run: TestRules,
  rules: readonly Rule[],
  changed: readonly ChangedLine[],
): Promise<ReadonlyMap<TestedLine, readonly number[]>> {
  const found = new Map<TestedLine, number[]>();

  /** @param lines with their facts under the first `from` rules and under the first `to` */
  async function divide(from: number, to: number, lines: readonly ChangedLine[]): Promise<void> {
    const others = lines.filter(({ before, after }) => before !== after);
    if (others.length === 0) return;
    if (to - from === 1) {
      for (const { line } of others) found.set(line, [...(found.get(line) ?? []), from]);
      return;
    }
    const middle = Math.floor((from + to) / 2);
    const { facts } = await run(
      others.map(({ line }) => line),
      rules.slice(0, middle),
    );
    const between = others.map((one, index) => ({ one, middleFacts: facts[index] ?? one.before }));
    await divide(
      from,
      middle,
      between.map(({ one, middleFacts }) => ({ ...one, after: middleFacts })),
    );
    await divide(
      middle,
      to,
      between.map(({ one, middleFacts }) => ({ ...one, before: middleFacts })),
    );
  }

  await divide(0, rules.length, changed);
  return found;
}

/**
 * Those of the candidates that can all be left out without a change to any line.
 * @param expected the facts of the lines with all rules
 */
export async function needlessRules(
  run: TestRules,
  rules: readonly Rule[],
  candidates: readonly number[],
  lines: readonly TestedLine[],
  expected: readonly (string | null)[],
): Promise<ReadonlySet<number>> {
  const needless = new Set<number>();

  /** Mostly all of them are needless, which takes one run to see. */
  async function leaveOut(some: readonly number[]): Promise<void> {
    if (some.length === 0) return;
    const out = new Set([...needless, ...some]);
    const rest = rules.filter((_, rule) => !out.has(rule));
    const { facts } = await run(lines, rest);
    if (facts.every((text, index) => text === expected[index])) {
      for (const rule of some) needless.add(rule);
      return;
    }
    if (some.length === 1) return;
    const half = Math.ceil(some.length / 2);
    await leaveOut(some.slice(0, half));
    await leaveOut(some.slice(half));
  }

  await leaveOut(candidates);
  return needless;
}

/** How often each rule failed, of those that did. `failures`: of all rules together. */
export async function failuresByRule(
  run: TestRules,
  rules: readonly Rule[],
  lines: readonly TestedLine[],
  failures: number,
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();

  /** A rule is not run before those ahead of it: what the first ones failed is never less with more rules behind them. */
  async function divide(from: number, to: number, before: number, after: number): Promise<void> {
    if (after === before) return;
    if (to - from === 1) {
      found.set(from, after - before);
      return;
    }
    const middle = Math.floor((from + to) / 2);
    const { failures: between } = await run(lines, rules.slice(0, middle));
    await divide(from, middle, before, between);
    await divide(middle, to, between, after);
  }

  await divide(0, rules.length, 0, failures);
  return found;
}
