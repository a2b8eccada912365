// npm run bench:statements -- [FOLDER]
// Reads bank statements with a text layer and compares them with their truth: rows (date, amount, direction and, where the
// truth has one, balance), statements that are exact, verdicts, fields of the header, and a simple open tool for comparison. The truth of a verdict is arithmetic on the true rows.
// The public samples are not part of this repository; FOLDER holds NAME.pdf next to NAME.json or NAME.truth.json.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StatementAccount } from "../src/model/bank-statement.ts";
import {
  drawLayout,
  type DrawnLayout,
  STATEMENT_LOCALES,
} from "../test/support/statement-layouts.ts";
import { STATEMENT_TEXTS, wordsOfText } from "../test/support/statement-texts.ts";
import { makeStatement, STATEMENT_LAYOUTS } from "../test/support/statements.ts";
import { readPdf } from "../workers/statements/read-pdf.ts";
import { understandStatement } from "../workers/statements/understand.ts";
import { alignColumns } from "../src/cli/columns.ts";
import { readBaseline } from "./statement-baseline.ts";
import { factsOfPdf } from "./statement-facts.ts";
import { type HeaderScore, scoreHeader } from "./statement-headers.ts";
import {
  readTruth,
  type TrueAccount,
  type TrueRow,
  trueVerdict,
  units,
} from "./statement-truth.ts";
import { describeMachine } from "./table.ts";
import type { PageWord } from "../workers/statements/words.ts";

interface Score {
  readonly name: string;
  readonly rows: number;
  readonly found: number;
  readonly extra: number;
  readonly isExact: boolean;
  readonly isVerdictRight: boolean;
  readonly verdicts: string;
  readonly ms: number;
  /** Rows that the simple tool reads rightly, and whether all of them. */
  readonly baselineFound: number;
  readonly isBaselineExact: boolean;
}

const keyOf = (row: TrueRow, hasBalance: boolean): string =>
  [row.date, row.units, hasBalance ? row.balance : ""].join(" ");

function scoreOf(
  name: string,
  truth: readonly TrueAccount[],
  read: readonly StatementAccount[],
  words: readonly PageWord[],
  ms: number,
): Score {
  let found = 0;
  let extra = 0;
  for (const [index, account] of truth.entries()) {
    const hasBalance = account.rows.some(({ balance }) => balance !== null);
    const left = (read[index]?.transactions ?? []).map((row) =>
      keyOf(
        {
          date: row.date ?? "",
          units: units(row.amount) * (row.direction === "debit" ? -1 : 1),
          balance: row.balance === null ? null : units(row.balance),
        },
        hasBalance,
      ),
    );
    for (const row of account.rows) {
      const at = left.indexOf(keyOf(row, hasBalance));
      if (at < 0) continue;
      left.splice(at, 1);
      found += 1;
    }
    extra += left.length;
  }
  const rows = truth.reduce((sum, account) => sum + account.rows.length, 0);
  const baseline = scoreBaseline(truth, words);
  const verdicts = truth.map((account, index) => [trueVerdict(account), read[index]?.verdict]);
  return {
    ...{ name, rows, found, extra, ms },
    baselineFound: baseline.found,
    isBaselineExact: baseline.found === rows && baseline.extra === 0,
    isExact: found === rows && extra === 0 && truth.length === read.length,
    isVerdictRight: verdicts.every(([right, given]) =>
      right === "reconciled" ? given?.startsWith("reconciled") === true : right === given,
    ),
    verdicts: read.map(({ verdict }) => verdict).join(", "),
  };
}

/** All accounts as one, because the simple tool has no accounts. */
function scoreBaseline(
  truth: readonly TrueAccount[],
  words: readonly PageWord[],
): { found: number; extra: number } {
  const hasBalance = truth.some(({ rows }) => rows.some(({ balance }) => balance !== null));
  const left = readBaseline(words).map((row) =>
    keyOf({ ...row, date: row.date ?? "" }, hasBalance),
  );
  let found = 0;
  for (const row of truth.flatMap(({ rows }) => rows)) {
    const at = left.indexOf(keyOf(row, hasBalance));
    if (at < 0) continue;
    left.splice(at, 1);
    found += 1;
  }
  return { found, extra: left.length };
}

interface FileScores {
  readonly scores: readonly Score[];
  readonly headers: readonly HeaderScore[];
  readonly signals: ReadonlyMap<string, number>;
}

