// npm run bench:statements -- [FOLDER] [--medium NAME]... [--seeds N] [--write FOLDER [--sample]]
// Reads bank statements and compares them with their truth: rows (date, amount, direction and, where the truth has one,
// balance), statements that are exact, verdicts, fields of the header, and a simple open tool for comparison. Public samples
// with a text layer come first, then words, last generated files in every medium. --write makes these files, each next to its
// truth, and measures nothing, --sample those of the tests; --seeds is how many of each medium that is recognised.
// The public samples are not part of this repository; FOLDER holds NAME.pdf next to NAME.json or NAME.truth.json.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { alignColumns } from "../src/cli/columns.ts";
import { MEDIA } from "../test/support/generated-statements/media.ts";
import { drawLayout, type DrawnLayout } from "../test/support/statement-layouts.ts";
import { STATEMENT_TEXTS, wordsOfText } from "../test/support/statement-texts.ts";
import {
  makeStatement,
  type MadeTransaction,
  STATEMENT_LAYOUTS,
} from "../test/support/statements.ts";
import { readPdf } from "../workers/statements/read-pdf.ts";
import { understandStatement } from "../workers/statements/understand.ts";
import { factsOfPdf } from "./statement-facts.ts";
import {
  type GeneratedScore,
  type MediumSpeed,
  RECOGNISED_SEEDS,
  SAMPLE,
  scoreGenerated,
  seedsOfAll,
  writeGenerated,
} from "./statement-generated.ts";
import { type HeaderScore, scoreHeader } from "./statement-headers.ts";
import {
  SCORE_HEADER,
  scoreLine,
  scoreStatement,
  type StatementScore,
} from "./statement-scores.ts";
import { readTruth, type TrueRow, units } from "./statement-truth.ts";
import { describeMachine } from "./table.ts";

interface FileScores {
  readonly scores: readonly StatementScore[];
  readonly headers: readonly HeaderScore[];
  readonly signals: ReadonlyMap<string, number>;
}

async function scoreFiles(folder: string): Promise<FileScores> {
  const scores: StatementScore[] = [];
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
    else scores.push(scoreStatement(path, { truth, read: accounts, words: read.words, ms }));
  }
  return { scores, headers, signals };
}

/** Seeds other than those of the tests. */
const SEEDS = Array.from({ length: 20 }, (_, index) => 1_000 + index);

/** Without its text, of which a second line is printed that is the same for all. */
const toTrueRow = (
  { date, units: signed, balance }: MadeTransaction,
  hasBalance: boolean,
): TrueRow => ({
  ...{ date, units: signed, description: null },
  balance: hasBalance ? balance : null,
});

function scoreMade(): StatementScore[] {
  return STATEMENT_LAYOUTS.flatMap((layout) =>
    SEEDS.map((seed) => {
      const { words, accounts } = makeStatement(layout, seed);
      const hasBalance = layout.columns.some(({ cell }) => cell === "balance");
      const truth = accounts.map(({ opening, closing, transactions }) => ({
        ...{ opening, closing, verdict: null },
        rows: transactions.map((row) => toTrueRow(row, hasBalance)),
      }));
      const started = performance.now();
      const read = understandStatement(words).accounts;
      const ms = performance.now() - started;
      const score = scoreStatement(layout.name, { truth, read, words, ms });
      // On a card the balance is what is owed, so the arithmetic is another; every made statement adds up.
      return { ...score, isVerdictRight: read.every(({ verdict }) => verdict === "reconciled") };
    }),
  );
}

/** Layouts drawn from seeds; a holdout one was never looked at. */
const DRAWN = 200;

interface DrawnScore extends StatementScore {
  readonly layout: DrawnLayout;
  readonly isHeaderRight: boolean;
}

function scoreDrawn(): DrawnScore[] {
  return Array.from({ length: DRAWN }, (_, seed) => {
    const layout = drawLayout(seed);
    const { words, accounts, header } = makeStatement(layout, seed);
    const hasBalance = layout.columns.some(({ cell }) => cell === "balance");
    const truth = accounts.map(({ opening, closing, transactions }) => ({
      ...{ opening, closing, verdict: null },
      rows: transactions.map((row) => toTrueRow(row, hasBalance)),
    }));
    const started = performance.now();
    const read = understandStatement(words);
    const ms = performance.now() - started;
    const { institution, holder } = read.header;
    return {
      ...scoreStatement(`seed ${String(seed)}: ${layout.name}`, {
        ...{ truth, words, ms },
        read: read.accounts,
      }),
      layout,
      isHeaderRight: institution === header.institution && holder?.name === header.holder.name,
    };
  });
}

/** All rows of a text have no balance in their truth, and one text may hold several accounts. */
function scoreTexts(): StatementScore[] {
  return STATEMENT_TEXTS.map(({ name, text, rows, verdict }) => {
    const words = wordsOfText(text);
    const started = performance.now();
    const read = understandStatement(words).accounts;
    const ms = performance.now() - started;
    const truth = rows.map((row): TrueRow => {
      const [date = "", amount = ""] = row.split(" ");
      return { date, units: units(amount), balance: null, description: null };
    });
    const joined = read[0] && { ...read[0], transactions: read.flatMap((one) => one.transactions) };
    const score = scoreStatement(name, {
      truth: [{ opening: null, closing: null, rows: truth, verdict: null }],
      read: joined === undefined ? [] : [joined],
      ...{ words, ms },
    });
    return { ...score, isVerdictRight: read.every((account) => account.verdict === verdict) };
  });
}

