// Measures the recogniser on a table of bank lines: `node test/eval/eval.ts FILE.csv[.gz]`.
//
// Columns are found by their header words, in any order; unknown ones are ignored. A labelled table has description,
// amount, entry_type, currency, country, account_type, merchant, website and category (`labelled.csv` is one). An empty
// merchant says that nobody must be named. Without merchant or category columns only coverage is printed.
//
// `--min-precision N` and `--min-category N` (percent) make it fail when merchant precision or category accuracy is
// lower, or cannot be measured. `--all` shows every error, `--knowledge=FILE` measures another knowledge file.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import type { Facts } from "../../src/domain/facts.ts";
import { createRecogniser, type RecogniserItem } from "../../workers/enrichment/enrichment.ts";
import { openKnowledge } from "../../workers/enrichment/knowledge/knowledge.ts";

/** How many wrong answers of each kind are shown: enough to see a pattern, few enough to read. */
const ERRORS_SHOWN_MAX = 30;
const MISSED_CATEGORIES_SHOWN_MAX = 20;

/** Header words that mean the text of the bank, best first. `merchant` only counts when nothing better is there. */
const descriptionHeaders = [
  "description",
  "descriptor",
  "transaction description",
  "narrative",
  "details",
  "memo",
  "merchant name",
  "merchant",
  "payee",
] as const;

interface Label {
  /** null: the table says nothing about it; empty: nobody must be named. */
  readonly merchant: string | null;
  readonly website: string | null;
  readonly category: string | null;
}

interface Case {
  readonly item: RecogniserItem;
  readonly label: Label;
}

interface Outcome {
  readonly description: string;
  readonly label: Label;
  readonly merchant: string;
  readonly website: string;
  readonly category: string;
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const percent = (part: number, whole: number): string =>
  whole === 0
    ? "   –"
    : `${((100 * part) / whole).toFixed(1)} % (${String(part)}/${String(whole)})`;

function readTable(file: string): readonly (readonly string[])[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true });
}

/** Reads a field by the first of the header words that the table has; null when it has none of them. */
function columnReader(header: readonly string[]) {
  const names = header.map((name) => name.trim().toLowerCase());
  return (row: readonly string[], ...wanted: readonly string[]): string | null => {
    for (const name of wanted) {
      const at = names.indexOf(name);
      if (at >= 0) return (row[at] ?? "").trim();
    }
    return null;
  };
}

type ReadColumn = ReturnType<typeof columnReader>;

/** A signed column decides when there is one; council cards, which have no direction, write credits as negative. */
function isOutgoing(row: readonly string[], column: ReadColumn): boolean {
  const entryType = column(row, "entry_type");
  if (entryType !== null && entryType !== "") return entryType.toLowerCase() === "outgoing";
  return Number(column(row, "amount_outflow_positive", "amount") ?? "0") >= 0;
}

function itemOf(description: string, row: readonly string[], column: ReadColumn): RecogniserItem {
  const country = column(row, "country");
  return {
    description,
    outgoing: isOutgoing(row, column),
    currency: column(row, "currency", "orig_ccy") || "USD",
    accountType: column(row, "account_type") === "business" ? "business" : "consumer",
    rawAddress: null,
    country: country === "" ? null : country,
  };
}

function casesOf(table: readonly (readonly string[])[]): Case[] {
  const [header, ...rows] = table;
  if (header === undefined) return [];
  const column = columnReader(header);
  const names = header.map((name) => name.trim().toLowerCase());
  const source = descriptionHeaders.find((name) => names.includes(name));
  if (source === undefined) throw new Error(`No column of ${header.join(", ")} is a description.`);
  return rows.map((row) => ({
    item: itemOf(column(row, source) ?? "", row, column),
    label: {
      merchant: source === "merchant" ? null : column(row, "merchant"),
      website: column(row, "website"),
      category: column(row, "category")?.toLowerCase() ?? null,
    },
  }));
}

