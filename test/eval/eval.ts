// Measures the recogniser on tables of bank lines: `node test/eval/eval.ts [FILE.csv[.gz] …]`.
//
// Columns are found by their header words, in any order; unknown ones are ignored. A labelled table has description,
// amount, entry_type, currency, country, account_type, merchant, website, category and kind; several correct answers are
// separated by `|`. An empty merchant means that no merchant may be named. Without labels only coverage is printed.
// Without a file the development set and the holdout are measured.
//
// `--min-precision N` and `--min-category N` (percent) make it fail when merchant precision or category accuracy is
// lower, or cannot be measured. `--all` shows every error, `--no-errors` none (to keep the lines unseen),
// `--knowledge=FILE` measures another knowledge file.
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { createExaminer } from "../../workers/recogniser/recogniser.ts";
import { KNOWLEDGE_FILE, readKnowledge } from "./knowledge.ts";
import { readCases } from "./cases.ts";
import { figuresOf, outcomeOf, percentOf, type Ratio } from "./measure.ts";
import {
  calibrationTable,
  confusionTable,
  coverageTable,
  errorList,
  figuresTable,
} from "./report.ts";

const OWN_FILES = ["development.csv", "holdout.csv"] as const;
const HOLDOUT = "holdout.csv";

interface Arguments {
  readonly files: readonly string[];
  readonly knowledgeFile: string;
  readonly errors: "none" | "worst" | "all";
  readonly precisionMin: number | null;
  readonly categoryMin: number | null;
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
    },
  });
  const own = OWN_FILES.map((name) => join(import.meta.dirname, name));
  return {
    files: positionals.length > 0 ? positionals : own,
    knowledgeFile: values.knowledge ?? KNOWLEDGE_FILE,
    errors: values["no-errors"] ? "none" : values.all ? "all" : "worst",
    precisionMin: percentArgument("--min-precision", values["min-precision"]),
    categoryMin: percentArgument("--min-category", values["min-category"]),
  };
}

/** Whether a figure reaches its minimum; prints a message when it does not. */
function reaches(name: string, ratio: Ratio | null, least: number | null): boolean {
  if (least === null || (ratio !== null && percentOf(ratio) >= least)) return true;
  const found = ratio === null ? "cannot be measured" : `is ${percentOf(ratio).toFixed(1)} %`;
  print(`\nFAILED: ${name} ${found}, at least ${String(least)} % is asked for.`);
  return false;
}

function evaluate(
  file: string,
  args: Arguments,
  examine: ReturnType<typeof createExaminer>,
): boolean {
  const cases = readCases(file);
  const outcomes = cases.map((one) => outcomeOf(one, examine(one.item)));
  print(`\n=== ${basename(file)}: ${String(cases.length)} lines\n`);
  print(coverageTable(outcomes));
  const figures = figuresOf(outcomes);
  if (figures.merchant !== null || figures.category !== null) {
    print(`\n${figuresTable(outcomes)}\n\n${calibrationTable(outcomes)}`);
    // Errors of the holdout are never shown: fixing exactly those would spoil the measurement.
    if (args.errors !== "none" && basename(file) !== HOLDOUT) {
      print(`\n${confusionTable(outcomes)}\n\n${errorList(outcomes, args.errors === "all")}`);
    }
  }
  const named = reaches("merchant precision", figures.precision, args.precisionMin);
  const sorted = reaches("category accuracy", figures.category, args.categoryMin);
  return named && sorted;
}

function run(args: Arguments): number {
  const examine = createExaminer(readKnowledge(args.knowledgeFile));
  const passed = args.files.map((file) => evaluate(file, args, examine));
  return passed.every(Boolean) ? 0 : 1;
}

process.exitCode = run(readArguments(process.argv.slice(2)));