const print = (rows: readonly (readonly string[])[]): void => {
  process.stdout.write(`${alignColumns(rows.map((row) => [...row])).join("\n")}\n\n`);
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: "string" },
    medium: { type: "string", multiple: true },
    seeds: { type: "string" },
    sample: { type: "boolean", default: false },
  },
});
const media = MEDIA.filter((medium) => values.medium?.includes(medium) ?? true);
const generatedOptions = { media, recognised: Number(values.seeds ?? RECOGNISED_SEEDS) };
const { node, cores, processor, loadBefore } = describeMachine();

async function writeFiles(folder: string): Promise<void> {
  const seeds = values.sample ? SAMPLE : seedsOfAll(generatedOptions);
  await writeGenerated(folder, seeds);
  process.stdout.write(`${String(seeds.length)} generated statements in ${folder}\n`);
}

async function measure(folder: string): Promise<void> {
  process.stdout.write(
    `${processor}, ${String(cores)} cores, Node ${node}, load before ${String(loadBefore)}\n\n`,
  );
  const none: FileScores = { scores: [], headers: [], signals: new Map() };
  const { scores: files, headers, signals } = existsSync(folder) ? await scoreFiles(folder) : none;
  if (files.length === 0) process.stdout.write(`No samples with truth in ${folder}.\n`);
  const texts = scoreTexts();
  const made = scoreMade();
  const drawn = scoreDrawn();
  print([
    SCORE_HEADER,
    ...files.map((score) => scoreLine(score.name, [score])),
    scoreLine("public samples", files),
  ]);
  printHeaders(headers, signals, drawn);
  print([
    SCORE_HEADER,
    scoreLine("texts by hand (tuned on)", texts),
    scoreLine("words of fixed layouts (tuned on)", made),
    ...halves("words of drawn layouts", drawn, ({ layout }) => layout.isHoldout),
  ]);
  const { scores: generated, speeds } = await scoreGenerated(generatedOptions);
  printGenerated(generated, speeds);
  const looked = [
    ...files,
    ...texts,
    ...made,
    ...drawn.filter(({ layout }) => !layout.isHoldout),
    ...generated.filter(({ isHoldout }) => !isHoldout),
  ];
  printWorst(looked);
}

/** Half of the seeds are holdout: they are measured and never looked at. */
const halves = <Of extends StatementScore>(
  name: string,
  scores: readonly Of[],
  isHoldout: (score: Of) => boolean,
): string[][] => [
  scoreLine(
    `${name} (holdout)`,
    scores.filter((score) => isHoldout(score)),
  ),
  scoreLine(
    `${name} (tuned on)`,
    scores.filter((score) => !isHoldout(score)),
  ),
];

function printHeaders(
  headers: readonly HeaderScore[],
  signals: ReadonlyMap<string, number>,
  drawn: readonly DrawnScore[],
): void {
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
}

function printGenerated(scores: readonly GeneratedScore[], speeds: readonly MediumSpeed[]): void {
  const header = ["generated files", ...SCORE_HEADER.slice(1)];
  const by = (of: (score: GeneratedScore) => string): string[][] =>
    [...new Set(scores.map(of))].map((name) =>
      scoreLine(
        name,
        scores.filter((score) => of(score) === name),
      ),
    );
  for (const medium of media)
    print([
      header,
      ...halves(
        medium,
        scores.filter((score) => score.medium === medium),
        ({ isHoldout }) => isHoldout,
      ),
    ]);
  const hasText = (score: GeneratedScore): boolean =>
    score.medium === "text" || score.medium === "watermark";
  const kind = (score: GeneratedScore): string => (hasText(score) ? "text" : "recognised");
  print([header, ...by((score) => `${score.layout}: ${kind(score)}`).sort()]);
  print([header, ...by((score) => `${score.locale}: ${kind(score)}`).sort()]);
  const wrong = scores.filter(({ isWronglyReconciled }) => isWronglyReconciled);
  print([
    ["reconciled, though a number is wrong", String(wrong.length)],
    ...wrong.filter(({ isHoldout }) => !isHoldout).map(({ name }) => [name]),
  ]);
  print([
    ["medium", "statements an hour, two threads"],
    ...speeds.map(({ medium, statementsAnHour }) => [
      medium,
      Math.round(statementsAnHour).toLocaleString("en"),
    ]),
  ]);
}

const WORST = 10;

function printWorst(scores: readonly StatementScore[]): void {
  const failures = scores
    .filter(({ isExact, isVerdictRight }) => !isExact || !isVerdictRight)
    .sort((a, b) => b.rows - b.found + b.extra - (a.rows - a.found + a.extra));
  print([
    ["worst failures, without holdout", "rows right", "invented", "verdicts"],
    ...failures
      .slice(0, WORST)
      .map(({ name, found, rows, extra, verdicts }) => [
        name,
        `${String(found)}/${String(rows)}`,
        String(extra),
        verdicts,
      ]),
  ]);
}

if (values.write === undefined) await measure(positionals[0] ?? "../shared/data/statements");
else await writeFiles(values.write);
