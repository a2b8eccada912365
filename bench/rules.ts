// npm run bench:rules -- [--quick] [--out FILE]
// Measures the personalization rules alone, in one thread: microseconds a transaction for rulesets of several sizes, of a
// mix in which hardly any rule does anything, with the index and without it; of the most expensive rulesets known; and what
// compiling takes. Prints tables; --out writes the same as JSON.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Rule, RULESET_BYTES_MAX } from "../src/model/rules.ts";
import { expensiveRulesets } from "../test/support/rules/expensive.ts";
import { compileRules } from "../workers/settings/rules/compile.ts";
import type { RuleSubject, CompiledRules } from "../workers/settings/rules/subject.ts";
import { createMix } from "./rules/mix.ts";
import { readOptions } from "./options.ts";
import {
  ascending,
  describeMachine,
  percentile,
  printMatrix,
  printTable,
  row,
  writeReport,
} from "./table.ts";

const options = readOptions({});
/** Many short rounds: the best of them is one that no other process interrupted. */
const ROUNDS = options.quick ? 20 : 100;
const EXPENSIVE_ROUNDS = 20;
const SUBJECTS = 1_000;
/** They are the compiler's. */
const WARM_UP_ROUNDS = 10;
const SIZES = [10, 100, 1_000];
const SEED = 20_261_001;
const GOAL_US = 20;
const COMPILE_GOAL_MS = 20;
const KEPT_RULESETS = 20;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

interface Measured {
  readonly rules: number;
  readonly jsonBytes: number;
  readonly us: number;
  readonly bestUs: number;
  readonly unindexedUs: number;
  readonly unindexedBestUs: number;
  readonly changedPercent: number;
}

/** Microseconds a transaction, sorted. Copies are made before: rules write on what they are given. */
function roundsUs(run: CompiledRules, subjects: readonly RuleSubject[]): readonly number[] {
  const times = Array.from({ length: ROUNDS + WARM_UP_ROUNDS }, () => {
    const copies = subjects.map((subject) => ({ ...subject }));
    const startMs = performance.now();
    for (const copy of copies) run(copy);
    return ((performance.now() - startMs) * 1_000) / copies.length;
  });
  return ascending(times.slice(WARM_UP_ROUNDS));
}

/** How many percent of the transactions the rules change. */
function compare(
  run: CompiledRules,
  reference: CompiledRules,
  subjects: readonly RuleSubject[],
): number {
  let changed = 0;
  for (const subject of subjects) {
    const [one, other] = [{ ...subject }, { ...subject }];
    run(one);
    reference(other);
    const text = JSON.stringify(one);
    if (text !== JSON.stringify(other)) throw new Error("The index changes results");
    if (text !== JSON.stringify(subject)) changed++;
  }
  return (100 * changed) / subjects.length;
}

function measure(rules: readonly Rule[], subjects: readonly RuleSubject[]): Measured {
  const [run, reference] = [compileRules(rules), compileRules(unindexed(rules))];
  const changedPercent = compare(run, reference, subjects);
  const times = roundsUs(run, subjects);
  const referenceTimes = roundsUs(reference, subjects);
  return {
    rules: rules.length,
    jsonBytes: jsonBytes(rules),
    us: percentile(times, 0.5),
    bestUs: percentile(times, 0),
    unindexedUs: percentile(referenceTimes, 0.5),
    unindexedBestUs: percentile(referenceTimes, 0),
    changedPercent,
  };
}

/** The same rules; the index cannot read their conditions. */
const unindexed = (rules: readonly Rule[]): readonly Rule[] =>
  rules.map((rule) => ("if" in rule ? { ...rule, if: { "!": { "!": rule.if } } } : rule));

/** Milliseconds a transaction, the best of some. */
function expensiveMs(rules: readonly Rule[], expensive: RuleSubject): number {
  const run = compileRules(rules);
  const times = Array.from({ length: EXPENSIVE_ROUNDS }, () => {
    const copy = { ...expensive };
    const startMs = performance.now();
    run(copy);
    return performance.now() - startMs;
  });
  return Math.min(...times);
}

const jsonBytes = (rules: readonly Rule[]): number => Buffer.byteLength(JSON.stringify(rules));

/** As many of the rules as an organization can store. */
function fitting(rules: readonly Rule[]): readonly Rule[] {
  let count = rules.length;
  while (jsonBytes(rules.slice(0, count)) > RULESET_BYTES_MAX) count--;
  return rules.slice(0, count);
}

function compileMs(rules: readonly Rule[], subject: RuleSubject): readonly number[] {
  return Array.from({ length: ROUNDS }, () => {
    const startMs = performance.now();
    // The first transaction makes what is made late.
    compileRules(rules)({ ...subject });
    return performance.now() - startMs;
  });
}

function heldBytes(rules: readonly Rule[], subject: RuleSubject): number {
  const used = (): number => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  const kept = Array.from({ length: KEPT_RULESETS }, () => compileRules(rules));
  for (const run of kept) run({ ...subject });
  return (used() - before) / kept.length;
}

const machine = { ...describeMachine(), quick: options.quick };
const mix = createMix(SEED, Math.max(...SIZES), SUBJECTS);
const [subject] = mix.subjects;
if (subject === undefined) throw new Error("There are no transactions");
const stored = fitting(mix.rules);
const compiling = compileMs(stored, subject);
const held = heldBytes(stored, subject);
const measured = [...SIZES.map((size) => mix.rules.slice(0, size)), stored].map((rules) =>
  measure(rules, mix.subjects),
);
const thousand = measured.find(({ rules }) => rules === 1_000);

const expensive = expensiveRulesets().map(
  ({ name, rules, subject: slow }) => [name, expensiveMs(rules, slow)] as const,
);

const rows = [
  row("1 000 rules, a transaction, median", thousand?.us ?? null, "µs", {
    kind: "max",
    value: GOAL_US,
  }),
  row("1 000 rules, a transaction, best", thousand?.bestUs ?? null, "µs"),
  row("rules of the mix in a full ruleset", stored.length, "rules"),
  row("full ruleset, compiled, first time", compiling[0] ?? null, "ms", {
    kind: "max",
    value: COMPILE_GOAL_MS,
  }),
  row("full ruleset, compiled, median", percentile(ascending(compiling), 0.5), "ms"),
  row("full ruleset, compiled, held", held / 1_000, "kB"),
];
process.stdout.write(`${JSON.stringify(machine)}\n\n`);
printTable(rows);
printMatrix(
  "one thread",
  ["JSON kB", "µs", "best µs", "no index µs", "best µs", "times as long", "changed %"],
  new Map(
    measured.map((one) => [
      `${one.rules.toLocaleString("en-US")} rules`,
      [
        one.jsonBytes / 1_000,
        one.us,
        one.bestUs,
        one.unindexedUs,
        one.unindexedBestUs,
        one.unindexedBestUs / one.bestUs,
        one.changedPercent,
      ],
    ]),
  ),
);
printMatrix(
  "most expensive rulesets",
  ["ms a transaction"],
  new Map(expensive.map(([name, ms]) => [name, [ms]])),
);
if (options.out !== undefined)
  writeReport(options.out, machine, rows, {
    sizes: measured,
    expensive: Object.fromEntries(expensive),
  });