async function scoreFiles(folder: string): Promise<FileScores> {
  const scores: Score[] = [];
  const headers: HeaderScore[] = [];
  const signals = new Map<string, number>();
  for (const path of globSync("{,more/}*.pdf", { cwd: folder }).sort()) {
    const file = join(folder, path);
    const truthPath = [".json", ".truth.json"]
      .map((end) => file.replace(/\.pdf$/u, end))
      .find((candidate) => existsSync(candidate));
    const started = performance.now();
    const bytes = new Uint8Array(readFileSync(file));
    const read = await readPdf(bytes, "");
    const understood = "fault" in read ? null : understandStatement(read.words);
    const accounts = understood?.accounts ?? [];
    const ms = performance.now() - started;
    if (truthPath !== undefined && understood !== null)
      headers.push(...scoreHeader(JSON.parse(readFileSync(truthPath, "utf8")), understood.header));
    if (!("fault" in read))
      for (const { kind } of understandStatement(read.words, await factsOfPdf(bytes)).signals)
        signals.set(kind, (signals.get(kind) ?? 0) + 1);
    const truth = truthPath === undefined ? null : readTruth(truthPath);
    if ("fault" in read) process.stdout.write(`${path}: ${read.fault}\n`);
    else if (truth === null)
      process.stdout.write(
        `${path}: without truth; ${String(accounts.reduce((sum, { transactions }) => sum + transactions.length, 0))} rows, ${accounts.map(({ verdict }) => verdict).join(", ")}\n`,
      );
    else scores.push(scoreOf(path, truth, accounts, read.words, ms));
  }
  return { scores, headers, signals };
}

/** Seeds other than those of the tests. */
const SEEDS = Array.from({ length: 20 }, (_, index) => 1_000 + index);

function scoreMade(): Score[] {
  return STATEMENT_LAYOUTS.flatMap((layout) =>
    SEEDS.map((seed) => {
      const { words, accounts } = makeStatement(layout, seed);
      const hasBalance = layout.columns.some(({ cell }) => cell === "balance");
      const truth = accounts.map(({ opening, closing, transactions }) => ({
        ...{ opening, closing },
        rows: transactions.map((row) => ({ ...row, balance: hasBalance ? row.balance : null })),
      }));
      const started = performance.now();
      const read = understandStatement(words).accounts;
      const ms = performance.now() - started;
      const score = scoreOf(layout.name, truth, read, words, ms);
      // On a card the balance is what is owed, so the arithmetic is another; every made statement adds up.
      return { ...score, isVerdictRight: read.every(({ verdict }) => verdict === "reconciled") };
    }),
  );
}

/** Layouts drawn from seeds; a holdout one was never looked at. */
const DRAWN = 200;

interface DrawnScore extends Score {
  readonly layout: DrawnLayout;
  readonly isHeaderRight: boolean;
}

function scoreDrawn(): DrawnScore[] {
  return Array.from({ length: DRAWN }, (_, seed) => {
    const layout = drawLayout(seed);
    const { words, accounts, header } = makeStatement(layout, seed);
    const hasBalance = layout.columns.some(({ cell }) => cell === "balance");
    const truth = accounts.map(({ opening, closing, transactions }) => ({
      ...{ opening, closing },
      rows: transactions.map((row) => ({ ...row, balance: hasBalance ? row.balance : null })),
    }));
    const started = performance.now();
    const read = understandStatement(words);
    const ms = performance.now() - started;
    const { institution, holder } = read.header;
    return {
      ...scoreOf(`seed ${String(seed)}: ${layout.name}`, truth, read.accounts, words, ms),
      layout,
      isHeaderRight: institution === header.institution && holder?.name === header.holder.name,
    };
  });
}

/** All rows of a text have no balance in their truth, and one text may hold several accounts. */
function scoreTexts(): Score[] {
  return STATEMENT_TEXTS.map(({ name, text, rows, verdict }) => {
    const words = wordsOfText(text);
    const started = performance.now();
    const read = understandStatement(words).accounts;
    const ms = performance.now() - started;
    const truth = rows.map((row): TrueRow => {
      const [date = "", amount = ""] = row.split(" ");
      return { date, units: units(amount), balance: null };
    });
    const joined = read[0] && { ...read[0], transactions: read.flatMap((one) => one.transactions) };
    const score = scoreOf(
      name,
      [{ opening: null, closing: null, rows: truth }],
      joined === undefined ? [] : [joined],
      ...([words, ms] as const),
    );
    return { ...score, isVerdictRight: read.every((account) => account.verdict === verdict) };
  });
}

