// npm run bench:statement-reading -- [FOLDER] [--part speed|quality]
// What reading bank statements costs, by the pool as the service uses it: pages of text and of scans, the header alone while
// nothing and while a scan is read, memory. Then what is recognised: real scans and photos against their truth, and public
// samples drawn as scans against their text layers. A row is right when date, amount, direction and balance are; a verdict is
// wrong when it calls wrong numbers of an account reconciled, or right ones not, or an account was lost next to reconciled ones.
// FOLDER holds PDF files and pictures; without it, a made statement is read.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type {
  BankStatement,
  StatementAccount,
  StatementResult,
} from "../src/model/bank-statement.ts";
import { alignColumns } from "../src/cli/columns.ts";
import { openStatementPool, type StatementPool } from "../src/pool/statements.ts";
import { GOOD_STATEMENT } from "../test/support/statement-files.ts";
import { makePdf } from "../test/support/pdf.ts";
import { type ScanDefects, scanPdf } from "../test/support/scans.ts";
import { isAnyWronglyReconciled, isArithmeticRight } from "./statement-arithmetic.ts";
import { matchRows, rowOf, shareOf, totalOf } from "./statement-scores.ts";
import {
  readTruth,
  type TrueAccount,
  type TrueRow,
  trueVerdict,
  units,
} from "./statement-truth.ts";
import { describeMachine } from "./table.ts";

const SCANS: Readonly<Record<string, ScanDefects>> = {
  "clean scan": { quality: 90 },
  "scan: turned by 0.7 degrees, noise, JPEG 75": { turn: 0.7, noise: 14, quality: 75 },
  "photo: turned by 2.4 degrees, shadow, noise, JPEG 60": {
    ...{ turn: -2.4, shadow: 0.5, noise: 10, quality: 60 },
  },
};
/** What speed is measured with. */
const SCAN: ScanDefects = { turn: 0.7, noise: 14, quality: 75 };
/** Longer documents say nothing more about a page. */
const PAGES_MAX = 4;
/** So that the quality is known within some minutes. */
const QUALITY_PAGES_MAX = 2;
const THREADS = 2;
const VERIFIES = 20;
const SCAN_VERIFIES = 3;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const started = performance.now();
  const result = await work();
  return [result, performance.now() - started];
}

interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly statement: BankStatement;
  /** Per page of text. */
  readonly pageMs: number;
}

async function readSamples(pool: StatementPool, folder: string): Promise<Sample[]> {
  const paths = existsSync(folder) ? globSync("{,more/}*.pdf", { cwd: folder }).sort() : [];
  const files = paths.map((name) => ({
    name,
    bytes: new Uint8Array(readFileSync(join(folder, name))),
  }));
  const made = { name: "made", bytes: makePdf([GOOD_STATEMENT]) };
  const samples: Sample[] = [];
  for (const { name, bytes } of files.length === 0 ? [made] : files) {
    await pool.read(bytes, "");
    const [statement, ms] = await timed(() => pool.read(bytes, ""));
    if (!("fault" in statement) && statement.pagesRecognised.length === 0)
      samples.push({ name, bytes, statement, pageMs: ms / statement.pages });
  }
  return samples;
}

/** Milliseconds of reading headers one after the other while `other` runs. */
async function verifyTimes(
  pool: StatementPool,
  bytes: Uint8Array,
  count: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1)
    times.push((await timed(() => pool.verify(bytes, "")))[1]);
  return times;
}

const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

async function measureSpeed(pool: StatementPool, samples: readonly Sample[]): Promise<string[][]> {
  const longest = samples.toSorted((a, b) => b.statement.pages - a.statement.pages)[0];
  if (longest === undefined) throw new Error("There is no statement to measure.");
  const pages = Math.min(longest.statement.pages, PAGES_MAX);
  const scan = await scanPdf(longest.bytes, pages, SCAN);
  await pool.verify(scan, "");
  const verifyText = await verifyTimes(pool, longest.bytes, VERIFIES);
  const verifyScan = await verifyTimes(pool, scan, SCAN_VERIFIES);
  await pool.read(scan, "");
  let rssBytes = 0;
  const watch = setInterval(() => (rssBytes = Math.max(rssBytes, pool.state().rssBytes)), 100);
  const documents = Array.from({ length: THREADS }, () => timed(() => pool.read(scan, "")));
  const busyText = await verifyTimes(pool, longest.bytes, VERIFIES);
  const busyScan = await verifyTimes(pool, scan, SCAN_VERIFIES);
  const scanMs = Math.max(...(await Promise.all(documents)).map(([, time]) => time));
  clearInterval(watch);
  const scannedPage = scanMs / pages / THREADS;
  const textPage = median(samples.map(({ pageMs }) => pageMs));
  const perHour = (pageMs: number): string =>
    Math.round(3_600_000 / pageMs / 3).toLocaleString("en");
  return [
    ["", "measured", "goal"],
    ["page of text", ms(textPage), "30 ms"],
    ["scanned page, both threads busy", ms(scannedPage), "2,500 ms"],
    ["verify, text", ms(median(verifyText)), "50 ms"],
    ["verify, text, while scans are read", ms(median(busyText)), "50 ms"],
    ["verify, scan", ms(median(verifyScan)), "1,500 ms"],
    ["verify, scan, while scans are read", ms(median(busyScan)), "1,500 ms"],
    ["memory while scans are read", `${String(Math.round(rssBytes / 1e6))} MB`, "700 MB"],
    ["statements of 3 pages an hour, text", perHour(textPage), ""],
    ["statements of 3 pages an hour, scans", perHour(scannedPage), ""],
  ];
}

