import type { Rule } from "../../model/rules.ts";
import type { TestedLine } from "./read-transactions.ts";

/** What the lines are told with some rules. */
export interface RuleRun {
  /** Facts as JSON text (src/model/facts.ts) in the order of the lines; null where the recogniser failed. */
  readonly facts: readonly (string | null)[];
  /** How often a rule failed on a line and was skipped. */
  readonly failures: number;
}

/** Runs the recogniser and then these rules over lines, however many. */
export type RunRules = (lines: readonly TestedLine[], rules: readonly Rule[]) => Promise<RuleRun>;

/** A line, and what it is told without the rules and with them. */
export interface ChangedLine {
  readonly line: TestedLine;
  readonly before: string;
  readonly after: string;
}

/**
 * Which rules changed each line. A rule is known by what it does to the outcome: it changed a line that is told something
 * else with it and all rules before it than with those alone. What lies between two beginnings of the ruleset that tell
 * a line the same is not looked at, so that rules that mean few of the lines cost little; of two rules one of which undoes
 * the other nothing is said then.
 */
export async function rulesByLine(
  run: RunRules,
  rules: readonly Rule[],
  changed: readonly ChangedLine[],
): Promise<ReadonlyMap<TestedLine, readonly number[]>> {
  const found = new Map<TestedLine, number[]>();

  /** @param lines what they are told with the first `from` rules and with the first `to` */
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
    const between = others.map((one, index) => ({ one, told: facts[index] ?? one.before }));
    await divide(
      from,
      middle,
      between.map(({ one, told }) => ({ ...one, after: told })),
    );
    await divide(
      middle,
      to,
      between.map(({ one, told }) => ({ ...one, before: told })),
    );
  }

  await divide(0, rules.length, changed);
  return found;
}

/**
 * Those of the candidates that could all be left out, and every line would be told the same.
 * @param told what the lines are told with all rules
 */
export async function needlessRules(
  run: RunRules,
  rules: readonly Rule[],
  candidates: readonly number[],
  lines: readonly TestedLine[],
  told: readonly (string | null)[],
): Promise<ReadonlySet<number>> {
  const needless = new Set<number>();

  /** Mostly all of them are needless, which takes one run to see. */
  async function leaveOut(some: readonly number[]): Promise<void> {
    if (some.length === 0) return;
    const out = new Set([...needless, ...some]);
    const rest = rules.filter((_, rule) => !out.has(rule));
    const { facts } = await run(lines, rest);
    if (facts.every((text, index) => text === told[index])) {
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
  run: RunRules,
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