/** Names are equal when they read the same: no case, accents, punctuation, leading THE or the word AND. */
function comparableName(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/['’]/gu, "");
  const words = plain
    .replace(/[^a-z0-9]+/gu, " ")
    .trim()
    .split(" ");
  return words.filter((word, at) => word !== "and" && !(at === 0 && word === "the")).join("");
}

function outcomeOf({ item, label }: Case, facts: Facts): Outcome {
  const counterparty = facts.entities?.counterparty ?? null;
  return {
    description: item.description,
    label,
    merchant: counterparty?.name ?? "",
    website: counterparty?.website ?? "",
    category: facts.categories?.general ?? "",
  };
}

const isNameRight = ({ label, merchant }: Outcome): boolean =>
  comparableName(label.merchant ?? "") === comparableName(merchant);

function printCoverage(outcomes: readonly Outcome[]): void {
  const count = (test: (outcome: Outcome) => boolean): string =>
    percent(outcomes.filter(test).length, outcomes.length);
  print(`merchant coverage  ${count(({ merchant }) => merchant !== "")}`);
  print(`website coverage   ${count(({ website }) => website !== "")}`);
  print(`category coverage  ${count(({ category }) => category !== "not enough information")}`);
}

/** Each prints its figures and returns the one that can be gated, in percent; null when nothing is labelled. */
function printMerchants(outcomes: readonly Outcome[]): number | null {
  const labelled = outcomes.filter(({ label }) => label.merchant !== null);
  if (labelled.length === 0) return null;
  const right = labelled.filter((outcome) => outcome.merchant !== "" && isNameRight(outcome));
  const named = labelled.filter(({ merchant }) => merchant !== "");
  const expected = labelled.filter(({ label }) => label.merchant !== "");
  print(`merchant precision ${percent(right.length, named.length)}`);
  print(`merchant recall    ${percent(right.length, expected.length)}`);
  print(`merchant accuracy  ${percent(labelled.filter(isNameRight).length, labelled.length)}`);
  return named.length === 0 ? null : (100 * right.length) / named.length;
}

function printWebsites(outcomes: readonly Outcome[]): void {
  const labelled = outcomes.filter(({ label }) => label.website !== null);
  if (labelled.length === 0) return;
  const concerned = labelled.filter(({ label, website }) => label.website !== "" || website !== "");
  const isRight = ({ label, website }: Outcome): boolean => label.website === website;
  print(`website accuracy   ${percent(labelled.filter(isRight).length, labelled.length)}`);
  print(
    `  where one is due or given ${percent(concerned.filter(isRight).length, concerned.length)}`,
  );
}

function printCategories(outcomes: readonly Outcome[]): number | null {
  const labelled = outcomes.filter(({ label }) => label.category !== null);
  if (labelled.length === 0) return null;
  const missed = labelled.filter(({ label, category }) => label.category !== category);
  print(`category accuracy  ${percent(labelled.length - missed.length, labelled.length)}`);
  const counts = new Map<string, number>();
  for (const { label, category } of missed) {
    const pair = `${label.category ?? ""} → ${category}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MISSED_CATEGORIES_SHOWN_MAX);
  if (most.length > 0) print("\nmissed categories");
  for (const [pair, count] of most) print(`${String(count).padStart(5)}  ${pair}`);
  return (100 * (labelled.length - missed.length)) / labelled.length;
}

/** A wrong name weighs more than a missing one, and that more than a wrong website. */
function severityOf(outcome: Outcome): number {
  const { label, merchant, website } = outcome;
  if (label.merchant === null) return 0;
  if (!isNameRight(outcome)) return merchant === "" ? 2 : 3;
  return label.website !== null && label.website !== website ? 1 : 0;
}

function printErrors(outcomes: readonly Outcome[], all: boolean): void {
  const worst = outcomes
    .map((outcome) => ({ outcome, severity: severityOf(outcome) }))
    .filter(({ severity }) => severity > 0)
    .sort((a, b) => b.severity - a.severity)
    .slice(0, all ? outcomes.length : ERRORS_SHOWN_MAX);
  if (worst.length > 0) print("\nworst errors: line → answer (label)");
  for (const { outcome } of worst) {
    const { description, merchant, website, label } = outcome;
    const answer = `${merchant || "–"} ${website}`.trim();
    print(`  ${description} → ${answer} (${label.merchant || "–"} ${label.website ?? ""})`);
  }
  const wrong = outcomes.filter(({ label, category }) => (label.category ?? category) !== category);
  if (wrong.length > 0) print("\ncategory errors: line → answer (label)");
  for (const { description, category, label } of wrong.slice(
    0,
    all ? undefined : ERRORS_SHOWN_MAX,
  )) {
    print(`  ${description} → ${category} (${label.category ?? ""})`);
  }
}

function loadKnowledge(file: string) {
  const bytes = readFileSync(file);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return openKnowledge(shared);
}

interface Arguments {
  readonly file: string;
  readonly knowledgeFile: string;
  readonly all: boolean;
  readonly precisionMin: number | null;
  readonly categoryMin: number | null;
}

const percentOf = (flag: string, text: string | undefined): number | null => {
  if (text === undefined) return null;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= 0 && value <= 100) return value;
  throw new Error(`${flag} is a number of percent from 0 to 100, not "${text}".`);
};

function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      knowledge: { type: "string" },
      "min-precision": { type: "string" },
      "min-category": { type: "string" },
    },
  });
  const knowledge = join(import.meta.dirname, "../../workers/enrichment/knowledge.bin");
  return {
    file: positionals[0] ?? join(import.meta.dirname, "labelled.csv"),
    knowledgeFile: values.knowledge ?? knowledge,
    all: values.all,
    precisionMin: percentOf("--min-precision", values["min-precision"]),
    categoryMin: percentOf("--min-category", values["min-category"]),
  };
}

/** Whether a figure is as good as was asked for; says so when it is not. */
function reaches(name: string, value: number | null, least: number | null): boolean {
  if (least === null || (value !== null && value >= least)) return true;
  const found = value === null ? "cannot be measured" : `is ${value.toFixed(1)} %`;
  print(`\nFAILED: ${name} ${found}, at least ${String(least)} % is asked for.`);
  return false;
}

/** Exit code: 0 when every figure that was asked for is reached. */
function run(args: Arguments): number {
  const cases = casesOf(readTable(args.file));
  const recognise = createRecogniser(loadKnowledge(args.knowledgeFile));
  const started = performance.now();
  const outcomes = cases.map((one) => outcomeOf(one, recognise(one.item)));
  const elapsedMicroseconds = (performance.now() - started) * 1000;
  print(`${basename(args.file)}: ${String(cases.length)} lines`);
  print(
    `time per line      ${(elapsedMicroseconds / Math.max(1, cases.length)).toFixed(1)} µs, cold`,
  );
  printCoverage(outcomes);
  const precision = printMerchants(outcomes);
  printWebsites(outcomes);
  const category = printCategories(outcomes);
  printErrors(outcomes, args.all);
  const named = reaches("merchant precision", precision, args.precisionMin);
  const sorted = reaches("category accuracy", category, args.categoryMin);
  return named && sorted ? 0 : 1;
}

process.exitCode = run(readArguments(process.argv.slice(2)));