const QUALITY_HEADER = ["statement", "rows right", "invented", "exact", "verdict", "verdicts"];

const isReconciled = (verdict: string): boolean => verdict.startsWith("reconciled");

interface Quality {
  readonly name: string;
  readonly rows: number;
  readonly found: number;
  readonly extra: number;
  readonly isExact: boolean;
  readonly isVerdictRight: boolean;
  readonly verdicts: string;
}

const keyOf = ({ date, units, balance }: TrueRow): string => [date, units, balance].join(" ");

function qualityOf(name: string, truth: readonly TrueAccount[], read: StatementResult): Quality {
  const accounts = "fault" in read ? [] : read.accounts;
  const expected = truth.flatMap(({ rows }) => rows);
  const given = accounts.flatMap(({ transactions }) => transactions.map(rowOf));
  const { found, extra } = matchRows(expected.map(keyOf), given.map(keyOf));
  const isAsTrue = accounts.every(({ verdict }, at) => {
    const right = truth[at];
    return right !== undefined && isReconciled(verdict) === isReconciled(trueVerdict(right));
  });
  return {
    ...{ name, found, rows: expected.length, extra },
    isExact: found === expected.length && extra === 0,
    isVerdictRight:
      (isArithmeticRight(truth, accounts) && isAsTrue) ||
      (!isArithmeticRight(truth, accounts) && !isAnyWronglyReconciled(truth, accounts)),
    verdicts: "fault" in read ? read.fault : accounts.map(({ verdict }) => verdict).join(", "),
  };
}

/** Of a text layer, which is the truth of the same statement drawn as a scan. */
const asTruth = ({ opening, closing, transactions, verdict }: StatementAccount): TrueAccount => ({
  opening: opening === null ? null : units(opening),
  closing: closing === null ? null : units(closing),
  rows: transactions.map(rowOf),
  verdict: isReconciled(verdict) ? "reconciled" : verdict,
});

function printQuality(title: string, all: readonly Quality[]): void {
  const row = (name: string, of: Quality | null): string[] => [
    name,
    `${String(of?.found ?? totalOf(all, ({ found }) => found))}/${String(of?.rows ?? totalOf(all, ({ rows }) => rows))}`,
    String(of?.extra ?? totalOf(all, ({ extra }) => extra)),
    ...(of === null
      ? [
          shareOf(all, ({ isExact }) => isExact),
          shareOf(all, ({ isVerdictRight }) => isVerdictRight),
        ]
      : [of.isExact ? "yes" : "no", of.isVerdictRight ? "right" : "wrong"]),
    of?.verdicts ?? "",
  ];
  const rows = [QUALITY_HEADER, ...all.map((one) => row(one.name, one)), row("all", null)];
  process.stdout.write(`${title}\n${alignColumns(rows).join("\n")}\n\n`);
}

/** Statements that came to us as pictures, with their truth. */
async function measureReal(pool: StatementPool, folder: string): Promise<void> {
  const all: Quality[] = [];
  const names = existsSync(folder)
    ? globSync("{,more/}*.{pdf,jpg,jpeg,png}", { cwd: folder }).sort()
    : [];
  for (const name of names) {
    const path = join(folder, name);
    const truthPath = path.replace(/\.\w+$/u, ".json");
    const truth = existsSync(truthPath) ? readTruth(truthPath) : null;
    if (truth === null) continue;
    const read = await pool.read(new Uint8Array(readFileSync(path)), "");
    if ("fault" in read ? name.endsWith(".pdf") : read.pagesRecognised.length === 0) continue;
    all.push(qualityOf(name, truth, read));
  }
  if (all.length > 0) printQuality("real scans and photos", all);
}

async function measureDrawn(pool: StatementPool, samples: readonly Sample[]): Promise<void> {
  for (const [title, defects] of Object.entries(SCANS)) {
    const all: Quality[] = [];
    for (const { name, bytes, statement } of samples) {
      const scan = await scanPdf(bytes, statement.pages, defects);
      all.push(qualityOf(name, statement.accounts.map(asTruth), await pool.read(scan, "")));
    }
    printQuality(`public text samples drawn as scans, 200 dots per inch: ${title}`, all);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { part: { type: "string" } },
});
const folder = positionals[0] ?? "../shared/data/statements";
const { node, cores, processor, loadBefore } = describeMachine();
process.stdout.write(
  `${processor}, ${String(cores)} cores, Node ${node}, load before ${String(loadBefore)}\n\n`,
);
const pool = openStatementPool(THREADS);
try {
  const samples = await readSamples(pool, folder);
  if (values.part !== "quality")
    process.stdout.write(`${alignColumns(await measureSpeed(pool, samples)).join("\n")}\n\n`);
  if (values.part !== "speed") {
    await measureReal(pool, folder);
    await measureDrawn(
      pool,
      samples.filter(({ statement: { pages } }) => pages <= QUALITY_PAGES_MAX),
    );
  }
} finally {
  await pool.close();
}
