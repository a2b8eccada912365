// ledgerline rules test: what a ruleset would change, before it is sent to a service.
import type { Readable } from "node:stream";
import type { Facts } from "../../model/facts.ts";
import type { Rule } from "../../model/rules.ts";
import type { AccountType } from "../../model/transaction.ts";
import { InputError } from "../enrich/input-error.ts";
import {
  type ChangedLine,
  failuresByRule,
  needlessRules,
  rulesByLine,
  type TestRules,
} from "./attribute.ts";
import { readRuleFiles } from "./read-rules.ts";
import { readTransactions, type TestedLines } from "./read-transactions.ts";
import { badLineTexts, jsonReport, type RuleTest, textReport } from "./report.ts";

export interface RuleTestOptions {
  /** The ruleset: a path, or "-" for standard input. */
  readonly file: string;
  /** The transactions: a path, or "-" for standard input. */
  readonly on: string;
  /** The text of --map, for a CSV export; null when it was not given. */
  readonly map: string | null;
  readonly accountType: AccountType;
  readonly isJson: boolean;
}

export interface RuleTestDeps {
  /** Opens the recogniser for the time of `work`. */
  withRecogniser(work: (run: TestRules) => Promise<number>): Promise<number>;
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Milliseconds since 1970. */
  now(): number;
}

const EXIT_OK = 0;
const EXIT_NOTHING_RECOGNISED = 1;
const EXIT_UNUSABLE = 2;

/**
 * Prints what the rules would change about the transactions. Returns the exit code: 0 when at least one transaction was
 * recognised, 1 when none, 2 when the ruleset or the file cannot be used.
 */
export async function testRules(options: RuleTestOptions, deps: RuleTestDeps): Promise<number> {
  try {
    if (options.file === "-" && options.on === "-")
      throw new InputError("Only one of the two files can be standard input.");
    const rules = await readRuleFiles(options.file, deps.stdin);
    const { on: file, map, accountType } = options;
    const { stdin } = deps;
    const lines = await readTransactions({ file, map, accountType, stdin, nowMs: deps.now() });
    say(deps, [...lines.guessed, ...badLineTexts(lines.bad)]);
    return await deps.withRecogniser(async (run) => {
      const test = await compare(run, rules, lines);
      deps.stdout.write(options.isJson ? jsonReport(test) : textReport(test));
      const recognised = lines.lines.length - test.unrecognised;
      return recognised > 0 ? EXIT_OK : EXIT_NOTHING_RECOGNISED;
    });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    say(deps, [error.message]);
    return EXIT_UNUSABLE;
  }
}

function say({ stderr }: RuleTestDeps, lines: readonly string[]): void {
  if (lines.length > 0) stderr.write(`${lines.join("\n")}\n`);
}

async function compare(
  run: TestRules,
  rules: readonly Rule[],
  tested: TestedLines,
): Promise<RuleTest> {
  const { lines } = tested;
  const before = await run(lines, []);
  const after = await run(lines, rules);
  const changed: ChangedLine[] = [];
  let unrecognised = 0;
  for (const [index, line] of lines.entries()) {
    const [without, with_] = [before.facts[index] ?? null, after.facts[index] ?? null];
    if (without === null || with_ === null) unrecognised += 1;
    else if (without !== with_) changed.push({ line, before: without, after: with_ });
  }
  const by = await rulesByLine(run, rules, changed);
  const used = new Set([...by.values()].flat());
  const unused = [...rules.keys()].filter((rule) => !used.has(rule));
  const needless = await needlessRules(run, rules, unused, lines, after.facts);
  return {
    rules,
    lines: tested,
    changed: changed.map((one) => ({
      line: one.line,
      // The recogniser's own words, as everywhere on this side of the threads.
      before: JSON.parse(one.before) as Facts,
      after: JSON.parse(one.after) as Facts,
      rules: by.get(one.line) ?? [],
    })),
    needless: unused.filter((rule) => needless.has(rule)),
    unrecognised,
    failures: await failuresByRule(run, rules, lines, after.failures),
  };
}
