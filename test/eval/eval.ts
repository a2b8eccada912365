// Measures the recogniser on labelled lines: `node test/eval/eval.ts [FILE.csv[.gz] …]`.
//
// Without a file the blocks of real lines are measured (where their files are found, see CONTRIBUTING.md), and last our own:
// those that are developed with and those that are held out. With files, these: columns are found by their header words, in
// any order; unknown ones are ignored. A labelled table has description, amount, entry_type, currency, country, account_type,
// merchant, website, category, city and kind; several correct answers are separated by `|`. An empty merchant means that no
// merchant may be named. Without labels only coverage is printed.
//
// `--min-precision N` and `--min-category N` (percent) make it fail when merchant precision or category accuracy is
// lower, or cannot be measured. `--all` shows every error, `--no-errors` none (to keep the lines unseen),
// `--knowledge=FILE` measures another knowledge file, `--simple` measures the simplest recogniser that uses the same tables
// (simple.ts), `--write-baseline` stores the figures that the tests compare with.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { createExaminer } from "../../workers/recogniser/recogniser.ts";
import { KNOWLEDGE_FILE, readKnowledge } from "./knowledge.ts";
import {
  BASELINE_FILE,
  baselinesOf,
  comparedBlocks,
  countryBlocks,
  ownCases,
  writeBaselines,
} from "./baseline.ts";
import { type Case, readCases } from "./cases.ts";
import { readRealBlocks } from "./real-lines.ts";
import { figuresOf, type Outcome, outcomeOf, percentOf, type Ratio } from "./measure.ts";
import {
  calibrationTables,
  confusionTable,
  coverageTable,
  errorList,
  figuresTable,
  intervalsTable,
} from "./report.ts";
import { majorityCategory, simpleOutcome } from "./simple.ts";

interface Arguments {
  readonly files: readonly string[];
  readonly knowledgeFile: string;
  readonly errors: "none" | "worst" | "all";
  readonly precisionMin: number | null;
  readonly categoryMin: number | null;
  readonly writesBaseline: boolean;
  readonly isSimple: boolean;
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

function percentArgument(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= 0 && value <= 100) return value;
  throw new Error(`${flag} is a number of percent from 0 to 100, not "${text}".`);
}

function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      "no-errors": { type: "boolean", default: false },
      knowledge: { type: "string" },
      "min-precision": { type: "string" },
      "min-category": { type: "string" },
      "write-baseline": { type: "boolean", default: false },
      simple: { type: "boolean", default: false },
    },
  });
  return {
    files: positionals,
    knowledgeFile: values.knowledge ?? KNOWLEDGE_FILE,
    errors: values["no-errors"] ? "none" : values.all ? "all" : "worst",
    precisionMin: percentArgument("--min-precision", values["min-precision"]),
    categoryMin: percentArgument("--min-category", values["min-category"]),
    writesBaseline: values["write-baseline"],
    isSimple: values.simple,
  };
}

/** Whether a figure reaches its minimum; prints a message when it does not. */
function reaches(name: string, ratio: Ratio | null, least: number | null): boolean {
  if (least === null || (ratio !== null && percentOf(ratio) >= least)) return true;
  const found = ratio === null ? "cannot be measured" : `is ${percentOf(ratio).toFixed(1)} %`;
  print(`\nFAILED: ${name} ${found}, at least ${String(least)} % is asked for.`);
  return false;
}

interface LineSet {
  readonly name: string;
  readonly cases: readonly Case[];
  /** Errors of held-out lines are never shown: fixing exactly those would spoil the measurement. */
  readonly heldOut: boolean;
}

function lineSets({ files }: Arguments): readonly LineSet[] {
  if (files.length > 0)
    return files.map((file) => ({ name: basename(file), cases: readCases(file), heldOut: false }));
  const real = [...readRealBlocks()].map(([name, cases]) => ({ name, cases, heldOut: false }));
  if (real.length === 0) print("The files of real lines are not found: only our own are measured.");
  return [
    ...real,
    ...[...countryBlocks()].map(([country, cases]) => ({
      name: `${country.toUpperCase()}, written from knowledge of its statements`,
      cases,
      heldOut: true,
    })),
    { name: "own lines, developed with", cases: ownCases("development"), heldOut: false },
    { name: "own lines, held out", cases: ownCases("holdout"), heldOut: true },
    { name: "own wordings of payments, held out", cases: ownCases("payments"), heldOut: true },
  ];
}

type Answer = (cases: readonly Case[]) => readonly Outcome[];

function measure({ name, cases, heldOut }: LineSet, args: Arguments, answer: Answer): boolean {
  const outcomes = answer(cases);
  print(`\n=== ${name}: ${String(cases.length)} lines\n`);
  print(coverageTable(outcomes));
  const figures = figuresOf(outcomes);
  if (figures.merchant !== null || figures.category !== null) {
    print(`\n${intervalsTable(outcomes)}\n\n${figuresTable(outcomes)}`);
    print(`\n${calibrationTables(outcomes)}`);
    if (args.errors !== "none" && !heldOut)
      print(`\n${confusionTable(outcomes)}\n\n${errorList(outcomes, args.errors === "all")}`);
  }
  const named = reaches("merchant precision", figures.precision, args.precisionMin);
  const sorted = reaches("category accuracy", figures.category, args.categoryMin);
  return named && sorted;
}

function run(args: Arguments): number {
  const knowledge = readKnowledge(args.knowledgeFile);
  const examine = createExaminer(knowledge);
  const answer: Answer = args.isSimple
    ? (cases) => cases.map((one) => simpleOutcome(one, majorityCategory(cases), knowledge))
    : (cases) => cases.map((one) => outcomeOf(one, examine(one.item)));
  const passed = lineSets(args).map((set) => measure(set, args, answer));
  if (args.writesBaseline) {
    const blocks = [...comparedBlocks()].map(([name, cases]) => [name, answer(cases)] as const);
    writeBaselines(BASELINE_FILE, baselinesOf(blocks));
  }
  return passed.every(Boolean) ? 0 : 1;
}

process.exitCode = run(readArguments(process.argv.slice(2)));
