// npm run bench:statement-verdicts -- [FOLDER] [--each N] [--seeds N] [--medium NAME]...
// Verdicts of statements with errors in their words: digits that look like others, lost signs, marks, words, rows, columns and
// balances, alone and in pairs, --each of every kind for each statement. A verdict is wrong where an account is called reconciled
// with a number, between the ends that it names as unproven, that is not the true one, or with repairs that do not name it, and
// where an account was not read at all while all others are called reconciled. FOLDER has the public samples with a text layer, as of
// bench:statements; of generated ones, --seeds of each medium are read, of the half that was tuned on. Texts are read as they are, and
// once more as if they had been recognised.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { alignColumns } from "../src/cli/columns.ts";
import { findLanguageFiles, readLanguageFile } from "../src/pool/recognition-languages.ts";
import { readStatement } from "../src/pool/statement-reading.ts";
import { openStatementThreads, type StatementThreads } from "../src/pool/statement-threads.ts";
import { generateStatement, SEEDS_OF_ALL } from "../test/support/generated-statements/generate.ts";
import { MEDIA, type StatementMedium } from "../test/support/generated-statements/media.ts";
import { createRandom } from "../test/support/random.ts";
import { asRecognised, type MutatedWords, MUTATIONS } from "../test/support/statement-mutations.ts";
import { lostAccounts, wrongClaims } from "../test/support/statement-verdicts.ts";
import { readPdf } from "../workers/statements/read-pdf.ts";
import { understandStatement } from "../workers/statements/understand.ts";
import type { PageWord } from "../workers/statements/words.ts";
import { readTruth, type TrueAccount, trueAccountsOf } from "./statement-truth.ts";

interface StatementWords {
  readonly name: string;
  readonly source: string;
  readonly words: readonly PageWord[];
  readonly truth: readonly TrueAccount[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: "string", default: "2" },
    seeds: { type: "string", default: "24" },
    medium: { type: "string", multiple: true },
  },
});

/** As they are, and as if they had been recognised. */
const ofText = (text: Omit<StatementWords, "source">, from: string): StatementWords[] => [
  { ...text, source: `${from}, text layer` },
  { ...text, words: asRecognised(text.words, 1), source: `${from}, as if recognised` },
];

async function publicSamples(folder: string): Promise<StatementWords[]> {
  const found: StatementWords[] = [];
  for (const path of globSync("{,more/}*.pdf", { cwd: folder }).sort()) {
    const file = join(folder, path);
    const truthPath = [".json", ".truth.json"]
      .map((end) => file.replace(/\.pdf$/u, end))
      .find((candidate) => existsSync(candidate));
    const truth = truthPath === undefined ? null : readTruth(truthPath);
    const read = await readPdf(new Uint8Array(readFileSync(file)), "");
    if (truth === null || "fault" in read || read.words.length === 0) continue;
    found.push(...ofText({ name: path, words: read.words, truth }, "public"));
  }
  return found;
}

async function generated(threads: StatementThreads): Promise<StatementWords[]> {
  const media = MEDIA.filter((name) => values.medium?.includes(name) ?? true);
  const seeds = Array.from({ length: Math.ceil(Number(values.seeds) / 2) }, (_, at) => at * 2);
  const found: StatementWords[] = [];
  for (const [medium, at] of media.flatMap((name) => seeds.map((seed) => [name, seed] as const)))
    found.push(
      ...(await readGenerated(MEDIA.indexOf(medium) * SEEDS_OF_ALL + at, medium, threads)),
    );
  return found;
}

async function readGenerated(
  seed: number,
  medium: StatementMedium,
  threads: StatementThreads,
): Promise<StatementWords[]> {
  const { name, bytes, truth: json } = await generateStatement(seed, medium);
  const truth = trueAccountsOf(json) ?? [];
  if (medium !== "text" && medium !== "watermark")
    return [{ name, source: medium, words: await recognised(bytes, threads), truth }];
  const read = await readPdf(bytes, "");
  return "fault" in read ? [] : ofText({ name, words: read.words, truth }, medium);
}

let documents = 0;

/** The words of the last reading of all. */
async function recognised(
  bytes: Uint8Array,
  threads: StatementThreads,
): Promise<readonly PageWord[]> {
  let words: readonly PageWord[] = [];
  const watched: StatementThreads = {
    ...threads,
    understand: (task) => {
      words = task.read.flatMap((page) => page.words);
      return threads.understand(task);
    },
  };
  await readStatement(
    { document: ++documents, bytes, password: "", submittedAt: Date.now() },
    { threads: watched, pagesAtOnce: 2, now: Date.now },
  );
  return words;
}

interface Tally {
  mutated: number;
  claimed: number;
  wrong: number;
  /** Of these, with an end that no number proves, which a text layer names. */
  named: number;
  /** Of those that are wrong, accounts that were not read at all, while all others of the document are called reconciled. */
  lost: number;
}

function tallyOf(statement: StatementWords, tally: Tally): void {
  const seeds = Array.from({ length: Number(values.each) }, (_, seed) => seed);
  for (const [place, [kind, mutate]] of Object.entries(MUTATIONS).entries())
    for (const seed of seeds) {
      const mutated = mutate(statement.words, createRandom(place * 1_000 + seed));
      if (mutated !== null) count(statement, { kind, ...mutated }, tally);
    }
}

function count(
  { name, truth }: StatementWords,
  { kind, words, change }: MutatedWords & { readonly kind: string },
  tally: Tally,
): void {
  const { accounts } = understandStatement(words);
  const print = (wrong: string): unknown =>
    process.stdout.write(`${name}: ${kind}, ${change.slice(0, 100)}: ${wrong}\n`);
  tally.mutated += 1;
  tally.claimed += accounts.filter(({ verdict }) => verdict.startsWith("reconciled")).length;
  for (const { account, wrong } of accounts.flatMap((one) =>
    wrongClaims(truth, [one]).map((text) => ({ account: one, wrong: text })),
  )) {
    tally.wrong += 1;
    if (account.unproven.length > 0) tally.named += 1;
    print(wrong);
  }
  for (const wrong of lostAccounts(truth, accounts)) {
    tally.wrong += 1;
    tally.lost += 1;
    print(wrong);
  }
}

const languages = findLanguageFiles({ languages: ["eng"], folder: null }).map(readLanguageFile);
const folder = positionals[0] ?? "../shared/data/statements";
const statements = [
  ...(existsSync(folder) ? await publicSamples(folder) : []),
  ...(await generated(openStatementThreads(2, { languages, niceness: 0 }))),
];
const tallies = new Map<string, Tally>();
for (const statement of statements) {
  const tally = tallies.get(statement.source) ?? {
    ...{ mutated: 0, claimed: 0, wrong: 0, named: 0, lost: 0 },
  };
  tallies.set(statement.source, tally);
  tallyOf(statement, tally);
}
const header = [
  "statements",
  "with errors",
  "called reconciled",
  "wrong",
  "of these, with an unproven end",
  "accounts lost",
];
const rows = [...tallies].map(([source, { mutated, claimed, wrong, named, lost }]) => [
  source,
  ...[mutated, claimed, wrong, named, lost].map(String),
]);
process.stdout.write(`\n${alignColumns([header, ...rows]).join("\n")}\n`);
process.exit(0);
