// Generated statements as files, read as the service reads them: by threads, with text recognition where there is no text
// layer. Their verdicts are right when they are those of the true rows; of what was recognised, when they fit what was read:
// wrong amounts are never reconciled, and right ones have the verdict of the truth.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pLimit from "p-limit";
import type { StatementResult } from "../src/model/bank-statement.ts";
import { findLanguageFiles, readLanguageFile } from "../src/pool/recognition-languages.ts";
import { readStatement } from "../src/pool/statement-reading.ts";
import { openStatementThreads, type StatementThreads } from "../src/pool/statement-threads.ts";
import {
  type GeneratedStatement,
  generateStatement,
  SEEDS_OF_ALL,
} from "../test/support/generated-statements/generate.ts";
import { MEDIA, type StatementMedium } from "../test/support/generated-statements/media.ts";
import { readPdf } from "../workers/statements/read-pdf.ts";
import type { PageWord } from "../workers/statements/words.ts";
import { isAnyWronglyReconciled, isArithmeticRight } from "./statement-arithmetic.ts";
import { type StatementScore, scoreStatement } from "./statement-scores.ts";
import { trueAccountsOf } from "./statement-truth.ts";

export interface GeneratedScore extends StatementScore {
  readonly layout: string;
  readonly locale: string;
  readonly medium: StatementMedium;
  readonly isHoldout: boolean;
  /** An account is reconciled, though an amount, a direction or a balance is wrong, or all are, though one was lost. */
  readonly isWronglyReconciled: boolean;
}

export interface MediumSpeed {
  readonly medium: StatementMedium;
  readonly statementsAnHour: number;
}

export interface GeneratedOptions {
  readonly media: readonly StatementMedium[];
  /** Of a medium that is recognised; those with a text layer have all seeds. */
  readonly recognised: number;
}

export const RECOGNISED_SEEDS = 64;
const THREADS = 2;

const hasText = (medium: StatementMedium): boolean => medium === "text" || medium === "watermark";

/** Media begin at other seeds, so that they meet other combinations of layout and country. */
function seedsOf(medium: StatementMedium, { recognised }: GeneratedOptions): number[] {
  const count = hasText(medium) ? SEEDS_OF_ALL : Math.min(recognised, SEEDS_OF_ALL);
  const first = MEDIA.indexOf(medium) * SEEDS_OF_ALL;
  return Array.from({ length: count }, (_, at) => first + at);
}

/** Of the tests, in test/support/statement-samples: small files, one of each medium and more with a text layer. */
export const SAMPLE: readonly (readonly [StatementMedium, seed: number])[] = [
  ["text", 16],
  ["text", 110],
  ["text", 196],
  ["watermark", 242],
  ["scan", 486],
  ["skew", 716],
  ["photo", 908],
  ["jpeg", 1120],
];

export const seedsOfAll = (
  options: GeneratedOptions,
): readonly (readonly [StatementMedium, seed: number])[] =>
  options.media.flatMap((medium) =>
    seedsOf(medium, options).map((seed) => [medium, seed] as const),
  );

/** Writes NAME.pdf or NAME.jpg next to NAME.truth.json. */
export async function writeGenerated(
  folder: string,
  seeds: readonly (readonly [StatementMedium, seed: number])[],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [medium, seed] of seeds) {
    const { name, bytes, truth } = await generateStatement(seed, medium);
    writeFileSync(join(folder, name), bytes);
    const truthName = name.replace(/\.\w+$/u, ".truth.json");
    writeFileSync(join(folder, truthName), `${JSON.stringify(truth, null, 2)}\n`);
  }
}

export async function scoreGenerated(
  options: GeneratedOptions,
): Promise<{ readonly scores: GeneratedScore[]; readonly speeds: MediumSpeed[] }> {
  const languages = findLanguageFiles({ languages: ["eng"], folder: null }).map(readLanguageFile);
  const threads = openStatementThreads(THREADS, { languages, niceness: 0 });
  const scores: GeneratedScore[] = [];
  const speeds: MediumSpeed[] = [];
  for (const medium of options.media) {
    const made: GeneratedStatement[] = [];
    for (const seed of seedsOf(medium, options)) made.push(await generateStatement(seed, medium));
    const limit = pLimit(THREADS);
    const started = performance.now();
    const read = await Promise.all(
      made.map((statement) => limit(() => readTimed(statement, threads))),
    );
    const hours = (performance.now() - started) / 3_600_000;
    speeds.push({ medium, statementsAnHour: made.length / hours });
    for (const [at, statement] of made.entries()) {
      const reading = read[at];
      if (reading !== undefined) scores.push(await scoreOf(statement, reading));
    }
  }
  return { scores, speeds };
}

interface TimedReading {
  readonly result: StatementResult;
  /** Of the first recognition; empty: the statement has a text layer. */
  readonly words: readonly PageWord[];
  readonly ms: number;
}

/** Read so far. */
let documents = 0;

async function readTimed(
  { bytes }: GeneratedStatement,
  threads: StatementThreads,
): Promise<TimedReading> {
  const started = performance.now();
  const readings: (readonly PageWord[])[] = [];
  const watched: StatementThreads = {
    ...threads,
    understand: (task) => {
      readings.push(task.read.flatMap((page) => page.words));
      return threads.understand(task);
    },
  };
  const deps = { threads: watched, pagesAtOnce: 1, now: Date.now };
  const result = await readStatement(
    { document: ++documents, bytes, password: "", submittedAt: Date.now() },
    deps,
  );
  return { result, words: readings[0] ?? [], ms: performance.now() - started };
}

async function scoreOf(
  { name, bytes, truth: json }: GeneratedStatement,
  { result, words, ms }: TimedReading,
): Promise<GeneratedScore> {
  const { layout, locale, medium, isHoldout } = json;
  const truth = trueAccountsOf(json) ?? [];
  const read = "fault" in result ? [] : result.accounts;
  const text = hasText(medium) ? await readPdf(bytes, "") : { words };
  const score = scoreStatement(`${name}: ${locale}, ${layout}`, {
    ...{ truth, read, ms },
    words: "fault" in text ? [] : text.words,
  });
  const isWronglyReconciled = isAnyWronglyReconciled(truth, read);
  return {
    ...score,
    ...{ layout, locale, medium, isHoldout },
    isVerdictRight:
      score.isVerdictRight ||
      (!hasText(medium) && !isArithmeticRight(truth, read) && !isWronglyReconciled),
    isWronglyReconciled,
  };
}