const count = (scores: readonly Score[], is: (score: Score) => boolean): string =>
  `${String(scores.filter(is).length)}/${String(scores.length)}`;
const total = (scores: readonly Score[], of: (score: Score) => number): number =>
  scores.reduce((sum, score) => sum + of(score), 0);

function summary(name: string, scores: readonly Score[]): string[] {
  return [
    name,
    `${String(total(scores, ({ found }) => found))}/${String(total(scores, ({ rows }) => rows))}`,
    String(total(scores, ({ extra }) => extra)),
    count(scores, ({ isExact }) => isExact),
    count(scores, ({ isVerdictRight }) => isVerdictRight),
    scores.length === 0 ? "-" : (total(scores, ({ ms }) => ms) / scores.length).toFixed(1),
    `${String(total(scores, ({ baselineFound }) => baselineFound))}, ${count(scores, ({ isBaselineExact }) => isBaselineExact)}`,
  ];
}

const HEADER = [
  "statements",
  "rows right",
  "invented",
  "exact",
  "verdict right",
  "ms each",
  "simple tool: rows, exact",
];
const folder = process.argv[2] ?? "../shared/data/statements";
const { node, cores, processor } = describeMachine();
process.stdout.write(`${processor}, ${String(cores)} cores, Node ${node}\n\n`);
const none: FileScores = { scores: [], headers: [], signals: new Map() };
const { scores: files, headers, signals } = existsSync(folder) ? await scoreFiles(folder) : none;
if (files.length === 0) process.stdout.write(`No samples with truth in ${folder}.\n`);
const texts = scoreTexts();
const made = scoreMade();
const drawn = scoreDrawn();
const print = (rows: readonly (readonly string[])[]): void => {
  process.stdout.write(`${alignColumns(rows.map((row) => [...row])).join("\n")}\n\n`);
};
print([
  HEADER,
  ...files.map((score) => summary(score.name, [score])),
  summary("public samples", files),
  summary("texts by hand (tuned on)", texts),
  ...STATEMENT_LAYOUTS.map(({ name }) =>
    summary(
      `made: ${name}`,
      made.filter((score) => score.name === name),
    ),
  ),
  summary("made (tuned on)", made),
  ...STATEMENT_LOCALES.map((locale) =>
    summary(
      `drawn: ${locale}`,
      drawn.filter(({ layout }) => layout.locale === locale),
    ),
  ),
  ...[...new Set(drawn.map(({ layout }) => layout.name.split(", ").slice(1).join(", ")))].map(
    (form) =>
      summary(
        `drawn: ${form}`,
        drawn.filter(({ layout }) => layout.name.endsWith(`, ${form}`)),
      ),
  ),
  summary(
    "drawn (tuned on)",
    drawn.filter(({ layout }) => !layout.isHoldout),
  ),
  summary(
    "drawn (holdout)",
    drawn.filter(({ layout }) => layout.isHoldout),
  ),
]);
const fields = [...new Set(headers.map(({ field }) => field))];
print([
  ["field of the header, public samples", "right", "of"],
  ...fields.map((field) => {
    const of = headers.filter((score) => score.field === field);
    return [field, String(of.filter(({ isRight }) => isRight).length), String(of.length)];
  }),
  [
    "institution and holder, drawn",
    String(drawn.filter(({ isHeaderRight }) => isHeaderRight).length),
    String(drawn.length),
  ],
]);
print([
  ["signal, public samples", "times"],
  ...[...signals].map(([kind, times]) => [kind, String(times)]),
]);
const WORST = 10;
const failures = [...files, ...texts, ...made, ...drawn]
  .filter(({ isExact, isVerdictRight }) => !isExact || !isVerdictRight)
  .sort((a, b) => b.rows - b.found + b.extra - (a.rows - a.found + a.extra));
print([
  ["worst failures", "rows right", "invented", "verdicts"],
  ...failures
    .slice(0, WORST)
    .map(({ name, found, rows, extra, verdicts }) => [
      name,
      `${String(found)}/${String(rows)}`,
      String(extra),
      verdicts,
    ]),
]);
